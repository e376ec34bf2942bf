//! What was written so far, and taking it back.

mod undo;

use analects_world::log::Logged;

use crate::World;
use crate::verbs::Failure;
use crate::write;

pub use undo::{Undone, undo};

/// The newest commits that changed files of the user's, at most so many.
///
/// Our own bookkeeping alone is nothing to tell of.
pub fn newest(world: &World<'_>, limit: usize) -> Result<Vec<Logged>, Failure> {
    let mut found = Vec::new();
    if limit == 0 {
        return Ok(found);
    }
    let looked = world.desk.log(&mut |commit| {
        if is_told(world, &commit) {
            found.push(commit);
        }
        found.len() < limit
    });
    looked.map_err(|error| write::failure(&error))?;
    Ok(found)
}

fn is_told(world: &World<'_>, commit: &Logged) -> bool {
    let registry = world.around.global_dir().join("projects.json");
    let is_memory = |path: &_| !write::is_own(world, path) && *path != registry;
    commit
        .files
        .iter()
        .any(|file| is_memory(&file.path) && file.path.file_name() != ".project_root")
}

#[cfg(test)]
mod tests;
