//! The agent that reads past sessions and drafts skills for the inbox.
//!
//! It is never sent by a model. What it may reach is not said here: whoever sends it gives it a scope, in which sessions
//! are retold and only the inbox can be written.

use serde_json::json;

use super::{Definition, Limits, Output, Toolset};
use crate::tools::{glob, grep_search, list_directory, read_file, replace, write_file};

/// The name it is known by: in records, in rules, in what it drafts.
pub const NAME: &str = "confucius";

/// The tools it has. Nobody can be asked, and nothing is run.
pub const TOOLS: [&str; 6] = [
    read_file::NAME,
    write_file::NAME,
    replace::NAME,
    list_directory::NAME,
    glob::NAME,
    grep_search::NAME,
];

/// The inputs that its texts are filled in with: where skills and patches wait, and what it is told to begin with.
pub const INPUTS: [&str; 6] = [
    "skills_dir",
    "inbox_dir",
    "existing_skills",
    "pending_inbox",
    "candidates",
    "session_index",
];

/// The agent.
#[must_use]
pub fn definition() -> Definition {
    Definition {
        name: NAME.to_owned(),
        title: "Skill Extractor".to_owned(),
        description: "Goes over past sessions, and drafts skills from procedures that were repeated and validated."
            .to_owned(),
        prompt: include_str!("../../prompts/confucius.md").to_owned(),
        query: include_str!("../../prompts/confucius_query.md").to_owned(),
        input: json!({
            "type": "object",
            "properties": {
                "session_index": {
                    "type": "string",
                    "description": "The sessions, one a line.",
                },
            },
            "required": ["session_index"],
        }),
        output: Output {
            name: "result".to_owned(),
            description: "What was drafted, or why nothing was.".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {
                    "response": {
                        "type": "string",
                        "description": "Which skills or patches were written and on what evidence; or why there was nothing.",
                    },
                },
                "required": ["response"],
            }),
        },
        tools: Toolset::Named(TOOLS.map(str::to_owned).to_vec()),
        model: Some("flash".to_owned()),
        temperature: None,
        limits: Limits {
            max_turns: 30,
            max_ms: 30 * 60 * 1000,
        },
    }
}

#[cfg(test)]
mod tests;
