//! What a sub-agent is.

use serde_json::{Value, json};

/// A sub-agent, as it is written down in code or in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its name: small letters, digits, `-` and `_`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it is for, as the main model is told.
    pub description: String,
    /// Its system text; `${word}` stands for an input of that name.
    pub prompt: String,
    /// Its first message; `${word}` stands for an input of that name.
    pub query: String,
    /// The schema of its inputs: an object.
    pub input: Value,
    /// What it answers.
    pub output: Output,
    /// Which tools it has.
    pub tools: Toolset,
    /// Its model, by name or alias; that of the main agent if nothing is said.
    pub model: Option<String>,
    /// How freely it speaks.
    pub temperature: Option<f64>,
    /// How long it may take.
    pub limits: super::Limits,
}

/// What a sub-agent answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The argument of `complete_task` that holds it.
    pub name: String,
    /// What it is, for the model.
    pub description: String,
    /// Its schema.
    pub schema: Value,
}

impl Output {
    /// Words, in the argument `result`.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            name: "result".to_owned(),
            description: "What came of it, whole and in words that stand on their own.".to_owned(),
            schema: json!({ "type": "string" }),
        }
    }
}

/// Which tools a sub-agent has; never other agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Toolset {
    /// All that the main agent has.
    All,
    /// Those that are named: `*`, `mcp_*`, `mcp_server_*` and whole names.
    Named(Vec<String>),
}
