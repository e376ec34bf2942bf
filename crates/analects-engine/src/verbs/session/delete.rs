//! `session delete`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::load_memory;
use crate::sessions;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Delete sessions for good, with all that belongs to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Delete {
    /// Their ids, in full.
    #[arg(value_name = "ID", required_unless_present = "expired")]
    pub ids: Vec<String>,
    /// Those of this project that `general.sessionRetention` no longer keeps.
    #[arg(long)]
    pub expired: bool,
}

/// What was deleted.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct DeleteAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The sessions.
    pub sessions: Vec<DeletedSession>,
    /// Whether they are gone.
    pub deleted: bool,
    /// Whether the person said no; in a dry run nobody is asked.
    pub declined: bool,
}

/// A session that was deleted.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct DeletedSession {
    /// Its id.
    pub id: String,
    /// What it was called.
    pub title: String,
    /// Its files.
    pub files: Vec<String>,
}

impl Verb for Delete {
    const NAME: &'static str = "session delete";
    type Answer = DeleteAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<DeleteAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let trust = prepared.decision.trust;
        let mut ids = self.ids.clone();
        if self.expired {
            ids.extend(sessions::expired(world, &prepared)?);
        }
        let doomed = sessions::doom(world, &prepared.root, trust, &ids)?;
        let deleted = sessions::delete(world, flags, doomed, Self::NAME)?;
        let session = |doomed: &sessions::Doomed| DeletedSession {
            id: doomed.id.clone(),
            title: doomed.title.clone(),
            files: doomed.files.iter().map(ToString::to_string).collect(),
        };
        Ok(DeleteAnswer {
            schema_version: SCHEMA_VERSION,
            sessions: deleted.sessions.iter().map(session).collect(),
            deleted: deleted.is_done,
            declined: deleted.is_declined,
        })
    }
}
