//! A request as OpenAI's chat completions take it.

use analects_world::models::{Choice, Form, Request, Tool};
use serde_json::{Map, Value, json};

use super::kin::{Kin, Offer};
use super::messages::messages;
use crate::http_models::wire::{Letter, name, schema};

/// The question as chat completions have it.
pub(in crate::http_models::wire) fn ask(request: &Request<'_>) -> Letter {
    let kin = Kin::of(request.model);
    let mut body = Map::new();
    let mut set = |field: &str, value: Value| body.insert(field.to_owned(), value);
    set("model", request.model.into());
    set("messages", messages(request, kin).into());
    let tools = offered(request);
    if !tools.is_empty() {
        set("tools", tools.iter().map(tool).collect());
        if let Some(choice) = choice(request) {
            set("tool_choice", choice);
        }
    }
    let options = request.options;
    if let Some(n) = options.max_output_tokens {
        set(kin.max_field(), n.max(1).into());
    }
    let temperature = options.temperature.filter(|t| t.is_finite());
    if let Some(t) = temperature.filter(|_| kin.takes_temperature()) {
        set("temperature", t.clamp(0.0, 2.0).into());
    }
    let offer = match tools {
        [] => Offer::Nothing,
        _ => Offer::Tools,
    };
    if let Some(effort) = kin.effort(options.thinking, offer) {
        set("reasoning_effort", effort.into());
    }
    if let Form::Json { name, schema } = &options.form {
        set("response_format", form(name, schema));
    }
    set("stream", true.into());
    set("stream_options", json!({ "include_usage": true }));
    Letter {
        path: "/chat/completions".to_owned(),
        headers: Vec::new(),
        body: Some(body.into()),
    }
}

/// Tools that nobody may call are not worth their tokens where an answer of a given form is wanted, and
/// llama.cpp does not take both.
fn offered<'a>(request: &Request<'a>) -> &'a [Tool] {
    match (&request.options.form, &request.options.choice) {
        (Form::Json { .. }, Choice::None) => &[],
        _ => request.tools,
    }
}

fn tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": name::tool(&tool.name),
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}

/// Whether a tool must be called. As it likes is what goes without saying: vLLM refuses the word where nobody
/// has set it up.
fn choice(request: &Request<'_>) -> Option<Value> {
    match &request.options.choice {
        Choice::Auto => None,
        Choice::None => Some("none".into()),
        Choice::Any => Some("required".into()),
        Choice::Only(only) => {
            let is_there = request.tools.iter().any(|tool| tool.name == *only);
            let function = json!({ "name": name::tool(only) });
            is_there.then(|| json!({ "type": "function", "function": function }))
        }
    }
}

/// Local servers enforce any schema. OpenAI refuses to enforce one whose objects are open or whose fields are
/// optional; such a schema is a wish there.
fn form(name: &str, schema: &Value) -> Value {
    json!({
        "type": "json_schema",
        "json_schema": {
            "name": name::tool(name),
            "schema": schema,
            "strict": schema::is_strict(schema),
        },
    })
}
