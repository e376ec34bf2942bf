//! What counts, and what the three steps leave.

use expect_test::{Expect, expect};
use serde_json::json;

use super::*;
use crate::sketch::{history, show};

fn turn(role: Role, parts: &[Value]) -> Content {
    Content {
        id: String::new(),
        role,
        parts: parts.iter().cloned().map(Part::from_value).collect(),
    }
}

/// Whether an answer of these parts counts for HEAD, and for the seeds.
fn check(parts: &[Value], head: bool, seed: bool) {
    let user = || turn(Role::User, &[json!({ "text": "u" })]);
    let history = vec![user(), turn(Role::Model, parts), user()];
    let counts = |profile| curate(history.clone(), profile).len() == 3;
    assert_eq!(counts(Profile::Head), head, "{parts:?}");
    assert_eq!(counts(Profile::Analects), head, "{parts:?}");
    assert_eq!(counts(Profile::Seed), seed, "{parts:?}");
}

#[test]
fn the_vectors_of_the_original() {
    check(&[json!({ "text": "m" })], true, true);
    check(&[json!({ "text": "" })], false, false);
    check(&[], true, false);
    check(&[json!({})], false, false);
    check(&[json!({ "text": "", "thought": true })], true, true);
    let call = json!({ "functionCall": { "name": "ls" }, "text": "" });
    check(&[call], true, false);
    check(
        &[json!({ "text": "", "thoughtSignature": "s" })],
        true,
        false,
    );
    check(&[json!({ "text": "", "callIndex": 1 })], false, false);
    check(
        &[json!({ "text": "m" }), json!({ "text": "" })],
        false,
        false,
    );
}

#[test]
fn one_bad_turn_takes_its_neighbours_with_it() {
    let user = turn(Role::User, &[]);
    let good = turn(Role::Model, &[json!({ "text": "m" })]);
    let empty = turn(Role::Model, &[json!({ "text": "" })]);
    let left = |history: &[&Content]| {
        let history = history.iter().map(|&content| content.clone()).collect();
        let curated = curate(history, Profile::Head);
        curated
            .iter()
            .map(|content| content.role.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(left(&[&user, &good, &empty, &user]), ["user", "user"]);
    assert_eq!(left(&[&user, &empty, &good]), ["user"]);
    assert_eq!(
        left(&[&user, &good, &user, &empty]),
        ["user", "model", "user"]
    );
    assert_eq!(left(&[&good, &user]), ["model", "user"]);
}

fn check_steps(sketch: &str, expect: Expect) {
    let stripped = strip_thoughts(history(sketch), Signatures::Synthetic);
    expect.assert_eq(&show(&merge_roles(stripped)));
}

#[test]
fn thoughts_go_and_neighbours_become_one() {
    check_steps(
        "U look
         M ~hm | ?1 ls | ?2 ls
         U !1 ls x
         M ~only this
         U !2 ls y
         M ?3 ls",
        expect![[r#"
            a U look
            b M ^?1 ls | ?2 ls
            c U !1 ls x | !2 ls y
            f M ?3 ls
        "#]],
    );
}

#[test]
fn a_request_after_a_tool_that_got_no_answer_stays_a_turn_of_its_own() {
    let after = |sketch| interrupted(&history(sketch));
    assert_eq!(after("U look"), None);
    assert_eq!(after("U look\nM done"), None);
    let turn = after("U look\nM ?1 ls\nU !1 ls x");
    assert_eq!(
        turn.map(|turn| show(&[turn])),
        Some(format!("* M {INTERRUPTED}\n"))
    );
}
