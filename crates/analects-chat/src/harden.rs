//! Makes a history one that every model accepts.
//!
//! Afterwards the user begins, roles alternate, and every call is answered in the next turn by a response of
//! its id and name: first in the turn, in the order of the calls, each id once. No text, call or response
//! is lost (a response that is there twice is there once), words stay in their order, and a history that
//! is fine stays as it is. `faults` knows the same rules from the other side.
//!
//! A response belongs to the call of its id, in the turn before or else wherever the only one stands; one
//! without an id to the call of its name in the turn before. One that belongs to no call gets a call without arguments, as in the original,
//! and does not become text: what a tool said must never read as if the user had said it.

mod lay;
mod name;
mod pair;
mod piece;

use analects_world::model::{Content, Role, stable_id};

pub use crate::curate::Signatures;
use crate::curate::sign;

/// What a call is answered whose response is gone.
pub const LOST: &str = "The tool execution result was lost due to context management truncation.";
/// What the user says before a history that the model begins.
pub const CONTINUING: &str = "[Continuing from previous AI thoughts...]";
/// What the user says after a history that the model ends.
pub const CONTINUE: &str = "Please continue.";

/// How a history is hardened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HardenOptions {
    /// What becomes of thoughts.
    pub thoughts: Thoughts,
    /// Whether calls are signed that are not.
    pub signatures: Signatures,
    /// What becomes of fields that we do not know.
    pub fields: Fields,
    /// What becomes of calls that nothing has answered when the history ends.
    pub open_calls: OpenCalls,
    /// Who has the last word.
    pub end: End,
}

/// What becomes of thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoughts {
    /// They stay.
    Kept,
    /// They go.
    Dropped,
}

/// What becomes of fields that we do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// They stay.
    All,
    /// They go: some servers refuse a request for one of them.
    Known,
}

/// What becomes of calls that nothing has answered when the history ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenCalls {
    /// They are answered with an error, like those before them.
    Lost,
    /// Those of the model's last turn stay open: their tools still run. Such a history cannot be sent.
    Running,
}

/// Who has the last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Whoever has it.
    AsItIs,
    /// The user, because the model is to speak next.
    User,
}

impl HardenOptions {
    /// What the original does before it sends.
    pub const ORIGINAL: Self = Self {
        thoughts: Thoughts::Dropped,
        signatures: Signatures::Synthetic,
        fields: Fields::Known,
        open_calls: OpenCalls::Lost,
        end: End::User,
    };
}

/// The history as every model accepts it; empty if nothing is said in it.
#[must_use]
pub fn harden(history: Vec<Content>, options: &HardenOptions) -> Vec<Content> {
    let mut talk = piece::pieces(history, options);
    let pairs = pair::pairs(&talk.pieces);
    name::tools(&mut talk, &pairs);
    let mut turns = lay::turns(talk, &pairs, options.open_calls);
    if options.signatures == Signatures::Synthetic {
        turns.iter_mut().for_each(sign);
    }
    begin(&mut turns);
    if options.end == End::User {
        end(&mut turns);
    }
    turns
}

fn begin(turns: &mut Vec<Content>) {
    if let Some(first) = turns.first().filter(|first| first.role == Role::Model) {
        let id = stable_id(&[&first.id, "sentinel_start"]);
        turns.insert(0, Content::text(id, Role::User, CONTINUING));
    }
}

fn end(turns: &mut Vec<Content>) {
    let last = turns.last().filter(|last| last.role == Role::Model);
    // A turn of calls is last only while their tools run.
    if let Some(last) = last.filter(|last| last.calls().next().is_none()) {
        let id = stable_id(&[&last.id, "sentinel_end"]);
        turns.push(Content::text(id, Role::User, CONTINUE));
    }
}

#[cfg(test)]
mod tests;
