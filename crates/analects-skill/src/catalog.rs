//! Which skills there are: six tiers, and one winner for every name.
//!
//! Looking is lenient, as the standard asks of its readers: a name that breaks a rule is made safe and told, and only
//! what does not say what it is for is left out. Nothing here reads more than the head of a file; see [`open`].

mod bundled;
mod name;
mod open;
mod shelf;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::Files;

use crate::codes;

pub use name::safe;
pub use open::{MAX_BODY_TOKENS, Opened, open, opening};
pub use shelf::{MAX_PER_SHELF, Shelf};

/// Where a skill comes from. Weakest first: of two skills with one name, the one of the later tier counts. Nothing else
/// ranks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Part of Analects.
    Bundled,
    /// Of an extension that is active.
    Extension,
    /// The user's own: `~/.gemini/skills`.
    User,
    /// The user's own, for agents of every kind: `~/.agents/skills`.
    UserAgents,
    /// The project's: `.gemini/skills`.
    Project,
    /// The project's, for agents of every kind: `.agents/skills`.
    ProjectAgents,
}

impl Tier {
    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bundled => "bundled",
            Self::Extension => "extension",
            Self::User => "user",
            Self::UserAgents => "user-agents",
            Self::Project => "project",
            Self::ProjectAgents => "project-agents",
        }
    }
}

/// A skill that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// What it is called: safe as a word, a file name and a part of a line.
    pub name: String,
    /// What it does and when to use it, in bounds.
    pub description: String,
    /// Whose it is.
    pub tier: Tier,
    /// Where it lies.
    pub source: Source,
}

/// Where a skill lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In the program: the text of its `SKILL.md`.
    Program(&'static str),
    /// On the disk.
    Folder {
        /// Its `SKILL.md`, by the way it was found.
        path: AbsPath,
        /// Its directory, links resolved.
        dir: AbsPath,
        /// Where all of it must lie, if that matters.
        within: Option<AbsPath>,
    },
}

impl Skill {
    /// Its `SKILL.md`, unless it is part of the program.
    #[must_use]
    pub fn path(&self) -> Option<&AbsPath> {
        match &self.source {
            Source::Program(_) => None,
            Source::Folder { path, .. } => Some(path),
        }
    }

    /// Its directory with links resolved, unless it is part of the program.
    #[must_use]
    pub fn dir(&self) -> Option<&AbsPath> {
        match &self.source {
            Source::Program(_) => None,
            Source::Folder { dir, .. } => Some(dir),
        }
    }

    /// Where it lies, in words for a reader.
    #[must_use]
    pub fn location(&self) -> String {
        self.path()
            .map_or_else(|| "part of Analects".to_owned(), ToString::to_string)
    }
}

/// All skills that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog {
    /// One for every name, by name.
    pub skills: Vec<Skill>,
    /// Those that give way to another one of their name.
    pub overruled: Vec<Skill>,
}

impl Catalog {
    /// The skill that somebody means; case does not matter.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Skill> {
        let name = name.trim();
        let mut exact = self.skills.iter();
        let exact = exact.find(|skill| skill.name == name);
        exact.or_else(|| {
            let lower = name.to_lowercase();
            let mut skills = self.skills.iter();
            skills.find(|skill| skill.name.to_lowercase() == lower)
        })
    }
}

/// Looks at all shelves, and at what the program brings along.
#[must_use]
pub fn gather(files: &dyn Files, shelves: &[Shelf]) -> (Catalog, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut shelves: Vec<_> = shelves.iter().collect();
    shelves.sort_by_key(|shelf| shelf.tier);
    let mut found: Vec<Entry> = bundled::all().into_iter().map(Entry::of_program).collect();
    let mut seen = BTreeSet::new();
    for shelf in shelves {
        found.extend(shelf.look(files, &mut seen, &mut problems));
    }
    (settle(found, &mut problems), problems)
}

/// A skill, and what tells it apart from others.
struct Entry {
    skill: Skill,
    /// Its `SKILL.md`, links resolved.
    real: Option<AbsPath>,
}

impl Entry {
    fn of_program(skill: Skill) -> Self {
        Self { skill, real: None }
    }

    fn is_same_file(&self, other: &Self) -> bool {
        self.real.is_some() && self.real == other.real
    }
}

/// One winner for every name: the later tier, and inside a tier whoever came first.
fn settle(found: Vec<Entry>, problems: &mut Vec<Problem>) -> Catalog {
    let mut winners: BTreeMap<String, Entry> = BTreeMap::new();
    let mut overruled = Vec::new();
    for entry in found {
        let Some(before) = winners.get(&entry.skill.name) else {
            winners.insert(entry.skill.name.clone(), entry);
            continue;
        };
        // One file on two ways is one skill.
        let is_same = before.is_same_file(&entry);
        let is_stronger = entry.skill.tier > before.skill.tier;
        let loser = match is_stronger {
            true => winners.insert(entry.skill.name.clone(), entry),
            false => Some(entry),
        };
        let Some(loser) = loser.filter(|_| !is_same) else {
            continue;
        };
        if let Some(winner) = winners.get(&loser.skill.name) {
            problems.extend(overruled_by(&loser.skill, &winner.skill));
        }
        overruled.push(loser.skill);
    }
    Catalog {
        skills: winners.into_values().map(|entry| entry.skill).collect(),
        overruled,
    }
}

/// What is said of a skill that gives way. One of ours does so in silence: whoever writes their own means it.
fn overruled_by(loser: &Skill, winner: &Skill) -> Option<Problem> {
    let path = loser.path()?;
    let message = format!(
        "the skill `{}` gives way to {}",
        loser.name,
        winner.location()
    );
    Some(Problem::new(&codes::SKILL_OVERRULED, message).in_file(path))
}

#[cfg(test)]
mod tests;
