//! The agent that keeps memory: which layer, what is already known, what is stale.
//!
//! What it may reach is not said here: whoever sends it gives it a scope, and no word of its prompt or of its model can
//! widen that.

use serde_json::json;

use super::{Definition, Limits, Output, Toolset};
use crate::tools::{ask_user, glob, grep_search, list_directory, read_file, replace, write_file};

/// The name that the main model knows it by.
pub const NAME: &str = "save_memory";

/// The tools it has.
pub const TOOLS: [&str; 7] = [
    read_file::NAME,
    replace::NAME,
    write_file::NAME,
    list_directory::NAME,
    glob::NAME,
    grep_search::NAME,
    ask_user::NAME,
];

/// The agent. Its inputs are the `request`, and the files as its prompt names them: `global_file`, `project_file` and
/// `file_name`.
#[must_use]
pub fn definition() -> Definition {
    Definition {
        name: NAME.to_owned(),
        title: "Memory Manager".to_owned(),
        description: "Keeps memory: adds, corrects, merges, moves and removes facts in the files that every conversation \
                      begins with. Give it a request in plain words that stands on its own."
            .to_owned(),
        prompt: include_str!("../../prompts/memory_agent.md").to_owned(),
        query: "${request}".to_owned(),
        input: json!({
            "type": "object",
            "properties": {
                "request": {
                    "type": "string",
                    "description": "What to remember, correct, move or forget, and whom or what it concerns.",
                },
            },
            "required": ["request"],
        }),
        output: Output {
            name: "result".to_owned(),
            description: "What was done, or what is missing.".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {
                    "response": {
                        "type": "string",
                        "description": "What changed and where, in a sentence or two; or what you would need to know.",
                    },
                },
                "required": ["response"],
            }),
        },
        tools: Toolset::Named(TOOLS.map(str::to_owned).to_vec()),
        model: Some("flash".to_owned()),
        temperature: None,
        limits: Limits {
            max_turns: 10,
            max_ms: 5 * 60 * 1000,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A duty, and the words of our prompt that lay it on the agent.
    const DUTIES: [(&str, &[&str]); 27] = [
        (
            "its job is to keep memory files",
            &["You keep the memory", "Markdown files"],
        ),
        (
            "global: preferences, personal facts, habits",
            &["${global_file}", "preferences, habits", "personal facts"],
        ),
        (
            "the root file is a table of contents",
            &["${project_file}", "table of contents"],
        ),
        ("root: architecture decisions", &["architecture decisions"]),
        ("root: conventions", &["conventions"]),
        ("root: contacts", &["whom to ask"]),
        (
            "root: references to subdirectories",
            &["references to the files of subdirectories"],
        ),
        (
            "subdirectory files hold details",
            &["${file_name}", "Details about that part"],
        ),
        (
            "they are referenced from the root",
            &["referenced from the project root file"],
        ),
        ("routing to global", &["goes to **global**"]),
        ("routing to the root", &["goes to the **project root**"]),
        (
            "routing to a subdirectory, with a reference",
            &["**subdirectory's** file, with a reference"],
        ),
        ("ambiguous: it must ask", &["must ask with `ask_user`"]),
        (
            "ambiguous: no choice of its own",
            &["Never settle that by yourself"],
        ),
        (
            "adding: look for duplicates first",
            &["**Add.**", "already is not added again"],
        ),
        (
            "removing stale entries and dangling references",
            &["**Remove what is stale.**", "references that lead nowhere"],
        ),
        (
            "merging: the most informative wording",
            &["**De-duplicate.**", "most informative"],
        ),
        (
            "organising, references kept right",
            &["**Organise.**", "references between files up to date"],
        ),
        ("files stay lean", &["lean: every line is paid for"]),
        ("entries stay concise", &["concise"]),
        ("surgical edits", &["surgically", "words of the user stay"]),
        ("no other files", &["Read and write memory files only"]),
        (
            "few turns, calls together",
            &["as few turns as possible", "in one turn"],
        ),
        ("no exploring", &["Do not explore the code"]),
        (
            "thought where it matters, speed where not",
            &["Think about where", "quick about simple ones"],
        ),
        (
            "few files, and none read that was given",
            &["as few files as possible", "need not be read again"],
        ),
        (
            "not enough to go on: say so and end",
            &[
                "does not say enough",
                "complete the task at once",
                "Do not search",
            ],
        ),
    ];

    #[test]
    fn the_prompt_lays_every_duty_on_the_agent() {
        let prompt = definition().prompt;
        for (duty, words) in DUTIES {
            for word in words {
                assert!(prompt.contains(word), "{duty}: `{word}`");
            }
        }
    }

    #[test]
    fn it_is_small_quick_and_has_no_shell() {
        let Definition {
            limits,
            tools,
            model,
            ..
        } = definition();
        assert_eq!((limits.max_turns, limits.max_ms), (10, 300_000));
        assert_eq!(model.as_deref(), Some("flash"));
        let Toolset::Named(tools) = tools else {
            panic!("it has tools of its own")
        };
        assert_eq!(
            tools,
            [
                "read_file",
                "replace",
                "write_file",
                "list_directory",
                "glob",
                "grep_search",
                "ask_user"
            ]
        );
    }
}
