//! Where a text of a conversation came from, and whether a stranger may have written it.
//!
//! What a person typed can be learnt from. What a page, a server, an issue or a file said is only ever evidence that it
//! was said: whoever wrote it never talked to this user. In doubt a text counts as a stranger's.

mod commands;

use analects_session::transcript::{Role, Turn, is_shell};
use analects_world::provenance::Author;

pub(crate) use commands::is_loopback;
use commands::{of_command, reads_package};

/// Where a text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The person.
    User,
    /// The model: what it said, and what it asked tools to do.
    Model,
    /// What a local command answered.
    Command,
    /// What stood in a file, or what files are called.
    File,
    /// What an MCP server said, a sub-agent, or any tool that nobody here can vouch for.
    Server,
    /// A page, or what a search engine found.
    Web,
    /// An issue, a pull request or a comment on one.
    Issue,
    /// The agent's program. Answers that belong to no call stand there, too.
    Program,
}

impl Origin {
    /// Whether a stranger may have written it.
    #[must_use]
    pub fn is_tainted(self) -> bool {
        match self {
            Self::User | Self::Model | Self::Command => false,
            Self::File | Self::Server | Self::Web | Self::Issue | Self::Program => true,
        }
    }

    /// Whether it came from outside this machine, so that not even running what it said makes it the user's.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Server | Self::Web | Self::Issue)
    }

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "assistant",
            Self::Command => "tool (repo)",
            Self::File => "tool (file)",
            Self::Server => "tool (mcp)",
            Self::Web => "tool (web)",
            Self::Issue => "issue text",
            Self::Program => "program",
        }
    }

    /// Of the sources of one text the one to be most careful about.
    fn worse(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Where the answer of a tool came from: by its name, as any agent has it, and by what it was asked. `input` is the
/// command of a shell, else the arguments.
#[must_use]
pub(crate) fn of_tool(name: &str, input: &str) -> Origin {
    match name {
        "KillShell" => of_command(input),
        name if is_shell(name) => of_command(input),
        // What a command says later on: which one it was is not told.
        "BashOutput" | "write_stdin" => Origin::Server,
        "web_fetch" | "google_web_search" | "WebFetch" | "WebSearch" | "web_search"
        | "web_search_call" => Origin::Web,
        "read_file"
        | "read_many_files"
        | "write_file"
        | "replace"
        | "edit"
        | "list_directory"
        | "ls"
        | "glob"
        | "grep_search"
        | "grep"
        | "search_file_content"
        | "get_internal_docs"
        | "Read"
        | "Write"
        | "Edit"
        | "MultiEdit"
        | "NotebookRead"
        | "NotebookEdit"
        | "Glob"
        | "Grep"
        | "LS"
        | "LSP"
        | "apply_patch"
        | "patch"
        | "view_image"
        | "list_dir"
        | "grep_files"
        | "activate_skill"
        | "Skill" => {
            if reads_package(input) {
                Origin::Web
            } else {
                Origin::File
            }
        }
        "ask_user" | "AskUserQuestion" | "request_user_input" => Origin::User,
        "save_memory" | "write_todos" | "update_topic" | "complete_task" | "enter_plan_mode"
        | "exit_plan_mode" | "TodoWrite" | "TodoRead" | "EnterPlanMode" | "ExitPlanMode"
        | "update_plan" => Origin::Program,
        _ => Origin::Server,
    }
}

/// Returns the texts of a turn, each with where it came from: what its role said, then what others wrote into the same message.
#[must_use]
pub(crate) fn of_turn(turn: &Turn) -> Vec<(Origin, &str)> {
    let own = match turn.role {
        Role::User => Origin::User,
        Role::Model => Origin::Model,
        Role::Program => Origin::Program,
    };
    let attached = turn.attached.iter();
    let attached = attached.map(|attached| (of_author(attached.author), &*attached.text));
    std::iter::once((own, &*turn.text))
        .chain(attached)
        .collect()
}

/// Where a text of this author came from. Local output in a user message may be anything that a command printed.
fn of_author(author: Author) -> Origin {
    match author {
        Author::User => Origin::User,
        Author::Model => Origin::Model,
        Author::File | Author::Editor => Origin::File,
        Author::Tool | Author::Hook | Author::System => Origin::Program,
    }
}

#[cfg(test)]
mod tests {
    use analects_session::transcript::AttachedText;

    use super::*;

    #[test]
    fn every_agents_tools_are_known_by_what_they_bring_in() {
        for (origin, names) in [
            (
                Origin::File,
                &[
                    "read_file",
                    "search_file_content",
                    "Read",
                    "Grep",
                    "apply_patch",
                ][..],
            ),
            (
                Origin::Web,
                &[
                    "web_fetch",
                    "google_web_search",
                    "WebFetch",
                    "web_search_call",
                ],
            ),
            (
                Origin::Server,
                &[
                    "mcp_github_get_issue",
                    "mcp__jira__read",
                    "pond__fetch",
                    "Task",
                    "BashOutput",
                    "write_stdin",
                    "whatever",
                ],
            ),
            (Origin::User, &["ask_user", "AskUserQuestion"]),
        ] {
            for name in names {
                assert_eq!(of_tool(name, "{}"), origin, "{name}");
            }
        }
    }

    #[test]
    fn attached_texts_are_not_the_users() {
        let attached = [Author::File, Author::Editor, Author::Hook, Author::System].map(|author| {
            AttachedText {
                author,
                text: "Run it.".to_owned(),
            }
        });
        let turn = Turn {
            id: "1".to_owned(),
            at: None,
            role: Role::User,
            text: "Look at @a.md".to_owned(),
            attached: attached.to_vec(),
            tools: Vec::new(),
            span: 0..0,
        };
        let origins: Vec<_> = of_turn(&turn).iter().map(|(origin, _)| *origin).collect();
        assert_eq!(
            origins,
            [
                Origin::User,
                Origin::File,
                Origin::File,
                Origin::Program,
                Origin::Program
            ]
        );
        assert!(origins.iter().skip(1).all(|origin| origin.is_tainted()));
    }

    #[test]
    fn only_what_the_user_and_the_model_did_is_untainted() {
        let untainted: Vec<_> = [
            Origin::User,
            Origin::Model,
            Origin::Command,
            Origin::File,
            Origin::Server,
            Origin::Web,
            Origin::Issue,
            Origin::Program,
        ]
        .into_iter()
        .filter(|origin| !origin.is_tainted())
        .collect();
        assert_eq!(untainted, [Origin::User, Origin::Model, Origin::Command]);
    }
}
