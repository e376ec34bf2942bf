//! The rules that Anthropic has for a request, checked on any request.

use std::collections::HashSet;

use analects_world::models::Request;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::http_models::wire::anthropic::{ask, count};
use crate::http_models::wire::strange::{history, is_legal, ls, options, text};

proptest! {
    #[test]
    fn every_history_is_a_valid_request(
        history in history(),
        options in options(),
        system in select(&["", " ", "Be brief."][..]),
        model in select(&[
            "smollm2", "claude-haiku-4-5", "claude-opus-4-6", "claude-opus-4-8", "claude-sonnet-5",
            "claude-opus-5-5",
        ][..]),
        n_tools in 0..2_usize,
    ) {
        let tools = [ls()];
        let tools = &tools[..n_tools];
        let request = Request { model, system, history: &history, tools, options: &options };
        check_valid(&ask(&request).body.unwrap());
        let counted = count(&request).body.unwrap();
        check_messages(counted["messages"].as_array().unwrap());
    }
}

/// The rules of the server.
pub(super) fn check_valid(body: &Value) {
    check_options(body);
    let messages = body["messages"].as_array().unwrap();
    let called = check_messages(messages);
    let names = names(body);
    assert!(
        called == 0 || !names.is_empty(),
        "calls, and no tools: {body}"
    );
    let n_marks = body.to_string().matches("cache_control").count();
    assert!((1..=4).contains(&n_marks), "{n_marks} marks");
    if let Some(system) = body.get("system") {
        text(&system[0], "text");
    }
}

fn names(body: &Value) -> Vec<&str> {
    let Some(tools) = body.get("tools") else {
        return Vec::new();
    };
    let tools = tools.as_array().unwrap();
    assert!(!tools.is_empty());
    let check = |tool| {
        let name = text(tool, "name");
        assert!(is_legal(name, 128));
        assert_eq!(tool["input_schema"]["type"], "object");
        name
    };
    tools.iter().map(check).collect()
}

fn check_options(body: &Value) {
    let model = body["model"].as_str().unwrap();
    let max = body["max_tokens"].as_u64().unwrap();
    assert!(max >= 1);
    let thinking = body.get("thinking").map(|thinking| text(thinking, "type"));
    let temperature = body.get("temperature").map(|t| t.as_f64().unwrap());
    let is_forced = body
        .get("tool_choice")
        .is_some_and(|c| c["type"] == "any" || c["type"] == "tool");
    if let Some(choice) = body
        .get("tool_choice")
        .and_then(|choice| choice.get("name"))
    {
        assert!(names(body).contains(&choice.as_str().unwrap()));
    }
    assert!(body.get("tool_choice").is_none() || body.get("tools").is_some());
    if let Some(t) = temperature {
        assert!((0.0..=1.0).contains(&t) && thinking.is_none(), "{body}");
        assert!(
            [
                "smollm2",
                "claude-haiku-4-5",
                "claude-sonnet-4-5",
                "claude-opus-4-6"
            ]
            .contains(&model)
        );
    }
    match model {
        "claude-opus-5-5" | "claude-fable-5" => {
            assert!(
                !is_forced && matches!(thinking, None | Some("adaptive")),
                "{body}"
            );
        }
        "claude-sonnet-5" | "claude-opus-5" => {
            assert!(matches!(thinking, None | Some("disabled")), "{body}");
            assert!(!is_forced || thinking == Some("disabled"), "{body}");
        }
        "claude-opus-4-6" | "claude-opus-4-8" => {
            assert!(matches!(thinking, None | Some("adaptive")), "{body}");
            assert!(!is_forced || thinking.is_none(), "{body}");
        }
        _ => {
            assert!(matches!(thinking, None | Some("enabled")), "{body}");
            assert!(!is_forced || thinking.is_none(), "{body}");
            assert!(body.get("output_config").is_none());
        }
    }
    if thinking == Some("enabled") {
        let budget = body["thinking"]["budget_tokens"].as_u64().unwrap();
        assert!(1024 <= budget && budget < max);
    }
}

/// Checks all messages, and says how many calls there are.
fn check_messages(messages: &[Value]) -> usize {
    assert!(messages.len() % 2 == 1, "the user begins and ends");
    let mut ids = HashSet::new();
    let mut open = Vec::new();
    for (i, message) in messages.iter().enumerate() {
        let content = message["content"].as_array().unwrap();
        assert!(!content.is_empty());
        if i % 2 == 0 {
            assert_eq!(message["role"], "user");
            check_user(content, &open);
        } else {
            assert_eq!(message["role"], "assistant");
            open = check_assistant(content, &mut ids);
        }
    }
    ids.len()
}

fn check_user(content: &[Value], open: &[&str]) {
    let results: Vec<&str> = content
        .iter()
        .take_while(|block| block["type"] == "tool_result")
        .map(|block| text(block, "tool_use_id"))
        .collect();
    assert_eq!(results, open);
    for block in content {
        match text(block, "type") {
            "tool_result" => block["content"]
                .as_array()
                .unwrap()
                .iter()
                .for_each(check_word),
            _ => check_word(block),
        }
    }
    assert!(
        content
            .iter()
            .skip(results.len())
            .all(|block| block["type"] != "tool_result")
    );
}

fn check_word(block: &Value) {
    let source = &block["source"];
    match text(block, "type") {
        "text" => drop(text(block, "text")),
        "image" if source["type"] == "base64" => {
            assert_eq!(source["media_type"], "image/png");
            text(source, "data");
        }
        "document" if source["type"] == "base64" => drop(text(source, "data")),
        "image" | "document" => drop(text(source, "url")),
        other => panic!("block {other}"),
    }
}

fn check_assistant<'a>(content: &'a [Value], ids: &mut HashSet<&'a str>) -> Vec<&'a str> {
    let mut calls = Vec::new();
    for block in content {
        match text(block, "type") {
            "text" => drop(text(block, "text")),
            "thinking" => drop(text(block, "signature")),
            "redacted_thinking" => drop(text(block, "data")),
            "tool_use" => {
                let id = text(block, "id");
                assert!(is_legal(id, 64) && ids.insert(id), "{id}");
                assert!(is_legal(text(block, "name"), 128) && block["input"].is_object());
                calls.push(id);
            }
            other => panic!("block {other}"),
        }
    }
    let last = content.last().unwrap();
    assert!(last["type"] == "text" || last["type"] == "tool_use");
    calls
}
