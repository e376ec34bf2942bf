//! `trust show | add | deny | remove`: which folders are trusted.

use analects_world::AbsPath;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{self, Problem, TrustAnswer};
use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::load_memory::owners;
use crate::settings::{self, Workspace, keys};
use crate::trust::{self, Given, Level};

/// Show whether a folder is trusted, and every rule there is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Show {
    /// The folder; the working directory if none is named.
    pub folder: Option<String>,
}

/// Trust a folder: its memory and settings are read from now on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Add {
    /// The folder; the working directory if none is named.
    pub folder: Option<String>,
    /// Trust everything in the folder's parent.
    #[arg(long)]
    pub parent: bool,
}

/// Deny trust to a folder, whatever is said about those above it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Deny {
    /// The folder; the working directory if none is named.
    pub folder: Option<String>,
}

/// Remove the rule about a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Remove {
    /// The folder; the working directory if none is named.
    pub folder: Option<String>,
}

/// What is known about a folder.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The version of this answer.
    pub schema_version: u32,
    /// The folder asked about.
    pub folder: String,
    /// Whether it may speak.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The file that holds the rules.
    pub path: String,
    /// All rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// What is wrong with the file.
    pub problems: Vec<Problem>,
}

/// One rule.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The folder as it is written.
    pub folder: String,
    /// `TRUST_FOLDER`, `TRUST_PARENT` or `DO_NOT_TRUST`.
    pub level: String,
    /// The directory it is about, links resolved.
    pub about: String,
}

/// What became of a rule.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// The version of this answer.
    pub schema_version: u32,
    /// The folder.
    pub folder: String,
    /// What the rule says now; none if it was removed.
    pub level: Option<String>,
    /// The file that holds the rules.
    pub path: String,
    /// What changes in it.
    pub diff: String,
    /// Whether it was written; not in a dry run, and not if there was nothing to change.
    pub written: bool,
    /// The commit's name in the journal.
    pub id: Option<String>,
}

impl Verb for Show {
    const NAME: &'static str = "trust show";
    type Answer = Shown;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Shown, Failure> {
        let (files, _) = settings::read(world, Workspace::Skipped);
        let (settings, _) = settings::resolve(world, &files);
        let folder = folder(world, self.folder.as_deref());
        let rules = trust::Rules::read(world);
        let given = Given {
            flag: flags.trust,
            feature_on: settings.flag(&keys::FOLDER_TRUST),
        };
        let decision = rules.decide(world, &folder, given);
        let (owners, _) = owners::trusted_owners(world, &settings);
        let markers = settings.list(&keys::BOUNDARY_MARKERS);
        let replaced = trust::replaced_repository(&decision);
        let (decision, refused) =
            trust::doubt_ownership(world, &owners, decision, &folder, markers);
        let problems: Vec<_> = rules
            .problems
            .iter()
            .cloned()
            .chain(replaced)
            .chain(refused)
            .collect();
        let rule = |rule: &trust::Rule| Rule {
            folder: rule.written.clone(),
            level: rule.level.as_str().to_owned(),
            about: rule.about.to_string(),
        };
        Ok(Shown {
            schema_version: SCHEMA_VERSION,
            folder: folder.to_string(),
            trusted: answer::is_trusted(&decision),
            trust: (&decision).into(),
            path: trust::path(world).to_string(),
            rules: rules.all().iter().map(rule).collect(),
            problems: answer::problems(&problems),
        })
    }
}

impl Verb for Add {
    const NAME: &'static str = "trust add";
    type Answer = Changed;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Changed, Failure> {
        let level = if self.parent {
            Level::TrustParent
        } else {
            Level::TrustFolder
        };
        change(
            world,
            flags,
            self.folder.as_deref(),
            Some(level),
            Self::NAME,
        )
    }
}

impl Verb for Deny {
    const NAME: &'static str = "trust deny";
    type Answer = Changed;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Changed, Failure> {
        let level = Some(Level::DoNotTrust);
        change(world, flags, self.folder.as_deref(), level, Self::NAME)
    }
}

impl Verb for Remove {
    const NAME: &'static str = "trust remove";
    type Answer = Changed;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Changed, Failure> {
        change(world, flags, self.folder.as_deref(), None, Self::NAME)
    }
}

fn folder(world: &World<'_>, said: Option<&str>) -> AbsPath {
    said.map_or_else(
        || world.around.cwd.clone(),
        |said| world.around.resolve(said),
    )
}

fn change(
    world: &World<'_>,
    flags: &Flags,
    said: Option<&str>,
    level: Option<Level>,
    who: &str,
) -> Result<Changed, Failure> {
    let folder = folder(world, said);
    let written = trust::set(world, flags, &folder, level, who)?;
    let receipt = written.receipt;
    Ok(Changed {
        schema_version: SCHEMA_VERSION,
        folder: folder.to_string(),
        level: level.map(|level| level.as_str().to_owned()),
        path: trust::path(world).to_string(),
        written: receipt.as_ref().is_some_and(|receipt| receipt.id.is_some()),
        id: receipt.and_then(|receipt| receipt.id),
        diff: written.diff,
    })
}
