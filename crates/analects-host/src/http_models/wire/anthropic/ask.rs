//! A request as Anthropic's messages take it.
//!
//! What stays the same from one request to the next is marked for the server's cache: the tools, the system
//! prompt, and all of the conversation so far. It takes four marks; these are three.

mod thought;
mod tools;

use analects_world::models::{Form, Request};
use serde_json::{Map, Value, json};

use self::thought::Thought;
use self::tools::Offer;
use super::kin::Kin;
use super::messages::messages;
use crate::http_models::wire::{Letter, lay, schema};

/// The version of the wire.
pub(super) fn version() -> (&'static str, String) {
    ("anthropic-version", "2023-06-01".to_owned())
}

/// The question as messages have it.
pub(in crate::http_models::wire) fn ask(request: &Request<'_>) -> Letter {
    let mut letter = letter("/v1/messages", request);
    if let Some(body) = &mut letter.body {
        body["stream"] = true.into();
    }
    letter
}

/// The same, to be counted. The server refuses whatever is only about the answer.
pub(in crate::http_models::wire) fn count(request: &Request<'_>) -> Letter {
    let mut letter = letter("/v1/messages/count_tokens", request);
    if let Some(Value::Object(body)) = &mut letter.body {
        for field in ["max_tokens", "temperature", "output_config"] {
            body.shift_remove(field);
        }
    }
    letter
}

fn letter(path: &str, request: &Request<'_>) -> Letter {
    let kin = Kin::of(request.model);
    let turns = lay::lay(request.history);
    let offer = Offer::new(request, kin, &turns);
    let messages = messages(&turns);
    let thought = Thought::new(request, kin, &offer, &messages);
    let headers = [version()].into_iter().chain(thought.header()).collect();

    let mut body = Map::new();
    let mut set = |field: &str, value: Value| body.insert(field.to_owned(), value);
    set("model", request.model.into());
    set("max_tokens", thought.max_tokens.into());
    if !request.system.trim().is_empty() {
        set(
            "system",
            marked(vec![json!({ "type": "text", "text": request.system })]),
        );
    }
    if !offer.tools.is_empty() {
        set("tools", marked(offer.tools));
    }
    if let Some(choice) = offer.choice {
        set("tool_choice", choice);
    }
    set("messages", marked_behind(messages));
    let temperature = request.options.temperature.filter(|t| t.is_finite());
    let takes_temperature = kin.takes_temperature() && thought.thinking.is_none();
    if let Some(t) = temperature.filter(|_| takes_temperature) {
        set("temperature", t.clamp(0.0, 1.0).into());
    }
    if let Some(thinking) = thought.thinking {
        set("thinking", thinking);
    }
    if let Some(output) = output(request, kin, thought.effort) {
        set("output_config", output);
    }
    Letter {
        path: path.to_owned(),
        headers,
        body: Some(body.into()),
    }
}

/// How the answer is to be made, for models that take it in one field.
fn output(request: &Request<'_>, kin: Kin, effort: Option<&str>) -> Option<Value> {
    let mut output = Map::new();
    if let Some(effort) = effort {
        output.insert("effort".to_owned(), effort.into());
    }
    if let (Form::Json { schema, .. }, false) = (&request.options.form, kin.can_be_made()) {
        let format = json!({ "type": "json_schema", "schema": schema::tame(schema) });
        output.insert("format".to_owned(), format);
    }
    (!output.is_empty()).then(|| output.into())
}

/// Marks the last of some blocks as the end of what stays the same.
fn marked(mut blocks: Vec<Value>) -> Value {
    if let Some(last) = blocks.last_mut() {
        mark(last);
    }
    blocks.into()
}

/// Marks the last block of the last message.
fn marked_behind(mut messages: Vec<Value>) -> Value {
    let last = messages.last_mut().and_then(|last| last.get_mut("content"));
    if let Some(block) = last
        .and_then(Value::as_array_mut)
        .and_then(|all| all.last_mut())
    {
        mark(block);
    }
    messages.into()
}

fn mark(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}
