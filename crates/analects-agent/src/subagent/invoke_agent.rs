//! The tool `invoke_agent`: how the main model sends a sub-agent.

use analects_text::{hidden, sanitize, truncate};
use analects_world::models::Tool;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Definition, schema};
use crate::tools::{Refusal, RefusalKind};

/// The name that models know it by.
pub const NAME: &str = "invoke_agent";

const DESCRIPTION: &str = include_str!("../../prompts/invoke_agent.md");
/// How many agents are offered; nobody chooses well among more.
const MAX_AGENTS: usize = 50;
/// How much is said of each.
const MAX_LINE_BYTES: usize = 600;
/// How much is said of all of them; of the rest, only the names are known.
const MAX_LINES_BYTES: usize = 16_000;
/// How many are named to a model that has named another one.
const MAX_NAMED: usize = 20;

/// What a model wants.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Args {
    /// Who is sent.
    pub agent_name: String,
    /// With which task.
    pub prompt: String,
}

/// An agent that is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent<'a> {
    /// Who it is.
    pub agent: &'a Definition,
    /// What it is sent with.
    pub inputs: Map<String, Value>,
}

/// The tool as a model is told of it; nothing where nobody can be sent.
#[must_use]
pub fn offered(agents: &[Definition]) -> Option<Tool> {
    let agents = agents.iter().filter(|agent| agent.main_input().is_some());
    let agents: Vec<_> = agents.take(MAX_AGENTS).collect();
    if agents.is_empty() {
        return None;
    }
    let mut lines = String::new();
    for agent in &agents {
        let line = format!("\n- `{}`: {}", agent.name, line(&agent.description));
        if lines.len() + line.len() > MAX_LINES_BYTES {
            break;
        }
        lines.push_str(&line);
    }
    let names: Vec<_> = agents.iter().map(|agent| agent.name.as_str()).collect();
    Some(Tool {
        name: NAME.to_owned(),
        description: format!("{}{lines}", DESCRIPTION.trim_end()),
        parameters: json!({
            "type": "object",
            "properties": {
                "agent_name": {
                    "type": "string",
                    "description": "The agent to send.",
                    "enum": names,
                },
                "prompt": {
                    "type": "string",
                    "description": "The whole task, in words that stand on their own.",
                },
            },
            "required": ["agent_name", "prompt"],
        }),
    })
}

/// Reads a call. What is wrong with it is said so that the model can do better.
pub fn read<'a>(args: &Value, agents: &'a [Definition]) -> Result<Sent<'a>, Refusal> {
    let bad = |message: String| Refusal::new(RefusalKind::BadArguments, message);
    let nothing = json!({});
    let args = match args {
        Value::Null => &nothing,
        args => args,
    };
    let args = Args::deserialize(args).map_err(|error| {
        let error = schema::shown(&error.to_string());
        bad(format!("The arguments of `{NAME}` make no sense: {error}."))
    })?;
    let agent = agents.iter().find(|agent| agent.name == args.agent_name);
    let Some(agent) = agent else {
        let names = agents.iter().take(MAX_NAMED).map(|agent| &*agent.name);
        return Err(bad(format!(
            "There is no agent `{}`. Those that are there: {}.",
            schema::shown(&args.agent_name),
            names.collect::<Vec<_>>().join(", ")
        )));
    };
    let inputs = inputs(agent, args.prompt).map_err(bad)?;
    Ok(Sent { agent, inputs })
}

/// What an agent is sent with, if all it gets is words.
fn inputs(agent: &Definition, prompt: String) -> Result<Map<String, Value>, String> {
    let Some(name) = agent.main_input() else {
        return Err(format!("`{}` cannot be sent with words alone.", agent.name));
    };
    let mut inputs = Map::new();
    inputs.insert(name.to_owned(), prompt.into());
    let whole = Value::Object(inputs);
    schema::check(&whole, &agent.input, "prompt")
        .map_err(|why| format!("`{}` cannot be sent with this: {why}.", agent.name))?;
    match whole {
        Value::Object(inputs) => Ok(inputs),
        _ => Ok(Map::new()),
    }
}

/// What an agent is for, in one line that holds nothing but words.
fn line(description: &str) -> String {
    let clean = hidden::without(description);
    let words: Vec<_> = clean.split_whitespace().collect();
    let words = words.join(" ");
    let head = truncate::head_bytes(&words, MAX_LINE_BYTES);
    let mut line = sanitize::one_line(head).into_owned();
    if head.len() < words.len() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests;
