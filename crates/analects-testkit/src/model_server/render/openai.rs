//! Chat completions: deltas, calls in pieces, and the usage after the finish if somebody wants it.

use analects_world::model::{Body, Part};
use analects_world::models::{Finish, Listed};
use serde_json::{Map, Value, json};

use super::{Said, counts, in_pieces, sum};
use crate::model_server::reply::{Quirk, Trouble};

const ID: &str = "chatcmpl-C9xkYQ3vT5cTnqDJm0r1b2";
const CREATED: u64 = 1_755_137_933;
const END: &str = "data: [DONE]\n\n";

pub(super) fn stream(said: &Said<'_>) -> Vec<String> {
    let first = json!({"role": "assistant", "content": "", "refusal": null});
    let mut chunks = vec![chunk(said, first, None)];
    let mut n_calls = 0;
    for part in said.parts() {
        deltas(said, part, &mut n_calls, &mut |delta| {
            chunks.push(chunk(said, delta, None));
        });
    }
    let mut events: Vec<String> = chunks.iter().map(event).collect();
    if *said.quirk == Quirk::EarlyEndMark {
        events.push(END.to_owned());
    }
    if let Some(finish) = said.finish() {
        let finish = Some(word(said, finish));
        events.push(event(&chunk(said, json!({}), finish)));
    }
    if let Some(usage) = usage_form(said).filter(|_| wants_usage(said)) {
        let mut last = envelope(said, "chat.completion.chunk", Vec::new());
        last["usage"] = usage;
        events.push(event(&last));
    }
    if !matches!(said.quirk, Quirk::NoEndMark | Quirk::EarlyEndMark) {
        events.push(END.to_owned());
    }
    events
}

pub(super) fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

pub(super) fn whole(said: &Said<'_>) -> Value {
    let mut message =
        json!({"role": "assistant", "content": null, "refusal": null, "annotations": []});
    let mut calls = Vec::new();
    for part in said.parts() {
        match &part.body {
            Body::Text(text) if part.is_thought => append(&mut message["reasoning_content"], text),
            Body::Text(text) => append(&mut message["content"], text),
            Body::Call(call) => calls.push(json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": said.arguments(call)},
            })),
            _ => {}
        }
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let finish = said.finish().map(|finish| word(said, finish));
    let choice = json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish});
    let mut answer = envelope(said, "chat.completion", vec![choice]);
    if let Some(usage) = usage_form(said) {
        answer["usage"] = usage;
    }
    answer
}

pub(super) fn trouble(trouble: &Trouble) -> Value {
    let (kind, code) = match trouble.status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        404 => ("invalid_request_error", Some("model_not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        500.. => ("server_error", None),
        _ => ("invalid_request_error", None),
    };
    let (kind, code) = match trouble.code {
        // What is used up goes by the same name in both places.
        Some(own) => (own, Some(own)),
        None => (kind, code),
    };
    json!({"error": {"message": trouble.message, "type": kind, "param": null, "code": code}})
}

pub(super) fn models(models: &[Listed]) -> Value {
    let models: Vec<Value> = models
        .iter()
        .map(|listed| {
            let mut model = json!({
                "id": listed.name,
                "object": "model",
                "created": CREATED,
                "owned_by": "library",
            });
            if let Some(tokens) = listed.window_tokens {
                model["max_model_len"] = tokens.into();
            }
            model
        })
        .collect();
    json!({"object": "list", "data": models})
}

/// A call is opened with its name and nothing else, then its arguments come in pieces.
fn deltas(said: &Said<'_>, part: &Part, n_calls: &mut usize, tell: &mut dyn FnMut(Value)) {
    match &part.body {
        Body::Text(text) if part.is_thought => tell(json!({"reasoning_content": text})),
        Body::Text(text) => tell(json!({"content": text})),
        Body::Call(call) => {
            let index = *n_calls;
            *n_calls += 1;
            tell(json!({"tool_calls": [{
                "index": index,
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": ""},
            }]}));
            for piece in in_pieces(&said.arguments(call)) {
                let function = json!({"arguments": piece});
                tell(json!({"tool_calls": [{"index": index, "function": function}]}));
            }
        }
        _ => {}
    }
}

fn chunk(said: &Said<'_>, delta: Value, finish: Option<&str>) -> Value {
    let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
    let mut chunk = envelope(said, "chat.completion.chunk", vec![choice]);
    if wants_usage(said) {
        chunk["usage"] = Value::Null;
    }
    // Padding against whoever guesses words from lengths.
    chunk["obfuscation"] = "yBUv8b1dlI5ORP".into();
    chunk
}

fn envelope(said: &Said<'_>, object: &str, choices: Vec<Value>) -> Value {
    json!({
        "id": ID,
        "object": object,
        "created": CREATED,
        "model": said.request.model(),
        "service_tier": "default",
        "system_fingerprint": null,
        "choices": choices,
    })
}

fn wants_usage(said: &Said<'_>) -> bool {
    said.request.json["stream_options"]["include_usage"] == true
}

fn usage_form(said: &Said<'_>) -> Option<Value> {
    let usage = said.usage()?;
    let written = sum(usage.answer, usage.thoughts);
    let mut form = counts(
        said,
        [
            ("prompt_tokens", usage.prompt),
            ("completion_tokens", written),
            ("total_tokens", sum(usage.prompt, written)),
        ],
    );
    let mut detail = |name: &str, counts: Map<String, Value>| {
        if !counts.is_empty() {
            form.insert(name.to_owned(), counts.into());
        }
    };
    detail(
        "prompt_tokens_details",
        counts(said, [("cached_tokens", usage.cached)]),
    );
    detail(
        "completion_tokens_details",
        counts(said, [("reasoning_tokens", usage.thoughts)]),
    );
    Some(form.into())
}

fn word<'a>(said: &Said<'_>, finish: &'a Finish) -> &'a str {
    match finish {
        Finish::Done if said.has_call() => "tool_calls",
        Finish::Done => "stop",
        Finish::Length => "length",
        Finish::Blocked(_) | Finish::Recitation => "content_filter",
        Finish::BadCall(word) | Finish::Other(word) => word,
    }
}

fn append(field: &mut Value, text: &str) {
    let said = field.as_str().unwrap_or_default();
    *field = format!("{said}{text}").into();
}
