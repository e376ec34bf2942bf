//! `skill enable | disable`.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::skills::{self, Scope, Switch};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory};

/// Offer a skill to the model again.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Enable {
    /// Its name.
    pub name: String,
}

/// Offer a skill to the model no more. Gemini CLI heeds that, too.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Disable {
    /// Its name.
    pub name: String,
    /// Whose settings say so: yours, or those of this project.
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    #[serde(default)]
    pub scope: ScopeName,
}

/// Where something holds.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ScopeName {
    /// In all your projects.
    #[default]
    User,
    /// In this project, for everybody.
    #[value(alias = "workspace")]
    #[serde(alias = "workspace")]
    Project,
}

/// What became of a skill.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SwitchAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The skill.
    pub name: String,
    /// Whether it is offered now, or would be.
    pub enabled: bool,
    /// The settings that were looked at.
    pub paths: Vec<String>,
    /// What changes in them.
    pub diff: String,
    /// Whether it was written; not in a dry run, and not if there was nothing to change.
    pub written: bool,
    /// The commit's name in the journal.
    pub id: Option<String>,
    /// Why it is still not offered, if so.
    pub because: Option<String>,
}

impl Verb for Enable {
    const NAME: &'static str = "skill enable";
    type Answer = SwitchAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<SwitchAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let found = skills::find(world, &prepared);
        let switch = skills::enable(world, flags, &prepared, &found, &self.name)?;
        let mut answer = answer(switch, true);
        if answer.written || answer.diff.is_empty() {
            // Somebody whose settings are not ours to change may have switched it off, too.
            let now = skills::find(world, &load_memory::prepare(world, flags)?);
            let skill = now.catalog.find(&answer.name);
            answer.enabled = skill.is_some_and(|skill| now.is_enabled(skill));
            answer.because = match (skill, now.is_on, answer.enabled) {
                (_, _, true) => None,
                (None, _, _) => Some("there is no such skill any more".to_owned()),
                (_, false, _) => Some("`skills.enabled` is off".to_owned()),
                _ => Some("the system's settings disable it".to_owned()),
            };
        }
        Ok(answer)
    }
}

impl Verb for Disable {
    const NAME: &'static str = "skill disable";
    type Answer = SwitchAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<SwitchAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let found = skills::find(world, &prepared);
        let scope = match self.scope {
            ScopeName::User => Scope::User,
            ScopeName::Project => Scope::Project,
        };
        let switch = skills::disable(world, flags, &prepared, &found, (&self.name, scope))?;
        Ok(answer(switch, false))
    }
}

fn answer(switch: Switch, enabled: bool) -> SwitchAnswer {
    let receipt = switch.written.receipt;
    SwitchAnswer {
        schema_version: SCHEMA_VERSION,
        name: switch.name,
        enabled,
        paths: switch.paths.iter().map(ToString::to_string).collect(),
        diff: switch.written.diff,
        written: receipt.as_ref().is_some_and(|receipt| receipt.id.is_some()),
        id: receipt.and_then(|receipt| receipt.id),
        because: None,
    }
}
