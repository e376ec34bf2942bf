//! One run of a sub-agent, step by step. It is told the time and never asks for it.

use serde_json::Value;

use super::Output;
use crate::turn::{Dialogue, Event, Step};

/// How long a sub-agent may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many requests it may have.
    pub max_turns: usize,
    /// How long it may take; what a person takes to answer does not count.
    pub max_ms: u64,
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

/// One run of a sub-agent.
#[derive(Debug)]
pub struct Errand {
    dialogue: Dialogue,
    limits: Limits,
    output: Output,
    began_ms: u64,
    finished: Option<Finished>,
}

impl Errand {
    /// A run that begins now, on a dialogue that has not begun.
    #[must_use]
    pub fn new(dialogue: Dialogue, limits: Limits, output: Output, now_ms: u64) -> Self {
        Self {
            dialogue,
            limits,
            output,
            began_ms: now_ms,
            finished: None,
        }
    }

    /// Takes what happened, and says what is to be done now. Once that is [`crate::turn::Next::End`], there is something
    /// [`Errand::finished`].
    ///
    /// [`Event::Cancelled`] at or after [`Errand::deadline_ms`] means that its time was over.
    pub fn step(&mut self, event: Event, now_ms: u64) -> Step {
        let _ = now_ms;
        self.dialogue.step(event)
    }

    /// So long a person was waited for: that does not count.
    pub fn waited(&mut self, ms: u64) {
        self.began_ms = self.began_ms.saturating_add(ms);
    }

    /// When whatever goes on now has to be cut short.
    #[must_use]
    pub fn deadline_ms(&self) -> u64 {
        self.began_ms.saturating_add(self.limits.max_ms)
    }

    /// What the model may call now.
    #[must_use]
    pub fn offers(&self) -> Offers {
        Offers::Everything
    }

    /// What it says.
    #[must_use]
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// The same, to be told of pieces of an answer.
    pub fn dialogue_mut(&mut self) -> &mut Dialogue {
        &mut self.dialogue
    }

    /// What came of it, once it is over.
    #[must_use]
    pub fn finished(&self) -> Option<&Finished> {
        self.finished.as_ref()
    }

    /// What it answers with.
    #[must_use]
    pub fn output(&self) -> &Output {
        &self.output
    }
}
