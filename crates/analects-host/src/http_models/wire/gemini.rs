//! Gemini: `streamGenerateContent` and its kin.
//!
//! A history is in this wire's own form already. What other wires or newer clients left in it is taken out:
//! this server refuses a whole request for one field that it does not know.

mod part;
mod reader;
mod thinking;

use analects_world::model::Content;
use analects_world::models::{Choice, Form, Listed, Request, Tool};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::{Letter, is_true, name};
pub(in crate::http_models) use reader::GeminiReader;

/// What may stand in a path as it is; above all no slash, no question mark and no colon.
const TELLING: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A question, to be answered as a stream.
pub(super) fn ask(request: &Request<'_>) -> Letter {
    let path = path(request.model, "streamGenerateContent?alt=sse");
    letter(path, body(request))
}

/// What a question costs, with everything that would be sent.
pub(super) fn count(request: &Request<'_>) -> Letter {
    let mut asked = Map::new();
    asked.insert("model".to_owned(), full_name(request.model).into());
    asked.extend(body(request));
    let body = Map::from_iter([("generateContentRequest".to_owned(), asked.into())]);
    letter(path(request.model, "countTokens"), body)
}

/// What models there are. One page holds more than there are.
pub(super) fn list() -> Letter {
    Letter {
        path: "/v1beta/models?pageSize=1000".to_owned(),
        headers: Vec::new(),
        body: None,
    }
}

/// The models that answer questions; others draw, speak or embed.
pub(super) fn listed(answer: &Value) -> Option<Vec<Listed>> {
    let models = answer.get("models")?.as_array()?;
    Some(models.iter().filter_map(one_listed).collect())
}

fn one_listed(model: &Value) -> Option<Listed> {
    let name = model.get("name")?.as_str()?;
    let methods = model
        .get("supportedGenerationMethods")
        .and_then(Value::as_array);
    let answers = methods.is_none_or(|methods| methods.iter().any(|m| m == "generateContent"));
    let window = model.get("inputTokenLimit").and_then(Value::as_u64);
    answers.then(|| Listed {
        name: name.strip_prefix("models/").unwrap_or(name).to_owned(),
        window_tokens: window.filter(is_true),
    })
}

fn letter(path: String, body: Map<String, Value>) -> Letter {
    Letter {
        path,
        headers: Vec::new(),
        body: Some(body.into()),
    }
}

fn path(model: &str, method: &str) -> String {
    let (shelf, name) = shelf(model);
    let name = utf8_percent_encode(name, &TELLING);
    format!("/v1beta/{shelf}/{name}:{method}")
}

fn full_name(model: &str) -> String {
    let (shelf, name) = shelf(model);
    format!("{shelf}/{name}")
}

/// Where a model stands, and its name there.
fn shelf(model: &str) -> (&'static str, &str) {
    match model.split_once('/') {
        Some(("models", name)) => ("models", name),
        Some(("tunedModels", name)) => ("tunedModels", name),
        _ => ("models", model),
    }
}

fn body(request: &Request<'_>) -> Map<String, Value> {
    let mut body = Map::new();
    let contents: Vec<_> = request.history.iter().filter_map(content).collect();
    body.insert("contents".to_owned(), contents.into());
    if !request.system.is_empty() {
        let system = json!({ "role": "user", "parts": [{ "text": request.system }] });
        body.insert("systemInstruction".to_owned(), system);
    }
    if !request.tools.is_empty() {
        let tools: Vec<_> = request.tools.iter().map(tool).collect();
        let tools = json!([{ "functionDeclarations": tools }]);
        body.insert("tools".to_owned(), tools);
        if let Some(choice) = choice(&request.options.choice, request.tools) {
            let config = json!({ "functionCallingConfig": choice });
            body.insert("toolConfig".to_owned(), config);
        }
    }
    let config = config(request);
    if !config.is_empty() {
        body.insert("generationConfig".to_owned(), config.into());
    }
    body
}

/// A turn, unless nothing of it can be sent.
fn content(content: &Content) -> Option<Value> {
    let parts: Vec<_> = content.parts.iter().filter_map(part::sent).collect();
    (!parts.is_empty()).then(|| json!({ "role": content.role.as_str(), "parts": parts }))
}

fn tool(tool: &Tool) -> Value {
    json!({
        "name": name::gemini_tool(&tool.name),
        "description": tool.description,
        "parametersJsonSchema": tool.parameters,
    })
}

fn choice(choice: &Choice, tools: &[Tool]) -> Option<Value> {
    match choice {
        Choice::Auto => None,
        Choice::None => Some(json!({ "mode": "NONE" })),
        Choice::Any => Some(json!({ "mode": "ANY" })),
        Choice::Only(only) => {
            let is_there = tools.iter().any(|tool| tool.name == *only);
            let names = [name::gemini_tool(only)];
            is_there.then(|| json!({ "mode": "ANY", "allowedFunctionNames": names }))
        }
    }
}

fn config(request: &Request<'_>) -> Map<String, Value> {
    let options = request.options;
    let mut config = Map::new();
    if let Some(temperature) = options.temperature.filter(|t| t.is_finite()) {
        config.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(tokens) = options.max_output_tokens {
        config.insert("maxOutputTokens".to_owned(), tokens.into());
    }
    if let Form::Json { schema, .. } = &options.form {
        config.insert("responseMimeType".to_owned(), "application/json".into());
        config.insert("responseJsonSchema".to_owned(), schema.clone());
    }
    if let Some(thinking) = thinking::config(request.model, options.thinking) {
        config.insert("thinkingConfig".to_owned(), thinking);
    }
    config
}

#[cfg(test)]
mod tests;
