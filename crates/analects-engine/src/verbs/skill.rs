//! `skill …`: instructions for one kind of task, where they come from and whether they are in use.

mod install;
mod list;
mod uninstall;

use analects_skill::catalog::{self, Tier};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::install_skill::Scope;
use crate::skills::Skills;

pub use install::{
    Install, InstallAnswer, InstallOutcome, InstallSource, InstallVerdict, Link, SourceKind,
};
pub use list::{List, ListAnswer};
pub use uninstall::{Uninstall, UninstallAnswer};

/// Whose skills are meant.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ScopeName {
    /// Yours, in every project: `~/.gemini/skills`.
    #[default]
    User,
    /// The project's: `.gemini/skills`, where it is trusted.
    #[value(alias = "workspace")]
    #[serde(alias = "workspace")]
    Project,
}

impl From<ScopeName> for Scope {
    fn from(scope: ScopeName) -> Self {
        match scope {
            ScopeName::User => Self::User,
            ScopeName::Project => Self::Project,
        }
    }
}

impl From<Scope> for ScopeName {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::User => Self::User,
            Scope::Project => Self::Project,
        }
    }
}

/// Where a skill comes from, the weakest first: of two with one name the later counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TierName {
    /// Part of Analects.
    Bundled,
    /// Of an extension that is active.
    Extension,
    /// `~/.gemini/skills`.
    User,
    /// `~/.agents/skills`.
    UserAgents,
    /// `.gemini/skills` of the project.
    Project,
    /// `.agents/skills` of the project.
    ProjectAgents,
}

impl From<Tier> for TierName {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Bundled => Self::Bundled,
            Tier::Extension => Self::Extension,
            Tier::User => Self::User,
            Tier::UserAgents => Self::UserAgents,
            Tier::Project => Self::Project,
            Tier::ProjectAgents => Self::ProjectAgents,
        }
    }
}

/// A skill, in a list or by itself.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    /// What it is called.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Where it comes from.
    pub tier: TierName,
    /// Its `SKILL.md`; `null` if it is part of Analects.
    pub path: Option<String>,
    /// Whether it is offered to the model.
    pub enabled: bool,
    /// Whether another one of its name counts in its place.
    pub is_overruled: bool,
}

impl Skill {
    fn of(skills: &Skills, skill: &catalog::Skill, is_overruled: bool) -> Self {
        Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            tier: skill.tier.into(),
            path: skill.path().map(ToString::to_string),
            enabled: !is_overruled && skills.is_enabled(skill),
            is_overruled,
        }
    }
}
