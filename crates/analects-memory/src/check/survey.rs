//! One walk through the project: which memory files there are, and which names exist at all.
//!
//! Level by level through the door, like the scan at start, but deeper: what a checker says about a
//! project must not depend on where somebody stands in it. Not entered: what git ignores, other
//! repositories inside this one, caches, and packages that somebody else wrote.

mod walk;

use std::collections::HashMap;

use analects_world::AbsPath;
use analects_world::files::Files;

use crate::discover::{IgnoreOptions, Rules};

/// How to look around.
#[derive(Debug, Clone)]
pub struct SurveyOptions {
    /// The project's root.
    pub root: AbsPath,
    /// The working directory: memory on the way to it is loaded whatever ignore files say.
    pub cwd: AbsPath,
    /// Names of memory files.
    pub names: Vec<String>,
    /// Names that mark the root of a project.
    pub markers: Vec<String>,
    /// What the scan at start passes over.
    pub ignore: IgnoreOptions,
    /// At most this many directories are entered.
    pub max_dirs: usize,
}

/// What a project is made of.
pub struct Survey {
    root: AbsPath,
    /// Memory files that a load brings in, at start or just in time, by their paths.
    pub memory: Vec<AbsPath>,
    pub(super) unreached: Vec<Unreached>,
    /// Whether there are more directories than were entered.
    pub is_cut: bool,
    dirs: Vec<Dir>,
    by_path: HashMap<AbsPath, usize>,
    /// The directories that hold a file of this name.
    holders: HashMap<String, Vec<usize>>,
    /// The directories of this name.
    named: HashMap<String, Vec<usize>>,
}

/// A file that looks like memory and is not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreached {
    pub(super) path: AbsPath,
    pub(super) why: String,
}

struct Dir {
    path: AbsPath,
    /// What git ignores in it.
    git: Rules,
}

/// Looks through the project.
#[must_use]
pub fn survey(files: &dyn Files, options: &SurveyOptions) -> Survey {
    walk::walk(files, options)
}

impl Survey {
    /// The directories below the root that were entered, by their paths from there, in order.
    #[must_use]
    pub fn dirs_below(&self) -> Vec<String> {
        let dirs = self.dirs.iter();
        let below = dirs.filter_map(|dir| dir.path.relative_to(&self.root));
        let mut below: Vec<_> = below.filter(|dir| !dir.is_empty()).collect();
        below.sort_unstable();
        below.into_iter().map(str::to_owned).collect()
    }

    /// The files in them, by their paths from the root, in order.
    #[must_use]
    pub fn files_below(&self) -> Vec<String> {
        let mut below = Vec::new();
        // Some were looked for beyond a directory that is not entered.
        let names = self.holders.iter().filter(|(name, _)| !name.contains('/'));
        for (name, holders) in names {
            below.extend(holders.iter().filter_map(|&at| {
                let dir = self.dirs.get(at)?.path.relative_to(&self.root)?;
                Some(match dir {
                    "" => name.clone(),
                    dir => format!("{dir}/{name}"),
                })
            }));
        }
        below.sort_unstable();
        below
    }

    pub(super) fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Every file of this name.
    pub(super) fn files_named(&self, name: &str) -> impl Iterator<Item = AbsPath> {
        let holders = self.holders.get(name).into_iter().flatten();
        holders.map(move |&at| self.dirs[at].path.join(name))
    }

    /// Whether a file or directory somewhere in the project has a path that ends like this.
    pub(super) fn has_ending(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let (way, name) = path.rsplit_once('/').unwrap_or(("", path));
        let ends = |dir: &AbsPath| {
            let rest = dir.as_str().strip_suffix(way);
            way.is_empty() || rest.is_some_and(|rest| rest.ends_with('/'))
        };
        let holders = self.holders.get(name).into_iter().flatten();
        let mut held = holders.map(|&at| &self.dirs[at].path);
        let dirs = self.named.get(name).into_iter().flatten();
        let mut parents = dirs.filter_map(|&at| self.dirs[at].path.parent());
        held.any(ends) || parents.any(|dir| ends(&dir))
    }

    /// Whether git ignores what lies or would lie there.
    pub(super) fn is_ignored_by_git(&self, path: &AbsPath) -> bool {
        let mut above = path.ancestors().skip(1);
        let Some(at) = above.find_map(|dir| self.by_path.get(&dir)) else {
            return false;
        };
        let dir = &self.dirs[*at];
        path.relative_to(&dir.path).is_some_and(|rest| {
            // Written with a slash or without, a directory is not there to be asked.
            dir.git.ignores_in(&dir.path, rest) || dir.git.ignores(path, true)
        })
    }
}
