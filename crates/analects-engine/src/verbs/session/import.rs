//! `session import`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::load_memory;
use crate::sessions;
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Make a session of any agent one of this project, in Gemini CLI's format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// Its id or the beginning of it, the record's file, or `latest`.
    #[arg(value_name = "SESSION")]
    pub session: String,
}

/// What was imported.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ImportAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The id it has here.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Its record.
    pub path: String,
    /// Whether it was written.
    pub written: bool,
    /// Whether it was there before. If it was written all the same, what was said since was added.
    pub was_there: bool,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

impl Verb for Import {
    const NAME: &'static str = "session import";
    type Answer = ImportAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ImportAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let imported = sessions::import(world, flags, &prepared, &self.session)?;
        Ok(ImportAnswer {
            schema_version: SCHEMA_VERSION,
            id: imported.id,
            title: imported.title,
            path: imported.path.to_string(),
            written: imported.is_written,
            was_there: imported.was_there,
            problems: imported.problems.iter().map(Problem::from).collect(),
        })
    }
}
