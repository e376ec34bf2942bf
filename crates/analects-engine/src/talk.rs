//! A talk with a model that has tools, from a prompt to an answer: the engine's side of the agent.
//!
//! `analects_agent::turn` says what happens next; here the doors are opened for it.

mod agents;
mod aside;
mod asking;
pub mod conversation;
mod course;
pub(crate) mod environment;
mod errand;
mod go_over;
mod ground;
mod hooks;
pub(crate) mod ide;
mod keep;
mod keep_memory;
mod memory;
mod notes;
pub mod outlook;
mod part;
mod record;
mod resume;
mod run;
mod scope;
mod servers;
mod skills;
pub mod staged;
mod start;
pub mod stats;
mod tidy_memory;
mod tools;

use analects_agent::activity::Snapshot;
use analects_world::model::Part;
use analects_world::{AbsPath, Servers, Shell};
use serde_json::Value;

use crate::prompt::Audience;
use crate::verbs::Failure;
use analects_text::problem::Problem;

pub use analects_agent::hook::codes as hook_codes;
pub use analects_agent::subagent::codes as agent_codes;
pub use conversation::Conversation;
pub(crate) use go_over::{Outing, WentOver, go_over};
pub use scope::memory_scope;
pub use start::{converse, talk};
pub use stats::Stats;
pub use tidy_memory::tidy_memory;

/// The doors that only an agent needs.
#[derive(Clone, Copy)]
pub struct Hands<'a> {
    /// Command lines, for what a model wants to run.
    pub shell: &'a dyn Shell,
    /// Servers, for tools of others.
    pub servers: &'a dyn Servers,
}

/// What is wanted of one run.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// What the user says; `@path` in it brings a file along.
    pub prompt: String,
    /// How many bytes at the beginning of `prompt` were piped in as context: nobody chose the words there, and `@path`
    /// means nothing in them.
    pub piped_bytes: usize,
    /// The id of the session, if it is a new one.
    pub new_session: String,
    /// The model, as somebody asks for it now.
    pub model: Option<String>,
    /// The session that goes on, as a person calls it: `latest`, a number, an id.
    pub resume: Option<String>,
    /// What may be done without asking.
    pub mode: Option<String>,
    /// How many turns it may take, where that is said now.
    pub max_turns: Option<u32>,
    /// Where an editor says what is open in it.
    pub ide: Option<AbsPath>,
    /// Other directories that belong to the workspace, as a person names them.
    pub include: Vec<String>,
    /// Whether somebody is there who can be asked.
    pub audience: Audience,
}

/// What a person says.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The words; `@path` in them brings a file along.
    pub text: &'a str,
    /// How many bytes at their beginning were piped in, or printed by a program: nobody chose the words there, and
    /// `@path` means nothing in them.
    pub piped_bytes: usize,
}

/// What is told while a talk goes on.
#[derive(Debug, Clone, Copy)]
pub enum Tell<'a> {
    /// It has begun.
    Began {
        /// The session.
        session: &'a str,
        /// The model that is asked first.
        model: &'a str,
    },
    /// A piece of what the model says, as it comes. What was said before counts for nothing after a `StartOver`.
    Piece(&'a Part),
    /// The model is asked again: every piece since its last whole answer is void.
    StartOver {
        /// Why.
        why: &'a str,
    },
    /// What the model said, once it is whole.
    Said {
        /// The words.
        text: &'a str,
    },
    /// A tool is used.
    Uses {
        /// The call.
        id: &'a str,
        /// The tool.
        name: &'a str,
        /// What it is asked.
        args: &'a Value,
    },
    /// Something that a running tool prints.
    Prints {
        /// The call.
        id: &'a str,
        /// What it prints.
        text: &'a str,
    },
    /// A tool has answered.
    Used {
        /// The call.
        id: &'a str,
        /// What the model reads, or what went wrong.
        result: Result<&'a str, &'a analects_agent::tools::Refusal>,
        /// What a person sees.
        shown: &'a str,
    },
    /// What has been going on lately; once a second at most.
    Busy(&'a Snapshot),
    /// What a sub-agent does that was sent.
    Agent {
        /// The agent.
        name: &'a str,
        /// What it does.
        told: &'a Self,
    },
    /// Something a person should know: memory came in, the past was compressed, the record stopped.
    Notice(&'a Problem),
}

/// A run that is over.
#[derive(Debug)]
pub struct Ended {
    /// The session, by which it can be resumed.
    pub session: String,
    /// What the model said last.
    pub response: String,
    /// How it ended.
    pub how: How,
    /// What it took.
    pub stats: Stats,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

/// How a run ended.
#[derive(Debug)]
pub enum How {
    /// With an answer.
    Answered,
    /// It had as many turns as it may have.
    TurnLimit,
    /// The model went in circles.
    Loop,
    /// What is to be sent does not fit; how much that is, and what to do.
    Overflow(String),
    /// Somebody cancelled it.
    Cancelled,
    /// A hook stopped it, or did not let it begin; what was stopped, and why.
    Stopped(String),
    /// The model did not answer.
    NoAnswer(Failure),
}

#[cfg(test)]
mod tests;
