//! Histories made valid: what must hold for every one of them.

use std::collections::BTreeSet;

use analects_chat::compress::split::{split_for_tail, split_point};
use analects_chat::curate::{curate, merge_roles, strip_thoughts};
use analects_chat::faults::{FaultKind, faults};
use analects_chat::harden::{
    CONTINUE, CONTINUING, End, Fields, HardenOptions, LOST, OpenCalls, Signatures, Thoughts, harden,
};
use analects_chat::{shape, view, weigh};
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::histories::{broken, turn, unfinished, valid};

const PLAIN: HardenOptions = HardenOptions {
    thoughts: Thoughts::Kept,
    signatures: Signatures::Left,
    fields: Fields::All,
    open_calls: OpenCalls::Lost,
    end: End::AsItIs,
};
const PROFILES: [Profile; 3] = [Profile::Analects, Profile::Seed, Profile::Head];

fn options() -> impl Strategy<Value = HardenOptions> {
    let both = || any::<bool>();
    (both(), both(), both(), both()).prop_map(|(thoughts, signatures, fields, end)| HardenOptions {
        thoughts: [Thoughts::Kept, Thoughts::Dropped][usize::from(thoughts)],
        signatures: [Signatures::Left, Signatures::Synthetic][usize::from(signatures)],
        fields: [Fields::All, Fields::Known][usize::from(fields)],
        open_calls: OpenCalls::Lost,
        end: [End::AsItIs, End::User][usize::from(end)],
    })
}

/// What is said in words, by whom, in order; not what we put in.
fn words(history: &[Content]) -> Vec<(Role, &str)> {
    let all = history
        .iter()
        .flat_map(|it| it.texts().map(|text| (it.role, text)));
    all.filter(|(_, text)| !text.is_empty() && *text != CONTINUE && *text != CONTINUING)
        .collect()
}

/// What tools were asked, in order; a call that we put in asks nothing.
fn asked(history: &[Content]) -> Vec<&Value> {
    let calls = history
        .iter()
        .flat_map(Content::calls)
        .map(|call| &call.args);
    calls.filter(|args| **args != json!({})).collect()
}

/// What tools answered, each once; not that something was lost.
fn answered(history: &[Content]) -> BTreeSet<String> {
    let responses = history.iter().flat_map(Content::responses);
    let said = responses.map(|it| json!([it.response, it.parts]).to_string());
    said.filter(|said| !said.contains(LOST)).collect()
}

fn call_ids(history: &[Content]) -> BTreeSet<&str> {
    let calls = history.iter().flat_map(Content::calls);
    calls
        .filter_map(|call| call.id.as_deref())
        .filter(|id| !id.is_empty())
        .collect()
}

fn media(history: &[Content]) -> usize {
    let parts = history.iter().flat_map(|content| &content.parts);
    parts
        .filter(|part| matches!(part.body, Body::Media(_)))
        .count()
}

proptest! {
    #[test]
    fn whatever_it_was_it_is_valid_afterwards(history in broken(), options in options()) {
        let hardened = harden(history.clone(), &options);
        prop_assert_eq!(faults(&hardened), []);
        let ends_well = hardened.last().is_none_or(|last| last.role == Role::User);
        prop_assert!(ends_well || options.end == End::AsItIs);
        prop_assert_eq!(&harden(hardened.clone(), &options), &hardened);
        prop_assert_eq!(words(&hardened), words(&history));
        prop_assert_eq!(asked(&hardened), asked(&history));
        prop_assert_eq!(answered(&hardened), answered(&history));
        prop_assert_eq!(media(&hardened), media(&history));
        prop_assert!(call_ids(&hardened).is_superset(&call_ids(&history)));
    }

    #[test]
    fn turns_keep_their_ids_and_their_order(history in broken()) {
        let hardened = harden(history.clone(), &PLAIN);
        let mut olds = history.iter().map(|content| &*content.id);
        // Names that we make up are hashes.
        for id in hardened.iter().map(|content| &*content.id).filter(|id| id.len() < 32) {
            prop_assert!(olds.any(|old| old == id), "{id} is new or came earlier");
        }
    }

    #[test]
    fn what_is_fine_stays_as_it_is(history in valid()) {
        prop_assert_eq!(faults(&history), []);
        prop_assert_eq!(&harden(history.clone(), &PLAIN), &history);
    }

    #[test]
    fn only_the_last_calls_stay_open_while_tools_run(history in prop_oneof![unfinished(), broken()]) {
        let options = HardenOptions { open_calls: OpenCalls::Running, ..PLAIN };
        let hardened = harden(history, &options);
        let last_model = hardened.iter().rposition(|content| content.role == Role::Model);
        for fault in faults(&hardened) {
            prop_assert_eq!(fault.kind, FaultKind::Unanswered);
            prop_assert_eq!(Some(fault.turn_idx), last_model);
        }
        prop_assert_eq!(harden(hardened.clone(), &options), hardened);
    }

    #[test]
    fn tools_that_run_are_left_alone(history in unfinished()) {
        let options = HardenOptions { open_calls: OpenCalls::Running, end: End::User, ..PLAIN };
        let hardened = harden(history.clone(), &options);
        let is_open = history.last().is_some_and(|last| last.calls().next().is_some());
        prop_assert!(!is_open || hardened == history);
    }

    #[test]
    fn a_longer_talk_begins_as_the_shorter_one_did(history in valid(), more in valid()) {
        // What was sent before must be sent again as it was, or a server reads it all anew.
        let before = harden(history.clone(), &PLAIN);
        let more = more.into_iter().map(|it| Content { id: format!("m{}", it.id), ..it });
        let after = harden(history.into_iter().chain(more).collect(), &PLAIN);
        let common = before.len().saturating_sub(1);
        prop_assert_eq!(after.get(..common), before.get(..common));
    }

    #[test]
    fn curating_twice_is_curating_once(history in broken(), sign in any::<bool>()) {
        let signatures = if sign { Signatures::Synthetic } else { Signatures::Left };
        for profile in PROFILES {
            let curated = curate(history.clone(), profile);
            prop_assert_eq!(&curate(curated.clone(), profile), &curated);
            let users = |of: &[Content]| of.iter().filter(|it| it.role == Role::User).count();
            prop_assert_eq!(users(&curated), users(&history));
            let merged = merge_roles(strip_thoughts(curated, signatures));
            prop_assert_eq!(&merge_roles(strip_thoughts(merged.clone(), signatures)), &merged);
            prop_assert!(merged.is_sorted_by(|a, b| a.role != b.role));
        }
    }

    #[test]
    fn a_cut_never_parts_a_call_from_its_response(history in unfinished(), tail_tokens in 0..400_usize) {
        let cut = split_for_tail(&history, tail_tokens);
        let (gone, kept) = history.split_at(cut);
        let parted = |of: &[Content], kind| faults(of).iter().any(|fault| fault.kind == kind);
        prop_assert!(!parted(gone, FaultKind::Unanswered));
        prop_assert!(!parted(kept, FaultKind::Orphan));
        prop_assert!(!kept.is_empty() || history.is_empty());
        // The tail is small enough, unless the last exchange is not.
        let last_request = history.iter().rposition(shape::is_request);
        let tokens = |at: usize| weigh::history(&history[at..], Profile::Analects);
        if let Some(at) = last_request.filter(|&at| tokens(at) <= tail_tokens) {
            prop_assert!(cut <= at);
            prop_assert!(cut == 0 || tokens(cut) <= tail_tokens);
        }
        prop_assert!(cut == 0 || tokens(0) > tail_tokens);
        let last_answered = history.iter().rposition(shape::is_response);
        prop_assert!(last_answered.is_none_or(|at| cut < at || last_request.is_some_and(|it| it > at)));
    }

    #[test]
    fn any_history_can_be_asked_anything(history in broken(), fraction in -0.1..1.1, tail in 0..400_usize) {
        for profile in PROFILES {
            prop_assert!(split_point(&history, fraction, profile) <= history.len());
            prop_assert!(view::routing(&history, view::Lookback::USUAL, profile).len() <= 4);
        }
        prop_assert!(split_for_tail(&history, tail) < history.len().max(1));
        prop_assert!(view::scoring(&history).len() <= 8);
        prop_assert!(view::display(&history).count() <= history.len());
    }
}

const MANY: usize = 20_000;

fn call(id: &str) -> Part {
    Part::call(id, "ls", json!({ "n": 1 }))
}

fn response(id: &str, output: &str) -> Part {
    Part::response(id, "ls", json!({ "output": output }))
}

#[test]
fn many_turns_with_one_id_are_told_apart() {
    let turns = (0..MANY).map(|place| match place % 2 {
        0 => turn(
            place.to_string(),
            Role::User,
            vec![response("call_0", &place.to_string())],
        ),
        _ => turn(place.to_string(), Role::Model, vec![call("call_0")]),
    });
    let hardened = harden(turns.collect(), &PLAIN);
    assert_eq!(faults(&hardened), []);
    assert_eq!(call_ids(&hardened).len(), MANY / 2 + 1);
    assert_eq!(answered(&hardened).len(), MANY / 2);
}

#[test]
fn many_calls_in_one_turn_find_their_responses() {
    let ids: Vec<_> = (0..MANY).map(|id| id.to_string()).collect();
    let calls = ids.iter().map(|id| call(id)).collect();
    let backwards = ids.iter().rev().map(|id| response(id, id)).collect();
    let history = vec![
        turn("a", Role::User, vec![Part::text("look")]),
        turn("b", Role::Model, calls),
        turn("c", Role::User, backwards),
    ];
    let hardened = harden(history, &PLAIN);
    assert_eq!(faults(&hardened), []);
    assert_eq!(
        hardened[2]
            .responses()
            .filter_map(|it| it.id.as_deref())
            .next(),
        Some("0")
    );
}

#[test]
fn many_orphans_between_many_words_get_their_calls() {
    let parts = (0..MANY).map(|place| match place % 2 {
        0 => Part::text("go on"),
        _ => response("1", &place.to_string()),
    });
    let hardened = harden(vec![turn("a", Role::User, parts.collect())], &PLAIN);
    assert_eq!(faults(&hardened), []);
    assert_eq!(call_ids(&hardened).len(), MANY / 2);
    assert_eq!(words(&hardened).len(), MANY / 2);
}

#[test]
fn a_long_run_of_tools_is_cut_where_its_tail_fits() {
    let mut history = vec![turn("a", Role::User, vec![Part::text("look")])];
    for step in 0..MANY / 2 {
        let id = step.to_string();
        history.push(turn(format!("c{id}"), Role::Model, vec![call(&id)]));
        history.push(turn(
            format!("r{id}"),
            Role::User,
            vec![response(&id, "four words of output")],
        ));
    }
    let tail_tokens = 5_000;
    let cut = split_for_tail(&history, tail_tokens);
    let tokens = |at| weigh::history(&history[at..], Profile::Analects);
    assert!(tokens(cut) <= tail_tokens && tokens(cut - 2) > tail_tokens);
    assert_eq!(faults(&history[cut..]).len(), 1, "the model begins");
}

/// Counts copies rather than time: a text that stays where it is in memory was not copied.
#[test]
fn thirty_megabytes_are_moved_and_not_copied() {
    let output = "a line of output\n".repeat(30_000_000 / 17);
    let place = output.as_ptr();
    let mut answer = response("1", "");
    if let Body::Response(it) = &mut answer.body {
        it.response = Value::String(output);
    }
    let history = vec![
        turn("a", Role::User, vec![answer, Part::text("why?")]),
        turn("b", Role::Model, vec![call("1")]),
    ];
    let curated = merge_roles(strip_thoughts(
        curate(history, Profile::Head),
        Signatures::Left,
    ));
    let hardened = harden(curated, &HardenOptions::ORIGINAL);
    assert_eq!(faults(&hardened), []);
    assert_eq!(split_for_tail(&hardened, 100), 0);
    let kept = hardened.iter().flat_map(Content::responses).next();
    let kept = kept.and_then(|it| it.response.as_str()).map(str::as_ptr);
    assert_eq!(kept, Some(place));
}
