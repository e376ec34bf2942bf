//! The state of the registry: contradictions, and private memory that has lost its project.

use analects_memory::discover::Trust;
use analects_world::AbsPath;
use analects_world::files::Pick;

use super::kin::{self, Notes};
use super::registry::{Owner, Registry};
use crate::World;

/// What an examination of the registry finds.
#[derive(Debug, Default)]
pub struct State {
    /// How many projects are registered.
    pub n_projects: usize,
    /// Registered projects whose folder's marker names another one: folder and path.
    pub contradicted: Vec<(String, AbsPath)>,
    /// Folders with private memory whose project is gone: folder and path.
    pub orphaned: Vec<(String, AbsPath)>,
}

/// Looks at the registry and all markers.
#[must_use]
pub fn state(world: &World<'_>) -> State {
    let global = world.around.global_dir();
    let registry = Registry::read(world.files, &global);
    let mut state = State {
        n_projects: registry.projects.len(),
        ..State::default()
    };
    for (path, slug) in &registry.projects {
        if !registry.is_owned_by(world.files, slug, path) {
            state.contradicted.push((slug.clone(), path.clone()));
        }
    }
    for (slug, owner) in registry.marked_folders(world.files) {
        let Owner::Project(path) = owner else {
            continue;
        };
        let memory = global.join("tmp").join(&slug).join("memory");
        if world.files.real(&path).is_err() && holds_memory(world, &memory) {
            state.orphaned.push((slug, path));
        }
    }
    state
}

/// Where a project was before it moved, if it was recognised and not adopted yet.
#[must_use]
pub fn moved_from(world: &World<'_>, project: &AbsPath, trust: Trust) -> Option<AbsPath> {
    let global = world.around.global_dir();
    let registry = Registry::read(world.files, &global);
    if registry.slug(world.files, project).is_some() {
        return None;
    }
    let notes = Notes::read(world.files, &global);
    let root_commit = || kin::root_commit(world, project, trust);
    let (_, from) = notes.moved_from(world, world.files, project, &root_commit)?;
    Some(from)
}

fn holds_memory(world: &World<'_>, memory: &AbsPath) -> bool {
    let pick = Pick::ending(".md");
    let listing = world.files.list_one(memory, &pick);
    listing.is_ok_and(|listing| !listing.found.is_empty())
}
