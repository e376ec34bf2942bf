//! The tool `ask_user`: a question that only a person can answer.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Refusal, RefusalKind};

/// The name that models know it by.
pub const NAME: &str = "ask_user";

/// What a model wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Args {
    /// The questions, at most four.
    pub questions: Vec<Question>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Question {
    /// The question itself, in a sentence that stands on its own.
    pub question: String,
    /// A word or two above it.
    #[serde(default)]
    pub header: Option<String>,
    /// Answers to choose from; without them the person answers in words.
    #[serde(default)]
    pub options: Vec<Choice>,
}

/// An answer to choose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Choice {
    /// The answer in a few words.
    pub label: String,
    /// What follows from it.
    #[serde(default)]
    pub description: Option<String>,
}

/// What a model is told where nobody is there.
#[must_use]
pub fn nobody() -> Refusal {
    let message = "Nobody can be asked in this run. Take the most careful reading of the task, go on, and say in your answer \
                   what you assumed.";
    Refusal::new(RefusalKind::Nobody, message)
}
