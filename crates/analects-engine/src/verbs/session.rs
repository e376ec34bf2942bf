//! `session …`: what was said and done, in whichever agent.

mod compress;
mod delete;
mod import;
mod list;
mod pin;
mod rewind;
mod search;
mod show;
mod summarize;

use analects_session::foreign::resume;
use analects_session::stamp::Stamp;
use analects_session::transcript::Kind;
use analects_world::Agent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sessions::{Found, Listed};

pub use compress::{Compress, CompressAnswer, KeptTurn, Lost, Survived};
pub use delete::{Delete, DeleteAnswer, DeletedSession};
pub use import::{Import, ImportAnswer};
pub use list::{List, ListAnswer};
pub use pin::{Pin, PinAnswer, PinChange, PinnedText};
pub use rewind::{Rewind, RewindAnswer};
pub(in crate::verbs) use search::when;
pub use search::{Hit, Remembered, RoleName, Search, SearchAnswer};
pub use show::{Show, ShowAnswer, ShownTool, ShownTurn};
pub use summarize::{Summarize, SummarizeAnswer, Summary};

/// An agent, as a person names it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum AgentName {
    /// Gemini CLI, and Analects itself.
    Gemini,
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
}

impl From<AgentName> for Agent {
    fn from(name: AgentName) -> Self {
        match name {
            AgentName::Gemini => Self::Gemini,
            AgentName::Claude => Self::Claude,
            AgentName::Codex => Self::Codex,
        }
    }
}

/// A conversation, in a list or by itself.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Whose it is: `gemini`, `claude` or `codex`.
    pub agent: String,
    /// What it is called, or what was asked first.
    pub title: String,
    /// The directory it worked in, as far as is known.
    pub project: Option<String>,
    /// When it began, in UTC.
    pub started: Option<String>,
    /// When something was last said, in UTC.
    pub updated: Option<String>,
    /// How many turns it has.
    pub turns: usize,
    /// How many prompts a person gave.
    pub prompts: usize,
    /// How long the record is.
    pub bytes: u64,
    /// The record.
    pub path: String,
    /// Whether an agent held it, for another one.
    pub is_subagent: bool,
    /// Whether it may still be going on.
    pub is_live: bool,
    /// The command that goes on with it.
    pub resume: Option<String>,
    /// Its number, in a list: `analects --resume N` goes on with it. Only sessions of this project in Gemini CLI's format
    /// have one; they are counted in the order in which they began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
}

impl From<&Listed> for Session {
    fn from(listed: &Listed) -> Self {
        let head = &listed.head;
        let is_subagent = head.kind != Kind::Main;
        let resume = resume::resume(head.agent, &head.id).filter(|_| !is_subagent);
        Self {
            id: head.id.clone(),
            agent: head.agent.as_str().to_owned(),
            title: listed.title.clone(),
            project: head.cwd.clone(),
            started: head.started.as_ref().map(Stamp::to_string),
            updated: head.updated.as_ref().map(Stamp::to_string),
            turns: listed.n_turns,
            prompts: listed.n_prompts,
            bytes: listed.stored.measure.len,
            path: listed.stored.path.to_string(),
            is_subagent,
            is_live: listed.is_live,
            resume,
            number: None,
        }
    }
}

impl Session {
    fn of(found: &Found, is_live: bool) -> Self {
        let transcript = &found.opened.transcript;
        Self::from(&Listed {
            stored: found.stored.clone(),
            head: transcript.head.clone(),
            title: found.opened.title(),
            n_turns: transcript.turns.len(),
            n_prompts: transcript.prompts().count(),
            is_live,
        })
    }
}
