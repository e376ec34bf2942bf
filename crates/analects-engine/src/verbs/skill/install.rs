//! `skill install | link`: skills from elsewhere.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ScopeName;
use crate::install_skill::{self, Kind, Origin, Outcome, Over, Wish};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory};

/// Install skills from a directory, a git repository or a .skill file.
///
/// Everything in them is shown before it is written; `--yes` agrees to it, `--dry-run` only shows it.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Install {
    /// A directory, a .skill file, or a repository: https://, ssh://, git@host:path; `#name` behind it is a branch or
    /// tag.
    pub source: String,
    /// Whose the skills become.
    #[arg(long, value_name = "WHOSE", default_value = "user")]
    #[serde(default)]
    pub scope: ScopeName,
    /// Look only in this directory of the source.
    #[arg(long, value_name = "SUBDIR")]
    #[serde(default)]
    pub path: Option<String>,
    /// The branch or tag of a repository.
    #[arg(long = "ref", value_name = "NAME")]
    #[serde(default, rename = "ref")]
    pub reference: Option<String>,
    /// Put a skill in the place of one that is there, with all of its files.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// Use skills from where they are being written, by a link.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Link {
    /// The directory of a skill, or of several.
    pub path: String,
    /// Whose the skills become.
    #[arg(long, value_name = "WHOSE", default_value = "user")]
    #[serde(default)]
    pub scope: ScopeName,
}

/// What became of skills from elsewhere.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InstallAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Where they came from.
    pub source: InstallSource,
    /// Whose they become.
    pub scope: ScopeName,
    /// One skill after the other.
    pub skills: Vec<InstallOutcome>,
    /// What is worth knowing of the source.
    pub notes: Vec<String>,
}

/// Where skills came from.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InstallSource {
    /// What it is.
    pub kind: SourceKind,
    /// Its path or URL, without a password.
    pub location: String,
    /// The branch or tag that was wanted.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// The commit of a repository.
    pub commit: Option<String>,
}

/// What sort of thing a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// A directory.
    Directory,
    /// A `.skill` file.
    Package,
    /// A git repository.
    Repository,
}

/// What became of one skill.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InstallOutcome {
    /// What it is called; where it lies in its source, if that is not known.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Where it is then.
    pub path: Option<String>,
    /// What became of it.
    pub outcome: InstallVerdict,
    /// What speaks against it.
    pub doubts: Vec<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// What could be done about that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// The change.
    pub diff: String,
    /// Whether it was written.
    pub written: bool,
    /// The commit in the journal, for `memory undo`.
    pub id: Option<String>,
}

/// What became of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InstallVerdict {
    /// It is done.
    Written,
    /// Nothing had to be written, or it is a dry run.
    Shown,
    /// You said no.
    Declined,
    /// It could not be done.
    Failed,
}

impl Verb for Install {
    const NAME: &'static str = "skill install";
    type Answer = InstallAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InstallAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let wish = Wish {
            source: &self.source,
            reference: self.reference.as_deref(),
            path: self.path.as_deref(),
            scope: self.scope.into(),
            over: match self.force {
                true => Over::Replace,
                false => Over::Refuse,
            },
            allowed: &self.allow,
            who: Self::NAME,
        };
        let installed = install_skill::install(world, flags, &prepared, wish)?;
        Ok(InstallAnswer {
            schema_version: SCHEMA_VERSION,
            source: installed.origin.into(),
            scope: self.scope,
            skills: installed.outcomes.into_iter().map(Into::into).collect(),
            notes: installed.notes,
        })
    }
}

impl Verb for Link {
    const NAME: &'static str = "skill link";
    type Answer = InstallAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InstallAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let scope = self.scope.into();
        let linked = install_skill::link(world, flags, &prepared, &self.path, scope, Self::NAME)?;
        Ok(InstallAnswer {
            schema_version: SCHEMA_VERSION,
            source: InstallSource {
                kind: SourceKind::Directory,
                location: linked.path.to_string(),
                reference: None,
                commit: None,
            },
            scope: self.scope,
            skills: linked.outcomes.into_iter().map(Into::into).collect(),
            notes: linked.notes,
        })
    }
}

impl From<Origin> for InstallSource {
    fn from(origin: Origin) -> Self {
        Self {
            kind: match origin.kind {
                Kind::Directory => SourceKind::Directory,
                Kind::Package => SourceKind::Package,
                Kind::Repository => SourceKind::Repository,
            },
            location: origin.location,
            reference: origin.reference,
            commit: origin.commit,
        }
    }
}

impl From<Outcome> for InstallOutcome {
    fn from(outcome: Outcome) -> Self {
        let told = Self {
            name: outcome.name,
            description: outcome.description,
            path: outcome.path.map(|path| path.to_string()),
            outcome: InstallVerdict::Failed,
            doubts: outcome.doubts,
            reason: None,
            hints: Vec::new(),
            diff: String::new(),
            written: false,
            id: None,
        };
        match outcome.result {
            Ok(decided) => Self {
                outcome: match decided.is_declined {
                    true => InstallVerdict::Declined,
                    false if decided.is_written() => InstallVerdict::Written,
                    false => InstallVerdict::Shown,
                },
                written: decided.is_written(),
                id: decided.commit().map(ToOwned::to_owned),
                diff: decided.diff,
                ..told
            },
            Err(failure) => Self {
                reason: Some(failure.message),
                hints: failure.hints,
                ..told
            },
        }
    }
}
