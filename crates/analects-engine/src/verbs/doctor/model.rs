//! Which model would be asked, as an answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::probe::Probed;

/// The model that would be asked.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// Who runs it.
    pub provider: String,
    /// What they call it.
    pub model: String,
    /// The alias that it was asked for by.
    pub alias: Option<String>,
    /// Where it is.
    pub address: String,
    /// How many tokens it takes at once.
    pub window_tokens: usize,
    /// Which model of theirs is asked if it cannot answer.
    pub fallback: Option<String>,
    /// Why this one.
    pub why: String,
}

/// A key or an address that is set; its value is nobody's business.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct KeySource {
    /// The variable.
    pub name: String,
    /// `environment` or `~/.gemini/.env`.
    pub source: String,
}

/// What came of asking it.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// Whether it answered.
    pub is_answered: bool,
    /// What it said.
    pub text: Option<String>,
    /// Why it did not answer.
    pub error: Option<String>,
    /// How long it was until the first piece of the answer, in milliseconds.
    pub first_ms: Option<u64>,
    /// And until the last.
    pub ms: Option<u64>,
    /// How often it had to be asked.
    pub attempts: Option<u32>,
    /// How many tokens it read, as its server counts.
    pub prompt_tokens: Option<u64>,
    /// How many it wrote, without thoughts.
    pub answer_tokens: Option<u64>,
}

impl Probe {
    /// It answered.
    pub(crate) fn answered(probed: &Probed) -> Self {
        Self {
            is_answered: true,
            text: Some(probed.text.clone()),
            error: None,
            first_ms: Some(probed.first_ms),
            ms: Some(probed.ms),
            attempts: Some(probed.n_attempts),
            prompt_tokens: probed.usage.and_then(|usage| usage.prompt),
            answer_tokens: probed.usage.and_then(|usage| usage.answer),
        }
    }

    /// It did not.
    pub(crate) fn failed(why: &str) -> Self {
        Self {
            is_answered: false,
            text: None,
            error: Some(why.to_owned()),
            first_ms: None,
            ms: None,
            attempts: None,
            prompt_tokens: None,
            answer_tokens: None,
        }
    }
}
