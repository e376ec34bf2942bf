//! What a talk took.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// What a talk took. The names of `models`, `tools` and `files` are those of Gemini CLI.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Each model that was asked.
    pub models: BTreeMap<String, ()>,
}
