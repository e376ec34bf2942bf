//! Messages: blocks that open, grow and close, between the start of the message and its end.

use analects_world::model::{Body, Part};
use analects_world::models::{Finish, Listed};
use serde_json::{Value, json};

use super::{Said, counts, in_pieces, sum};
use crate::model_server::reply::{Quirk, Trouble};

pub(super) fn stream(said: &Said<'_>) -> Vec<String> {
    let mut message = message(said, Vec::new(), None);
    if let Some(usage) = said.usage() {
        // At the start one token is written; what is read is known.
        let read = usage_form(said).unwrap_or_default();
        message["usage"] = read;
        message["usage"]["output_tokens"] = said.tokens(usage.answer.unwrap_or(1).min(1));
    }
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks(said).into_iter().enumerate() {
        open(&mut events, index, &block.start);
        if index == 0 {
            events.push(json!({"type": "ping"}));
        }
        for delta in block.deltas {
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let stop = json!({"type": "message_stop"});
    if *said.quirk == Quirk::EarlyEndMark {
        events.push(stop.clone());
    }
    events.extend(message_delta(said));
    if !matches!(said.quirk, Quirk::NoEndMark | Quirk::EarlyEndMark) {
        events.push(stop);
    }
    events.iter().map(event).collect()
}

/// Every event is named after its type.
pub(super) fn event(value: &Value) -> String {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n")
}

pub(super) fn whole(said: &Said<'_>) -> Value {
    let content = blocks(said).into_iter().map(|block| block.whole).collect();
    let finish = said.finish().map(|finish| word(said, finish));
    let mut message = message(said, content, finish);
    if let Some(usage) = usage_form(said) {
        message["usage"] = usage;
    }
    message
}

pub(super) fn trouble(trouble: &Trouble) -> Value {
    let kind = trouble.code.unwrap_or(match trouble.status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 | 503 => "overloaded_error",
        504 => "timeout_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    });
    json!({
        "type": "error",
        "error": {"type": kind, "message": trouble.message},
        "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    })
}

pub(super) fn models(models: &[Listed]) -> Value {
    let data: Vec<Value> = models
        .iter()
        .map(|listed| {
            json!({
                "type": "model",
                "id": listed.name,
                "display_name": listed.name,
                "created_at": "2025-02-19T00:00:00Z",
            })
        })
        .collect();
    let id = |listed: Option<&Listed>| listed.map(|listed| listed.name.clone());
    json!({
        "data": data,
        "has_more": false,
        "first_id": id(models.first()),
        "last_id": id(models.last()),
    })
}

struct Block {
    start: Value,
    deltas: Vec<Value>,
    whole: Value,
}

/// Neighbours of a kind are one block; a signature closes a thought.
fn blocks(said: &Said<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for part in said.parts() {
        match &part.body {
            Body::Text(text) => {
                let kind = if part.is_thought { "thinking" } else { "text" };
                let is_same = blocks
                    .last()
                    .is_some_and(|block| block.whole["type"] == kind);
                if !(is_open && is_same) {
                    blocks.push(empty(kind));
                }
                let block = blocks.last_mut().expect("invariant: one was just pushed");
                grow(block, kind, text);
                is_open = !(part.is_thought && sign(block, part));
            }
            Body::Call(call) => {
                blocks.push(tool_use(said, call));
                is_open = false;
            }
            _ => {}
        }
    }
    blocks
}

fn empty(kind: &str) -> Block {
    let mut start = json!({"type": kind, kind: ""});
    if kind == "thinking" {
        start["signature"] = "".into();
    }
    Block {
        whole: start.clone(),
        deltas: Vec::new(),
        start,
    }
}

fn grow(block: &mut Block, kind: &str, text: &str) {
    // A thought that is only signed has nothing to tell.
    if text.is_empty() {
        return;
    }
    let delta = json!({"type": format!("{kind}_delta"), kind: text});
    block.deltas.push(delta);
    let said = block.whole[kind].as_str().unwrap_or_default();
    block.whole[kind] = format!("{said}{text}").into();
}

fn sign(block: &mut Block, part: &Part) -> bool {
    let Some(signature) = part.rest.get("thoughtSignature") else {
        return false;
    };
    let delta = json!({"type": "signature_delta", "signature": signature});
    block.deltas.push(delta);
    block.whole["signature"] = signature.clone();
    true
}

/// The first piece of the arguments is always empty.
fn tool_use(said: &Said<'_>, call: &analects_world::model::Call) -> Block {
    let start = json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}});
    let arguments = said.arguments(call);
    let mut pieces = vec![String::new()];
    if arguments != "{}" {
        pieces.extend(in_pieces(&arguments));
    }
    let delta = |piece| json!({"type": "input_json_delta", "partial_json": piece});
    let mut whole = start.clone();
    whole["input"] = serde_json::from_str(&arguments).unwrap_or_else(|_| arguments.into());
    Block {
        start,
        deltas: pieces.into_iter().map(delta).collect(),
        whole,
    }
}

fn open(events: &mut Vec<Value>, index: usize, start: &Value) {
    events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
}

fn message_delta(said: &Said<'_>) -> Option<Value> {
    let finish = said.finish();
    let usage = usage_form(said);
    if finish.is_none() && usage.is_none() {
        return None;
    }
    let reason = finish.map(|finish| word(said, finish));
    let mut delta = json!({
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": null},
    });
    if let Some(usage) = usage {
        delta["usage"] = usage;
    }
    Some(delta)
}

fn message(said: &Said<'_>, content: Vec<Value>, finish: Option<&str>) -> Value {
    json!({
        "id": "msg_01EcyWo6m4hyW8KHs2y2pei5",
        "type": "message",
        "role": "assistant",
        "model": said.request.model(),
        "content": content,
        "stop_reason": finish,
        "stop_sequence": null,
    })
}

/// What came from a cache is not among the tokens that were read; what was thought is among those written.
fn usage_form(said: &Said<'_>) -> Option<Value> {
    let usage = said.usage()?;
    let fresh = usage
        .prompt
        .map(|all| all.saturating_sub(usage.cached.unwrap_or(0)));
    let mut form = Value::from(counts(
        said,
        [
            ("input_tokens", fresh),
            ("cache_creation_input_tokens", usage.prompt.map(|_| 0)),
            ("cache_read_input_tokens", usage.cached),
            ("output_tokens", sum(usage.answer, usage.thoughts)),
        ],
    ));
    if let Some(thoughts) = usage.thoughts {
        form["output_tokens_details"] = json!({"thinking_tokens": said.tokens(thoughts)});
    }
    form["service_tier"] = "standard".into();
    Some(form)
}

fn word<'a>(said: &Said<'_>, finish: &'a Finish) -> &'a str {
    match finish {
        Finish::Done if said.has_call() => "tool_use",
        Finish::Done => "end_turn",
        Finish::Length => "max_tokens",
        Finish::Blocked(_) => "refusal",
        Finish::Recitation => "recitation",
        Finish::BadCall(word) | Finish::Other(word) => word,
    }
}
