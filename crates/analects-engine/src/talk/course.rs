//! What drives the loop: a person's talk, or the errand of a sub-agent.

use analects_agent::subagent::{Answered, Errand, Finished, Offers};
use analects_agent::turn::{Dialogue, Event, Step};

/// The course that a run takes.
pub(super) enum Course {
    /// A person's talk: it goes on until the model has answered.
    Talk(Box<Dialogue>),
    /// An errand: it has a task, and a limit.
    Errand(Box<Errand>),
}

impl Course {
    /// Takes what happened, and says what is to be done now.
    pub(super) fn step(&mut self, event: Event, now_ms: u64) -> Step {
        match self {
            Self::Talk(dialogue) => dialogue.step(event),
            Self::Errand(errand) => errand.step(event, now_ms),
        }
    }

    /// What was said so far.
    pub(super) fn dialogue(&self) -> &Dialogue {
        match self {
            Self::Talk(dialogue) => dialogue,
            Self::Errand(errand) => errand.dialogue(),
        }
    }

    /// The same, to be told of pieces of an answer.
    pub(super) fn dialogue_mut(&mut self) -> &mut Dialogue {
        match self {
            Self::Talk(dialogue) => dialogue,
            Self::Errand(errand) => errand.dialogue_mut(),
        }
    }

    /// When whatever goes on now has to be cut short, if ever.
    pub(super) fn deadline_ms(&self) -> Option<u64> {
        match self {
            Self::Talk(_) => None,
            Self::Errand(errand) => Some(errand.deadline_ms()),
        }
    }

    /// How long a person took.
    pub(super) fn waited(&mut self, ms: u64) {
        if let Self::Errand(errand) = self {
            errand.waited(ms);
        }
    }

    /// The calls that an errand answered itself with the last step.
    pub(super) fn answered(&self) -> &[Answered] {
        match self {
            Self::Talk(_) => &[],
            Self::Errand(errand) => errand.answered(),
        }
    }

    /// What came of an errand that is over.
    pub(super) fn finished(&self) -> Option<&Finished> {
        match self {
            Self::Talk(_) => None,
            Self::Errand(errand) => errand.finished(),
        }
    }

    /// What the model may call now.
    pub(super) fn offers(&self) -> Offers {
        match self {
            Self::Talk(_) => Offers::Everything,
            Self::Errand(errand) => errand.offers(),
        }
    }
}
