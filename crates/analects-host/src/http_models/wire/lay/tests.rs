//! Turns of histories that nobody has hardened.

use expect_test::{Expect, expect};
use serde_json::json;

use super::*;
use crate::http_models::wire::strange::{call, response, thought, turn};

#[expect(
    clippy::needless_pass_by_value,
    reason = "an expectation is written in place"
)]
fn check(history: &[Content], expected: Expect) {
    let lines = lay(history).iter().map(line).collect::<String>();
    expected.assert_eq(&lines);
}

fn line(turn: &Turn<'_>) -> String {
    let mut words = Vec::new();
    let who = match turn {
        Turn::User {
            results,
            words: all,
        } => {
            words.extend(results.iter().map(|result| {
                let answer = result.response.map(|response| &response.response);
                let answer = answer.map_or("lost".to_owned(), Value::to_string);
                format!("{}({})={answer}", result.name, result.id)
            }));
            words.extend(all.iter().map(|word| format!("{word:?}")));
            "user"
        }
        Turn::Model(said) => {
            words.extend(said.iter().map(|piece| match piece {
                Said::Call { id, name, args, .. } => format!("{name}({id}) {args}"),
                Said::Text(text) => format!("{text:?}"),
                Said::Thought(text, _) => format!("({text:?})"),
                Said::Media(_) => "media".to_owned(),
            }));
            "model"
        }
    };
    format!("{who}: {}\n", words.join(", "))
}

fn user(parts: impl Into<Vec<Part>>) -> Content {
    turn(Role::User, parts)
}

fn model(parts: impl Into<Vec<Part>>) -> Content {
    turn(Role::Model, parts)
}

#[test]
fn what_is_fine_stays_as_it_is() {
    let history = [
        user([Part::text("look")]),
        model([
            thought("hm", None),
            Part::text("yes"),
            call(Some("1"), "ls", json!({ "path": "." })),
        ]),
        user([
            response(Some("1"), "ls", json!({ "output": "a" }), vec![]),
            Part::text("and?"),
        ]),
        model([Part::text("done")]),
        user([Part::text("thanks")]),
    ];
    check(
        &history,
        expect![[r#"
        user: Text("look")
        model: ("hm"), "yes", ls(1) {"path":"."}
        user: ls(1)={"output":"a"}, Text("and?")
        model: "done"
        user: Text("thanks")
    "#]],
    );
}

#[test]
fn responses_find_their_calls_by_id_then_by_name() {
    let history = [
        user([Part::text("look")]),
        model([
            call(Some("1"), "ls", json!({})),
            call(None, "ls", json!({})),
            call(Some("3"), "cat", json!({})),
            call(Some("4"), "cat", json!({})),
        ]),
        user([
            response(None, "cat", json!("cat without id"), vec![]),
            response(Some("9"), "ls", json!("ls of another id"), vec![]),
            response(Some("1"), "ls", json!("one"), vec![]),
            response(Some("3"), "cat", json!("three"), vec![]),
            response(Some("8"), "cat", json!("whose?"), vec![]),
        ]),
    ];
    check(
        &history,
        expect![[r#"
        user: Text("look")
        model: ls(1) {}, ls(call_1) {}, cat(3) {}, cat(4) {}, cat(8) null
        user: ls(1)="one", ls(call_1)="ls of another id", cat(3)="three", cat(4)="cat without id", cat(8)="whose?"
    "#]],
    );
}

#[test]
fn calls_and_responses_that_stand_alone_are_paired_with_something() {
    let history = [
        user([response(Some("0"), "ls", json!("first of all"), vec![])]),
        model([Part::text("so"), call(Some("1"), "ls", json!({}))]),
        user([Part::text("stop")]),
        model([call(Some("1"), "ls", json!({}))]),
    ];
    check(
        &history,
        expect![[r#"
        user: Text("[The conversation goes on.]")
        model: ls(0) null
        user: ls(0)="first of all"
        model: "so", ls(1) {}
        user: ls(1)=lost, Text("stop")
        model: ls(1_2) {}
        user: ls(1_2)=lost
    "#]],
    );
}

#[test]
fn turns_without_words_vanish_and_what_they_parted_is_joined() {
    let history = [
        model([Part::text("I begin")]),
        user([Part::text(" "), Part::new(Body::Other)]),
        model([Part::text(" \n"), thought("only thought", None)]),
        model([Part::text("I "), Part::text("\n"), Part::text("go on")]),
        user([]),
        model([
            thought("t", None),
            Part::text("and end"),
            thought("too late", None),
        ]),
    ];
    check(
        &history,
        expect![[r#"
            user: Text("[The conversation goes on.]")
            model: "I begin", ("only thought"), "I \ngo on", ("t"), "and end"
            user: Text("Please continue.")
        "#]],
    );
    check(
        &[],
        expect![[r#"
        user: Text("Please continue.")
    "#]],
    );
}

#[test]
fn a_part_is_what_it_is_in_whosever_turn_it_stands() {
    let history = [
        user([
            Part::text("a"),
            call(Some("1"), "ls", json!({})),
            Part::text("b"),
        ]),
        model([
            response(Some("1"), "ls", json!("x"), vec![]),
            Part::text("c"),
        ]),
        user([thought("not mine", None), Part::text("d")]),
    ];
    check(
        &history,
        expect![[r#"
        user: Text("a")
        model: ls(1) {}
        user: ls(1)="x", Text("b")
        model: "c"
        user: Text("d")
    "#]],
    );
}
