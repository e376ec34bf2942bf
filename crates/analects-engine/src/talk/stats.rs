//! What a talk took: requests, tokens, tools, files, memory, context.
//!
//! Only values: `note` says how they grow. The names inside `models`, `tools` and `files` are those of Gemini CLI,
//! whose scripts read them; the rest is ours.

mod note;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

pub use analects_agent::activity::{ActivityStats, TimeRange};
pub use note::{Call, Decision, Outcome, ToolCall};

/// What a talk took, from its beginning until now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Each model that was asked, by its name.
    pub models: BTreeMap<String, ModelStats>,
    /// What the model did besides talking.
    pub tools: ToolsStats,
    /// What became of the project's files.
    pub files: FilesStats,
    /// What was loaded of memory.
    pub memory: MemoryStats,
    /// How full the window is, and what was done about it.
    pub context: ContextStats,
    /// What was asked of models, by what for: `chat`, `compress`, `route`, `loop-check` and so on.
    pub cost: BTreeMap<String, CostStats>,
    /// What the monitor saw.
    pub activity: ActivityStats,
}

/// One model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelStats {
    /// The requests.
    pub api: ApiStats,
    /// What they cost.
    pub tokens: TokenStats,
}

/// Requests to a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiStats {
    /// How many, those that failed included.
    pub total_requests: u64,
    /// How many failed.
    pub total_errors: u64,
    /// How long all of them took.
    pub total_latency_ms: u64,
    /// What was wrong in the end, where there was no answer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors_by_type: BTreeMap<String, u64>,
}

/// Tokens, as the server counts them; what it does not tell counts for nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenStats {
    /// Read, without what came from a cache.
    pub input: u64,
    /// Read.
    pub prompt: u64,
    /// Written, thoughts left out.
    pub candidates: u64,
    /// Read, thought and written.
    pub total: u64,
    /// Read from a cache.
    pub cached: u64,
    /// Thought.
    pub thoughts: u64,
    /// Read for tools of the server itself; we use none.
    pub tool: u64,
}

/// The tools, all together and one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolsStats {
    /// How often one was called.
    pub total_calls: u64,
    /// How often it did what was wanted.
    pub total_success: u64,
    /// How often it did not.
    pub total_fail: u64,
    /// How long they took.
    pub total_duration_ms: u64,
    /// What was decided before they ran.
    pub total_decisions: DecisionStats,
    /// Each of them; names that nobody could list are taken together.
    pub by_name: BTreeMap<String, ToolStats>,
}

/// One tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolStats {
    /// How often it was called.
    pub count: u64,
    /// How often it did what was wanted.
    pub success: u64,
    /// How often it did not.
    pub fail: u64,
    /// How long it took.
    pub duration_ms: u64,
    /// What was decided before it ran.
    pub decisions: DecisionStats,
}

/// Who let tools run, or did not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecisionStats {
    /// A person agreed.
    pub accept: u64,
    /// A person or a rule did not want it.
    pub reject: u64,
    /// A person changed it first.
    pub modify: u64,
    /// A rule allows it.
    pub auto_accept: u64,
}

/// What became of the project's files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilesStats {
    /// Lines that came in.
    pub total_lines_added: u64,
    /// Lines that went.
    pub total_lines_removed: u64,
}

/// What was loaded of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryStats {
    /// Files that stand in the system prompt now.
    pub files: u64,
    /// What they cost in each request.
    pub tokens: u64,
    /// Files that came along with what tools touched.
    pub jit_files: u64,
    /// What they cost when they came.
    pub jit_tokens: u64,
    /// How often the system prompt got new memory.
    pub reloads: u64,
}

/// How full the window is, and what was done about it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextStats {
    /// What the model takes.
    pub window_tokens: u64,
    /// What the last request weighed.
    pub used_tokens: u64,
    /// How often the past gave way to a snapshot.
    pub compressions: u64,
    /// What was saved by compressing, masking and shortening.
    pub tokens_saved: u64,
    /// Old answers of tools that gave way to pointers.
    pub masked: u64,
    /// Answers of tools that were shortened.
    pub shortened: u64,
    /// How often the model went in circles.
    pub loops: u64,
}

/// What one purpose cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CostStats {
    /// Requests, those that failed included.
    pub requests: u64,
    /// What they cost.
    pub tokens: TokenStats,
}
