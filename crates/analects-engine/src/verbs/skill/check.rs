//! `skill check`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::verbs::answer::{self, Problem, TrustAnswer};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory, skills};

/// Check skills: the Agent Skills standard, broken links, what is too long, secrets.
///
/// Ends with exit code 3 if anything is found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// The name of a skill, its directory, or a directory of skills; all that are found here if none is named.
    #[arg(value_name = "NAME|PATH")]
    pub skill: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct CheckAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own skills were checked.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// What is wrong, skill by skill.
    pub findings: Vec<Problem>,
    /// How many skills were looked through.
    pub skills_checked: usize,
    /// How many files they have.
    pub files_checked: usize,
}

impl Verb for Check {
    const NAME: &'static str = "skill check";
    type Answer = CheckAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<CheckAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let found = skills::find(world, &prepared);
        let checked = skills::check(world, &prepared, &found, self.skill.as_deref())?;
        Ok(CheckAnswer {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            root: prepared.root.to_string(),
            findings: answer::problems(&checked.findings),
            skills_checked: checked.n_skills,
            files_checked: checked.n_files,
        })
    }
}
