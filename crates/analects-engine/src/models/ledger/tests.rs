//! Calls, noted and added up.

use analects_testkit::{FakeDesk, surroundings};
use analects_world::Agent;
use analects_world::changes::ContentHash;
use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::settings::{self, Workspace};
use analects_chat::weigh::Counts;

const LOG_PATH: &str = "/h/.gemini/analects/models.jsonl";
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

fn entry(at_ms: u64, purpose: Purpose) -> Entry {
    Entry {
        at_ms,
        purpose,
        provider: "gemini".to_owned(),
        model: "gemini-3.8-flash".to_owned(),
        counts: told(900),
        usage: Usage {
            prompt: Some(1000),
            cached: Some(400),
            answer: Some(50),
            thoughts: Some(7),
        },
        ms: 1234,
        n_attempts: 2,
        outcome: ANSWERED.into(),
        session: None,
    }
}

fn failed(purpose: Purpose, kind: Kind) -> Entry {
    Entry {
        usage: Usage::default(),
        outcome: kind.as_str().into(),
        ..entry(5, purpose)
    }
}

fn in_world<T>(desk: &FakeDesk, run: impl FnOnce(&World<'_>) -> T) -> T {
    let around = surroundings("/w", "/h", &[]);
    run(&desk.world(&around))
}

fn noted(entries: &[Entry]) -> FakeDesk {
    let desk = FakeDesk::parse("");
    for entry in entries {
        assert_eq!(in_world(&desk, |world| note(world, entry)), None);
    }
    desk
}

#[test]
fn a_call_is_a_line_without_content() {
    let with_session = Entry {
        session: Some(Session::of(Agent::Gemini, "a session")),
        ..entry(5, Purpose::Chat)
    };
    let desk = noted(&[with_session, failed(Purpose::Learn, Kind::Busy)]);
    expect![[r#"
        {"v":1,"at":5,"purpose":"chat","provider":"gemini","model":"gemini-3.8-flash","counts":[900,0,0,0,0,0,0,0,0,0,0],"prompt":1000,"cached":400,"answer":50,"thoughts":7,"ms":1234,"attempts":2,"outcome":"answered","agent":"gemini","session":"1e2952b478968fb6"}
        {"v":1,"at":5,"purpose":"learn","provider":"gemini","model":"gemini-3.8-flash","counts":[900,0,0,0,0,0,0,0,0,0,0],"ms":1234,"attempts":2,"outcome":"busy"}
    "#]].assert_eq(&desk.text(LOG_PATH).unwrap());
    assert!(!desk.text(LOG_PATH).unwrap().contains("a session"));
    assert_eq!(ContentHash::of(b"a session").short().len(), 16);
}

#[test]
fn names_from_outside_are_made_plain_and_short() {
    let name = format!("a\nb\u{1b}[31m\u{202e}\u{200b}é{}", "x".repeat(500));
    let strange = Entry {
        model: name.clone(),
        provider: name,
        ..entry(5, Purpose::Chat)
    };
    let desk = noted(&[strange]);
    let log = desk.text(LOG_PATH).unwrap();
    let read = stored::parse(log.trim_end()).unwrap();
    assert!(read.model.starts_with("ab[31méxxx"), "{}", read.model);
    assert_eq!(
        (read.model.chars().count(), read.provider.chars().count()),
        (100, 100)
    );
    assert_eq!(log.lines().count(), 1);
}

#[test]
fn days_and_purposes_are_told_apart() {
    let entries = [
        entry(0, Purpose::Chat),
        entry(3 * DAY_MS, Purpose::Learn),
        entry(9 * DAY_MS, Purpose::Chat),
        entry(9 * DAY_MS + 5, Purpose::Chat),
        Entry {
            at_ms: 9 * DAY_MS,
            ..failed(Purpose::Chat, Kind::TimedOut)
        },
        Entry {
            at_ms: 9 * DAY_MS,
            ..failed(Purpose::Chat, Kind::Key)
        },
    ];
    let log: String = entries.iter().map(stored::print).collect();
    let spending = super::sum::sum(&(log + "nonsense\n"), 9 * DAY_MS + 7);
    assert_eq!((spending.since_ms, spending.n_unreadable), (Some(0), 1));
    let days: Vec<_> = spending.days.keys().copied().collect();
    assert_eq!(
        days,
        [(3 * DAY_MS, Purpose::Learn), (9 * DAY_MS, Purpose::Chat)]
    );
    let today = Spent {
        calls: 4,
        failures: 2,
        // One that took too long was read, as far as we know; one without a key was not.
        prompt_tokens: 2900,
        cached_tokens: 800,
        answer_tokens: 114,
        ms: 4 * 1234,
    };
    assert_eq!(spending.days[&(9 * DAY_MS, Purpose::Chat)], today);
    assert_eq!(spending.totals[&Purpose::Chat].calls, 5);
    assert_eq!(spending.background_tokens_today, 0);
}

fn may_with(desk: &FakeDesk, user: &str, purpose: Purpose) -> Result<(), Fault> {
    desk.edit("/h/.gemini/analects.json", user);
    in_world(desk, |world| {
        let (files, _) = settings::read(world, Workspace::Skipped);
        let (settings, _) = settings::resolve(world, &files);
        may(world, &settings, purpose)
    })
}

#[test]
fn what_nobody_waits_for_has_a_ceiling_a_day() {
    let ceiling = r#"{"model": {"backgroundDailyTokens": 2500}}"#;
    let desk = noted(&[
        entry(5, Purpose::Learn),
        entry(5, Purpose::Summarize),
        entry(5, Purpose::Chat),
        failed(Purpose::Learn, Kind::Unreachable),
    ]);
    assert_eq!(in_world(&desk, spent_today), Ok(2 * 1057));
    assert_eq!(may_with(&desk, ceiling, Purpose::Learn), Ok(()));
    // A stream that was cut was read, and the guess counts.
    let cut = failed(Purpose::Learn, Kind::Cut);
    assert_eq!(in_world(&desk, |world| note(world, &cut)), None);
    let fault = may_with(&desk, ceiling, Purpose::Learn).unwrap_err();
    assert_eq!(fault.kind, Kind::Quota);
    assert_eq!(
        fault.message,
        "today's share is used up: 3014 of 2500 tokens (`model.backgroundDailyTokens`)"
    );
    for purpose in Purpose::ALL
        .into_iter()
        .filter(|purpose| !purpose.is_background())
    {
        assert_eq!(may_with(&desk, ceiling, purpose), Ok(()));
    }
    assert_eq!(may_with(&desk, "{}", Purpose::Summarize), Ok(()));
    desk.now_ms
        .store(DAY_MS, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(
        may_with(&desk, ceiling, Purpose::Learn),
        Ok(()),
        "tomorrow is another day"
    );
    let none = may_with(
        &desk,
        r#"{"model": {"backgroundDailyTokens": 0}}"#,
        Purpose::Learn,
    );
    assert_eq!(
        none.unwrap_err().message,
        "`model.backgroundDailyTokens` is 0"
    );
}

#[test]
fn without_a_count_nothing_is_asked_behind_anybodys_back() {
    let desk = FakeDesk::parse(&format!("//- {LOG_PATH} (denied)\n"));
    let fault = may_with(&desk, "{}", Purpose::Learn).unwrap_err();
    assert_eq!(
        fault.message,
        format!("nobody knows what was spent today: `{LOG_PATH}`: permission denied")
    );
    assert_eq!(may_with(&desk, "{}", Purpose::Chat), Ok(()));
}

#[test]
fn a_disk_that_is_full_is_told() {
    let desk = FakeDesk::parse("");
    desk.tapes.leave_room(3);
    let problem = in_world(&desk, |world| note(world, &entry(5, Purpose::Chat)));
    assert_eq!(
        problem.unwrap().message,
        "a call of a model was not noted: the disk is full"
    );
}

proptest! {
    #[test]
    fn any_log_is_added_up(log in r#"([{}":,\n a-z0-9]|\{"v":1,"at":|"purpose":"learn"|"prompt":9999999999999999999){0,40}"#) {
        let _ = super::sum::sum(&log, 5);
    }

    #[test]
    fn what_is_written_is_what_is_read(at in any::<u64>(), prompt in any::<Option<u64>>(), n in any::<u32>(), which in 0usize..8, model in "[ -~é]{0,120}") {
        let entry = Entry {
            usage: Usage { prompt, ..Usage::default() },
            n_attempts: n,
            ms: at,
            model: printable(&model),
            session: Some(Session::of(Agent::Codex, &model)),
            ..entry(at, Purpose::ALL[which])
        };
        let line = stored::print(&entry);
        prop_assert_eq!(stored::parse(line.trim_end()), Some(entry));
        let _ = super::sum::sum(&line.repeat(3), at);
    }
}

/// What costs this many tokens.
fn told(tokens: usize) -> Counts {
    Counts {
        told: tokens,
        ..Counts::default()
    }
}
