//! What a run notes, and what the next one makes of it.

use analects_world::changes::Trace;
use expect_test::expect;

use super::*;

#[test]
fn a_run_notes_what_it_read_and_the_next_has_nothing_to_do() {
    let scene = Scene::new(2);
    let report = scene.run(&ASKED).unwrap();
    assert_eq!(report.outcome, Outcome::Done);
    assert_eq!(report.survey.n_new(), 2);
    expect![[r#"
        {
          "runs": [
            {
              "runAt": "2026-03-10T12:00:00.000Z",
              "sessionIds": [],
              "processedSessions": [],
              "candidateSessions": [
                {
                  "sessionId": "s0",
                  "lastUpdated": "2026-03-10T08:00:00.000Z"
                },
                {
                  "sessionId": "s1",
                  "lastUpdated": "2026-03-10T07:00:00.000Z"
                }
              ],
              "memoryCandidatesCreated": [],
              "memoryFilesUpdated": [],
              "skillsCreated": [],
              "turnCount": 0,
              "durationMs": 0,
              "terminateReason": "LOCAL"
            }
          ]
        }"#]]
    .assert_eq(&scene.desk.text(STATE).unwrap());
    assert_eq!(scene.desk.text(LOCK), None);
    assert_eq!(scene.run(&ASKED).unwrap().outcome, Outcome::NothingNew);
    // What was read without a model is new to one.
    let wish = Wish {
        model: true,
        ..ASKED
    };
    assert_eq!(scene.run(&wish).unwrap().outcome, Outcome::Done);
    let again = Wish { all: true, ..ASKED };
    assert_eq!(scene.run(&again).unwrap().survey.n_new(), 2);
    // One that went on is new again.
    scene.talk("s1", 15, NOW);
    scene.later(4 * HOUR);
    let report = scene.run(&ASKED).unwrap();
    assert_eq!(
        (report.survey.n_new(), report.survey.sessions.len()),
        (1, 2)
    );
}

#[test]
fn nobody_undoes_what_a_run_noted() {
    let scene = Scene::new(1);
    scene.run(&ASKED).unwrap();
    let mut logged = Vec::new();
    let desk: &dyn analects_world::Desk = &scene.desk;
    desk.log(&mut |entry| {
        logged.push(entry.why);
        true
    })
    .unwrap();
    assert_eq!(logged, Vec::<String>::new());
}

#[test]
fn a_dry_run_writes_nothing_at_all() {
    let mut scene = Scene::new(3);
    scene.flags.dry_run = true;
    let report = scene.learn(&ASKED, &|_| panic!("nobody learns")).unwrap();
    assert_eq!(report.outcome, Outcome::Planned);
    assert_eq!(report.indexed.len(), 3);
    let model = Wish {
        model: true,
        ..ASKED
    };
    let report = scene.learn(&model, &|_| panic!("nobody learns")).unwrap();
    // There is no model here, and that is told.
    assert_eq!(report.problems[0].code.name, "not-learned");
    assert!(scene.desk.commits().is_empty());
    assert_eq!(scene.desk.text(LOCK), None);
    assert_eq!(scene.desk.text(STATE), None);
}

#[test]
fn by_itself_a_run_begins_half_an_hour_after_the_last_one() {
    let scene = Scene::new(1);
    assert_eq!(scene.run(&BACKGROUND).unwrap().outcome, Outcome::Done);
    scene.talk("new", 12, NOW - 5 * HOUR);
    scene.later(29 * MINUTE);
    let ms = MINUTE;
    assert_eq!(
        scene.run(&BACKGROUND).unwrap().outcome,
        Outcome::Resting { ms }
    );
    scene.later(MINUTE);
    assert_eq!(scene.run(&BACKGROUND).unwrap().outcome, Outcome::Done);
    // Whoever asks does not wait.
    scene.talk("newer", 12, NOW - 5 * HOUR);
    assert_eq!(scene.run(&ASKED).unwrap().outcome, Outcome::Done);
}

#[test]
fn a_run_that_fails_is_noted_and_the_next_waits_longer_each_time() {
    let scene = Scene::new(1);
    let fail = |_: &Job<'_>| Err(Failure::failed("no luck"));
    let mut pauses = Vec::new();
    for _ in 0..4 {
        assert_eq!(scene.learn(&ASKED, &fail).unwrap_err().message, "no luck");
        let Outcome::Resting { ms } = scene.run(&BACKGROUND).unwrap().outcome else {
            panic!("it does not wait");
        };
        pauses.push(ms / MINUTE);
        assert_eq!(scene.desk.text(LOCK), None);
    }
    assert_eq!(pauses, [30, 60, 120, 240]);
    assert!(scene.desk.text(STATE).unwrap().contains("LOCAL_ERROR"));
    // Nothing was read: all of it is still new.
    assert_eq!(scene.run(&ASKED).unwrap().survey.n_new(), 1);
}

#[test]
fn a_session_that_a_model_never_gets_to_is_given_up() {
    let scene = Scene::new(2);
    let wish = Wish {
        model: true,
        ..ASKED
    };
    let world = scene.desk.world(&scene.around);
    let send = |job: &Job<'_>, _: &str| {
        let first = &job.indexed[0];
        Ok(Made {
            processed: vec![(first.id.clone(), first.updated)],
            n_turns: 3,
            tokens: 100,
            reason: "GOAL".to_owned(),
            ..Made::default()
        })
    };
    let only_s0 = |job: &Job<'_>, drafts: &str| match job.indexed[0].id.as_str() {
        "s0" => send(job, drafts),
        _ => Ok(Made {
            reason: "TIMEOUT".to_owned(),
            n_turns: 1,
            ..Made::default()
        }),
    };
    let mut news = Vec::new();
    for _ in 0..5 {
        let report = scene.run_with(&world, &wish, &read_all, &only_s0).unwrap();
        news.push(report.survey.n_new());
    }
    assert_eq!(news, [2, 1, 1, 0, 0]);
    let state = scene.desk.text(STATE).unwrap();
    assert_eq!(state.matches("TIMEOUT").count(), 2);
}

#[test]
fn where_no_model_answers_no_session_is_to_blame() {
    let scene = Scene::new(1);
    let wish = Wish {
        model: true,
        ..ASKED
    };
    let world = scene.desk.world(&scene.around);
    let send = |_: &Job<'_>, _: &str| Err(Failure::failed("nobody is there"));
    for _ in 0..5 {
        let report = scene.run_with(&world, &wish, &read_all, &send).unwrap();
        assert_eq!(report.survey.n_new(), 1);
        assert_eq!(
            report.problems[0].message,
            "no model learned from sessions: nobody is there"
        );
    }
    let Outcome::Resting { ms } = scene.run(&BACKGROUND).unwrap().outcome else {
        panic!("it does not wait");
    };
    assert_eq!(ms, 8 * HOUR);
}

#[test]
fn whoever_is_stopped_leaves_no_trace_of_a_failure() {
    let scene = Scene::new(1);
    let world = scene.desk.world(&scene.around);
    let prepared = prepare(&world, &scene.flags).unwrap();
    let cancel = Cancel::new();
    let local = |job: &Job<'_>| {
        assert!(job.goes_on());
        assert!(scene.desk.text(LOCK).is_some());
        assert!(scene.desk.text(STATE).unwrap().contains("UNFINISHED"));
        cancel.cancel();
        assert!(!job.goes_on());
        Ok(Made::default())
    };
    let model = |_: &Job<'_>, _: &str| panic!("it is over");
    let learners = Learners {
        local: &local,
        model: &model,
    };
    let report = run_with(&world, &scene.flags, &prepared, &ASKED, &cancel, learners).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped);
    assert_eq!(scene.desk.text(LOCK), None);
    assert_eq!(scene.desk.text(STATE).unwrap(), "{\n  \"runs\": []\n}");
    assert_eq!(scene.run(&BACKGROUND).unwrap().outcome, Outcome::Done);
}

#[test]
fn somebody_else_at_work_is_left_alone() {
    let scene = Scene::new(1);
    scene.desk.claims.bear(1, 1);
    let lock = format!(r#"{{"pid":1,"startedAt":"{}"}}"#, stamp(NOW));
    scene.desk.edit(LOCK, &lock);
    let report = scene.run(&ASKED).unwrap();
    let Outcome::Busy(holder) = &report.outcome else {
        panic!("{:?}", report.outcome);
    };
    assert_eq!(holder.pid, Some(1));
    assert_eq!(scene.desk.text(LOCK), Some(lock));
    assert_eq!(scene.desk.text(STATE), None);
}

#[test]
fn whoever_loses_the_lock_stops() {
    let scene = Scene::new(1);
    let other = format!(r#"{{"pid":1,"startedAt":"{}"}}"#, stamp(NOW + 40 * MINUTE));
    let local = |job: &Job<'_>| {
        scene.later(40 * MINUTE);
        scene.desk.edit(LOCK, &other);
        assert!(!job.goes_on());
        Ok(Made::default())
    };
    let learners = Learners {
        local: &local,
        model: &|_, _| Ok(Made::default()),
    };
    let world = scene.desk.world(&scene.around);
    let prepared = prepare(&world, &scene.flags).unwrap();
    let cancel = Cancel::new();
    let report = run_with(&world, &scene.flags, &prepared, &ASKED, &cancel, learners).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped);
    assert_eq!(scene.desk.text(LOCK), Some(other.clone()));
}

#[test]
fn a_ledger_that_makes_no_sense_is_told_and_begun_anew() {
    for bad in ["", "{\"runs\": [", "[]", "\u{0}\u{0}"] {
        let scene = Scene::new(1);
        scene.desk.edit(STATE, bad);
        let report = scene.run(&ASKED).unwrap();
        assert_eq!(report.outcome, Outcome::Done);
        assert_eq!(report.problems[0].code.name, "bad-ledger");
        assert!(scene.desk.text(STATE).unwrap().contains("LOCAL"));
        // What it was is kept, once.
        let commits = scene.desk.commits();
        let files = commits.iter().flat_map(|(changes, _)| &changes.files);
        let traces: Vec<_> = files.map(|change| change.trace).collect();
        assert_eq!(traces, [Trace::Text, Trace::Nothing], "{bad:?}");
    }
}

#[test]
fn what_others_wrote_into_the_ledger_stays() {
    let scene = Scene::new(1);
    scene.desk.edit(
        STATE,
        r#"{"version":3,"runs":[{"runAt":"2026-03-01T00:00:00.000Z","sessionIds":["x"],"skillsCreated":["deploy"],"note":"mine"}]}"#,
    );
    scene.run(&ASKED).unwrap();
    let state = scene.desk.text(STATE).unwrap();
    for kept in ["\"version\": 3", "\"note\": \"mine\"", "\"deploy\""] {
        assert!(state.contains(kept), "{kept}: {state}");
    }
}
