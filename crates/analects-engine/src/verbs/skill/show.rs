//! `skill show`.

use analects_skill::catalog;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Listing, Skill};
use crate::verbs::answer::{self, Problem};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory, skills};

/// Show a skill: what it says, and what lies beside it.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Show {
    /// Its name.
    pub name: String,
}

/// A skill and all it says.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ShowAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The project's root.
    pub root: String,
    /// What time it is, to tell how long ago it was used.
    pub now: String,
    /// The skill.
    pub skill: Skill,
    /// Its instructions.
    pub instructions: String,
    /// What lies in its directory, as a tree; empty if it is part of Analects.
    pub resources: String,
    /// Exactly what a model is told that activates it.
    pub text: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl Verb for Show {
    const NAME: &'static str = "skill show";
    type Answer = ShowAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ShowAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let found = skills::find(world, &prepared);
        let skill = skills::named(&found, &self.name)?;
        let opened =
            catalog::open(world.files, skill, catalog::MAX_BODY_TOKENS).map_err(|why| {
                Failure::failed(format!("the skill `{}` cannot be read: {why}", skill.name))
            })?;
        let path = skill.path().map(ToString::to_string);
        let own = found.problems.iter().filter(|it| it.path == path);
        Ok(ShowAnswer {
            schema_version: SCHEMA_VERSION,
            root: prepared.root.to_string(),
            now: crate::when::utc(world.clock.now_ms()),
            skill: Listing::new(world, &found).of(skill, false),
            text: opened.told(),
            instructions: opened.body,
            resources: opened.resources,
            problems: own.map(answer::Problem::from).collect(),
        })
    }
}
