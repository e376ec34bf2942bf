//! Histories that were made shorter, in any order: what must hold for every one of them.

use analects_chat::budget::{Backoff, Fit, Gauge, Load, Swaps, fit};
use analects_chat::compress::{self, Answer, Ask, Status, Trigger};
use analects_chat::curate::curate;
use analects_chat::faults::faults;
use analects_chat::harden::{End, Fields, HardenOptions, OpenCalls, Signatures, Thoughts, harden};
use analects_chat::keep::{Kept, Shelf};
use analects_chat::limits::{Limits, Wishes};
use analects_chat::{mask, shorten, swap, weigh};
use analects_world::Profile;
use analects_world::model::{Content, Part, Role};
use proptest::prelude::*;
use serde_json::json;

use crate::histories::{broken, turn};

const SEND: HardenOptions = HardenOptions {
    thoughts: Thoughts::Kept,
    signatures: Signatures::Left,
    fields: Fields::All,
    open_calls: OpenCalls::Lost,
    end: End::AsItIs,
};

/// Something that makes a history shorter, or valid.
#[derive(Debug, Clone)]
enum Step {
    Curate,
    Harden,
    Mask(Kept),
    Shorten(Kept),
    Compress(Trigger, Option<String>),
}

fn step() -> impl Strategy<Value = Step> {
    let kept = prop_oneof![Just(Kept::Saved), Just(Kept::Failed)];
    let trigger = prop_oneof![Just(Trigger::Auto), Just(Trigger::Manual)];
    let said = prop_oneof![
        Just(String::new()),
        Just("I will not.".to_owned()),
        Just("<state_snapshot><overall_goal>all</overall_goal></state_snapshot>".to_owned()),
        "(?s).{0,80}",
    ];
    prop_oneof![
        Just(Step::Curate),
        Just(Step::Harden),
        kept.clone().prop_map(Step::Mask),
        kept.prop_map(Step::Shorten),
        (trigger, prop::option::of(said)).prop_map(|(trigger, said)| Step::Compress(trigger, said)),
    ]
}

fn profile() -> impl Strategy<Value = Profile> {
    prop_oneof![3 => Just(Profile::Analects), 1 => Just(Profile::Seed), 1 => Just(Profile::Head)]
}

/// Few tokens, so that there is always something to do.
fn limits(profile: Profile) -> Limits {
    let wishes = Wishes {
        protect_tokens: Some(60),
        prune_from_tokens: Some(20),
        tool_budget_tokens: Some(80),
        ..Wishes::default()
    };
    Limits::of(2_000, profile, &wishes)
}

/// A history long enough to be cut: what is given, with long outputs, and something asked for at the end.
fn grown(history: Vec<Content>, filler: usize, pin: &str, request: &str) -> Vec<Content> {
    let mut grown = vec![turn("pinned", Role::User, vec![Part::text(pin)])];
    grown.extend(history);
    for step in 0..filler {
        let id = format!("filler-{step}");
        let output = format!("line {step} of an output\n").repeat(40);
        let args = json!({ "command": format!("run {step}") });
        let call = Part::call(&id, "run_shell_command", args);
        let answer = Part::response(&id, "run_shell_command", json!({ "output": output }));
        grown.push(turn(format!("{id}-call"), Role::Model, vec![call]));
        grown.push(turn(format!("{id}-answer"), Role::User, vec![answer]));
    }
    grown.insert(
        grown.len() - filler.min(3) * 2,
        turn("request", Role::User, vec![Part::text(request)]),
    );
    grown
}

fn perform(
    history: Vec<Content>,
    step: &Step,
    limits: &Limits,
    pins: &[String],
    nth: usize,
) -> Vec<Content> {
    let shelf = Shelf {
        dir: "/out",
        profile: limits.profile,
    };
    let swapped = |history: Vec<Content>, plan: Option<swap::Plan>, kept: Kept| match plan {
        Some(plan) => {
            let outcomes = vec![kept; plan.keeps.len()];
            swap::apply(history, plan, &outcomes).history
        }
        None => history,
    };
    match step {
        Step::Curate => curate(history, limits.profile),
        Step::Harden => harden(history, &SEND),
        Step::Mask(kept) => {
            let plan = mask::plan(&history, limits, &mask::EXEMPT, &shelf);
            swapped(history, plan, *kept)
        }
        Step::Shorten(kept) => {
            let plan = shorten::budget::plan(&history, limits, 100, &shelf);
            swapped(history, plan, *kept)
        }
        Step::Compress(trigger, said) => {
            let ask = Ask {
                limits,
                trigger: *trigger,
                pins,
                focus: None,
                plan_file: None,
            };
            let Some(plan) = compress::plan(&history, &ask) else {
                return history;
            };
            let answer = said.as_deref().map_or(Answer::NotAsked, Answer::Said);
            compress::apply(history, plan, &format!("snapshot-{nth}"), answer).history
        }
    }
}

fn says(history: &[Content], wanted: &str) -> bool {
    let mut users = history.iter().filter(|it| it.role == Role::User);
    users.any(|it| it.texts().any(|text| text == wanted))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn after_any_reductions_a_history_is_valid_and_holds_what_must_stay(
        history in broken(),
        filler in 0..12_usize,
        steps in prop::collection::vec(step(), 1..6),
        profile in profile(),
        pin in "(?s)[a-z<>/\r\n记🦀 ]{1,30}x",
        request in "(?s)[A-Z<>/\r\n记🦀 ]{1,30}X",
    ) {
        let limits = limits(profile);
        let before = harden(grown(history, filler, &pin, &request), &SEND);
        let tokens_before = weigh::history(&before, Profile::Analects);
        let pins = [pin.clone()];
        let mut now = before;
        for (nth, step) in steps.iter().enumerate() {
            now = perform(now, step, &limits, &pins, nth);
            let sent = harden(now.clone(), &SEND);
            prop_assert_eq!(faults(&sent), []);
            prop_assert!(says(&sent, &pin), "no pin after {:?}: {:?}", step, sent);
            prop_assert!(says(&sent, &request), "no request after {:?}: {:?}", step, sent);
            let tokens = weigh::history(&sent, Profile::Analects);
            if profile == Profile::Analects {
                prop_assert!(tokens <= tokens_before, "{} > {} after {:?}", tokens, tokens_before, step);
            }
        }
    }

    #[test]
    fn right_after_a_compression_there_is_nothing_to_do(
        history in broken(),
        filler in 20..40_usize,
        window_tokens in prop::sample::select(vec![4_000_usize, 8_192, 32_000]),
    ) {
        let limits = Limits::of(window_tokens, Profile::Analects, &Wishes::default());
        let history = harden(grown(history, filler, "pin", "request"), &SEND);
        let pins = ["pin".to_owned()];
        let ask = Ask { limits: &limits, trigger: Trigger::Auto, pins: &pins, focus: None, plan_file: None };
        let Some(plan) = compress::plan(&history, &ask) else { return Ok(()) };
        let outcome = compress::apply(history, plan, "snapshot", Answer::NotAsked);
        let gauge = Gauge::new(0);
        let mut backoff = Backoff::default();
        backoff.note(&outcome, gauge.used(&outcome.history, limits.profile));
        let shelf = Shelf { dir: "/out", profile: Profile::Analects };
        let load = Load {
            history: &outcome.history,
            request_tokens: 1,
            gauge: &gauge,
            backoff: &backoff,
            limits: &limits,
            exempt: &mask::EXEMPT,
            shelf: &shelf,
            swaps: Swaps::Possible,
        };
        if outcome.status == Status::Compressed {
            let fit = fit(&load);
            prop_assert!(matches!(fit, Fit::AsIs), "{:?}", fit);
        }
    }
}

fn compressed(history: Vec<Content>) -> Vec<Content> {
    let limits = Limits::of(128_000, Profile::Analects, &Wishes::default());
    let ask = Ask {
        limits: &limits,
        trigger: Trigger::Auto,
        pins: &[],
        focus: None,
        plan_file: None,
    };
    let plan = compress::plan(&history, &ask).unwrap();
    let outcome = compress::apply(history, plan, "snapshot", Answer::NotAsked);
    assert_eq!(outcome.status, Status::Compressed);
    outcome.history
}

#[test]
fn twenty_thousand_messages_are_no_obstacle() {
    let history = grown(Vec::new(), 10_000, "pin", "request");
    let n_before = weigh::history(&history, Profile::Analects);
    let after = compressed(history);
    assert!(weigh::history(&after, Profile::Analects) * 100 <= n_before * 15);
    assert!(says(&after, "request"));
}

#[test]
fn an_output_of_thirty_megabytes_is_no_obstacle() {
    let mut history = grown(Vec::new(), 5, "pin", "request");
    let output = "a line that says nothing new at all\n".repeat(30 * 1024 * 1024 / 36);
    let call = Part::call("big", "run_shell_command", json!({ "command": "cat all" }));
    let answer = Part::response("big", "run_shell_command", json!({ "output": output }));
    history.insert(1, turn("big-call", Role::Model, vec![call]));
    history.insert(2, turn("big-answer", Role::User, vec![answer]));
    let after = compressed(history);
    assert!(weigh::history(&after, Profile::Analects) < 200_000);
    assert!(says(&after, "request"));
}

#[test]
fn a_history_of_calls_alone_is_one_exchange_and_stays() {
    let mut history = grown(Vec::new(), 300, "pin", "request");
    history.retain(|it| it.role == Role::Model);
    let history = harden(history, &SEND);
    assert_eq!(faults(&history), []);
    let steps = [
        Step::Compress(Trigger::Manual, None),
        Step::Shorten(Kept::Saved),
    ];
    for step in steps {
        let after = perform(history.clone(), &step, &limits(Profile::Analects), &[], 0);
        assert_eq!(faults(&after), []);
    }
}
