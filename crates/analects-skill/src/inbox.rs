//! What waits for a yes, exactly where Gemini CLI's own inbox looks: new skills and patches of skills below
//! `skills/`, patches of memory below `.inbox/`, all in a project's private memory folder. Skills in
//! [`quarantine`] wait as well, where only we look.
//!
//! [`waiting`] lists, [`look`] reads one and tries it, [`accept`] and [`dismiss`] say what would have to change.

mod accept;
mod dismiss;
mod item;

use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::{Files, Kind as FileKind, Listing, Pick, Subdirs, Trouble};

use crate::patch::Allowed;
use crate::{quarantine, skill};

pub use accept::{To, accept};
pub use dismiss::dismiss;
pub use item::{Item, ItemFile, judge, look};

pub(crate) use item::patch_text;

/// What a thing that waits would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A new skill.
    Skill,
    /// A change of skills that are there.
    SkillUpdate,
    /// A change of memory: of the notes on this project, or of the user's own.
    MemoryUpdate(Layer),
}

/// Whose memory a patch changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The user's notes on this project.
    Private,
    /// The user's own, everywhere.
    Global,
}

/// Where things wait, and where they may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The project's private memory folder.
    pub memory: AbsPath,
    /// The user's own memory files.
    pub global_files: Vec<AbsPath>,
    /// The user's own skills.
    pub user_skills: AbsPath,
    /// The project's root.
    pub root: AbsPath,
    /// Whether the project's skills may be written.
    pub is_trusted: bool,
}

impl Shelf {
    /// The project's own skills.
    #[must_use]
    pub fn project_skills(&self) -> AbsPath {
        self.root.join(".gemini/skills")
    }

    /// What a patch of this kind may change; a new skill is no patch.
    pub(crate) fn allowed(&self, kind: Kind) -> Option<Allowed> {
        match kind {
            Kind::Skill => None,
            Kind::MemoryUpdate(Layer::Private) => Some(Allowed::Private(self.memory.clone())),
            Kind::MemoryUpdate(Layer::Global) => Some(Allowed::Global(self.global_files.clone())),
            Kind::SkillUpdate => {
                let ours = self.project_skills();
                let (ours, barred) = match self.is_trusted {
                    true => (Some(ours), None),
                    false => (None, Some(ours)),
                };
                let roots = [self.user_skills.clone()].into_iter().chain(ours).collect();
                Some(Allowed::Skills { roots, barred })
            }
        }
    }
}

/// Something that waits, before anybody has looked inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// What a person calls it: `skills/deploy`, `skills/docs.patch`, `private/extraction.patch`, `quarantine/deploy`,
    /// `quarantine/private-extraction.patch`.
    pub id: String,
    /// What it would be.
    pub kind: Kind,
    /// Where it waits: the folder of a skill, or a patch.
    pub path: AbsPath,
    /// Whether it lies in quarantine, since it rests on what strangers wrote. It is taken by itself and by its whole
    /// name, or not at all.
    pub is_quarantined: bool,
}

impl Waiting {
    /// Whether it stays where it lies: an older layout, which is only ever read.
    #[must_use]
    pub fn stays(&self) -> bool {
        let shelf = self.id.split('/').next();
        shelf == Some(EXTRACTED)
    }

    /// What it is remembered by once it is gone: a skill is the same one on either shelf.
    #[must_use]
    pub fn tomb(&self) -> String {
        let shelf = match self.kind {
            Kind::Skill | Kind::SkillUpdate => SKILLS,
            Kind::MemoryUpdate(Layer::Private) => PRIVATE,
            Kind::MemoryUpdate(Layer::Global) => GLOBAL,
        };
        match self.is_quarantined {
            true => format!("{shelf}/{}", self.path.file_name()),
            false => self.id.clone(),
        }
    }
}

/// The shelf of new skills, and the first word of their ids.
const SKILLS: &str = "skills";
/// The first words of the ids of patches of memory.
const PRIVATE: &str = "private";
const GLOBAL: &str = "global";
/// The shelf of skills in the oldest layout, below those of the project and of the user, and the first word of their ids.
const EXTRACTED: &str = "extracted";
/// Patches of memory lie at most so deep below their shelf, in at most so many directories.
const MAX_DEPTH: usize = 4;
const MAX_DIRS: usize = 200;
/// The first word of the ids of what lies in quarantine.
const QUARANTINE: &str = "quarantine";

/// What would have to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The files, what waits among them.
    pub changes: Vec<Change>,
    /// Directories that nothing is left in then, the innermost first.
    pub emptied: Vec<AbsPath>,
    /// What is worth knowing before one agrees, a sentence each.
    pub doubts: Vec<String>,
}

/// Everything that waits in a private memory folder, by kind and name; what lies in quarantine last. Nothing is opened.
#[must_use]
pub fn waiting(files: &dyn Files, memory: &AbsPath) -> Vec<Waiting> {
    let [private, global] = quarantine::patches(memory);
    let mut dirs = vec![
        memory.join(SKILLS),
        memory.join(".inbox").join(PRIVATE),
        memory.join(".inbox").join(GLOBAL),
        quarantine::shelf(memory),
        private,
        global,
    ];
    let home = home_of(memory);
    dirs.extend(home.as_ref().map(|home| extracted(&home.join("memory"))));
    let mut all = Vec::new();
    let mut folders = Vec::new();
    let (mut below, mut old) = (Vec::new(), Vec::new());
    for (at, listing) in files.list(&dirs, &everything()).into_iter().enumerate() {
        let (Ok(listing), Some(dir)) = (listing, dirs.get(at)) else {
            continue;
        };
        let is_quarantined = at >= 3;
        let shelf = match at {
            0..=2 => format!("{}/", dir.file_name()),
            3 => format!("{QUARANTINE}/"),
            // Two of them may have one name.
            _ => format!("{QUARANTINE}/{}-", dir.file_name()),
        };
        let named = |name: &str, kind: Kind| Waiting {
            id: format!("{shelf}{name}"),
            kind,
            path: dir.join(name),
            is_quarantined,
        };
        let found = listing.found.iter().filter(|found| is_name(&found.name));
        for found in found {
            let is_patch = found.name.ends_with(".patch") && found.kind != FileKind::Dir;
            let kind = match at {
                0 | 3 if is_patch => Kind::SkillUpdate,
                0 | 3 if found.kind == FileKind::Link => Kind::Skill,
                1 | 4 if is_patch => Kind::MemoryUpdate(Layer::Private),
                2 | 5 if is_patch => Kind::MemoryUpdate(Layer::Global),
                _ => continue,
            };
            all.push(named(&found.name, kind));
        }
        let names = listing.subdirs.iter().filter(|name| is_name(name));
        match at {
            0 | 3 => folders.extend(names.map(|name| named(name, Kind::Skill))),
            1 | 2 => below.extend(names.map(|name| (at, dir.join(name)))),
            6 => old.extend(names.map(|name| dir.join(name))),
            _ => {}
        }
    }
    all.extend(patches_below(files, &dirs, below));
    if folders
        .iter()
        .any(|folder| folder.path == extracted(memory))
    {
        let listing = files.list_one(&extracted(memory), &everything());
        let names = listing.map_or_else(|_| Vec::new(), |listing| listing.subdirs);
        let names = names.iter().filter(|name| is_name(name));
        // The project's own come first.
        let ours = names.map(|name| extracted(memory).join(name));
        old.splice(..0, ours);
    }
    folders.extend(untaken(files, home.as_ref(), old));
    let manifest = Pick::names(vec![skill::FILE.to_owned()]);
    let paths: Vec<_> = folders.iter().map(|folder| folder.path.clone()).collect();
    let listings = match paths.is_empty() {
        true => Vec::new(),
        false => files.list(&paths, &manifest),
    };
    let skills = folders.into_iter().zip(listings);
    let is_skill = |listing: &Result<Listing, Trouble>| {
        let listing = listing.as_ref();
        listing.is_ok_and(|listing| !listing.found.is_empty())
    };
    all.extend(
        skills
            .filter(|(_, listing)| is_skill(listing))
            .map(|(folder, _)| folder),
    );
    all.sort_by(|a, b| {
        let key = |one: &Waiting| (one.is_quarantined, one.kind);
        key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id))
    });
    all
}

fn everything() -> Pick {
    Pick {
        subdirs: Subdirs::Report,
        ..Pick::ending("")
    }
}

/// `~/.gemini`, if a private memory folder lies in it: `~/.gemini/tmp/<project>/memory`.
fn home_of(memory: &AbsPath) -> Option<AbsPath> {
    let projects = memory.parent()?.parent()?;
    projects.parent().filter(|_| projects.file_name() == "tmp")
}

fn extracted(memory: &AbsPath) -> AbsPath {
    memory.join(SKILLS).join(EXTRACTED)
}

/// Patches of memory in directories below their shelves: Gemini CLI looks there, too. `shelves` are told by their places.
fn patches_below(
    files: &dyn Files,
    shelves: &[AbsPath],
    mut level: Vec<(usize, AbsPath)>,
) -> Vec<Waiting> {
    let mut all = Vec::new();
    for _ in 0..MAX_DEPTH {
        level.truncate(MAX_DIRS);
        if level.is_empty() {
            break;
        }
        let dirs: Vec<_> = level.iter().map(|(_, dir)| dir.clone()).collect();
        let listings = files.list(&dirs, &everything());
        for ((at, dir), listing) in std::mem::take(&mut level).into_iter().zip(listings) {
            let (Ok(listing), Some(shelf)) = (listing, shelves.get(at)) else {
                continue;
            };
            let layer = if at == 1 {
                Layer::Private
            } else {
                Layer::Global
            };
            let is_patch = |name: &str| is_name(name) && name.ends_with(".patch");
            for found in &listing.found {
                let path = dir.join(&found.name);
                let name = path.relative_to(shelf).unwrap_or_default();
                if is_patch(&found.name) && found.kind != FileKind::Dir {
                    all.push(Waiting {
                        id: format!("{}/{name}", shelf.file_name()),
                        kind: Kind::MemoryUpdate(layer),
                        path,
                        is_quarantined: false,
                    });
                }
            }
            let names = listing.subdirs.iter().filter(|name| is_name(name));
            level.extend(names.map(|name| (at, dir.join(name))));
        }
    }
    all
}

/// Folders of the oldest layout whose names no skill of the user has. They cannot be taken away, and would wait for ever.
fn untaken(files: &dyn Files, home: Option<&AbsPath>, folders: Vec<AbsPath>) -> Vec<Waiting> {
    let listing = home
        .filter(|_| !folders.is_empty())
        .and_then(|home| files.list_one(&home.join(SKILLS), &everything()).ok());
    let mut taken = listing.map_or_else(Vec::new, |listing| listing.subdirs);
    let mut all = Vec::new();
    for path in folders {
        let name = path.file_name().to_owned();
        if !taken.contains(&name) {
            all.push(Waiting {
                id: format!("{EXTRACTED}/{name}"),
                kind: Kind::Skill,
                path,
                is_quarantined: false,
            });
            taken.push(name);
        }
    }
    all
}

/// What somebody means by `wanted`: an id, or the last name of one that only one thing has. What lies in quarantine is
/// only ever meant by its id. Forged names (empty, `..`, with a backslash) mean nothing.
#[must_use]
pub fn meant<'a>(all: &'a [Waiting], wanted: &str) -> Vec<&'a Waiting> {
    let is_forged = wanted.contains('\\') || !wanted.split('/').all(is_name);
    if is_forged {
        return Vec::new();
    }
    let exact = all.iter().filter(|waiting| waiting.id == wanted);
    let exact: Vec<_> = exact.collect();
    if !exact.is_empty() {
        return exact;
    }
    let named = all
        .iter()
        .filter(|waiting| !waiting.is_quarantined && waiting.path.file_name() == wanted);
    named.collect()
}

/// Hidden names are not what Gemini CLI looks for.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\'])
}

#[cfg(test)]
mod tests;
