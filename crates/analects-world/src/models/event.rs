//! An answer, as it comes.

use crate::model::Part;

/// A piece of an answer.
#[expect(clippy::large_enum_variant, reason = "nearly every event is a part")]
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Words, a thought, or a call: in the order and with the fields in which a history must keep them. Words
    /// and thoughts come in pieces; a call comes whole, its arguments parsed.
    Part(Part),
    /// What it costs, as far as is known by now. A later one replaces an earlier one.
    Usage(Usage),
    /// It is over.
    Finish(Finish),
}

/// What an answer costs, in tokens, as the server counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// What was read, with what came from a cache.
    pub prompt: Option<u64>,
    /// What of it came from a cache.
    pub cached: Option<u64>,
    /// What was written, thoughts left out.
    pub answer: Option<u64>,
    /// What was thought.
    pub thoughts: Option<u64>,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// All is said, or a tool is to run.
    Done,
    /// It may not be longer.
    Length,
    /// It, or the question, is not allowed: the server's word for it.
    Blocked(String),
    /// It repeats somebody's text.
    Recitation,
    /// It wanted to call a tool and could not spell it, or called one nobody offered.
    BadCall(String),
    /// Another reason: the server's word for it.
    Other(String),
}
