//! `skill uninstall`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ScopeName;
use crate::install_skill;
use crate::skills::Scope;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory};

/// Take away a skill that was installed or linked; of a link, only the link goes.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Uninstall {
    /// What it is called.
    pub name: String,
    /// Whose it is, if there are two.
    #[arg(long, value_name = "WHOSE")]
    #[serde(default)]
    pub scope: Option<ScopeName>,
}

/// What became of a skill that was to go.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct UninstallAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// What it is called.
    pub name: String,
    /// Whose it is.
    pub scope: ScopeName,
    /// Where it was.
    pub paths: Vec<String>,
    /// Whether it was a link: what that led to stays.
    pub is_link: bool,
    /// What speaks against it.
    pub doubts: Vec<String>,
    /// The change.
    pub diff: String,
    /// Whether it is gone.
    pub written: bool,
    /// Whether you said no.
    pub declined: bool,
    /// The commit in the journal, for `memory undo`.
    pub id: Option<String>,
}

impl Verb for Uninstall {
    const NAME: &'static str = "skill uninstall";
    type Answer = UninstallAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<UninstallAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let scope = self.scope.map(Scope::from);
        let gone =
            install_skill::uninstall(world, flags, &prepared, &self.name, scope, Self::NAME)?;
        Ok(UninstallAnswer {
            schema_version: SCHEMA_VERSION,
            name: gone.name,
            scope: gone.scope.into(),
            paths: gone.paths.iter().map(ToString::to_string).collect(),
            is_link: gone.is_link,
            doubts: gone.doubts,
            written: gone.decided.is_written(),
            declined: gone.decided.is_declined,
            id: gone.decided.commit().map(ToOwned::to_owned),
            diff: gone.decided.diff,
        })
    }
}
