//! `skill list`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Listing, Skill};
use crate::verbs::answer::{self, Problem, TrustAnswer};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory, skills};

/// List the skills that are offered to the model here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct List {
    /// Those that are disabled, and those that give way to another one, too.
    #[arg(short, long)]
    pub all: bool,
}

/// The skills there are.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ListAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own skills count.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// Whether skills are offered at all.
    pub enabled: bool,
    /// What time it is, to tell how long ago one was used.
    pub now: String,
    /// The skills, by name.
    pub skills: Vec<Skill>,
    /// How many there are that are not listed: those that are disabled.
    pub hidden: usize,
    /// What is wrong with some of them.
    pub problems: Vec<Problem>,
}

impl Verb for List {
    const NAME: &'static str = "skill list";
    type Answer = ListAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ListAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let found = skills::find(world, &prepared);
        let listing = Listing::new(world, &found);
        let all = found.catalog.skills.iter();
        let mut listed: Vec<_> = all.map(|skill| listing.of(skill, false)).collect();
        let n_found = listed.len();
        match self.all {
            true => {
                let overruled = found.catalog.overruled.iter();
                listed.extend(overruled.map(|skill| listing.of(skill, true)));
                listed.sort_by(|a, b| a.name.cmp(&b.name));
            }
            false => listed.retain(|skill| skill.enabled),
        }
        Ok(ListAnswer {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            root: prepared.root.to_string(),
            enabled: found.is_on,
            now: crate::when::utc(world.clock.now_ms()),
            hidden: n_found.saturating_sub(listed.len()),
            skills: listed,
            problems: answer::problems(&found.problems),
        })
    }
}
