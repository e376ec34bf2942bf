//! Our answers beside those of Gemini CLI's own functions, recorded by `cargo xtask goldens`.
//!
//! `head` answers as they do. Hardening is the exception: a history must be valid afterwards, and theirs is
//! not always. Where it is, ours is the same.

use analects_chat::compress::split::split_point;
use analects_chat::curate::{Signatures, curate, merge_roles, strip_thoughts};
use analects_chat::faults::{FaultKind, faults};
use analects_chat::harden::{HardenOptions, harden};
use analects_chat::view;
use analects_testkit::Beside;
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use serde_json::{Value, json};

use crate::histories::turn;

const SIGNATURE: &str = "skip_thought_signature_validator";

/// The questions of a kind, with their answers, and who counts them.
fn goldens(kind: &'static str, ask: &str) -> (Beside, Vec<(Value, Value)>) {
    let beside = Beside::the_original(kind, include_str!("goldens/valid.json"));
    let all: Vec<Value> = serde_json::from_str(beside.answers()).unwrap();
    let of_kind = all.into_iter().filter(|it| it["ask"] == ask);
    let goldens: Vec<_> = of_kind
        .map(|it| (it["input"].clone(), it["output"].clone()))
        .collect();
    assert!(goldens.len() >= 250, "{ask}");
    (beside, goldens)
}

#[test]
fn a_history_is_cut_where_the_original_cuts_it() {
    let (mut beside, goldens) = goldens("valid/cut", "cut");
    for (input, output) in goldens {
        let turns = input["turns"].as_array().unwrap();
        let history: Vec<_> = turns.iter().map(lettered).collect();
        let fraction = input["fraction"].as_f64().unwrap();
        for profile in [Profile::Seed, Profile::Head] {
            let cut = json!(split_point(&history, fraction, profile));
            beside.compare(&format!("{profile:?}"), &input.to_string(), &cut, &output);
        }
    }
    beside.finish();
}

/// A turn that is told by a letter and the length of its text.
fn lettered(turn_of: &Value) -> Content {
    let times = usize::try_from(turn_of[2].as_u64().unwrap()).unwrap();
    let said = turn_of[1].as_str().unwrap().repeat(times);
    let text = || Part::text(&*said);
    let call = || Part::call("c", "ls", json!({ "path": said }));
    let response = || Part::response("c", "ls", json!({ "output": said }));
    let (role, parts) = match turn_of[0].as_str().unwrap() {
        "U" => (Role::User, vec![text()]),
        "M" => (Role::Model, vec![text()]),
        "C" => (Role::Model, vec![call()]),
        "B" => (Role::Model, vec![text(), call()]),
        "R" => (Role::User, vec![response()]),
        "S" => (Role::User, vec![response(), text()]),
        _ => (Role::Model, vec![]),
    };
    turn("", role, parts)
}

#[test]
fn what_counts_is_what_counts_for_the_original() {
    let (mut beside, goldens) = goldens("valid/curated", "talk");
    for (input, output) in goldens {
        let (history, answer) = (talk(&input, &input), |name: &str| {
            talk(&output[name], &input)
        });
        for profile in [Profile::Head, Profile::Analects] {
            let curated = curate(history.clone(), profile);
            let merged = merge_roles(strip_thoughts(curated.clone(), Signatures::Synthetic));
            let theirs = ["curated", "merged"].map(|name| without_made_up(answer(name)));
            beside.compare(
                &format!("{profile:?}"),
                &input.to_string(),
                &[curated, merged],
                &theirs,
            );
        }
    }
    beside.finish();
}

#[test]
fn routers_see_what_they_see_in_the_original() {
    let (mut beside, goldens) = goldens("valid/routed", "talk");
    for (input, output) in goldens {
        let history = talk(&input, &input);
        let routing = view::routing(&history, view::Lookback::USUAL, Profile::Head);
        let ours = [routing, view::scoring(&history).to_vec()];
        let theirs = ["routing", "scoring"].map(|name| talk(&output[name], &input));
        beside.compare("talk", &input.to_string(), &ours, &theirs);
    }
    beside.finish();
}

#[test]
fn hardening_is_the_originals_wherever_that_is_valid() {
    let (mut beside, goldens) = goldens("valid/hardened", "talk");
    for (input, output) in goldens {
        let ours = harden(talk(&input, &input), &HardenOptions::ORIGINAL);
        assert_eq!(faults(&ours), [], "{input}");
        let theirs = talk(&output["hardened"], &input);
        match difference(&ours, &theirs) {
            Some(row) => beside.differs(&input.to_string(), [row]),
            None => beside.compare("talk", &input.to_string(), &ours, &theirs),
        }
    }
    beside.finish();
}

/// The row of the table that says why ours is another.
fn difference(ours: &[Content], theirs: &[Content]) -> Option<&'static str> {
    match faults(theirs).first().map(|fault| fault.kind) {
        Some(FaultKind::EmptyPart) => Some("empty-part"),
        Some(FaultKind::NoId) => Some("no-id"),
        Some(FaultKind::RepeatedId) => Some("id-twice"),
        Some(FaultKind::Orphan) => Some("two-responses"),
        Some(kind) => panic!("{kind:?} has no row"),
        None => (has_media_in_responses(ours) && !has_media_in_responses(theirs))
            .then_some("response-media"),
    }
}

fn has_media_in_responses(history: &[Content]) -> bool {
    let mut responses = history.iter().flat_map(Content::responses);
    responses.any(|response| !response.parts.is_empty())
}

/// A history in few words; a turn that is only an id is the one of the question.
fn talk(turns: &Value, question: &Value) -> Vec<Content> {
    let whole = |packed: &Value| match packed {
        Value::String(id) => {
            let mut turns = question.as_array().unwrap().iter();
            turns
                .find(|turn| turn[0] == **id)
                .map(unpacked_turn)
                .unwrap()
        }
        packed => unpacked_turn(packed),
    };
    turns.as_array().unwrap().iter().map(whole).collect()
}

fn unpacked_turn(packed: &Value) -> Content {
    let [id, role, parts @ ..] = &**packed.as_array().unwrap() else {
        panic!("a turn has an id and a role: {packed}");
    };
    let role = match role.as_str().unwrap() {
        "user" => Role::User,
        _ => Role::Model,
    };
    turn(
        id.as_str().unwrap(),
        role,
        parts.iter().map(unpacked).collect(),
    )
}

fn unpacked(packed: &Value) -> Part {
    let Value::Array(fields) = packed else {
        return Part::from_value(packed.clone());
    };
    let [kind, id, name, said] = &**fields else {
        panic!("a part in few words has four: {packed}");
    };
    let (what, mut fields) = match kind.as_str().unwrap() {
        "!" => {
            let fields = json!({ "name": name, "response": { "output": said } });
            ("functionResponse", fields)
        }
        _ => (
            "functionCall",
            json!({ "name": name, "args": { "path": said } }),
        ),
    };
    if id.is_string() {
        fields["id"] = id.clone();
    }
    let mut part = json!({ what: fields });
    if kind == "^" {
        part["thoughtSignature"] = SIGNATURE.into();
    }
    Part::from_value(part)
}

/// The original makes up ids when it takes in a history; ours is given one in which that is done.
fn without_made_up(mut history: Vec<Content>) -> Vec<Content> {
    for part in history.iter_mut().flat_map(|content| &mut content.parts) {
        let id = match &mut part.body {
            Body::Call(call) => &mut call.id,
            Body::Response(response) => &mut response.id,
            _ => continue,
        };
        id.take_if(|id| id.starts_with("synth_"));
    }
    history
}
