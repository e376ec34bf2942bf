//! What is done before something is sent.

use analects_world::Profile;
use analects_world::model::{Content, Part, Role};
use expect_test::expect;
use serde_json::json;

use super::*;
use crate::compress::{self, Answer, Ask, Trigger};
use crate::keep::Kept;
use crate::limits::Wishes;
use crate::swap;

const SHELF: Shelf<'_> = Shelf {
    dir: "/out",
    profile: Profile::Analects,
};

/// One request, then tools; each answers this many tokens.
fn run(n_steps: usize, step_tokens: usize) -> Vec<Content> {
    let mut history = vec![Content::text("ask", Role::User, "do it")];
    for step in 0..n_steps {
        let id = format!("c{step}");
        let output = format!("{step}: {}", "reading on ".repeat(step_tokens * 4 / 11));
        for (role, part) in [
            (
                Role::Model,
                Part::call(&id, "read_file", json!({ "path": format!("f{step}") })),
            ),
            (
                Role::User,
                Part::response(&id, "read_file", json!({ "output": output })),
            ),
        ] {
            let id = format!("t{}", history.len());
            let parts = vec![part];
            history.push(Content { id, role, parts });
        }
    }
    history
}

/// Does what is to be done, and says what it was.
fn settle(mut history: Vec<Content>, window_tokens: usize, request_tokens: usize) -> Vec<String> {
    let limits = Limits::of(window_tokens, Profile::Analects, &Wishes::default());
    let mut gauge = Gauge::new(0);
    let mut backoff = Backoff::default();
    let mut done = Vec::new();
    for _ in 0..10 {
        let load = Load {
            history: &history,
            request_tokens,
            gauge: &gauge,
            backoff: &backoff,
            limits: &limits,
            exempt: &[],
            shelf: &SHELF,
            swaps: Swaps::Possible,
        };
        let (step, plan) = match fit(&load) {
            Fit::AsIs => return done,
            Fit::TooBig(overflow) => {
                done.push(overflow.message());
                return done;
            }
            Fit::Mask(plan) => ("mask", Some(plan)),
            Fit::Shorten(plan) => ("shorten", Some(plan)),
            Fit::Compress => ("compress", None),
        };
        done.push(step.to_owned());
        if let Some(plan) = plan {
            let saved = vec![Kept::Saved; plan.keeps.len()];
            history = swap::apply(history, plan, &saved).history;
        } else {
            let ask = Ask {
                limits: &limits,
                trigger: Trigger::Auto,
                pins: &[],
                focus: None,
                plan_file: None,
            };
            match compress::plan(&history, &ask) {
                Some(plan) => {
                    let outcome = compress::apply(history, plan, "s", Answer::NotAsked);
                    let used = gauge.used(&outcome.history, limits.profile);
                    backoff.note(&outcome, used);
                    history = outcome.history;
                }
                None => backoff.nothing(gauge.used(&history, limits.profile)),
            }
        }
        gauge.changed();
    }
    panic!("it never ends: {done:?}");
}

#[test]
fn cheap_steps_come_first_and_it_ends() {
    assert_eq!(settle(run(10, 100), 128_000, 10), Vec::<String>::new());
    assert_eq!(settle(run(100, 1_000), 128_000, 10), ["mask"]);
    assert_eq!(settle(run(100, 1_000), 8_192, 10), ["mask", "compress"]);
    assert_eq!(settle(run(3, 40_000), 128_000, 10)[0], "mask");
    assert_eq!(settle(run(1, 120_000), 128_000, 10), ["shorten"]);
}

#[test]
fn what_cannot_fit_is_not_sent() {
    let done = settle(run(2, 100), 8_192, 9_000);
    let last = done.last().unwrap();
    assert!(
        last.contains("9000 tokens") && last.contains("8192"),
        "{done:?}"
    );
    let full = overflow(
        9_000,
        0,
        &Limits::of(8_192, Profile::Analects, &Wishes::default()),
    );
    expect![[r#"
        what was said so far is more than the 8192 tokens of the model's window, and none of it could be made shorter: begin a new session, or choose a model with a larger window"#]]
    .assert_eq(&full.unwrap().message());
    let over = overflow(
        7_000,
        1_190,
        &Limits::of(8_192, Profile::Analects, &Wishes::default()),
    );
    assert_eq!(over.map(|it| it.remaining_tokens), Some(1_192));
    assert_eq!(
        overflow(
            7_000,
            1_132,
            &Limits::of(8_192, Profile::Analects, &Wishes::default())
        ),
        None
    );
}

#[test]
fn talk_is_compressed() {
    let turns = (0..400).map(|turn| {
        let role = if turn % 2 == 0 {
            Role::User
        } else {
            Role::Model
        };
        Content::text(
            format!("t{turn}"),
            role,
            format!("turn {turn} says something. ").repeat(60),
        )
    });
    assert_eq!(settle(turns.collect(), 128_000, 10), ["compress"]);
}
