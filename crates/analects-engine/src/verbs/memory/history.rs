//! `memory log`, `memory undo`: what was written, by whom, and taking it back.

use analects_world::log::Piece;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::history::{self, Newest, Told};
use crate::verbs::answer::{Problem, problems};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{when, write};

/// Show what was written to memory: who, when, why, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Log {
    /// How many changes, the newest first.
    #[arg(short = 'n', long, default_value_t = DEFAULT_LIMIT)]
    pub limit: usize,
    /// What agents did to the files they worked on, too; `memory undo` takes it back by its id.
    #[arg(long)]
    pub all: bool,
}

const DEFAULT_LIMIT: usize = 20;

impl Default for Log {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            all: false,
        }
    }
}

/// Take back a change, exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Undo {
    /// Which one: its number in `memory log`, or its id; the newest that was not taken back, if none.
    pub change: Option<String>,
}

/// What was written.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct LogAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The changes, the newest first.
    pub changes: Vec<LoggedChange>,
}

/// One change.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct LoggedChange {
    /// Its number, for `memory undo`; it grows with every new change. `null` for what only its id names.
    pub number: Option<usize>,
    /// Its id, which stays.
    pub id: String,
    /// When, in UTC.
    pub at: String,
    /// Who: a verb, a tool, an agent.
    pub who: String,
    /// Why.
    pub why: String,
    /// The change that it took back.
    pub undoes: Option<String>,
    /// What it did to each file.
    pub files: Vec<LoggedFileChange>,
}

/// What a change did to one file.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct LoggedFileChange {
    /// The file.
    pub path: String,
    /// What stood there; `null` if that was not kept.
    pub before: Option<String>,
    /// What stands there since; `null` if that was not kept.
    pub after: Option<String>,
    /// The fingerprint of what was not kept: a secret, or a text too long to keep.
    pub withheld: Option<String>,
}

/// What was taken back.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct UndoAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The change that was taken back.
    pub undone: String,
    /// What it was for.
    pub why: String,
    /// The change back.
    pub diff: String,
    /// Whether it was written.
    pub written: bool,
    /// The commit, for another `memory undo`.
    pub commit: Option<String>,
    /// What could not be taken back.
    pub problems: Vec<Problem>,
}

impl Verb for Log {
    const NAME: &'static str = "memory log";
    type Answer = LogAnswer;

    fn run(&self, world: &World<'_>, _: &Flags) -> Result<LogAnswer, Failure> {
        let told = match self.all {
            true => Told::All,
            false => Told::Memory,
        };
        let newest = history::newest(world, told, self.limit)?.into_iter();
        Ok(LogAnswer {
            schema_version: SCHEMA_VERSION,
            changes: newest.map(|newest| logged(world, newest)).collect(),
        })
    }
}

impl Verb for Undo {
    const NAME: &'static str = "memory undo";
    type Answer = UndoAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<UndoAnswer, Failure> {
        let undone = history::undo(world, flags, self.change.as_deref())?;
        Ok(UndoAnswer {
            schema_version: SCHEMA_VERSION,
            undone: undone.commit.id,
            why: undone.commit.why,
            written: undone.decided.is_written(),
            commit: undone.decided.commit().map(ToOwned::to_owned),
            diff: undone.decided.diff,
            problems: problems(&undone.problems),
        })
    }
}

fn logged(world: &World<'_>, Newest { number, commit }: Newest) -> LoggedChange {
    let files = commit.files.into_iter();
    let shown = files.filter(|file| !write::is_own(world, &file.path));
    let file = |file: analects_world::log::LoggedFile| LoggedFileChange {
        path: file.path.to_string(),
        withheld: withheld(&file.old).or_else(|| withheld(&file.new)),
        before: text(&file.old),
        after: text(&file.new),
    };
    LoggedChange {
        number,
        id: commit.id,
        at: when::utc(commit.at_ms),
        who: commit.who,
        why: commit.why,
        undoes: commit.undoes,
        files: shown.map(file).collect(),
    }
}

fn text(piece: &Piece) -> Option<String> {
    let bytes = piece.bytes()?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

fn withheld(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Withheld {
            hash: Some(hash), ..
        } => Some(hash.to_string()),
        _ => None,
    }
}
