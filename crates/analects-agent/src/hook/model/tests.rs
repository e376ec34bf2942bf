//! What hooks see of a talk, and what becomes of what they change.

use std::fmt::Write;

use analects_world::model::Call;
use expect_test::{Expect, expect};

use super::*;

fn turn(role: Role, parts: Vec<Part>) -> Content {
    Content {
        id: String::new(),
        role,
        parts,
    }
}

fn thought(text: &str) -> Part {
    let mut part = Part::text(text);
    part.is_thought = true;
    part
}

/// A prompt, a call with a word before it, its answer, a last word, and another prompt.
fn history() -> Vec<Content> {
    vec![
        turn(Role::User, vec![Part::text("count "), Part::text("ducks")]),
        turn(
            Role::Model,
            vec![
                thought("hm"),
                Part::text("I look."),
                Part::call("c", "ls", json!({})),
            ],
        ),
        turn(
            Role::User,
            vec![Part::response("c", "ls", json!({"output": "7"}))],
        ),
        turn(Role::Model, vec![Part::text("Seven.")]),
        turn(Role::User, vec![Part::text("Sure?")]),
    ]
}

fn show(history: &[Content]) -> String {
    let mut told = String::new();
    for turn in history {
        let parts: Vec<_> = turn
            .parts
            .iter()
            .map(|part| match &part.body {
                Body::Text(text) if part.is_thought => format!("({text})"),
                Body::Text(text) => format!("{text:?}"),
                Body::Call(Call { name, .. }) => format!("calls {name}"),
                Body::Response(response) => format!("{} answers", response.name),
                Body::Media(_) | Body::Other => "?".to_owned(),
            })
            .collect();
        writeln!(told, "{}: {}", turn.role.as_str(), parts.join(", ")).unwrap();
    }
    told
}

fn check(messages: &[(&str, &str)], expected: Expect) {
    let messages: Vec<_> = messages
        .iter()
        .map(|(role, content)| json!({"role": role, "content": content}))
        .collect();
    let Value::Object(request) = json!({"messages": messages}) else {
        panic!()
    };
    expected.assert_eq(&show(&edited(history(), &request).unwrap()));
}

#[test]
fn hooks_see_words_and_nothing_else() {
    let options = Options {
        temperature: Some(0.5),
        ..Options::USUAL
    };
    expect![[r#"{"model":"m","messages":[{"role":"user","content":"count ducks"},{"role":"model","content":"I look."},{"role":"model","content":"Seven."},{"role":"user","content":"Sure?"}],"config":{"temperature":0.5}}"#]]
        .assert_eq(&request("m", &history(), &options).to_string());
}

#[test]
fn a_request_that_nobody_changed_stays_as_it_was() {
    let request = request("m", &history(), &Options::USUAL);
    assert_eq!(
        edited(history(), request.as_object().unwrap()),
        Ok(history())
    );
    assert_eq!(edited(history(), &Map::new()), Ok(history()));
    assert_eq!(
        wishes(&request, request.as_object().unwrap()),
        Wishes::default()
    );
}

#[test]
fn changed_words_take_the_place_of_the_old_ones() {
    check(
        &[
            ("user", "count geese"),
            ("model", "Looking."),
            ("model", "Seven."),
            ("user", "Sure?"),
        ],
        expect![[r#"
            user: "count geese"
            model: (hm), "Looking.", calls ls
            user: ls answers
            model: "Seven."
            user: "Sure?"
        "#]],
    );
}

#[test]
fn what_is_left_out_goes_and_calls_stay() {
    check(
        &[("model", "Seven."), ("user", "Sure?")],
        expect![[r#"
        model: (hm), calls ls
        user: ls answers
        model: "Seven."
        user: "Sure?"
    "#]],
    );
    check(
        &[],
        expect![[r#"
        model: (hm), calls ls
        user: ls answers
    "#]],
    );
    check(
        &[
            ("user", "count ducks"),
            ("model", ""),
            ("model", "Seven."),
            ("user", "Sure?"),
        ],
        expect![[r#"
            user: "count ", "ducks"
            model: (hm), calls ls
            user: ls answers
            model: "Seven."
            user: "Sure?"
        "#]],
    );
}

#[test]
fn what_is_new_comes_where_it_stands() {
    check(
        &[
            ("system", "Be kind."),
            ("user", "count ducks"),
            ("model", "I look."),
            ("model", "Seven."),
            ("user", "Sure?"),
        ],
        expect![[r#"
            user: "Be kind."
            user: "count ", "ducks"
            model: (hm), "I look.", calls ls
            user: ls answers
            model: "Seven."
            user: "Sure?"
        "#]],
    );
    check(
        &[
            ("user", "count ducks"),
            ("model", "I look."),
            ("model", "Seven."),
            ("user", "Sure?"),
            ("user", "Say please."),
        ],
        expect![[r#"
            user: "count ", "ducks"
            model: (hm), "I look.", calls ls
            user: ls answers
            model: "Seven."
            user: "Sure?"
            user: "Say please."
        "#]],
    );
    check(
        &[("model", "I am first."), ("user", "Sure?")],
        expect![[r#"
        model: "I am first."
        model: (hm), calls ls
        user: ls answers
        user: "Sure?"
    "#]],
    );
}

#[test]
fn what_are_no_messages_change_nothing() {
    for messages in [
        json!("x"),
        json!([5]),
        json!([{"role": "user"}]),
        json!([{"role": "user", "content": 5}]),
    ] {
        let Value::Object(request) = json!({"messages": messages}) else {
            panic!()
        };
        assert!(edited(history(), &request).is_err());
    }
    let pieces = json!([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]);
    let Value::Object(request) = json!({"messages": pieces}) else {
        panic!()
    };
    assert!(show(&edited(history(), &request).unwrap()).contains("\"ab\""));
}

#[test]
fn other_wishes_are_heard_if_they_make_sense() {
    let was = request("m", &[], &Options::USUAL);
    let wishes = |now: Value| wishes(&was, now.as_object().unwrap());
    let told = wishes(json!({"model": "n", "config": {"temperature": 1, "maxOutputTokens": 9}}));
    let expected = Wishes {
        model: Some("n".to_owned()),
        temperature: Some(1.0),
        max_output_tokens: Some(9),
    };
    assert_eq!(told, expected);
    for odd in [
        json!({"model": 5, "config": 7}),
        json!({"model": " ", "config": {"temperature": 1e9, "maxOutputTokens": -1}}),
        json!({"config": {"temperature": "hot", "maxOutputTokens": 1e30}}),
    ] {
        assert_eq!(wishes(odd), Wishes::default());
    }
}

fn heard(parts: Vec<Part>) -> Heard {
    Heard {
        parts,
        usage: Some(Usage {
            prompt: Some(5),
            answer: Some(2),
            ..Usage::default()
        }),
        finish: Finish::Done,
    }
}

#[test]
fn an_answer_is_shown_and_given_in_plain_words() {
    let parts = vec![
        thought("hm"),
        Part::text("a"),
        Part::call("c", "ls", json!({})),
        Part::text("b"),
    ];
    let shown = response(&heard(parts.clone()));
    expect![[r#"{"text":"ab","candidates":[{"content":{"role":"model","parts":["a","b"]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"totalTokenCount":7}}"#]]
        .assert_eq(&shown.to_string());
    assert_eq!(reworded(parts.clone(), &shown), Ok(parts.clone()));
    let say = |words: Value| json!({"candidates": [{"content": {"parts": words}}]});
    for (words, expected) in [
        (json!(["x"]), "model: (hm), \"x\", calls ls\n"),
        (
            json!(["x", "y", "z"]),
            "model: (hm), \"x\", calls ls, \"y\", \"z\"\n",
        ),
        (
            json!([{"text": "x"}, "y"]),
            "model: (hm), \"x\", calls ls, \"y\"\n",
        ),
    ] {
        let parts = reworded(parts.clone(), &say(words)).unwrap();
        assert_eq!(show(&[turn(Role::Model, parts)]), expected);
    }
    let only_calls = vec![Part::call("c", "ls", json!({}))];
    let parts = reworded(only_calls, &say(json!(["x"]))).unwrap();
    assert_eq!(
        show(&[turn(Role::Model, parts)]),
        "model: \"x\", calls ls\n"
    );
    let given = answer(&json!({"text": "short"})).unwrap();
    assert_eq!(given.parts, [Part::text("short")]);
    for odd in [
        json!({}),
        say(json!([5])),
        say(json!([])),
        say(json!([""])),
        json!({"candidates": {}}),
        json!({"text": 5}),
    ] {
        assert!(answer(&odd).is_err(), "{odd}");
        assert!(reworded(Vec::new(), &odd).is_err());
    }
}

#[test]
fn tools_that_hooks_leave_are_offered() {
    let tool = |name: &str| Tool {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({}),
    };
    let tools = [tool("a"), tool("b")];
    let names = |config: Value| {
        let (tools, choice) = offered(&tools, &config);
        (
            tools
                .into_iter()
                .map(|tool| tool.name)
                .collect::<Vec<_>>()
                .join(" "),
            choice,
        )
    };
    for (config, expected) in [
        (
            json!({"mode": "AUTO", "allowedFunctionNames": []}),
            ("a b", Choice::Auto),
        ),
        (
            json!({"mode": "ANY", "allowedFunctionNames": ["b", "x"]}),
            ("b", Choice::Any),
        ),
        (
            json!({"mode": "AUTO", "allowedFunctionNames": ["a"]}),
            ("a", Choice::Auto),
        ),
        (
            json!({"mode": "NONE", "allowedFunctionNames": []}),
            ("", Choice::Auto),
        ),
        (
            json!({"mode": "ANY", "allowedFunctionNames": ["x"]}),
            ("", Choice::Auto),
        ),
        (json!({}), ("a b", Choice::Auto)),
    ] {
        assert_eq!(names(config), (expected.0.to_owned(), expected.1));
    }
}
