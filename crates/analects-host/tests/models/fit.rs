//! Whatever a history holds, and whatever is wanted of the answer, the service must not refuse it.

use analects_testkit::ModelServer;
use analects_testkit::model_server::Reply;
use analects_testkit::say;
use analects_world::Cancel;
use analects_world::model::{Body, Call, Content, Part, Role};
use analects_world::models::{Choice, Form, Models, Options, Thinking, Wire};
use serde_json::{Map, Value, json};

use crate::talk::{Question, WIRES, ask, models, tool};

fn turn(role: Role, parts: Vec<Part>) -> Content {
    Content {
        id: "x".to_owned(),
        role,
        parts,
    }
}

fn user(text: &str) -> Content {
    Content::text("u", Role::User, text)
}

fn model(parts: Vec<Part>) -> Content {
    turn(Role::Model, parts)
}

fn call(id: &str) -> Part {
    Part::call(id, "look", json!({"path": "a"}))
}

fn response(id: &str) -> Part {
    Part::response(id, "look", json!({"output": "ok"}))
}

fn part(value: Value) -> Part {
    Part::from_value(value)
}

/// Histories as they come out of compression, of other programs, of interrupted turns, and of other wires.
fn histories() -> Vec<(&'static str, Vec<Content>)> {
    let nameless = Part::new(Body::Call(Call {
        id: None,
        name: "look".to_owned(),
        args: Value::Null,
        rest: Map::new(),
    }));
    let unanswered =
        part(json!({"functionResponse": {"name": "look", "response": {"output": "x"}}}));
    let image = part(json!({"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}));
    let thought = part(json!({"text": "Hm.", "thought": true, "thoughtSignature": "c2lnbmF0dXJl"}));
    vec![
        ("plain", vec![user("a")]),
        (
            "talk",
            vec![user("a"), model(vec![Part::text("b")]), user("c")],
        ),
        (
            "calls",
            vec![
                user("a"),
                model(vec![Part::text("b"), call("1"), call("2")]),
                turn(Role::User, vec![response("1"), response("2")]),
            ],
        ),
        (
            "calls in a row",
            vec![
                user("a"),
                model(vec![call("1")]),
                turn(Role::User, vec![response("1")]),
                model(vec![call("2")]),
                turn(Role::User, vec![response("2"), Part::text("and now?")]),
            ],
        ),
        (
            "responses in another order",
            vec![
                user("a"),
                model(vec![call("1"), call("2")]),
                turn(Role::User, vec![response("2"), response("1")]),
            ],
        ),
        (
            "responses in two turns",
            vec![
                user("a"),
                model(vec![call("1"), call("2")]),
                turn(Role::User, vec![response("1")]),
                turn(Role::User, vec![response("2")]),
            ],
        ),
        (
            "a call without an id",
            vec![
                user("a"),
                model(vec![nameless]),
                turn(Role::User, vec![unanswered.clone()]),
            ],
        ),
        (
            "a call that was never answered",
            vec![user("a"), model(vec![call("1")]), user("never mind")],
        ),
        (
            "one of two calls was answered",
            vec![
                user("a"),
                model(vec![call("1"), call("2")]),
                turn(Role::User, vec![response("1")]),
                model(vec![Part::text("b")]),
                user("c"),
            ],
        ),
        (
            "a response that nobody called for",
            vec![user("a"), turn(Role::User, vec![response("9")]), user("b")],
        ),
        (
            "a response at the beginning",
            vec![turn(Role::User, vec![response("9")]), user("b")],
        ),
        (
            "the same id twice",
            vec![
                user("a"),
                model(vec![call("1")]),
                turn(Role::User, vec![response("1")]),
                model(vec![call("1")]),
                turn(Role::User, vec![response("1")]),
            ],
        ),
        (
            "an odd id",
            vec![
                user("a"),
                model(vec![call("look:1/ä b")]),
                turn(Role::User, vec![response("look:1/ä b")]),
            ],
        ),
        ("two users in a row", vec![user("a"), user("b")]),
        (
            "two models in a row",
            vec![
                user("a"),
                model(vec![Part::text("b")]),
                model(vec![Part::text("c")]),
                user("d"),
            ],
        ),
        (
            "a model first",
            vec![model(vec![Part::text("a")]), user("b")],
        ),
        (
            "a call first",
            vec![
                model(vec![call("1")]),
                turn(Role::User, vec![response("1")]),
                user("b"),
            ],
        ),
        (
            "a model last",
            vec![user("a"), model(vec![Part::text("b ")])],
        ),
        (
            "empty words",
            vec![
                user("a"),
                model(vec![Part::text("")]),
                user(" \n"),
                user("b"),
            ],
        ),
        (
            "an empty turn",
            vec![user("a"), model(Vec::new()), user("b")],
        ),
        (
            "thoughts",
            vec![
                user("a"),
                model(vec![thought.clone(), Part::text("b"), call("1")]),
                turn(Role::User, vec![response("1")]),
            ],
        ),
        (
            "only a thought",
            vec![user("a"), model(vec![thought]), user("b")],
        ),
        (
            "a signature that is no base 64",
            vec![
                user("a"),
                model(vec![
                    part(json!({"text": "b", "thoughtSignature": "not base 64!"})),
                    part(
                        json!({"functionCall": {"id": "1", "name": "look", "args": {}}, "thoughtSignature": "x y"}),
                    ),
                ]),
                turn(Role::User, vec![response("1")]),
            ],
        ),
        (
            "an image",
            vec![turn(Role::User, vec![Part::text("see"), image.clone()])],
        ),
        (
            "an image from a tool",
            vec![
                user("a"),
                model(vec![call("1")]),
                turn(
                    Role::User,
                    vec![part(json!({"functionResponse": {"id": "1", "name": "look",
                        "response": {"output": "see"}, "parts": [image.to_value()]}}))],
                ),
            ],
        ),
        (
            "an image beside a response",
            vec![
                user("a"),
                model(vec![call("1")]),
                turn(Role::User, vec![image, response("1")]),
            ],
        ),
        (
            "a response that says nothing",
            vec![
                user("a"),
                model(vec![call("1")]),
                turn(Role::User, vec![Part::response("1", "look", Value::Null)]),
            ],
        ),
        (
            "a response that is no object",
            vec![
                user("a"),
                model(vec![call("1")]),
                turn(Role::User, vec![Part::response("1", "look", json!("text"))]),
            ],
        ),
        (
            "arguments that are no object",
            vec![
                user("a"),
                model(vec![Part::call("1", "look", json!([1]))]),
                turn(Role::User, vec![response("1")]),
            ],
        ),
        (
            "parts that nobody knows",
            vec![turn(
                Role::User,
                vec![
                    Part::text("a"),
                    part(json!({"hologram": {"x": 1}})),
                    part(json!({"text": "b", "_own": 1})),
                ],
            )],
        ),
        (
            "a tool that is gone",
            vec![
                user("a"),
                model(vec![Part::call("1", "old.tool:x", json!({}))]),
                turn(
                    Role::User,
                    vec![Part::response("1", "old.tool:x", json!({"output": ""}))],
                ),
            ],
        ),
    ]
}

/// Calls and responses that do not fit together. A history in Gemini's own form is sent as it is, after the
/// chat has hardened it; other wires must lay it out anew anyway.
const UNHARDENED: [&str; 6] = [
    "responses in two turns",
    "a call that was never answered",
    "one of two calls was answered",
    "a response that nobody called for",
    "a response at the beginning",
    "a call first",
];

/// Asks on every wire, and lets it be counted; what was refused, and why.
fn refusals(name: &str, question: &Question) -> Vec<String> {
    let models = models();
    let refused = |wire: Wire| {
        if wire == Wire::Gemini
            && UNHARDENED
                .iter()
                .any(|unhardened| name.starts_with(unhardened))
        {
            return None;
        }
        let server = ModelServer::start(Reply::say([say::text("ok"), say::done()]));
        let at = server.endpoint(wire);
        let heard = ask(&models, &at, question);
        let counted = models.count(&at, &question.request(), &Cancel::new());
        let is_well = heard.end.is_ok() && counted.is_ok();
        let received = server.received();
        let why = received.iter().find_map(|request| request.refused.clone());
        let why = why.or((!is_well).then(|| format!("{:?} {counted:?}", heard.end)));
        why.map(|why| format!("{}, {name}: {why}", wire.name()))
    };
    WIRES.into_iter().filter_map(refused).collect()
}

fn check(cases: Vec<(String, Question)>) {
    let refused = cases
        .iter()
        .flat_map(|(name, question)| refusals(name, question));
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn no_history_is_refused() {
    let cases = histories()
        .into_iter()
        .map(|(name, history)| (name.to_owned(), Question::with_history(history)));
    check(cases.collect());
}

#[test]
fn no_history_is_refused_without_tools() {
    let cases = histories().into_iter().map(|(name, history)| {
        let question = Question {
            tools: Vec::new(),
            system: String::new(),
            ..Question::with_history(history)
        };
        (format!("{name}, without tools"), question)
    });
    check(cases.collect());
}

#[test]
fn no_option_is_refused() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "array", "items": {"type": "object", "properties": {"c": {"type": "integer"}}}}},
        "required": ["a"],
        "additionalProperties": false,
    });
    let form = Form::Json {
        name: "verdict",
        schema,
    };
    let choices = [
        Choice::Auto,
        Choice::None,
        Choice::Any,
        Choice::Only("look".to_owned()),
        Choice::Only("gone".to_owned()),
    ];
    let mut cases = Vec::new();
    for thinking in [
        Thinking::Usual,
        Thinking::Off,
        Thinking::Tokens(100),
        Thinking::Tokens(9000),
    ] {
        for choice in choices.clone() {
            for form in [Form::Free, form.clone()] {
                for (max_output_tokens, temperature) in
                    [(None, None), (Some(64), Some(0.0)), (Some(8192), Some(1.7))]
                {
                    let options = Options {
                        max_output_tokens,
                        temperature,
                        thinking,
                        form: form.clone(),
                        choice: choice.clone(),
                    };
                    let question = Question {
                        options,
                        ..Question::plain()
                    };
                    cases.push((format!("{:?}", question.options), question));
                }
            }
        }
    }
    check(cases);
}

#[test]
fn a_tool_is_called_by_its_own_name_whatever_the_server_calls_it() {
    let models = models();
    let long = "x".repeat(80);
    for name in ["look", "mcp.server:tool", "1st", "ünder", &long] {
        for wire in WIRES {
            let server = ModelServer::start_with(|request| {
                let declared = |pointer| request.json.pointer(pointer).and_then(Value::as_str);
                let name = declared("/tools/0/functionDeclarations/0/name")
                    .or_else(|| declared("/tools/0/function/name"))
                    .or_else(|| declared("/tools/0/name"));
                let call = say::call("call_1", name.unwrap_or_default(), json!({}));
                Reply::say([call, say::done()])
            });
            let question = Question {
                tools: vec![tool(name)],
                ..Question::plain()
            };
            let heard = ask(&models, &server.endpoint(wire), &question);
            let names: Vec<&str> = heard.calls().iter().map(|call| &*call.name).collect();
            assert_eq!(names, [name], "{wire:?}");
        }
    }
}

#[test]
fn no_model_and_no_tool_is_refused_for_its_name() {
    let mut cases = Vec::new();
    for name in [
        "gpt-5",
        "o3",
        "claude-opus-4-5",
        "claude-3-haiku",
        "gemini-2.5-pro",
        "gemini-3-flash",
        "qwen3:8b",
    ] {
        for thinking in [Thinking::Usual, Thinking::Off, Thinking::Tokens(2048)] {
            let mut question = Question::plain();
            question.model = name.to_owned();
            question.options.thinking = thinking;
            cases.push((format!("{name} {thinking:?}"), question));
        }
    }
    let long = "x".repeat(80);
    for name in ["mcp.server:tool", "mcp__a__b", &long, "1st", "ünder"] {
        let mut question = Question::plain();
        question.tools.push(tool(name));
        question.history = vec![
            user("a"),
            model(vec![Part::call("1", name, json!({}))]),
            turn(
                Role::User,
                vec![Part::response("1", name, json!({"output": "x"}))],
            ),
        ];
        question.options.choice = Choice::Only(name.to_owned());
        cases.push((format!("tool {name}"), question));
    }
    let mut question = Question::plain();
    question.tools[0].parameters = json!({"type": "object", "$schema": "x", "additionalProperties": false, "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": ["string", "null"]}}});
    cases.push(("a schema of all kinds".to_owned(), question));
    check(cases);
}
