//! What was planted: a fact and the strings by which it is known again.

use serde_json::{Value, json};

/// What kind of question a fact answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// What was that value?
    Recall,
    /// Which file was it?
    Artifact,
    /// What is done, what comes next?
    Continuation,
    /// What was decided, and why?
    Decision,
}

impl Kind {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [
        Self::Recall,
        Self::Artifact,
        Self::Continuation,
        Self::Decision,
    ];

    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Recall => "recall",
            Self::Artifact => "artifact",
            Self::Continuation => "continuation",
            Self::Decision => "decision",
        }
    }
}

/// In which language a fact is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Language {
    /// English.
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }
}

/// Where a fact stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// The user said it.
    User,
    /// A tool was asked or answered it.
    Tool,
    /// The model said it.
    Model,
}

impl Place {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::User, Self::Tool, Self::Model];

    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Tool => "tool",
            Self::Model => "model",
        }
    }
}

/// Something that a reader of the session could be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact {
    /// What kind of question it answers.
    pub(crate) kind: Kind,
    /// In which language it is told.
    pub(crate) language: Language,
    /// Where it stands.
    pub(crate) place: Place,
    /// Before which compression it was told: the first is 1.
    pub(crate) stage: usize,
    /// What must all be there for it to count.
    pub(crate) probes: Vec<String>,
    /// How it was told.
    pub(crate) said: String,
    /// The id of the turn in which it stands; an answer follows right after its call.
    pub(crate) turn: String,
    /// Whether later turns say it again on purpose.
    pub(crate) is_echoed: bool,
}

impl Fact {
    /// The fact as a value, for programs that ask about it.
    pub(crate) fn to_value(&self) -> Value {
        json!({
            "kind": self.kind.as_str(),
            "language": self.language.as_str(),
            "place": self.place.as_str(),
            "stage": self.stage,
            "probes": self.probes,
            "said": self.said,
            "turn": self.turn,
        })
    }
}
