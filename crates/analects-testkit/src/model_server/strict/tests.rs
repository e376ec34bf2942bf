//! What is refused, and what is not.

use analects_world::models::Wire;
use serde_json::{Value, json};

use super::check;
use crate::model_server::received::Received;
use crate::model_server::script::KEY;

fn request(wire: Wire, json: Value) -> Received {
    let (path, key) = match wire {
        Wire::Gemini => ("/v1beta/models/m:generateContent", "x-goog-api-key"),
        Wire::OpenAi => ("/v1/chat/completions", "authorization"),
        Wire::Anthropic => ("/v1/messages", "x-api-key"),
    };
    let prefix = if wire == Wire::OpenAi { "Bearer " } else { "" };
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Received {
        method: "POST".to_owned(),
        path: path.to_owned(),
        query: String::new(),
        headers: vec![
            header(key, &format!("{prefix}{KEY}")),
            header("content-type", "application/json"),
            header("anthropic-version", "2023-06-01"),
        ],
        body: Vec::new(),
        json,
        refused: None,
    }
}

/// What the service says to this body; empty if it has nothing against it.
fn said(wire: Wire, body: Value) -> String {
    let refused = check(&request(wire, body), Some(KEY));
    refused
        .err()
        .map(|trouble| trouble.message)
        .unwrap_or_default()
}

/// The same body with one field changed; null takes it out.
fn with(body: &Value, pointer: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(fields), Value::Null) => drop(fields.remove(field)),
        (Value::Array(list), Value::Null) => drop(list.remove(field.parse().unwrap())),
        (Value::Array(list), value) => match list.get_mut(field.parse::<usize>().unwrap()) {
            Some(item) => *item = value,
            None => list.push(value),
        },
        (parent, value) => parent[field] = value,
    }
    body
}

fn check_table(wire: Wire, good: &Value, table: &[(&str, Value, &str)]) {
    assert_eq!(said(wire, good.clone()), "");
    for (pointer, value, expected) in table {
        let message = said(wire, with(good, pointer, value.clone()));
        assert!(
            !message.is_empty() && message.contains(expected),
            "{pointer} = {value}: {message:?} should contain {expected:?}"
        );
    }
}

#[test]
fn openai() {
    let good = json!({
        "model": "m",
        "stream": true,
        "stream_options": {"include_usage": true},
        "temperature": 0.5,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:,"}}]},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
                {"id": "2", "type": "function", "function": {"name": "look", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "2", "content": "b"},
            {"role": "tool", "tool_call_id": "1", "content": "c"},
        ],
        "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
        "tool_choice": {"type": "function", "function": {"name": "look"}},
        "response_format": {"type": "json_schema", "json_schema": {"name": "n", "strict": true, "schema":
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}}},
    });
    check_table(
        Wire::OpenAi,
        &good,
        &[
            ("/think", json!(1), "Unrecognized request argument"),
            ("/model", Value::Null, "model parameter"),
            ("/messages", json!([]), "empty array"),
            ("/messages/0/role", json!("model"), "Supported values"),
            ("/messages/1/content", json!([]), "expected a string"),
            (
                "/messages/1/content/0/type",
                json!("thinking"),
                "Invalid value",
            ),
            (
                "/messages/2",
                Value::Null,
                "must be a response to a preceeding message",
            ),
            (
                "/messages/3",
                Value::Null,
                "did not have response messages: 2",
            ),
            ("/messages/4/tool_call_id", json!("2"), "preceeding"),
            ("/messages/4/tool_call_id", Value::Null, "tool_call_id"),
            (
                "/messages/3",
                json!({"role": "user", "content": "x"}),
                "did not have response",
            ),
            ("/messages/2/tool_calls/1/id", json!("1"), "Duplicate"),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!({}),
                "expected a string",
            ),
            ("/tools", json!([]), "empty array"),
            ("/tools", Value::Null, "only allowed when 'tools'"),
            (
                "/tools/0/function/name",
                json!("a.b"),
                "does not match pattern",
            ),
            (
                "/tools/0/function/parameters",
                json!({}),
                "type: \"object\"",
            ),
            ("/tool_choice/function/name", json!("other"), "tool_choice"),
            ("/stream", json!(false), "stream_options"),
            ("/temperature", json!(3), "out of range"),
            ("/response_format/json_schema/name", json!("a b"), "name"),
            (
                "/response_format/json_schema/schema/additionalProperties",
                Value::Null,
                "additionalProperties",
            ),
            (
                "/response_format/json_schema/schema/required",
                json!([]),
                "Missing 'a'",
            ),
        ],
    );
}

#[test]
fn anthropic() {
    let good = json!({
        "model": "m",
        "max_tokens": 4096,
        "stream": true,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "b"}]},
                {"type": "text", "text": "go on"},
            ]},
        ],
        "tools": [{"name": "look", "description": "", "input_schema": {"type": "object"}}],
    });
    let result = json!({"type": "tool_result", "tool_use_id": "t1"});
    let text = json!({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}});
    check_table(
        Wire::Anthropic,
        &good,
        &[
            ("/n", json!(1), "n: Extra inputs are not permitted"),
            ("/max_tokens", Value::Null, "max_tokens: Field required"),
            ("/max_tokens", json!(0), "greater than or equal to 1"),
            (
                "/max_tokens",
                json!(1024),
                "must be greater than `thinking.budget_tokens`",
            ),
            ("/temperature", json!(1.5), "temperature"),
            ("/temperature", json!(0.5), "may only be set to 1"),
            ("/thinking/budget_tokens", json!(10), "1024"),
            (
                "/messages/0/role",
                json!("system"),
                "Input should be 'user' or 'assistant'",
            ),
            ("/messages/0", Value::Null, "roles must alternate"),
            ("/messages/0/content", json!(" "), "non-empty"),
            ("/messages/0/name", json!("x"), "Extra inputs"),
            ("/messages/1/content", json!([]), "non-empty content"),
            (
                "/messages/1/content/0/signature",
                Value::Null,
                "signature: Field required",
            ),
            (
                "/messages/1/content/1/input",
                json!("{}"),
                "valid dictionary",
            ),
            (
                "/messages/1/content/1/id",
                json!("a.b"),
                "should match pattern",
            ),
            (
                "/messages/1/content/1",
                Value::Null,
                "unexpected `tool_use_id`",
            ),
            ("/messages/2", Value::Null, "without `tool_result`"),
            (
                "/messages/2/content/0",
                Value::Null,
                "without `tool_result`",
            ),
            (
                "/messages/2/content",
                json!([{"type": "text", "text": "x"}, result]),
                "without `tool_result`",
            ),
            ("/messages/2/content/1", result.clone(), "single result"),
            ("/messages/2/content/1/text", json!(""), "must be non-empty"),
            ("/messages/2/content/1/text", json!("\n"), "non-whitespace"),
            (
                "/messages/2/content/1/type",
                json!("tool_use"),
                "does not match any of the expected tags",
            ),
            ("/messages/2/content/0/name", json!("look"), "Extra inputs"),
            (
                "/messages/2/content",
                json!([result, text, text, text, text]),
                "maximum of 4 blocks",
            ),
            ("/system/0/text", json!(""), "non-empty"),
            ("/tools", Value::Null, "must define tools"),
            ("/tools/0/name", json!("a.b"), "pattern"),
            ("/tools/0/input_schema", json!({}), "input_schema"),
            ("/tool_choice", json!({"type": "any"}), "forces tool use"),
            (
                "/tool_choice",
                json!({"type": "tool", "name": "x"}),
                "tool_choice",
            ),
        ],
    );
    let mut count = request(Wire::Anthropic, good);
    count.path.push_str("/count_tokens");
    let refused = check(&count, Some(KEY)).unwrap_err();
    assert!(refused.message.contains("max_tokens: Extra inputs"));
    let mut old = count.clone();
    old.headers.pop();
    let refused = check(&old, Some(KEY)).unwrap_err();
    assert!(refused.message.contains("anthropic-version"));
}

#[test]
fn gemini() {
    let good = json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "a"}, {"inlineData": {"mimeType": "image/png", "data": ""}}]},
            {"role": "model", "parts": [
                {"text": "Hm.", "thought": true},
                {"functionCall": {"id": "1", "name": "look", "args": {}}, "thoughtSignature": "c2ln"},
            ]},
            {"role": "user", "parts": [{"functionResponse": {"id": "1", "name": "look", "response": {"output": "b"}}}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "look", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["look"]}},
        "generationConfig": {"temperature": 1, "maxOutputTokens": 9, "responseMimeType": "application/json",
            "responseJsonSchema": {"additionalProperties": false}, "thinkingConfig": {"thinkingBudget": 1}},
    });
    let call = json!({"functionCall": {"name": "look"}});
    check_table(
        Wire::Gemini,
        &good,
        &[
            (
                "/model",
                json!("m"),
                "Unknown name \"model\": Cannot find field",
            ),
            ("/contents", json!([]), "contents is not specified"),
            ("/contents/0/role", json!("assistant"), "valid role"),
            (
                "/contents/0/id",
                json!("1"),
                "Unknown name \"id\" at 'contents[0]'",
            ),
            ("/contents/0/parts", json!([]), "must not be empty"),
            (
                "/contents/0/parts/0/cache",
                json!(1),
                "at 'contents[0].parts[0]'",
            ),
            (
                "/contents/0/parts/0",
                json!({"thought": true}),
                "oneof field 'data'",
            ),
            ("/contents/0/parts/0/text", json!(1), "TYPE_STRING"),
            (
                "/contents/1/parts/1/thoughtSignature",
                json!("no base 64!"),
                "Base64",
            ),
            (
                "/contents/1/parts/1/functionCall/args",
                json!("{}"),
                "Struct",
            ),
            (
                "/contents/1/parts/1/functionCall/name",
                json!(""),
                "Name cannot be empty",
            ),
            (
                "/contents/1/parts/2",
                call.clone(),
                "number of function response parts",
            ),
            ("/contents/0", Value::Null, "after a user turn"),
            (
                "/contents/1",
                Value::Null,
                "comes immediately after a function call turn",
            ),
            (
                "/contents/2",
                Value::Null,
                "number of function response parts",
            ),
            (
                "/contents/2/parts/0/functionResponse/response",
                json!("b"),
                "Struct",
            ),
            (
                "/contents/2/parts/0/functionResponse/response",
                Value::Null,
                "required",
            ),
            (
                "/tools/0/functionDeclarations/0/name",
                json!("1"),
                "Invalid function name",
            ),
            (
                "/tools/0/functionDeclarations/0/parameters/additionalProperties",
                json!(false),
                "additionalProperties",
            ),
            (
                "/tools/0/functionDeclarations/0/parameters/properties/a/$ref",
                json!("#"),
                "$ref",
            ),
            (
                "/tools/0/functionDeclarations/0/parametersJsonSchema",
                json!({}),
                "mutually exclusive",
            ),
            (
                "/toolConfig/functionCallingConfig/mode",
                json!("AUTO"),
                "only be set when mode is ANY",
            ),
            (
                "/toolConfig/functionCallingConfig/allowedFunctionNames",
                json!(["x"]),
                "subset",
            ),
            (
                "/generationConfig/max_tokens",
                json!(1),
                "generation_config",
            ),
            ("/generationConfig/temperature", json!(2.5), "temperature"),
            ("/generationConfig/maxOutputTokens", json!(0), "positive"),
            (
                "/generationConfig/responseMimeType",
                Value::Null,
                "application/json",
            ),
            (
                "/generationConfig/thinkingConfig/thinkingLevel",
                json!("LOW"),
                "only one",
            ),
        ],
    );
    let counted = |body: Value| {
        let mut count = request(Wire::Gemini, body);
        count.path = "/v1beta/models/m:countTokens".to_owned();
        check(&count, Some(KEY))
            .err()
            .map(|trouble| trouble.message)
    };
    assert!(counted(good.clone()).unwrap().contains("Unknown name"));
    assert_eq!(counted(json!({"contents": good["contents"]})), None);
    let mut inner = good.clone();
    assert!(
        counted(json!({"generateContentRequest": inner}))
            .unwrap()
            .contains("model")
    );
    inner["model"] = "models/m".into();
    assert_eq!(counted(json!({"generateContentRequest": inner})), None);
}

#[test]
fn keys_belong_in_their_place() {
    for wire in [Wire::Gemini, Wire::OpenAi, Wire::Anthropic] {
        let status = |change: &dyn Fn(&mut Received), key| {
            let mut request = request(wire, json!({}));
            change(&mut request);
            check(&request, key).unwrap_err().status
        };
        let missing = status(&|request| drop(request.headers.remove(0)), Some(KEY));
        let wrong = status(&|request| request.headers[0].1.push('x'), Some(KEY));
        let expected = if wire == Wire::Gemini {
            (403, 400)
        } else {
            (401, 401)
        };
        assert_eq!((missing, wrong), expected);
        let open = status(&|request| drop(request.headers.remove(0)), None);
        assert_eq!(open, 400);
        let no_json = status(&|request| request.json = Value::Null, Some(KEY));
        assert_eq!(no_json, 400);
        let form = status(
            &|request| request.headers[1].1 = "text/plain".to_owned(),
            Some(KEY),
        );
        assert_eq!(form, 400);
    }
}
