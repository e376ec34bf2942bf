//! `memory search`, and entries as answers show them.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::entries::Noted;
use crate::verbs::answer::{self, LayerName, Problem, TrustAnswer};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{find_entries, load_memory};

/// Find entries by their words.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// What to look for.
    pub query: String,
    /// How many entries, the best first.
    #[arg(short = 'n', long, default_value_t = DEFAULT_LIMIT)]
    #[serde(default = "default_limit")]
    pub limit: usize,
}

const DEFAULT_LIMIT: usize = 20;

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

/// The entries that were found.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own memory was searched.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The entries, the best first.
    pub entries: Vec<EntryAnswer>,
    /// How many more there are.
    pub left_out: usize,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// One entry of a memory file.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct EntryAnswer {
    /// Its id.
    pub id: String,
    /// The layer of its file.
    pub layer: LayerName,
    /// Its file.
    pub path: String,
    /// Its line in that file, counted from one.
    pub line: usize,
    /// What it says, on one line.
    pub text: String,
    /// What it costs.
    pub tokens: usize,
}

impl From<&Noted> for EntryAnswer {
    fn from(noted: &Noted) -> Self {
        Self {
            id: noted.id.clone(),
            layer: noted.layer.into(),
            path: noted.path.to_string(),
            line: noted.entry.line,
            text: noted.entry.text.clone(),
            tokens: noted.tokens(),
        }
    }
}

impl Verb for Search {
    const NAME: &'static str = "memory search";
    type Answer = SearchAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<SearchAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let found = find_entries::search(world, &prepared, &self.query)?;
        let entries: Vec<_> = found
            .entries
            .iter()
            .take(self.limit)
            .map(EntryAnswer::from)
            .collect();
        Ok(SearchAnswer {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            left_out: found.entries.len() - entries.len(),
            entries,
            problems: answer::problems(&found.problems),
        })
    }
}
