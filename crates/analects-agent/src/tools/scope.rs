//! What a confined agent may read and write, instead of the whole workspace.
//!
//! A [`Scope`] is a list of [`Grant`]s: nothing but what one of them names is given. A path is judged by where it
//! really leads, and by nothing else that a call says. Rules of a person can take away from a scope
//! ([`Scope::narrowed`]); nothing adds to it.

mod grant;
mod memory;

use std::collections::BTreeSet;

use analects_world::AbsPath;
use analects_world::files::Kind;
use analects_world::search::Sieve;

use super::For;
use crate::policy::Narrow;

pub use grant::{Access, Grant};
pub use memory::MemoryPlaces;

/// What an agent was given.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    grants: Vec<Grant>,
    narrows: Vec<Narrow>,
}

impl Scope {
    /// All that is granted here, and nothing else.
    #[must_use]
    pub fn new(grants: Vec<Grant>) -> Self {
        Self {
            grants,
            narrows: Vec::new(),
        }
    }

    /// The same without what these rules do not let through.
    #[must_use]
    pub fn narrowed(mut self, narrow: Narrow) -> Self {
        self.narrows.push(narrow);
        self
    }

    /// The directory by which a file is granted. The path is one without links.
    #[must_use]
    pub fn file(&self, path: &AbsPath, what_for: For) -> Option<&AbsPath> {
        let mut narrows = self.narrows.iter();
        let lets = |narrow: &Narrow| match what_for {
            For::Reading | For::Listing => narrow.lets_read(path.as_str()),
            // Whoever changes a text learns something of it.
            For::Writing => narrow.lets_read(path.as_str()) && narrow.lets_write(path.as_str()),
        };
        let mut grants = self.grants.iter();
        let grant = grants.find(|grant| grant.gives(path, what_for))?;
        narrows.all(lets).then_some(grant.dir())
    }

    /// The directory by which something below this one may be granted, or this one itself.
    #[must_use]
    pub fn way(&self, dir: &AbsPath) -> Option<&AbsPath> {
        let mut grants = self.grants.iter();
        let grant = grants.find(|grant| grant.reaches(dir))?;
        Some(grant.dir())
    }

    /// The directories that grants begin in, each once, without those that lie in another.
    #[must_use]
    pub fn roots(&self) -> Vec<AbsPath> {
        let dirs: BTreeSet<_> = self.grants.iter().map(Grant::dir).collect();
        let mut roots: Vec<AbsPath> = Vec::new();
        // Sorted name by name: what holds others comes before them.
        for dir in dirs {
            let is_seen = |root: &AbsPath| dir.is_within(root) && self.way_from(root, dir);
            if !roots.iter().any(is_seen) {
                roots.push(dir.clone());
            }
        }
        roots
    }

    /// Whether a walk that begins in `root` comes to `dir`.
    fn way_from(&self, root: &AbsPath, dir: &AbsPath) -> bool {
        let mut between = dir.ancestors().take_while(|dir| dir != root);
        between.all(|dir| self.way(&dir).is_some())
    }

    /// What is given, in words for a model.
    #[must_use]
    pub fn told(&self) -> String {
        let told: BTreeSet<_> = self.grants.iter().map(Grant::told).collect();
        let n_more = told.len().saturating_sub(MAX_TOLD);
        let mut told: Vec<_> = told.into_iter().take(MAX_TOLD).collect();
        if n_more > 0 {
            told.push(format!("{n_more} more places"));
        }
        let narrowed = match self.narrows.is_empty() {
            true => "",
            false => ", as far as the rules of the user let it",
        };
        format!("{}{narrowed}", told.join("; "))
    }
}

/// More grants are not told to a model.
const MAX_TOLD: usize = 12;

impl Sieve for Scope {
    fn tells(&self, path: &AbsPath, kind: Kind) -> bool {
        match kind {
            Kind::Dir => {
                let inside = format!("{path}/");
                self.way(path).is_some() && self.narrows.iter().all(|it| it.lets_read(&inside))
            }
            Kind::File | Kind::Link | Kind::Special => self.file(path, For::Reading).is_some(),
        }
    }

    fn enters(&self, dir: &AbsPath) -> bool {
        self.way(dir).is_some()
    }
}

#[cfg(test)]
mod tests;
