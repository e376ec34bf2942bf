//! What OpenAI would refuse.

use serde_json::{Map, Value};

use super::{bad, is_between, is_name, list, need, only, text_of};
use crate::model_server::reply::Trouble;

const FIELDS: [&str; 33] = [
    "audio",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
];

pub(super) fn check(body: &Map<String, Value>) -> Result<(), Trouble> {
    only(body, &FIELDS, |name| {
        format!("Unrecognized request argument supplied: {name}")
    })?;
    need(body.get("model").is_some_and(Value::is_string), || {
        "you must provide a model parameter".to_owned()
    })?;
    let messages = list(body.get("messages")).ok_or_else(|| {
        bad("Invalid 'messages': empty array. Expected an array with minimum length 1")
    })?;
    check_messages(messages)?;
    let tools = body.get("tools");
    let n_tools = check_tools(tools)?;
    check_choice(body.get("tool_choice"), tools, n_tools)?;
    let is_streamed = body.get("stream") == Some(&Value::Bool(true));
    need(is_streamed || !body.contains_key("stream_options"), || {
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.".to_owned()
    })?;
    need(is_between(body.get("temperature"), 0.0, 2.0), || {
        "Invalid 'temperature': decimal out of range".to_owned()
    })?;
    body.get("response_format").map_or(Ok(()), check_form)
}

/// Every call is answered before anything else is said, and nothing is answered that was not called.
fn check_messages(messages: &[Value]) -> Result<(), Trouble> {
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = text_of(message, "role").unwrap_or_default();
        if role == "tool" {
            let id = text_of(message, "tool_call_id").ok_or_else(|| {
                bad(format!(
                    "Missing parameter 'tool_call_id': messages.[{index}]"
                ))
            })?;
            let found = open.iter().position(|known| *known == id).ok_or_else(|| {
                bad("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
            })?;
            open.remove(found);
            check_content(index, message, &["text"])?;
            continue;
        }
        unanswered(&open)?;
        match role {
            "system" | "developer" => check_content(index, message, &["text"])?,
            "user" => check_content(
                index,
                message,
                &["text", "image_url", "input_audio", "file"],
            )?,
            "assistant" => open = check_assistant(index, message)?,
            _ => {
                return Err(bad(format!(
                    "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
                )));
            }
        }
    }
    unanswered(&open)
}

fn unanswered(open: &[&str]) -> Result<(), Trouble> {
    need(open.is_empty(), || {
        format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {}",
            open.join(", ")
        )
    })
}

/// What the assistant wants to call.
fn check_assistant(index: usize, message: &Value) -> Result<Vec<&str>, Trouble> {
    let Some(calls) = message.get("tool_calls") else {
        check_content(index, message, &["text", "refusal"])?;
        return Ok(Vec::new());
    };
    if message
        .get("content")
        .is_some_and(|content| !content.is_null())
    {
        check_content(index, message, &["text", "refusal"])?;
    }
    let calls = list(Some(calls)).ok_or_else(|| {
        bad(format!(
            "Invalid 'messages[{index}].tool_calls': empty array."
        ))
    })?;
    let mut ids = Vec::new();
    for call in calls {
        let at = format!("messages[{index}].tool_calls[{}]", ids.len());
        need(text_of(call, "type") == Some("function"), || {
            format!("Missing required parameter: '{at}.type'.")
        })?;
        let function = &call["function"];
        need(
            text_of(function, "name").is_some_and(|name| is_name(name, 64)),
            || format!("Invalid '{at}.function.name': string does not match pattern."),
        )?;
        need(text_of(function, "arguments").is_some(), || {
            format!("Invalid type for '{at}.function.arguments': expected a string.")
        })?;
        let id = text_of(call, "id").filter(|id| !id.is_empty());
        let id = id.ok_or_else(|| bad(format!("Missing required parameter: '{at}.id'.")))?;
        need(!ids.contains(&id), || {
            format!("Duplicate value for 'tool_call_id' of '{id}'")
        })?;
        ids.push(id);
    }
    Ok(ids)
}

fn check_content(index: usize, message: &Value, kinds: &[&str]) -> Result<(), Trouble> {
    match message.get("content") {
        Some(Value::String(_)) => Ok(()),
        Some(Value::Array(parts)) if !parts.is_empty() => parts.iter().try_for_each(|part| {
            let kind = text_of(part, "type").unwrap_or_default();
            need(kinds.contains(&kind) && part.get(kind).is_some(), || {
                format!("Invalid value: '{kind}' at messages[{index}].content.")
            })
        }),
        _ => Err(bad(format!(
            "Invalid value for 'content': expected a string, got null. (messages.[{index}].content)"
        ))),
    }
}

fn check_tools(tools: Option<&Value>) -> Result<Vec<&str>, Trouble> {
    let Some(tools) = tools else {
        return Ok(Vec::new());
    };
    let tools = list(Some(tools)).ok_or_else(|| {
        bad("Invalid 'tools': empty array. Expected an array with minimum length 1")
    })?;
    let mut names = Vec::new();
    for tool in tools {
        let at = format!("tools[{}]", names.len());
        let function = &tool["function"];
        need(text_of(tool, "type") == Some("function"), || {
            format!("Missing required parameter: '{at}.type'.")
        })?;
        let name = text_of(function, "name").filter(|name| is_name(name, 64));
        let name = name.ok_or_else(|| {
            bad(format!(
                "Invalid '{at}.function.name': string does not match pattern."
            ))
        })?;
        let parameters = function.get("parameters");
        need(
            parameters.is_none_or(|schema| schema["type"] == "object"),
            || {
                format!(
                    "Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."
                )
            },
        )?;
        names.push(name);
    }
    Ok(names)
}

fn check_choice(
    choice: Option<&Value>,
    tools: Option<&Value>,
    names: Vec<&str>,
) -> Result<(), Trouble> {
    let Some(choice) = choice else {
        return Ok(());
    };
    need(tools.is_some(), || {
        "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
            .to_owned()
    })?;
    let is_known = match choice {
        Value::String(word) => ["none", "auto", "required"].contains(&&**word),
        choice => {
            let name = text_of(&choice["function"], "name").unwrap_or_default();
            choice["type"] == "function" && names.contains(&name)
        }
    };
    need(is_known, || {
        format!("Invalid value for 'tool_choice': {choice}")
    })
}

fn check_form(form: &Value) -> Result<(), Trouble> {
    if form["type"] != "json_schema" {
        return Ok(());
    }
    let schema = &form["json_schema"];
    need(
        text_of(schema, "name").is_some_and(|name| is_name(name, 64)),
        || "Missing required parameter: 'response_format.json_schema.name'.".to_owned(),
    )?;
    need(schema["schema"].is_object(), || {
        "Missing required parameter: 'response_format.json_schema.schema'.".to_owned()
    })?;
    if schema["strict"] == true {
        return check_strict(&schema["schema"]);
    }
    Ok(())
}

/// A strict schema leaves nothing open: every field is required, and no other is allowed.
fn check_strict(schema: &Value) -> Result<(), Trouble> {
    if let Some(properties) = schema["properties"].as_object() {
        need(schema["additionalProperties"] == false, || {
            "Invalid schema for response_format: 'additionalProperties' is required to be supplied and to be false.".to_owned()
        })?;
        let required = schema["required"].as_array().map_or(&[][..], |list| list);
        for (name, property) in properties {
            need(required.iter().any(|known| known == name.as_str()), || {
                format!(
                    "Invalid schema for response_format: 'required' is required to be supplied and to be an array including every key in properties. Missing '{name}'."
                )
            })?;
            check_strict(property)?;
        }
    }
    match schema.get("items") {
        Some(items) => check_strict(items),
        None => Ok(()),
    }
}
