//! Events, noted and added up.

use analects_testkit::{FakeDesk, surroundings};
use analects_world::changes::{Access, Trace};
use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::private_log::{KEPT_BYTES, MAX_BYTES};

const LOG: &str = "/h/.gemini/analects/events.jsonl";

fn in_world<T>(desk: &FakeDesk, run: impl FnOnce(&World<'_>) -> T) -> T {
    let around = surroundings("/w", "/h", &[]);
    run(&desk.world(&around))
}

fn event(at_ms: u64, what: What) -> Event {
    Event {
        at_ms,
        session: Some(Session::of(Agent::Gemini, "a session")),
        what,
    }
}

fn weights(before: u64, after: u64) -> Weights {
    Weights { before, after }
}

fn all() -> Vec<What> {
    vec![
        What::Compressed {
            tokens: weights(900, 100),
            trigger: Trigger::Auto,
            ms: 12,
        },
        What::CompressionFailed {
            status: "inflated".into(),
            trigger: Trigger::Manual,
            ms: 3,
        },
        What::Uncompressed {
            tokens: weights(100, 400),
        },
        What::Masked {
            count: 4,
            tokens: weights(50, 20),
        },
        What::Shortened {
            count: 1,
            tokens: weights(30, 40),
        },
        What::Overflow {
            request: 2000,
            remaining: 10,
        },
        What::Loop {
            kind: "tool-calls".into(),
        },
        What::Hook {
            host: Agent::Claude,
            event: "after-tool".into(),
            outcome: "told".into(),
            ms: 7,
        },
    ]
}

#[test]
fn every_kind_is_a_line_without_content() {
    let desk = FakeDesk::parse("");
    for what in all() {
        assert_eq!(in_world(&desk, |world| note(world, &event(5, what))), None);
    }
    expect![[r#"
        {"v":1,"at":5,"kind":"compressed","agent":"gemini","session":"1e2952b478968fb6","before":900,"after":100,"ms":12,"trigger":"auto"}
        {"v":1,"at":5,"kind":"compression_failed","agent":"gemini","session":"1e2952b478968fb6","ms":3,"trigger":"manual","which":"inflated"}
        {"v":1,"at":5,"kind":"uncompressed","agent":"gemini","session":"1e2952b478968fb6","before":100,"after":400}
        {"v":1,"at":5,"kind":"masked","agent":"gemini","session":"1e2952b478968fb6","before":50,"after":20,"count":4}
        {"v":1,"at":5,"kind":"shortened","agent":"gemini","session":"1e2952b478968fb6","before":30,"after":40,"count":1}
        {"v":1,"at":5,"kind":"overflow","agent":"gemini","session":"1e2952b478968fb6","before":2000,"after":10}
        {"v":1,"at":5,"kind":"loop","agent":"gemini","session":"1e2952b478968fb6","which":"tool-calls"}
        {"v":1,"at":5,"kind":"hook","agent":"gemini","session":"1e2952b478968fb6","ms":7,"which":"after-tool","outcome":"told","host":"claude"}
    "#]].assert_eq(&desk.text(LOG).unwrap());
    let usage = in_world(&desk, usage);
    assert_eq!((usage.since_ms, usage.n_unreadable), (Some(5), 0));
    let told: Vec<_> = usage
        .totals
        .iter()
        .map(|(kind, total)| (*kind, total.count, total.saved_tokens, total.max_ms))
        .collect();
    expect![[r#"
        [
            (
                "compressed",
                1,
                0,
                12,
            ),
            (
                "compression_failed",
                1,
                0,
                3,
            ),
            (
                "hook",
                1,
                0,
                7,
            ),
            (
                "loop",
                1,
                0,
                0,
            ),
            (
                "masked",
                1,
                30,
                0,
            ),
            (
                "overflow",
                1,
                0,
                0,
            ),
            (
                "shortened",
                1,
                0,
                0,
            ),
            (
                "uncompressed",
                1,
                0,
                0,
            ),
        ]
    "#]]
    .assert_debug_eq(&told);
}

#[test]
fn lines_that_make_no_sense_are_counted_and_a_torn_one_harms_no_other() {
    let good = stored::print(&event(5, all().remove(6)));
    let log = format!(
        "{good}not json\n{}{}{{\"v\":1,\"at\":6,\"kind\":\"loop\",\"which\":\"rm -rf /\"}}\n{}",
        good.replace("\"v\":1", "\"v\":2"),
        good.replace("loop", "dance"),
        good.trim_end().trim_end_matches('}'),
    );
    let desk = FakeDesk::parse(&format!("//- {LOG}\n{log}"));
    desk.edit(LOG, &log);
    assert_eq!(
        in_world(&desk, |world| note(world, &event(9, all().remove(6)))),
        None
    );
    let usage = in_world(&desk, usage);
    assert_eq!(usage.n_unreadable, 5);
    assert_eq!(usage.totals["loop"].count, 2);
}

#[test]
fn days_are_told_apart() {
    let day = 24 * 60 * 60 * 1000;
    let loops = [0, 1, 4 * day, 9 * day, 10 * day, 10 * day + 5, 11 * day];
    let log: String = loops
        .iter()
        .map(|&at| stored::print(&event(at, all().remove(6))))
        .collect();
    let usage = super::sum::sum(&log, 10 * day + 7);
    let total = &usage.totals["loop"];
    assert_eq!(total.days, [1, 0, 0, 0, 0, 1, 2]);
    assert_eq!((total.count, total.last_ms), (7, 11 * day));
    assert_eq!(total.sorts["tool-calls"], 7);
}

#[test]
fn a_log_that_is_too_long_loses_its_oldest_hooks_first() {
    let (compressed, hook) = (all().remove(0), all().remove(7));
    let mut log = stored::print(&event(1, compressed));
    let line = stored::print(&event(2, hook.clone()));
    while log.len() as u64 <= MAX_BYTES {
        log.push_str(&line);
    }
    let desk = FakeDesk::parse("");
    desk.edit(LOG, &log);
    assert_eq!(in_world(&desk, |world| note(world, &event(3, hook))), None);
    let kept = desk.text(LOG).unwrap();
    assert!(kept.starts_with("{\"v\":1,\"at\":1,\"kind\":\"compressed\""));
    assert!(kept.ends_with("\"host\":\"claude\"}\n") && kept.contains("\"at\":3"));
    assert!(kept.len() <= KEPT_BYTES + 1000 && kept.len() > KEPT_BYTES - 1000);
    let commits = desk.commits();
    let change = &commits[0].0.files[0];
    assert_eq!(
        (change.access, change.trace),
        (Access::OwnerOnly, Trace::Nothing)
    );
}

#[test]
fn a_disk_that_is_full_is_a_note() {
    let desk = FakeDesk::parse("");
    desk.tapes.leave_room(3);
    let problem = in_world(&desk, |world| note(world, &event(5, all().remove(6))));
    let message = problem.unwrap().message;
    assert_eq!(message, "an event was not counted: the disk is full");
}

proptest! {
    #[test]
    fn any_log_is_added_up(log in r#"([{}":,\n a-z0-9]|\{"v":1,"at":|"kind":"loop"|"which":"a"\}){0,40}"#) {
        let _ = super::sum::sum(&log, 5);
    }

    #[test]
    fn what_is_written_is_what_is_read(at in any::<u64>(), a in any::<u64>(), b in any::<u64>(), which in 0usize..7) {
        let what = match all().remove(which) {
            What::Compressed { trigger, .. } => What::Compressed { tokens: weights(a, b), trigger, ms: at },
            What::Overflow { .. } => What::Overflow { request: a, remaining: b },
            what => what,
        };
        let event = event(at, what);
        let line = stored::print(&event);
        prop_assert_eq!(stored::parse(line.trim_end()), Some(event));
    }
}
