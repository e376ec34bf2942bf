//! What Anthropic would refuse.

use serde_json::{Map, Value};

use super::{bad, is_between, is_name, list, need, only, text_of};
use crate::model_server::reply::Trouble;

const FIELDS: [&str; 20] = [
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "max_tokens",
    "mcp_servers",
    "messages",
    "metadata",
    "model",
    "output_config",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];

/// Whoever only counts does not say how to answer.
const COUNT_FIELDS: [&str; 10] = [
    "cache_control",
    "context_management",
    "mcp_servers",
    "messages",
    "model",
    "output_config",
    "system",
    "thinking",
    "tool_choice",
    "tools",
];

pub(super) fn check(body: &Map<String, Value>) -> Result<(), Trouble> {
    only(body, &FIELDS, extra)?;
    let limit = body.get("max_tokens");
    need(limit.is_some(), || "max_tokens: Field required".to_owned())?;
    let limit = limit.and_then(Value::as_u64).filter(|limit| *limit > 0);
    let limit =
        limit.ok_or_else(|| bad("max_tokens: Input should be greater than or equal to 1"))?;
    need(is_between(body.get("temperature"), 0.0, 1.0), || {
        "temperature: range: 0..1".to_owned()
    })?;
    check_all(body)?;
    check_thinking(body, limit)
}

pub(super) fn check_count(body: &Map<String, Value>) -> Result<(), Trouble> {
    only(body, &COUNT_FIELDS, extra)?;
    check_all(body)
}

fn extra(at: &str) -> String {
    format!("{at}: Extra inputs are not permitted")
}

fn check_all(body: &Map<String, Value>) -> Result<(), Trouble> {
    need(body.get("model").is_some_and(Value::is_string), || {
        "model: Field required".to_owned()
    })?;
    let messages = list(body.get("messages"));
    let messages = messages.ok_or_else(|| bad("messages: at least one message is required"))?;
    check_system(body.get("system"))?;
    let has_tools = check_tools(body)?;
    check_messages(messages, has_tools)?;
    let n_marks =
        marks(body.get("system")) + marks(body.get("tools")) + marks(body.get("messages"));
    need(n_marks <= 4, || {
        format!("A maximum of 4 blocks with cache_control may be provided. Found {n_marks}.")
    })
}

/// How often a prefix is marked to be kept.
fn marks(value: Option<&Value>) -> usize {
    match value {
        Some(Value::Array(list)) => list.iter().map(|item| marks(Some(item))).sum(),
        Some(Value::Object(fields)) => {
            usize::from(fields.contains_key("cache_control")) + marks(fields.get("content"))
        }
        _ => 0,
    }
}

fn check_system(system: Option<&Value>) -> Result<(), Trouble> {
    match system {
        None | Some(Value::String(_)) => Ok(()),
        Some(Value::Array(blocks)) => blocks.iter().enumerate().try_for_each(|(index, block)| {
            let at = format!("system.{index}");
            need(block["type"] == "text", || {
                format!("{at}.type: Input should be 'text'")
            })?;
            check_block(&at, block, "system")
        }),
        Some(_) => Err(bad("system: Input should be a valid string")),
    }
}

/// Roles take turns. Today's service would join two neighbours of one role; its older versions and those who
/// serve the same wire elsewhere refuse them, so nobody should rely on it.
fn check_messages(messages: &[Value], has_tools: bool) -> Result<(), Trouble> {
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = text_of(message, "role").unwrap_or_default();
        need(matches!(role, "user" | "assistant"), || {
            format!("messages.{index}.role: Input should be 'user' or 'assistant'")
        })?;
        let fields = message.as_object();
        fields.map_or(Ok(()), |fields| {
            only(fields, &["role", "content"], |name| {
                extra(&format!("messages.{index}.{name}"))
            })
        })?;
        let expected = if index % 2 == 0 { "user" } else { "assistant" };
        need(role == expected, || {
            format!(
                "messages: roles must alternate between \"user\" and \"assistant\", but found multiple \"{role}\" roles in a row"
            )
        })?;
        let blocks = check_content(index, message, role)?;
        let uses_tools = blocks
            .iter()
            .any(|block| matches!(text_of(block, "type"), Some("tool_use" | "tool_result")));
        need(has_tools || !uses_tools, || {
            "Requests which include `tool_use` or `tool_result` blocks must define tools".to_owned()
        })?;
        check_results(index, blocks, &open)?;
        open = ids(blocks, "tool_use", "id");
    }
    need(open.is_empty(), || unanswered(messages.len() - 1, &open))
}

fn ids<'a>(blocks: &'a [Value], kind: &str, field: &str) -> Vec<&'a str> {
    let of_kind = blocks.iter().filter(|block| block["type"] == kind);
    of_kind.filter_map(|block| text_of(block, field)).collect()
}

fn unanswered(index: usize, open: &[&str]) -> String {
    format!(
        "messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
        open.join(", ")
    )
}

/// What was called is answered at once and before anything else; what was not called is not answered.
fn check_results(index: usize, blocks: &[Value], open: &[&str]) -> Result<(), Trouble> {
    let results = ids(blocks, "tool_result", "tool_use_id");
    let strange = results.iter().find(|id| !open.contains(id));
    need(strange.is_none(), || {
        format!(
            "messages.{index}.content: unexpected `tool_use_id` found in `tool_result` blocks: {}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
            strange.unwrap_or(&"")
        )
    })?;
    let first = blocks.iter().take(results.len());
    let are_first = first.clone().all(|block| block["type"] == "tool_result");
    let missing: Vec<&str> = open
        .iter()
        .copied()
        .filter(|id| !results.contains(id))
        .collect();
    need(missing.is_empty() && are_first, || {
        unanswered(
            index.saturating_sub(1),
            if missing.is_empty() { open } else { &missing },
        )
    })?;
    need(results.len() == open.len(), || {
        format!("messages.{index}.content: each tool_use must have a single result.")
    })
}

fn check_content<'a>(index: usize, message: &'a Value, role: &str) -> Result<&'a [Value], Trouble> {
    match message.get("content") {
        Some(Value::String(text)) => {
            need(!text.trim().is_empty(), || {
                format!("messages.{index}: user messages must have non-empty content")
            })?;
            Ok(&[])
        }
        Some(Value::Array(blocks)) if !blocks.is_empty() => {
            for (number, block) in blocks.iter().enumerate() {
                check_block(&format!("messages.{index}.content.{number}"), block, role)?;
            }
            Ok(blocks)
        }
        _ => Err(bad(format!(
            "messages.{index}: all messages must have non-empty content except for the optional final assistant message"
        ))),
    }
}

fn check_block(at: &str, block: &Value, role: &str) -> Result<(), Trouble> {
    let kind = text_of(block, "type").unwrap_or_default();
    let (fields, roles): (&[&str], &[&str]) = match kind {
        "text" => (
            &["text", "citations"],
            &["user", "assistant", "system", "result"],
        ),
        "image" => (&["source"], &["user", "result"]),
        "document" => (
            &["source", "title", "context", "citations"],
            &["user", "result"],
        ),
        "tool_use" => (&["id", "name", "input", "caller"], &["assistant"]),
        "tool_result" => (&["tool_use_id", "content", "is_error"], &["user"]),
        "thinking" => (&["thinking", "signature"], &["assistant"]),
        "redacted_thinking" => (&["data"], &["assistant"]),
        _ => (&[], &[]),
    };
    need(roles.contains(&role), || {
        format!(
            "{at}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        )
    })?;
    let is_known = |name: &str| {
        let is_mark = name == "cache_control" && !kind.ends_with("thinking");
        name == "type" || is_mark || fields.contains(&name)
    };
    let given = block.as_object().into_iter().flat_map(Map::keys);
    let strange = given.into_iter().find(|name| !is_known(name));
    need(strange.is_none(), || {
        extra(&format!("{at}.{kind}.{}", strange.map_or("", |name| name)))
    })?;
    check_fields(at, kind, block)
}

fn check_fields(at: &str, kind: &str, block: &Value) -> Result<(), Trouble> {
    let required = |field: &str| {
        need(text_of(block, field).is_some(), || {
            format!("{at}.{kind}.{field}: Field required")
        })
    };
    match kind {
        "text" => {
            required("text")?;
            let text = text_of(block, "text").unwrap_or_default();
            need(!text.is_empty(), || {
                "messages: text content blocks must be non-empty".to_owned()
            })?;
            need(!text.trim().is_empty(), || {
                "messages: text content blocks must contain non-whitespace text".to_owned()
            })
        }
        "image" | "document" => need(block["source"]["type"].is_string(), || {
            format!("{at}.{kind}.source: Field required")
        }),
        "tool_use" => {
            let id = text_of(block, "id").unwrap_or_default();
            need(is_name(id, 256), || {
                format!("{at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
            })?;
            required("name")?;
            need(block["input"].is_object(), || {
                format!("{at}.tool_use.input: Input should be a valid dictionary")
            })
        }
        "tool_result" => {
            required("tool_use_id")?;
            match block.get("content") {
                Some(Value::Array(blocks)) => blocks.iter().try_for_each(|inner| {
                    check_block(&format!("{at}.tool_result"), inner, "result")
                }),
                None | Some(Value::String(_)) => Ok(()),
                Some(_) => Err(bad(format!(
                    "{at}.tool_result.content: Input should be a valid string"
                ))),
            }
        }
        "thinking" => {
            required("thinking")?;
            required("signature")?;
            need(block["signature"] != "", || {
                format!("{at}: Invalid `signature` in `thinking` block")
            })
        }
        "redacted_thinking" => required("data"),
        _ => Ok(()),
    }
}

/// Whether there are any.
fn check_tools(body: &Map<String, Value>) -> Result<bool, Trouble> {
    let tools = body.get("tools").and_then(Value::as_array);
    let tools = tools.map_or(&[][..], |tools| tools);
    for (index, tool) in tools.iter().enumerate() {
        let name = text_of(tool, "name").unwrap_or_default();
        need(is_name(name, 128), || {
            format!(
                "tools.{index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            )
        })?;
        need(tool["input_schema"]["type"] == "object", || {
            format!("tools.{index}.custom.input_schema.type: Field required")
        })?;
    }
    let Some(choice) = body.get("tool_choice") else {
        return Ok(!tools.is_empty());
    };
    let is_known = match text_of(choice, "type") {
        Some("auto" | "any" | "none") => true,
        Some("tool") => tools.iter().any(|tool| tool["name"] == choice["name"]),
        _ => false,
    };
    need(is_known && !tools.is_empty(), || {
        "tool_choice: tool_choice may only be specified while providing tools".to_owned()
    })?;
    Ok(true)
}

fn check_thinking(body: &Map<String, Value>, limit: u64) -> Result<(), Trouble> {
    let Some(thinking) = body.get("thinking") else {
        return Ok(());
    };
    let is_fixed = match text_of(thinking, "type") {
        Some("enabled") => true,
        Some("adaptive") => false,
        Some("disabled") => return Ok(()),
        _ => {
            return Err(bad(
                "thinking: Input tag does not match any of the expected tags: 'disabled', 'enabled', 'adaptive'",
            ));
        }
    };
    if is_fixed {
        let budget = thinking["budget_tokens"].as_u64().unwrap_or(0);
        need(budget >= 1024, || {
            "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
                .to_owned()
        })?;
        need(limit > budget, || {
            "`max_tokens` must be greater than `thinking.budget_tokens`".to_owned()
        })?;
    }
    let temperature = body.get("temperature").and_then(Value::as_f64);
    need(temperature.is_none_or(|n| n >= 1.0), || {
        "`temperature` may only be set to 1 when thinking is enabled".to_owned()
    })?;
    let choice = body
        .get("tool_choice")
        .and_then(|choice| text_of(choice, "type"));
    need(!matches!(choice, Some("any" | "tool")), || {
        "Thinking may not be enabled when tool_choice forces tool use.".to_owned()
    })
}
