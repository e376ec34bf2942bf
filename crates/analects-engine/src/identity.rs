//! Which private folder belongs to a project: the read side of Gemini CLI's registry.
//!
//! A project is known by its path in `projects.json`; a mapping that the folder's own marker contradicts
//! does not count, and a lost mapping is found again by the markers. Older versions named folders by a
//! hash of the path.

use std::fmt::Write;

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Kind, Pick, Subdirs, Want, Within};
use sha2::{Digest, Sha256};

use crate::jsonc;
use crate::{World, codes};

/// A marker file in a project's folder: its content is the project's path.
const MARKER: &str = ".project_root";

/// The private memory folders of the projects at `paths`, in the same order, without repetition.
#[must_use]
pub fn private_folders(world: &World<'_>, paths: &[AbsPath]) -> (Vec<AbsPath>, Vec<Problem>) {
    let (registry, problems) = Registry::read(world);
    let mut folders: Vec<AbsPath> = Vec::new();
    for path in paths {
        let Some(folder) = registry.folder(world, path) else {
            continue;
        };
        let memory = folder.join("memory");
        if !folders.contains(&memory) {
            folders.push(memory);
        }
    }
    (folders, problems)
}

struct Registry {
    tmp: AbsPath,
    /// Paths and their folder names, as `projects.json` has them.
    projects: Vec<(AbsPath, String)>,
}

impl Registry {
    fn read(world: &World<'_>) -> (Self, Vec<Problem>) {
        let global = world.around.global_dir();
        let path = global.join("projects.json");
        let mut registry = Self {
            tmp: global.join("tmp"),
            projects: Vec::new(),
        };
        let mut problems = Vec::new();
        let root = match jsonc::read_object(world.files, &path) {
            None => return (registry, problems),
            Some(Ok(root)) => root,
            Some(Err(bad)) => {
                problems.push(Problem::new(&codes::BAD_REGISTRY, bad.message).in_file(&path));
                return (registry, problems);
            }
        };
        let projects = root.get("projects").and_then(|projects| projects.object());
        for (project, slug) in projects.unwrap_or_default() {
            match (
                AbsPath::new(project),
                slug.text().filter(|slug| is_slug(slug)),
            ) {
                (Ok(project), Some(slug)) => registry.projects.push((project, slug.to_owned())),
                _ => {
                    let message = format!("`{project}` has no usable folder name");
                    let problem = Problem::new(&codes::BAD_REGISTRY, message);
                    problems.push(problem.in_file(&path).on_line(slug.line));
                }
            }
        }
        (registry, problems)
    }

    /// The folder of one project: by registry, by marker, by hash.
    fn folder(&self, world: &World<'_>, project: &AbsPath) -> Option<AbsPath> {
        self.registered(world, project)
            .or_else(|| self.marked(world, project))
            .or_else(|| self.hashed(world, project))
    }

    fn registered(&self, world: &World<'_>, project: &AbsPath) -> Option<AbsPath> {
        let (_, slug) = self
            .projects
            .iter()
            .rev()
            .find(|(path, _)| path == project)?;
        let folder = self.tmp.join(slug);
        let owner = owners(world, std::slice::from_ref(&folder)).pop().flatten();
        owner
            .is_none_or(|owner| owner == *project)
            .then_some(folder)
    }

    fn marked(&self, world: &World<'_>, project: &AbsPath) -> Option<AbsPath> {
        let pick = Pick {
            names: vec![],
            suffix: None,
            subdirs: Subdirs::Report,
        };
        let mut slugs = world.files.list_one(&self.tmp, &pick).ok()?.subdirs;
        slugs.sort_unstable();
        let folders: Vec<_> = slugs.iter().map(|slug| self.tmp.join(slug)).collect();
        let owners = owners(world, &folders);
        let at = owners
            .iter()
            .position(|owner| owner.as_ref() == Some(project))?;
        folders.into_iter().nth(at)
    }

    fn hashed(&self, world: &World<'_>, project: &AbsPath) -> Option<AbsPath> {
        let mut name = String::with_capacity(64);
        for byte in Sha256::digest(project.as_str().as_bytes()) {
            write!(name, "{byte:02x}").ok()?;
        }
        let pick = Pick {
            names: vec![name.clone()],
            suffix: None,
            subdirs: Subdirs::Skip,
        };
        let found = world.files.list_one(&self.tmp, &pick).ok()?.found;
        found
            .iter()
            .any(|found| found.kind == Kind::Dir)
            .then(|| self.tmp.join(&name))
    }
}

/// Whose folders these are, by their markers.
fn owners(world: &World<'_>, folders: &[AbsPath]) -> Vec<Option<AbsPath>> {
    let markers: Vec<_> = folders.iter().map(|folder| folder.join(MARKER)).collect();
    let want = |path| Want {
        path,
        within: Within::Anywhere,
        limit_bytes: 64 * 1024,
    };
    let wants: Vec<_> = markers.iter().map(want).collect();
    let owner = |bytes: Vec<u8>| AbsPath::new(std::str::from_utf8(&bytes).ok()?.trim()).ok();
    let blobs = world.files.read(&wants).into_iter();
    blobs.map(|blob| owner(blob.ok()?.bytes)).collect()
}

fn is_slug(text: &str) -> bool {
    let is_slug_byte = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    !text.is_empty() && text.bytes().all(is_slug_byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_testkit::FakeDesk;
    use analects_world::Surroundings;

    fn folder_of(tree: &str, project: &str) -> (Option<String>, usize) {
        let files = FakeDesk::parse(tree);
        let project = AbsPath::new(project).unwrap();
        let around = Surroundings {
            cwd: project.clone(),
            home: AbsPath::new("/h").unwrap(),
            vars: Default::default(),
        };
        let world = World {
            files: &files,
            desk: &files,
            around: &around,
        };
        let (folders, problems) = private_folders(&world, &[project.clone(), project]);
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
        let hash = {
            let mut name = String::new();
            for byte in Sha256::digest(b"/w/app") {
                write!(name, "{byte:02x}").unwrap();
            }
            name
        };
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
}
