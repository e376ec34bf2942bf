//! Gemini CLI's registry of projects, and the markers that heal it.

use std::collections::BTreeMap;

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::{Change, ContentHash};
use analects_world::files::{Files, Kind, Pick, Trouble, Want, Within};

use crate::codes;
use crate::verbs::Failure;
use crate::{json_edit, jsonc, write};

/// A marker file in a project's folder: its content is the project's path.
pub(super) const MARKER: &str = ".project_root";

/// Where a project's folders lie; each has a marker.
const MARKED: [&str; 2] = ["tmp", "history"];

/// What `projects.json` says, as far as it can be read.
#[derive(Debug)]
pub(super) struct Registry {
    global: AbsPath,
    /// Paths and their folder names, in the order of the file.
    pub(super) projects: Vec<(AbsPath, String)>,
    /// What is wrong with the file.
    pub(super) problems: Vec<Problem>,
}

/// Who a folder belongs to, by its marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owner {
    /// There is no marker.
    Nobody,
    /// This project.
    Project(AbsPath),
    /// The marker cannot be read: not ours, to be safe.
    Unknown,
}

impl Registry {
    pub(super) fn path(global: &AbsPath) -> AbsPath {
        global.join("projects.json")
    }

    pub(super) fn read(files: &dyn Files, global: &AbsPath) -> Self {
        let path = Self::path(global);
        let mut registry = Self {
            global: global.clone(),
            projects: Vec::new(),
            problems: Vec::new(),
        };
        let root = match jsonc::read_object(files, &path) {
            None => return registry,
            Some(Ok(root)) => root,
            Some(Err(bad)) => {
                let problem = Problem::new(&codes::BAD_REGISTRY, bad.message).in_file(&path);
                registry.problems.push(problem);
                return registry;
            }
        };
        let projects = root.get("projects");
        if projects.is_some_and(|projects| projects.object().is_none()) {
            let message = "`projects` is not an object";
            let problem = Problem::new(&codes::BAD_REGISTRY, message).in_file(&path);
            registry.problems.push(problem);
        }
        let projects = projects.and_then(|projects| projects.object());
        for (project, slug) in projects.unwrap_or_default() {
            let name = slug.text().filter(|name| is_slug(name));
            if let (Ok(project), Some(name)) = (AbsPath::new(project), name) {
                registry.projects.push((project, name.to_owned()));
            } else {
                let message = format!("`{project}` has no usable folder name");
                let problem = Problem::new(&codes::BAD_REGISTRY, message);
                registry
                    .problems
                    .push(problem.in_file(&path).on_line(slug.line));
            }
        }
        registry
    }

    /// The name of a project's folder: by registry, else by marker.
    pub(super) fn slug(&self, files: &dyn Files, project: &AbsPath) -> Option<String> {
        let registered = self.projects.iter().rev().find(|(path, _)| path == project);
        registered
            .map(|(_, slug)| slug.clone())
            .filter(|slug| self.is_owned_by(files, slug, project))
            .or_else(|| self.marked(files, project))
    }

    /// The folder of a project that an older version named by a hash of its path.
    pub(super) fn hashed(&self, files: &dyn Files, project: &AbsPath) -> Option<AbsPath> {
        let name = ContentHash::of(project.as_str().as_bytes()).to_string();
        let pick = Pick::names(vec![name.clone()]);
        let tmp = self.global.join("tmp");
        let found = files.list_one(&tmp, &pick).ok()?.found;
        let is_dir = found.iter().any(|found| found.kind == Kind::Dir);
        is_dir.then(|| tmp.join(&name))
    }

    /// Whether no marker of a folder names another project.
    pub(super) fn is_owned_by(&self, files: &dyn Files, slug: &str, project: &AbsPath) -> bool {
        let is_fine = |owner: &Owner| match owner {
            Owner::Nobody => true,
            Owner::Project(owner) => owner == project,
            Owner::Unknown => false,
        };
        owners(files, &self.markers(slug)).iter().all(is_fine)
    }

    /// Whether a folder of this name is spoken for by another project.
    pub(super) fn is_taken(&self, files: &dyn Files, slug: &str, project: &AbsPath) -> bool {
        let is_registered = |(path, name): &(AbsPath, String)| name == slug && path != project;
        self.projects.iter().any(is_registered) || !self.is_owned_by(files, slug, project)
    }

    /// The markers of a folder that are missing, or still name the place the project moved from.
    pub(super) fn foreign_markers(
        &self,
        files: &dyn Files,
        slug: &str,
        from: Option<&AbsPath>,
    ) -> Vec<AbsPath> {
        let markers = self.markers(slug);
        let owners = owners(files, &markers);
        let is_ours = |owner: &Owner| match owner {
            Owner::Nobody => false,
            Owner::Project(owner) => Some(owner) != from,
            Owner::Unknown => true, // whatever it says, it is not ours to overwrite
        };
        let pairs = markers.into_iter().zip(owners);
        pairs
            .filter(|(_, owner)| !is_ours(owner))
            .map(|(marker, _)| marker)
            .collect()
    }

    /// Where the markers of a folder stand.
    fn markers(&self, slug: &str) -> [AbsPath; 2] {
        MARKED.map(|base| self.global.join(base).join(slug).join(MARKER))
    }

    /// The folders in `tmp` that a marker belongs to, with their owners.
    pub(super) fn marked_folders(&self, files: &dyn Files) -> Vec<(String, Owner)> {
        self.marked_in("tmp", files)
    }

    fn marked_in(&self, base: &str, files: &dyn Files) -> Vec<(String, Owner)> {
        let base = self.global.join(base);
        let pick = Pick::subdirs();
        let mut slugs = files
            .list_one(&base, &pick)
            .map_or_else(|_| vec![], |l| l.subdirs);
        slugs.sort_unstable();
        let marker = |slug: &String| base.join(slug).join(MARKER);
        let markers: Vec<_> = slugs.iter().map(marker).collect();
        slugs.into_iter().zip(owners(files, &markers)).collect()
    }

    /// All folders in `tmp` whose project is known: by its marker, else by the registry, else because the
    /// folder bears the hash of a registered path.
    pub(super) fn owners(&self, files: &dyn Files) -> BTreeMap<String, AbsPath> {
        let mut owners: BTreeMap<_, _> = self
            .projects
            .iter()
            .flat_map(|(path, slug)| {
                let hash = ContentHash::of(path.as_str().as_bytes()).to_string();
                [(slug.clone(), path.clone()), (hash, path.clone())]
            })
            .collect();
        for (slug, owner) in self.marked_folders(files) {
            match owner {
                Owner::Project(path) => owners.insert(slug, path),
                Owner::Unknown => owners.remove(&slug),
                Owner::Nobody => None,
            };
        }
        owners
    }

    /// A marker may be left in either place: a cleaned `tmp` does not make another project of it.
    fn marked(&self, files: &dyn Files, project: &AbsPath) -> Option<String> {
        let wanted = Owner::Project(project.clone());
        let is_ours = |(slug, owner): &(String, Owner)| {
            *owner == wanted && is_slug(slug) && self.is_owned_by(files, slug, project)
        };
        let mut bases = MARKED.iter();
        let found = bases.find_map(|base| self.marked_in(base, files).into_iter().find(is_ours));
        found.map(|(slug, _)| slug)
    }
}

/// The text of the registry, ready to be edited. If the file is damaged, this is a new one with every project whose
/// folder has a marker, and the change that keeps the damaged file comes with it.
pub(super) fn sound_text(
    files: &dyn Files,
    global: &AbsPath,
) -> Result<(String, Option<Change>), Failure> {
    let path = Registry::path(global);
    // The text itself is judged: it may be sound although it could not be read a moment ago.
    let damaged = match write::bytes_of(files, &path)?.map(String::from_utf8) {
        None => return Ok((String::new(), None)),
        // An empty file is what a power failure leaves.
        Some(Ok(text)) if is_sound(&text) && !text.trim().is_empty() => return Ok((text, None)),
        Some(Ok(text)) => text.into_bytes(),
        Some(Err(error)) => error.into_bytes(),
    };
    let mut text = String::new();
    for (project, slug) in marked_projects(files, global) {
        text = json_edit::set(&text, &["projects", project.as_str()], Some(&slug))
            .map_err(|bad| Failure::failed(bad.message))?;
    }
    let kept = write::set_aside(files, &path, &damaged)?;
    Ok((text, kept))
}

/// True for a registry that can be edited; one that says nothing yet can.
fn is_sound(text: &str) -> bool {
    jsonc::parse_object(text).is_ok_and(|root| {
        let projects = root.get("projects");
        projects.is_none_or(|projects| projects.object().is_some())
    })
}

/// Every project that a folder's marker names, with its folder. Markers that contradict each other name none.
fn marked_projects(files: &dyn Files, global: &AbsPath) -> BTreeMap<AbsPath, String> {
    let registry = Registry {
        global: global.clone(),
        projects: Vec::new(),
        problems: Vec::new(),
    };
    let mut slugs: BTreeMap<String, Option<AbsPath>> = BTreeMap::new();
    for (slug, owner) in MARKED
        .iter()
        .flat_map(|base| registry.marked_in(base, files))
    {
        let owner = match owner {
            Owner::Nobody => continue,
            Owner::Project(path) => Some(path),
            Owner::Unknown => None,
        };
        let known = slugs.entry(slug).or_insert_with(|| owner.clone());
        if *known != owner {
            *known = None;
        }
    }
    let mut projects = BTreeMap::new();
    let named = slugs.into_iter().filter(|(slug, _)| is_slug(slug));
    for (slug, project) in named.filter_map(|(slug, project)| Some((slug, project?))) {
        // Of several folders, the first one is the one that a look at the markers finds, too.
        projects.entry(project).or_insert(slug);
    }
    projects
}

fn owners(files: &dyn Files, markers: &[AbsPath]) -> Vec<Owner> {
    let want = |path| Want {
        path,
        within: Within::Anywhere,
        limit_bytes: 64 * 1024,
    };
    let wants: Vec<_> = markers.iter().map(want).collect();
    let blobs = files.read(&wants).into_iter();
    // Only the line end is not part of the path: directories may end in a blank.
    let owner = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok()?;
        AbsPath::new(text.trim_end_matches(['\r', '\n'])).ok()
    };
    blobs
        .map(|blob| match blob {
            Ok(blob) => owner(&blob.bytes).map_or(Owner::Unknown, Owner::Project),
            Err(Trouble::Missing | Trouble::NotDir) => Owner::Nobody,
            Err(_) => Owner::Unknown,
        })
        .collect()
}

pub(super) fn is_slug(text: &str) -> bool {
    let is_slug_byte = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    !text.is_empty() && text.bytes().all(is_slug_byte)
}
