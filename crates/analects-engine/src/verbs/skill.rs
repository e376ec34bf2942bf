//! `skill …`: instructions for one kind of task, where they come from and whether they are in use.

mod check;
mod extract;
mod install;
mod list;
mod show;
mod switch;
mod uninstall;

use std::collections::BTreeMap;

use analects_skill::catalog::{self, Tier};
use schemars::JsonSchema;
use serde::Serialize;

use crate::events::{self, Used, Word};
use crate::skills::{Scope, Skills};
use crate::{World, when};

pub use check::{Check, CheckAnswer};
pub use extract::{Estimate, Extract, ExtractAnswer, IndexedSession, SessionCounts, Status};
pub use install::{
    Install, InstallAnswer, InstallOutcome, InstallSource, InstallVerdict, Link, SourceKind,
};
pub use list::{List, ListAnswer};
pub use show::{Show, ShowAnswer};
pub use switch::{Disable, Enable, ScopeName, SwitchAnswer};
pub use uninstall::{Uninstall, UninstallAnswer};

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
    /// How often it was activated, as far as that was counted.
    pub uses: u64,
    /// When it was last, in UTC.
    pub last_used: Option<String>,
}

/// What is known of skills besides themselves.
struct Listing<'a> {
    skills: &'a Skills,
    used: BTreeMap<Word, Used>,
}

impl<'a> Listing<'a> {
    fn new(world: &World<'_>, skills: &'a Skills) -> Self {
        Self {
            skills,
            used: events::skills(world),
        }
    }

    fn of(&self, skill: &catalog::Skill, is_overruled: bool) -> Skill {
        let used = self.used.get(&Word::hash_of(&skill.name));
        let used = used.filter(|_| !is_overruled);
        Skill {
            name: skill.name.clone(),
            description: skill.description.clone(),
            tier: skill.tier.into(),
            path: skill.path().map(ToString::to_string),
            enabled: !is_overruled && self.skills.is_enabled(skill),
            is_overruled,
            uses: used.map_or(0, |used| used.count),
            last_used: used.map(|used| when::utc(used.last_ms)),
        }
    }
}
