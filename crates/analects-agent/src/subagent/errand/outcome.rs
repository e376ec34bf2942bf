//! How long a sub-agent may take, and what came of it.

use serde_json::Value;

use crate::subagent::complete_task;
use crate::turn::End;

/// How long a sub-agent may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many requests it may have, before the last one that tells it to stop.
    pub max_turns: usize,
    /// How long it may take; what a person takes to answer does not count.
    pub max_ms: u64,
}

impl Limits {
    /// What holds where nothing is said, as in the original.
    pub const USUAL: Self = Self {
        max_turns: 30,
        max_ms: 10 * 60_000,
    };
}

/// What the model may call now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offers {
    /// Its tools, and `complete_task`.
    Everything,
    /// `complete_task` only: this is its last turn.
    OnlyCompletion,
}

/// A sub-agent that is done, one way or the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// Why it ended.
    pub reason: Reason,
    /// What it answered; `None` unless it completed its task.
    pub result: Option<Value>,
    /// The requests it had.
    pub n_turns: usize,
    /// What it took, without the time of a person.
    pub ms: u64,
}

impl Finished {
    /// What it answered, as text: everything but words is JSON.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        self.result.as_ref().map(complete_task::text)
    }
}

/// Why a sub-agent ended. The words are those of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It completed its task.
    Goal,
    /// It had as many turns as it may have.
    MaxTurns,
    /// Its time was over.
    Timeout,
    /// It stopped without completing its task.
    NoCompletion,
    /// Somebody cancelled it.
    Aborted,
    /// It went in circles.
    Loop,
    /// What it had to send did not fit.
    Overflow,
    /// Its model did not answer.
    Error,
}

impl Reason {
    /// The word for it in records. The original has none for a loop and for what does not fit.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Goal => "GOAL",
            Self::MaxTurns => "MAX_TURNS",
            Self::Timeout => "TIMEOUT",
            Self::NoCompletion => "ERROR_NO_COMPLETE_TASK_CALL",
            Self::Aborted => "ABORTED",
            Self::Loop => "LOOP",
            Self::Overflow => "OVERFLOW",
            Self::Error => "ERROR",
        }
    }

    /// How its dialogue ended, where it was ended for this reason.
    pub(super) fn end(self) -> End {
        match self {
            Self::Goal | Self::NoCompletion => End::Answered,
            Self::MaxTurns => End::TurnLimit,
            Self::Timeout | Self::Aborted => End::Cancelled,
            Self::Loop => End::Loop,
            Self::Overflow | Self::Error => End::Unanswered,
        }
    }
}
