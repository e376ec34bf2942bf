//! Requests, and the rules that OpenAI has for them.

use std::collections::HashSet;

use analects_world::model::{Content, Part, Role, Source};
use analects_world::models::{Choice, Form, Options, Request, Thinking};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::http_models::wire::openai::ask;
use crate::http_models::wire::strange::{
    call, history, is_legal, lines, ls, media, options, request, response, text, thought, turn,
};

#[expect(
    clippy::needless_pass_by_value,
    reason = "an expectation is written in place"
)]
fn check(request: &Request<'_>, expected: Expect) {
    let letter = ask(request);
    assert_eq!(
        (&*letter.path, letter.headers.len()),
        ("/chat/completions", 0)
    );
    let body = letter.body.unwrap();
    check_valid(&body);
    expected.assert_eq(&lines(&body));
}

fn conversation() -> Vec<Content> {
    vec![
        turn(
            Role::User,
            [Part::text("What is here?"), Part::text("Look well.")],
        ),
        turn(
            Role::Model,
            [
                thought("a list", Some("gemini")),
                Part::text("I look."),
                call(Some("1"), "ls", json!({ "path": "." })),
                call(None, "ls", json!(null)),
            ],
        ),
        turn(
            Role::User,
            [
                Part::text("Hurry!"),
                response(None, "ls", json!({ "error": "no path" }), vec![]),
                response(Some("1"), "ls", json!({ "output": "a\nb" }), vec![]),
            ],
        ),
        turn(
            Role::Model,
            [call(Some("file.read:é"), "read", json!({ "path": "a" }))],
        ),
        turn(
            Role::User,
            [response(
                Some("file.read:é"),
                "read",
                json!({ "output": "" }),
                vec![media("image/png", Source::Inline("iVBO".to_owned()))],
            )],
        ),
    ]
}

#[test]
fn a_conversation_with_tools_is_told_in_full() {
    let history = conversation();
    let tools = [ls()];
    let options = Options {
        max_output_tokens: Some(500),
        temperature: Some(0.2),
        thinking: Thinking::Off,
        ..Options::USUAL
    };
    let request = Request {
        model: "qwen3:4b",
        system: "Be brief.",
        history: &history,
        tools: &tools,
        options: &options,
    };
    check(
        &request,
        expect![[r#"
        model: "qwen3:4b"
        messages[] {"role":"system","content":"Be brief."}
        messages[] {"role":"user","content":"What is here?\nLook well."}
        messages[] {"role":"assistant","content":"I look.","tool_calls":[{"id":"1","type":"function","function":{"name":"ls","arguments":"{\"path\":\".\"}"}},{"id":"call_1","type":"function","function":{"name":"ls","arguments":"{}"}}]}
        messages[] {"role":"tool","tool_call_id":"1","content":"a\nb"}
        messages[] {"role":"tool","tool_call_id":"call_1","content":"Error: no path"}
        messages[] {"role":"user","content":"Hurry!"}
        messages[] {"role":"assistant","content":null,"tool_calls":[{"id":"file_read____68ba132411b0d47b","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]}
        messages[] {"role":"tool","tool_call_id":"file_read____68ba132411b0d47b","content":"(no output)"}
        messages[] {"role":"user","content":[{"type":"text","text":"[from read, file_read____68ba132411b0d47b]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]}
        tools[] {"type":"function","function":{"name":"ls","description":"Lists a directory.","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}}
        max_tokens: 500
        temperature: 0.2
        stream: true
        stream_options: {"include_usage":true}
    "#]],
    );
}

#[test]
fn models_that_think_take_other_fields() {
    let history = [Content::text("", Role::User, "hi")];
    let options = Options {
        max_output_tokens: Some(500),
        temperature: Some(0.2),
        thinking: Thinking::Tokens(4000),
        ..Options::USUAL
    };
    let request = Request {
        options: &options,
        ..request("gpt-5.1-mini", &history)
    };
    check(
        &request,
        expect![[r#"
        model: "gpt-5.1-mini"
        messages[] {"role":"user","content":"hi"}
        max_completion_tokens: 500
        reasoning_effort: "medium"
        stream: true
        stream_options: {"include_usage":true}
    "#]],
    );
}

#[test]
fn media_go_as_what_the_server_knows_and_the_rest_is_named() {
    let inline = |mime| media(mime, Source::Inline("AAAA".to_owned()));
    let uri = |mime, uri: &str| media(mime, Source::Uri(uri.to_owned()));
    let history = [turn(
        Role::User,
        [
            Part::text("these"),
            inline("image/jpeg"),
            inline("application/pdf"),
            inline("audio/mpeg"),
            inline("video/mp4"),
            uri("image/png", "https://example.com/a.png"),
            uri("image/png", "gs://bucket/a.png"),
            media("image/png", Source::Inline("not base 64!".to_owned())),
        ],
    )];
    check(
        &request("gpt-4o", &history),
        expect![[r#"
        model: "gpt-4o"
        messages[] {"role":"user","content":[{"type":"text","text":"these"},{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AAAA"}},{"type":"file","file":{"filename":"document.pdf","file_data":"data:application/pdf;base64,AAAA"}},{"type":"text","text":"[left out: audio/mpeg]"},{"type":"text","text":"[left out: video/mp4]"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}},{"type":"text","text":"[left out: image/png]"},{"type":"text","text":"[left out: image/png]"}]}
        stream: true
        stream_options: {"include_usage":true}
    "#]],
    );
    check(
        &request("gemma", &history),
        expect![[r#"
        model: "gemma"
        messages[] {"role":"user","content":[{"type":"text","text":"these"},{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AAAA"}},{"type":"text","text":"[left out: application/pdf]"},{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},{"type":"text","text":"[left out: video/mp4]"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}},{"type":"text","text":"[left out: image/png]"},{"type":"text","text":"[left out: image/png]"}]}
        stream: true
        stream_options: {"include_usage":true}
    "#]],
    );
}

#[test]
fn broken_pairs_become_whole() {
    let history = [
        turn(Role::Model, [call(Some("1"), "ls", json!([1]))]),
        turn(
            Role::Model,
            [
                Part::text("so?"),
                media("image/png", Source::Inline("AA".to_owned())),
            ],
        ),
        turn(
            Role::User,
            [response(Some("9"), "a.b", json!({ "x": 1 }), vec![])],
        ),
        turn(Role::Model, [Part::text("bye")]),
    ];
    check(
        &request("m", &history),
        expect![[r#"
        model: "m"
        messages[] {"role":"user","content":"[The conversation goes on.]"}
        messages[] {"role":"assistant","content":"so?\n[left out: image/png]","tool_calls":[{"id":"1","type":"function","function":{"name":"ls","arguments":"{\"value\":[1]}"}},{"id":"9","type":"function","function":{"name":"a_b_e61d99190466522c","arguments":"{}"}}]}
        messages[] {"role":"tool","tool_call_id":"1","content":"Error: (no result: the tool was interrupted, or its result is gone)"}
        messages[] {"role":"tool","tool_call_id":"9","content":"{\"x\":1}"}
        messages[] {"role":"assistant","content":"bye"}
        messages[] {"role":"user","content":"Please continue."}
        stream: true
        stream_options: {"include_usage":true}
    "#]],
    );
}

#[test]
fn a_tool_is_chosen_only_among_those_that_are_offered() {
    let history = [Content::text("", Role::User, "hi")];
    let tools = [ls()];
    let chosen = |choice: Choice, n_tools: usize| {
        let options = Options {
            choice,
            ..Options::USUAL
        };
        let (tools, options) = (&tools[..n_tools], &options);
        let body = ask(&Request {
            tools,
            options,
            ..request("m", &history)
        })
        .body
        .unwrap();
        check_valid(&body);
        body.get("tool_choice").cloned()
    };
    assert_eq!(chosen(Choice::Auto, 1), None);
    assert_eq!(chosen(Choice::None, 1), Some(json!("none")));
    assert_eq!(chosen(Choice::Any, 1), Some(json!("required")));
    let only = json!({ "type": "function", "function": { "name": "ls" } });
    assert_eq!(chosen(Choice::Only("ls".to_owned()), 1), Some(only));
    assert_eq!(chosen(Choice::Only("gone".to_owned()), 1), None);
    assert_eq!(chosen(Choice::Any, 0), None);
}

#[test]
fn a_form_is_enforced_where_that_is_possible() {
    let history = [Content::text("", Role::User, "hi")];
    let format = |schema: Value| {
        let form = Form::Json {
            name: "verdict",
            schema,
        };
        let options = Options {
            form,
            choice: Choice::None,
            ..Options::USUAL
        };
        let (tools, options) = (&[ls()][..], &options);
        let body = ask(&Request {
            tools,
            options,
            ..request("gpt-4o", &history)
        })
        .body
        .unwrap();
        assert_eq!(body.get("tools"), None);
        body["response_format"].to_string()
    };
    let closed = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    expect![[r#"{"type":"json_schema","json_schema":{"name":"verdict","schema":{"type":"object","properties":{},"additionalProperties":false},"strict":true}}"#]].assert_eq(&format(closed));
    expect![[r#"{"type":"json_schema","json_schema":{"name":"verdict","schema":{"type":"object"},"strict":false}}"#]].assert_eq(&format(json!({ "type": "object" })));
}

proptest! {
    #[test]
    fn every_history_is_a_valid_request(
        history in history(),
        options in options(),
        system in select(&["", " ", "Be brief."][..]),
        model in select(&["qwen3:4b", "gpt-4o", "o3", "gpt-5", "gpt-5.4", "gpt-5-chat"][..]),
        n_tools in 0..2_usize,
    ) {
        let tools = [ls()];
        let tools = &tools[..n_tools];
        let body = ask(&Request { model, system, history: &history, tools, options: &options }).body;
        check_valid(&body.unwrap());
    }
}

/// The rules of a strict server.
fn check_valid(body: &Value) {
    let model = body["model"].as_str().unwrap();
    let thinks = model.starts_with("gpt-5") || model.starts_with('o');
    assert_eq!(body["stream"], true);
    assert!(!(thinks && body.get("max_tokens").is_some()), "{body}");
    assert!(!(thinks && body.get("temperature").is_some()), "{body}");
    assert!(body.get("temperature").is_none_or(Value::is_number));
    assert!(body.get("tools").is_some() || body.get("tool_choice").is_none());
    assert!(
        body.get("tools")
            .is_none_or(|tools| !tools.as_array().unwrap().is_empty())
    );
    let messages = body["messages"].as_array().unwrap();
    let behind_system = messages
        .iter()
        .skip_while(|m| m["role"] == "system")
        .count();
    assert!(behind_system >= 1 && messages.len() - behind_system <= 1);
    let mut ids = HashSet::new();
    let mut open: Vec<String> = Vec::new();
    let mut before = "assistant";
    for message in messages {
        let role = message["role"].as_str().unwrap();
        if role != "tool" {
            assert!(open.is_empty(), "unanswered {open:?} before {message}");
        }
        match role {
            "system" => {
                text(message, "content");
                continue;
            }
            "user" => {
                assert_ne!(before, "user");
                check_words(&message["content"]);
            }
            "assistant" => {
                assert!(before == "user" || before == "tool", "{body}");
                open = check_assistant(message, &mut ids);
                open.reverse();
            }
            "tool" => {
                assert_eq!(open.pop().as_deref(), message["tool_call_id"].as_str());
                text(message, "content");
            }
            other => panic!("role {other}"),
        }
        before = role;
    }
    assert!(open.is_empty() && before != "assistant", "{body}");
}

fn check_words(content: &Value) {
    let Value::Array(parts) = content else {
        assert!(!content.as_str().unwrap().trim().is_empty());
        return;
    };
    assert!(!parts.is_empty());
    for part in parts {
        match part["type"].as_str().unwrap() {
            "text" => drop(text(part, "text")),
            "image_url" => drop(text(&part["image_url"], "url")),
            "file" => drop(text(&part["file"], "file_data")),
            "input_audio" => drop(text(&part["input_audio"], "data")),
            other => panic!("part {other}"),
        }
    }
}

fn check_assistant(message: &Value, ids: &mut HashSet<String>) -> Vec<String> {
    let Some(calls) = message.get("tool_calls") else {
        text(message, "content");
        return Vec::new();
    };
    if !message["content"].is_null() {
        text(message, "content");
    }
    let calls = calls.as_array().unwrap();
    assert!(!calls.is_empty());
    let check = |call: &Value| {
        let id = call["id"].as_str().unwrap().to_owned();
        assert!(is_legal(&id, 40) && ids.insert(id.clone()), "id {id}");
        assert_eq!(call["type"], "function");
        assert!(is_legal(call["function"]["name"].as_str().unwrap(), 64));
        let args = call["function"]["arguments"].as_str().unwrap();
        assert!(serde_json::from_str::<Value>(args).unwrap().is_object());
        id
    };
    calls.iter().map(check).collect()
}
