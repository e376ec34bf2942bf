//! Whose talk it is: a person's, or a sub-agent's.

use analects_agent::turn::Want;

use crate::models::ledger::Purpose;

/// Whose talk it is.
pub(super) enum Part {
    /// A person's.
    Main,
    /// A sub-agent's.
    Agent(Sent),
}

/// A sub-agent that was sent.
pub(super) struct Sent {
    /// What it is told, in the place of our own sections.
    pub(super) system: String,
    /// Whether memory follows.
    pub(super) memory: Want,
    /// How freely it speaks.
    pub(super) temperature: Option<f64>,
    /// What its requests are for.
    pub(super) purpose: Purpose,
}

impl Part {
    /// What its requests are for.
    pub(super) fn purpose(&self) -> Purpose {
        match self {
            Self::Main => Purpose::Chat,
            Self::Agent(sent) => sent.purpose,
        }
    }

    /// Whether nobody waits for it. Then nothing is asked but what its own model is for: every other question would go
    /// past the ceiling that there is for it.
    pub(super) fn is_background(&self) -> bool {
        self.purpose().is_background()
    }

    /// Whether memory is told: at the start, and of what tools touch.
    pub(super) fn remembers(&self) -> bool {
        match self {
            Self::Main => true,
            Self::Agent(sent) => sent.memory == Want::Yes,
        }
    }

    /// How freely the model speaks, where that is said.
    pub(super) fn temperature(&self) -> Option<f64> {
        match self {
            Self::Main => None,
            Self::Agent(sent) => sent.temperature,
        }
    }
}
