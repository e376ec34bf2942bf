//! `memory check`: what is wrong with memory, before a model finds out.

use analects_memory::check as room;
use analects_text::redact;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{self, Problem, TrustAnswer};
use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::check::{self, Checked, Mended};

/// Check memory: broken imports, repetitions, contradictions, stale references, secrets, and more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// Mend what can be mended without asking: hidden characters, items a list holds twice.
    #[arg(long)]
    pub fix: bool,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own memory was checked.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// What is wrong, by file and line.
    pub findings: Vec<Finding>,
    /// What was mended, or would be in a dry run.
    pub fixed: Vec<Fixed>,
    /// How many files were looked at.
    pub files_checked: usize,
    /// What was changed, or would be, where mending was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Whether it was written; not in a dry run, and not if there was nothing to mend.
    pub written: bool,
    /// What could not be looked at.
    pub problems: Vec<Problem>,
}

/// Something that is wrong.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What, and where.
    #[serde(flatten)]
    pub problem: Problem,
    /// Whether `--fix` mends it.
    pub fixable: bool,
}

/// A file that was mended.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    /// The file.
    pub path: String,
    /// What was done to it.
    pub done: Vec<String>,
}

impl Verb for Check {
    const NAME: &'static str = "memory check";
    type Answer = Found;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Found, Failure> {
        let checked = check::check(world, flags)?;
        if !self.fix {
            return Ok(found(&checked));
        }
        let mended = check::mend(world, flags, &checked, Self::NAME)?;
        let is_written = |receipt: &analects_world::desk::Receipt| receipt.id.is_some();
        let written = mended.written.receipt.as_ref().is_some_and(is_written);
        // What is left is what counts, and mending may have moved it.
        let left = if written {
            found(&check::check(world, flags)?)
        } else {
            found(&checked)
        };
        Ok(Found {
            fixed: fixed(&mended),
            diff: Some(masked(&mended.written.diff)),
            written,
            ..left
        })
    }
}

fn found(checked: &Checked) -> Found {
    let finding = |finding: &room::Finding| Finding {
        problem: (&finding.problem).into(),
        fixable: finding.is_fixable,
    };
    let prepared = &checked.prepared;
    Found {
        schema_version: SCHEMA_VERSION,
        trusted: answer::is_trusted(&prepared.decision),
        trust: (&prepared.decision).into(),
        root: prepared.root.to_string(),
        findings: checked.findings.iter().map(finding).collect(),
        fixed: Vec::new(),
        files_checked: checked.n_files,
        diff: None,
        written: false,
        problems: answer::problems(&checked.problems),
    }
}

/// The lines around a change may hold a secret, and what a check prints ends up in logs.
fn masked(diff: &str) -> String {
    redact::mask(diff, &redact::scan(diff))
}

fn fixed(mended: &Mended) -> Vec<Fixed> {
    let one = |(path, done): &(analects_world::AbsPath, Vec<String>)| Fixed {
        path: path.to_string(),
        done: done.clone(),
    };
    mended.files.iter().map(one).collect()
}
