//! The log of what was written, and undo.

mod undo;

use analects_world::log::Logged;

use crate::World;
use crate::verbs::Failure;
use crate::write;

pub(crate) use undo::undo;

/// Whose commits are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// Those that changed memory.
    Memory,
    /// And what agents did to the files they worked on.
    All,
}

/// A commit that is told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Newest {
    /// Its number for [`undo`], from one; what an agent did to files has its id only.
    pub number: Option<usize>,
    /// What was done.
    pub commit: Logged,
}

/// The newest commits that changed files of the user's, at most this many.
///
/// Our own bookkeeping alone is nothing to tell of.
pub(crate) fn newest(world: &World<'_>, told: Told, limit: usize) -> Result<Vec<Newest>, Failure> {
    let mut found = Vec::new();
    if limit == 0 {
        return Ok(found);
    }
    let mut n_told = 0;
    let looked = world.desk.log(&mut |commit| {
        let is_memory = is_told(world, &commit);
        n_told += usize::from(is_memory);
        if is_memory || (told == Told::All && is_by_agent(&commit)) {
            let number = is_memory.then_some(n_told);
            found.push(Newest { number, commit });
        }
        found.len() < limit
    });
    looked.map_err(|error| write::failure(&error))?;
    Ok(found)
}

/// Whether it is work on files, not on memory: it may be large, and nobody means it by `memory undo`.
fn is_by_agent(commit: &Logged) -> bool {
    commit.who.starts_with(analects_agent::tools::WHO)
}

fn is_told(world: &World<'_>, commit: &Logged) -> bool {
    if is_by_agent(commit) {
        return false;
    }
    let registry = world.around.global_dir().join("projects.json");
    let is_memory = |path: &_| !write::is_own(world, path) && *path != registry;
    commit
        .files
        .iter()
        .any(|file| is_memory(&file.path) && file.path.file_name() != ".project_root")
}

#[cfg(test)]
mod tests;
