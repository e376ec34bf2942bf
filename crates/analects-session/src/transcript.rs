//! A conversation as all agents have it in common: who said what, when, and which tools ran.
//!
//! Every agent's reader makes one of these. It is for people and for search; what goes back to a model
//! comes from the agent's own format, which holds more.

use std::ops::Range;

use analects_world::Agent;
use analects_world::provenance::{Author, AuthoredText, other_texts};

use crate::stamp::Stamp;

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// What is known about it as a whole.
    pub head: Head,
    /// What was said and done, in order.
    pub turns: Vec<Turn>,
}

/// What is known about a conversation as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Whose record it is.
    pub agent: Agent,
    /// Its name. Not to be trusted as a part of a path.
    pub id: String,
    /// What somebody called it: the user, or a model that summed it up.
    pub title: Option<String>,
    /// The directory it worked in, as the record says.
    pub cwd: Option<String>,
    /// The branch it worked on.
    pub branch: Option<String>,
    /// When it began.
    pub started: Option<Stamp>,
    /// When something was last said.
    pub updated: Option<Stamp>,
    /// Whether a person held it.
    pub kind: Kind,
}

/// Who held a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A person.
    Main,
    /// An agent, on behalf of the conversation of this name, if it is known.
    Subagent {
        /// The conversation it worked for.
        parent: Option<String>,
    },
}

/// Whether a tool runs commands, as any agent calls it.
#[must_use]
pub fn is_shell(tool: &str) -> bool {
    matches!(
        tool,
        "run_shell_command"
            | "Bash"
            | "PowerShell"
            | "shell"
            | "shell_command"
            | "exec_command"
            | "local_shell"
            | "local_shell_call"
            | "container.exec"
    )
}

/// One thing that was said, with the tools it used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its name in the record; made up from its place where the record gives none.
    pub id: String,
    /// When it was said.
    pub at: Option<Stamp>,
    /// Who said it.
    pub role: Role,
    /// What was said, by that role alone; empty where a model only used tools.
    pub text: String,
    /// What others wrote into the same message: referenced files, selections, reminders, hook output.
    pub attached: Vec<AttachedText>,
    /// The tools a model used.
    pub tools: Vec<ToolUse>,
    /// Where in the record it stands: the bytes of its line, or of the first of its lines.
    pub span: Range<usize>,
}

/// A text in a message that somebody else than its role wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedText {
    /// Who wrote it; never the user.
    pub author: Author,
    /// What was written, with its wrapper.
    pub text: String,
}

impl AttachedText {
    /// Returns the spans of a message that are not the user's.
    #[must_use]
    pub fn from_spans(spans: &[AuthoredText<'_>]) -> Vec<Self> {
        let others = other_texts(spans).map(|span| Self {
            author: span.author,
            text: span.text.clone().into_owned(),
        });
        others.collect()
    }
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The person, or whoever gave a sub-agent its task.
    User,
    /// The model.
    Model,
    /// The agent's program: notices, warnings, summaries of what was compacted, texts it put in for the user.
    Program,
}

impl Role {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
            Self::Program => "program",
        }
    }
}

/// A tool that ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUse {
    /// Its name, as the agent has it.
    pub name: String,
    /// What it was asked: the command of a shell, else its arguments as compact JSON.
    pub input: String,
    /// What it answered, as text.
    pub output: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The files it named in its arguments.
    pub paths: Vec<String>,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Well.
    Succeeded,
    /// With an error, or it was stopped.
    Failed,
    /// The record does not say, or it had not ended.
    Unknown,
}

impl Transcript {
    /// The prompts of the person.
    pub fn prompts(&self) -> impl Iterator<Item = &Turn> {
        self.turns.iter().filter(|turn| turn.role == Role::User)
    }
}
