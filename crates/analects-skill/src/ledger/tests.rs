//! Ledgers of every age, read and written.

use analects_testkit::{FakeFiles, Fixture};
use analects_world::Agent;
use expect_test::expect;

use super::*;

const MINUTE: u64 = 60_000;
const NOW: u64 = 1_700_000_000_000;

fn stamp(ms: u64) -> Stamp {
    Stamp::from_ms(ms).unwrap()
}

fn version(id: &str, ms: u64) -> Version {
    Version::new(id, Some(stamp(ms)))
}

fn session(id: &str, ms: u64) -> Eligible {
    Eligible {
        id: id.to_owned(),
        agent: Agent::Gemini,
        path: AbsPath::new("/s.jsonl").unwrap(),
        updated: Some(stamp(ms)),
        n_prompts: 10,
        headline: None,
        workflow: None,
        mark: Mark::Old,
        n_bytes: 0,
    }
}

fn mark(ledger: &Ledger, learner: Learner, id: &str, ms: u64) -> Mark {
    let mut sessions = [session(id, ms)];
    ledger.mark(learner, &mut sessions);
    sessions[0].mark
}

fn finished(learner: Learner, reason: &str) -> Finished {
    Finished {
        learner,
        candidates: Vec::new(),
        processed: Vec::new(),
        skills: Vec::new(),
        memory_patches: Vec::new(),
        n_turns: 0,
        ms: 0,
        reason: reason.to_owned(),
    }
}

const NEW: Mark = Mark::New { n_attempts: 0 };

#[test]
fn a_run_is_written_as_gemini_cli_writes_it_and_what_we_do_not_know_stays() {
    let before =
        r#"{"mine":1,"runs":[{"runAt":"x","skillsCreated":[],"theirs":{"a":1}},3,{"runAt":1}]}"#;
    let mut ledger = Ledger::parse(before.as_bytes()).unwrap();
    ledger.begin(stamp(NOW), Learner::Model, &[version("a", 7)]);
    ledger.finish(
        stamp(NOW),
        &Finished {
            candidates: vec![version("a", 7), version("b", 8)],
            processed: vec![version("a", 7)],
            skills: vec!["deploy".to_owned()],
            memory_patches: vec![".inbox/private/extraction.patch".to_owned()],
            n_turns: 7,
            ms: 12,
            ..finished(Learner::Model, "GOAL")
        },
    );
    expect![[r#"
        {
          "runs": [
            {
              "runAt": "x",
              "skillsCreated": [],
              "theirs": {
                "a": 1
              }
            },
            {
              "runAt": "2023-11-14T22:13:20.000Z",
              "sessionIds": [
                "a"
              ],
              "processedSessions": [
                {
                  "sessionId": "a",
                  "lastUpdated": "1970-01-01T00:00:00.007Z"
                }
              ],
              "candidateSessions": [
                {
                  "sessionId": "a",
                  "lastUpdated": "1970-01-01T00:00:00.007Z"
                },
                {
                  "sessionId": "b",
                  "lastUpdated": "1970-01-01T00:00:00.008Z"
                }
              ],
              "memoryCandidatesCreated": [
                ".inbox/private/extraction.patch"
              ],
              "memoryFilesUpdated": [],
              "skillsCreated": [
                "deploy"
              ],
              "turnCount": 7,
              "durationMs": 12,
              "terminateReason": "GOAL"
            }
          ],
          "mine": 1
        }"#]]
    .assert_eq(&ledger.print());
    assert_eq!(Ledger::parse(ledger.print().as_bytes()), Some(ledger));
}

#[test]
fn a_session_is_new_until_it_was_read_and_again_when_it_went_on() {
    let mut ledger = Ledger::default();
    ledger.finish(
        stamp(NOW),
        &Finished {
            candidates: vec![version("a", 7), version("b", 8)],
            processed: vec![version("a", 7)],
            ..finished(Learner::Model, "GOAL")
        },
    );
    assert_eq!(mark(&ledger, Learner::Model, "a", 7), Mark::Old);
    assert_eq!(mark(&ledger, Learner::Model, "a", 9), NEW);
    let tried = Mark::New { n_attempts: 1 };
    assert_eq!(mark(&ledger, Learner::Model, "b", 8), tried);
    assert_eq!(mark(&ledger, Learner::Model, "c", 8), NEW);
}

#[test]
fn runs_of_the_seeds_age_count_by_their_date() {
    let state = r#"{"runs":[{"runAt":"1970-01-01T00:00:10.000Z","sessionIds":["a",5],"skillsCreated":["x"]}]}"#;
    let ledger = Ledger::parse(state.as_bytes()).unwrap();
    assert_eq!(mark(&ledger, Learner::Model, "a", 10_000), Mark::Old);
    assert_eq!(mark(&ledger, Learner::Model, "a", 10_001), NEW);
    assert_eq!(ledger.dates().get("x"), Some(&stamp(10_000)));
}

#[test]
fn a_session_that_is_never_read_is_given_up() {
    let mut ledger = Ledger::default();
    for n in 0..3 {
        let tried = Mark::New {
            n_attempts: usize::try_from(n).unwrap(),
        };
        assert_eq!(mark(&ledger, Learner::Model, "a", 7), tried);
        // A run that is killed counts as well.
        ledger.begin(stamp(NOW + n), Learner::Model, &[version("a", 7)]);
    }
    assert_eq!(mark(&ledger, Learner::Model, "a", 7), Mark::Old);
    assert_eq!(mark(&ledger, Learner::Model, "a", 8), NEW);
    ledger.withdraw(stamp(NOW + 1));
    assert_eq!(ledger.n_runs(), 2);
}

#[test]
fn who_asks_no_model_keeps_count_of_its_own() {
    let mut ledger = Ledger::default();
    ledger.finish(
        stamp(NOW),
        &Finished {
            candidates: vec![version("a", 7)],
            ..finished(Learner::Local, "")
        },
    );
    assert_eq!(mark(&ledger, Learner::Local, "a", 7), Mark::Old);
    assert_eq!(mark(&ledger, Learner::Local, "a", 8), NEW);
    assert_eq!(mark(&ledger, Learner::Model, "a", 7), NEW);
    ledger.finish(
        stamp(NOW),
        &Finished {
            candidates: vec![version("b", 7)],
            ..finished(Learner::Local, "ERROR")
        },
    );
    assert_eq!(mark(&ledger, Learner::Local, "b", 7), NEW);
}

#[test]
fn failures_in_a_row_make_the_pause_longer() {
    let interval = 30 * MINUTE;
    let mut ledger = Ledger::default();
    assert_eq!(ledger.rest_ms(NOW, interval), None);
    ledger.finish(stamp(NOW), &finished(Learner::Model, "GOAL"));
    assert_eq!(ledger.rest_ms(NOW + 29 * MINUTE, interval), Some(MINUTE));
    assert_eq!(ledger.rest_ms(NOW + 30 * MINUTE, interval), None);
    let mut pauses = Vec::new();
    for reason in ["ERROR", "ABORTED", "ERROR", "ERROR"] {
        ledger.finish(stamp(NOW), &finished(Learner::Model, reason));
        pauses.push(ledger.rest_ms(NOW, interval).unwrap() / MINUTE);
    }
    assert_eq!(pauses, [30, 60, 120, 240]);
    for _ in 0..100 {
        ledger.finish(stamp(NOW), &finished(Learner::Local, "ERROR"));
    }
    assert_eq!(ledger.rest_ms(NOW, interval), Some(24 * 60 * MINUTE));
    ledger.finish(stamp(NOW), &finished(Learner::Local, ""));
    assert_eq!(ledger.rest_ms(NOW, interval), Some(interval));
}

#[test]
fn a_run_in_the_far_future_stops_nobody() {
    let mut ledger = Ledger::default();
    ledger.finish(stamp(NOW), &finished(Learner::Model, "GOAL"));
    let interval = 30 * MINUTE;
    assert!(ledger.rest_ms(NOW - MINUTE, interval).is_some());
    assert_eq!(ledger.rest_ms(NOW - 365 * 24 * 60 * MINUTE, interval), None);
}

#[test]
fn many_runs_are_folded_and_no_session_is_forgotten() {
    let mut ledger = Ledger::parse(
        br#"{"runs":[{"runAt":"1970-01-01T00:00:10.000Z","sessionIds":["old"],"skillsCreated":["o"]}]}"#,
    )
    .unwrap();
    for n in 0..1000u64 {
        let id = format!("s{n}");
        let model = n % 2 == 0;
        let learner = if model {
            Learner::Model
        } else {
            Learner::Local
        };
        let mut run = finished(learner, if model { "GOAL" } else { "" });
        run.candidates = vec![version(&id, n)];
        if model {
            run.candidates.push(version("stubborn", 1));
            run.processed = vec![version(&id, n)];
        }
        run.skills = vec![format!("skill-{n}")];
        run.n_turns = 1;
        ledger.finish(stamp(NOW + n), &run);
    }
    assert!(ledger.n_runs() <= 200, "{}", ledger.n_runs());
    // Gemini CLI leaves empty lists out; it is folded all the same.
    let print = ledger.print().replace("\"processedSessions\": [],", "");
    let mut ledger = Ledger::parse(print.as_bytes()).unwrap();
    for n in 0..150 {
        ledger.finish(stamp(NOW + 1000 + n), &finished(Learner::Local, ""));
    }
    assert!(ledger.n_runs() <= 200, "{}", ledger.n_runs());
    let ledger = Ledger::parse(ledger.print().as_bytes()).unwrap();
    for (first, learner) in [(0, Learner::Model), (1, Learner::Local)] {
        let ids = (first..1000).step_by(2);
        let mut same: Vec<_> = ids.clone().map(|n| session(&format!("s{n}"), n)).collect();
        let mut later: Vec<_> = ids.map(|n| session(&format!("s{n}"), n + 2000)).collect();
        ledger.mark(learner, &mut same);
        ledger.mark(learner, &mut later);
        assert!(same.iter().all(|session| session.mark == Mark::Old));
        assert!(later.iter().all(|session| session.mark == NEW));
    }
    assert_eq!(mark(&ledger, Learner::Model, "stubborn", 1), Mark::Old);
    assert_eq!(mark(&ledger, Learner::Model, "old", 10_000), Mark::Old);
    assert_eq!(mark(&ledger, Learner::Model, "old", 10_001), NEW);
    assert_eq!(ledger.dates().len(), 1001);
}

#[test]
fn a_file_that_makes_no_sense_is_no_ledger_and_none_at_all_is_empty() {
    let read = |text: Option<&str>| {
        let mut tree = Fixture::default();
        if let Some(text) = text {
            tree = tree.file("/m/.extraction-state.json", text);
        }
        Ledger::read(&FakeFiles::new(&tree), &AbsPath::new("/m").unwrap())
    };
    assert_eq!(read(None), Ok(Ledger::default()));
    for bad in ["", "[]", "{}", r#"{"runs": 1}"#, "{\"runs\": [", "\u{0}"] {
        assert_eq!(read(Some(bad)), Err(Unread::Senseless), "{bad}");
    }
    let odd = r#"{"runs": [{"runAt": "x", "skillsCreated": 5, "candidateSessions": {"a": 1},
        "processedSessions": [1, {"sessionId": 2}, {"sessionId": "a", "lastUpdated": "?"}]}, {}, null]}"#;
    let ledger = read(Some(odd)).unwrap();
    assert_eq!(ledger.n_runs(), 1);
    assert_eq!(ledger.rest_ms(NOW, MINUTE), None);
    assert_eq!(mark(&ledger, Learner::Model, "a", 0), Mark::Old);
}

#[test]
fn the_newest_run_dates_a_skill() {
    let runs = br#"{"runs": [{"runAt": "2026-01-02T00:00:00Z", "skillsCreated": ["a"]},
        {"runAt": "2026-01-01T00:00:00Z", "skillsCreated": ["a", 1]}, {"runAt": "x", "skillsCreated": ["b"]}]}"#;
    let dates = Ledger::parse(runs).unwrap().dates();
    assert_eq!(dates["a"].to_string(), "2026-01-02T00:00:00.000Z");
    assert!(!dates.contains_key("b"));
}
