//! Which private folder belongs to a project.
//!
//! A project is known by its path in Gemini CLI's `projects.json`; a mapping that the folder's own marker
//! contradicts does not count, and a lost mapping is found again by the markers. Older versions named
//! folders by a hash of the path. What the original cannot do: a checkout that moved is recognised by its
//! `.git`, and a worktree also hears the private memory of its main checkout.

mod claim;
mod kin;
mod migrate;
mod registry;
mod repository;
mod state;

use std::collections::BTreeMap;

use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::ContentHash;

pub use claim::{Claimed, claim};
pub(crate) use repository::RepositoryIdentity;
pub use state::{State, moved_from, state};

use crate::{World, codes};
use kin::Notes;
use registry::Registry;

/// The private memory folders of the projects at `paths`.
#[must_use]
pub fn private_folders(
    world: &World<'_>,
    paths: &[AbsPath],
    trust: Trust,
) -> (Vec<AbsPath>, Vec<Problem>) {
    let (folders, problems) = folders(world, paths, trust);
    let memory = folders.iter().map(|folder| folder.join("memory"));
    (memory.collect(), problems)
}

/// The folders below `~/.gemini/tmp` of the projects at `paths`, in the same order, without repetition.
///
/// For each: the main checkout's, if it is a worktree; its own; its own under the path it moved from.
#[must_use]
pub fn folders(world: &World<'_>, paths: &[AbsPath], trust: Trust) -> (Vec<AbsPath>, Vec<Problem>) {
    let global = world.around.global_dir();
    let files = world.files;
    let registry = Registry::read(files, &global);
    let notes = Notes::read(files, &global);
    let own = |project: &AbsPath| {
        let root_commit = || kin::root_commit(world, project, trust);
        let Some(slug) = registry.slug(files, project) else {
            return registry.hashed(files, project);
        };
        let slug = if notes.contradict(files, (&slug, project), &root_commit) {
            notes.slug_of_same(files, project, &root_commit)?
        } else {
            slug
        };
        Some(global.join("tmp").join(&slug))
    };
    let moved = |project: &AbsPath| {
        let root_commit = || kin::root_commit(world, project, trust);
        let (slug, _) = notes.moved_from(world, files, project, &root_commit)?;
        Some(global.join("tmp").join(&slug))
    };
    let mut folders: Vec<AbsPath> = Vec::new();
    for path in paths {
        let main = kin::main_checkout(files, path);
        let of_main = main
            .as_ref()
            .and_then(|main| own(main).or_else(|| moved(main)));
        let of_path = own(path).or_else(|| moved(path));
        for folder in of_main.into_iter().chain(of_path) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    let mut problems = registry.problems.clone();
    problems.extend(replaced(world, &registry, &notes, paths, trust));
    (folders, problems)
}

/// Reports private folders that belong to another repository at the same path.
fn replaced(
    world: &World<'_>,
    registry: &Registry,
    notes: &Notes,
    paths: &[AbsPath],
    trust: Trust,
) -> Option<Problem> {
    let files = world.files;
    let mut paths = paths.iter();
    let replaced = paths.find(|project| {
        let root_commit = || kin::root_commit(world, project, trust);
        let slug = registry.slug(files, project);
        slug.is_some_and(|slug| {
            notes.contradict(files, (&slug, project), &root_commit)
                && notes.slug_of_same(files, project, &root_commit).is_none()
        })
    })?;
    let message = "private notes on another repository at this path are left out";
    Some(Problem::new(&codes::OTHER_REPOSITORY, message).in_file(replaced))
}

/// The folders in which sessions of a project may lie: those that are its own now, and the one that an older version
/// named by a hash, of which newer ones make a copy.
#[must_use]
pub fn session_folders(world: &World<'_>, project: &AbsPath, trust: Trust) -> Vec<AbsPath> {
    let (mut folders, _) = folders(world, std::slice::from_ref(project), trust);
    let registry = Registry::read(world.files, &world.around.global_dir());
    let hashed = registry.hashed(world.files, project);
    folders.extend(hashed.filter(|hashed| !folders.contains(hashed)));
    folders
}

/// Which project each folder below `~/.gemini/tmp` belongs to, by its marker or else by the registry. A folder that is
/// named by a hash belongs to the project of that hash, if it is one of these, or one that we are in.
#[must_use]
pub fn owners(world: &World<'_>) -> BTreeMap<String, AbsPath> {
    let registry = Registry::read(world.files, &world.around.global_dir());
    let mut owners = registry.owners(world.files);
    let known: Vec<_> = owners.values().cloned().collect();
    let here = std::iter::successors(Some(world.around.cwd.clone()), AbsPath::parent);
    for project in known.into_iter().chain(here) {
        let name = ContentHash::of(project.as_str().as_bytes()).to_string();
        owners.entry(name).or_insert(project);
    }
    owners
}

/// The private memory folder that Gemini CLI itself uses for the project at `path`, if it knows it.
#[must_use]
pub fn registered_folder(world: &World<'_>, path: &AbsPath) -> Option<AbsPath> {
    let global = world.around.global_dir();
    let slug = Registry::read(world.files, &global).slug(world.files, path)?;
    Some(global.join("tmp").join(&slug).join("memory"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_testkit::{FakeDesk, surroundings};

    fn folder_of(tree: &str, project: &str) -> (Option<String>, usize) {
        let files = FakeDesk::parse(tree);
        let around = surroundings(project, "/h", &[]);
        let project = around.cwd.clone();
        let world = files.world(&around);
        let (folders, problems) =
            private_folders(&world, &[project.clone(), project], Trust::Trusted);
        assert!(folders.len() <= 1);
        (folders.first().map(ToString::to_string), problems.len())
    }

    #[test]
    fn the_registry_names_the_folder() {
        let tree = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n";
        assert_eq!(
            folder_of(tree, "/w/app").0.as_deref(),
            Some("/h/.gemini/tmp/app/memory")
        );
        assert_eq!(folder_of(tree, "/w/other"), (None, 0));
    }

    #[test]
    fn a_marker_overrules_and_recovers() {
        let tree = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n\
                    //- /h/.gemini/tmp/app/.project_root\n/w/other\n\
                    //- /h/.gemini/tmp/app-1/.project_root\n/w/app";
        assert_eq!(
            folder_of(tree, "/w/app").0.as_deref(),
            Some("/h/.gemini/tmp/app-1/memory")
        );
        assert_eq!(
            folder_of(tree, "/w/other").0.as_deref(),
            Some("/h/.gemini/tmp/app/memory")
        );
    }

    #[test]
    fn an_old_hash_folder_is_still_read() {
        // sha256 of "/w/app"
        let hash = analects_world::changes::ContentHash::of(b"/w/app");
        let tree = format!("//- /h/.gemini/tmp/{hash}/memory/GEMINI.md\nold\n");
        let expected = format!("/h/.gemini/tmp/{hash}/memory");
        assert_eq!(folder_of(&tree, "/w/app").0, Some(expected));
    }

    #[test]
    fn a_broken_registry_is_a_problem_not_a_failure() {
        let markers = "//- /h/.gemini/tmp/app/.project_root\n/w/app\n";
        let tree = format!("//- /h/.gemini/projects.json\n{{oops\n{markers}");
        assert_eq!(
            folder_of(&tree, "/w/app"),
            (Some("/h/.gemini/tmp/app/memory".to_owned()), 1)
        );
        let tree = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"../../x\"}}\n";
        assert_eq!(folder_of(tree, "/w/app"), (None, 1));
    }

    #[test]
    fn a_worktree_hears_its_main_checkout_too() {
        let tree = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/main\": \"main\"}}\n\
                    //- /w/main/.git/worktrees/side/gitdir\n/w/side/.git\n\
                    //- /w/side/.git\ngitdir: /w/main/.git/worktrees/side\n\
                    //- /w/liar/.git\ngitdir: /w/main/.git/worktrees/side\n";
        assert_eq!(
            folder_of(tree, "/w/side").0.as_deref(),
            Some("/h/.gemini/tmp/main/memory")
        );
        assert_eq!(
            folder_of(tree, "/w/liar").0,
            None,
            "the main checkout knows nothing of it"
        );
    }

    #[test]
    fn a_borrowed_git_directory_brings_nobodys_memory() {
        let tree = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/main\": \"main\"}}\n\
                    //- /w/main/.git/worktrees/side/gitdir\n/w/side/.git\n\
                    //- /w/side/.git\ngitdir: /w/main/.git/worktrees/side\n\
                    //- /w/evil/.git -> /w/side/.git\n";
        assert_eq!(folder_of(tree, "/w/evil").0, None);
    }
}
