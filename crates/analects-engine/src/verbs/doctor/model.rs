//! Which model would be asked, as an answer.

use schemars::JsonSchema;
use serde::Serialize;

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
