//! Snapshots of memory and skills, so that changes can be noticed: where to watch, and what changed.
//!
//! Only directories that hold a file in use, or could hold one by name, are watched: never a tree.

use std::collections::{BTreeMap, BTreeSet};

use analects_memory::discover::Trust;
use analects_memory::import::ImportNode;
use analects_memory::layer::Layer;
use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use analects_world::files::{Pick, Subdirs};

use crate::load_memory::{self, Started};
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, skills, write};

/// Memory at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The directories to watch; all of them exist.
    pub dirs: Vec<AbsPath>,
    /// The files in use.
    files: BTreeSet<AbsPath>,
    /// Where a file could come into use, whether that exists or not.
    places: Vec<AbsPath>,
    /// What such a file is called.
    names: Vec<String>,
    /// The text of every layer.
    layers: Vec<(Layer, ContentHash)>,
    /// Where skills lie.
    shelves: Vec<AbsPath>,
    /// What every skill says that somebody put there.
    skills: BTreeMap<String, ContentHash>,
}

/// What is other than before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News {
    /// The layers that say something else.
    pub layers: Vec<Layer>,
    /// The skills that say something else, came or went, by name.
    pub skills: Vec<String>,
    /// Whether files or skills came or went.
    pub is_other_files: bool,
}

/// More directories than this are not watched; the system gives each user a few thousand.
const MAX_DIRS: usize = 512;

/// Files beside memory that decide what of it is read.
const DECIDING: [&str; 5] = [
    "MEMORY.md",
    "settings.json",
    "analects.json",
    "trustedFolders.json",
    "projects.json",
];

/// Looks at memory as it is now.
pub fn look(world: &World<'_>, flags: &Flags) -> Result<Sight, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let started = prepared.start(*world);
    let files = files(&started);
    let places = places(world, &started);
    let names = prepared.settings.list(&keys::FILE_NAME).iter().cloned();
    let stack = started.stack.layers.iter();
    let layers = stack.map(|layer| (layer.layer, ContentHash::of(layer.text().as_bytes())));
    let shelves = skills::dirs(world, &prepared);
    Ok(Sight {
        dirs: dirs(world, &files, &places, &shelves),
        skills: skills_of(world, &skills::find(world, &prepared)),
        shelves,
        names: names.chain(DECIDING.map(str::to_owned)).collect(),
        layers: layers.collect(),
        files,
        places,
    })
}

impl Sight {
    /// Whether a change at this path could change memory.
    #[must_use]
    pub fn concerns(&self, path: &AbsPath) -> bool {
        let name = path.file_name();
        self.files.contains(path)
            || self.names.iter().any(|known| known == name || known.ends_with(&format!("/{name}")))
            || name.ends_with(".md")
            // A directory that a place lies in; of the root everything is said that may have been missed.
            || self.places.iter().any(|place| place.is_within(path))
            || self.shelves.iter().any(|shelf| shelf.is_within(path) || path.parent().as_ref() == Some(shelf))
    }

    /// What is other now than it was `before`.
    #[must_use]
    pub fn news_since(&self, before: &Self) -> News {
        let pairs = self.layers.iter().zip(&before.layers);
        let names: BTreeSet<_> = self.skills.keys().chain(before.skills.keys()).collect();
        let is_same = |name: &&&String| self.skills.get(**name) == before.skills.get(**name);
        let skills = names.iter().filter(|name| !is_same(name));
        News {
            skills: skills.map(|name| (*name).clone()).collect(),
            layers: pairs
                .filter(|(now, then)| now != then)
                .map(|(now, _)| now.0)
                .collect(),
            is_other_files: self.files != before.files
                || !self.skills.keys().eq(before.skills.keys()),
        }
    }
}

fn files(started: &Started<'_>) -> BTreeSet<AbsPath> {
    let mut files = BTreeSet::new();
    for loaded in &started.loaded {
        files.insert(loaded.path.clone());
        imported(&loaded.imports, &mut files);
    }
    files
}

// Imports nest at most as deep as the setting allows, which is bounded.
fn imported(nodes: &[ImportNode], files: &mut BTreeSet<AbsPath>) {
    for node in nodes {
        files.insert(node.path.clone());
        imported(&node.imports, files);
    }
}

fn places(world: &World<'_>, started: &Started<'_>) -> Vec<AbsPath> {
    let prepared = started.prepared();
    let found = prepared.places();
    let mut places = vec![world.around.global_dir()];
    places.extend(found.private.iter().cloned());
    if found.trust == Trust::Trusted {
        let chain = found.cwd.ancestors();
        let inside = chain.take_while(|dir| dir.is_within(&prepared.root));
        let roots = inside.chain(found.include.iter().map(|include| include.dir.clone()));
        places.extend(roots.flat_map(|dir| [dir.join(".gemini"), dir]));
    }
    places
}

fn skills_of(world: &World<'_>, found: &skills::Skills) -> BTreeMap<String, ContentHash> {
    let says = |skill: &analects_skill::catalog::Skill| {
        let text = write::bytes_of(world.files, skill.path()?).ok().flatten()?;
        Some((skill.name.clone(), ContentHash::of(&text)))
    };
    found.enabled().filter_map(says).collect()
}

/// Where a skill could come or change: its directory, those beside it, and the one that all of them lie in.
fn shelf_dirs(world: &World<'_>, shelf: &AbsPath) -> Vec<AbsPath> {
    let everything = Pick {
        subdirs: Subdirs::Report,
        ..Pick::names(Vec::new())
    };
    match world.files.list_one(shelf, &everything) {
        Ok(listing) => {
            let inside = listing.subdirs.iter().map(|name| shelf.join(name));
            [shelf.clone()].into_iter().chain(inside).collect()
        }
        // Not above that: a home is a busy place.
        Err(_) => {
            let above = shelf.parent();
            above
                .filter(|dir| world.files.require_dir(dir).is_ok())
                .into_iter()
                .collect()
        }
    }
}

fn dirs(
    world: &World<'_>,
    files: &BTreeSet<AbsPath>,
    places: &[AbsPath],
    shelves: &[AbsPath],
) -> Vec<AbsPath> {
    let nearest = |place: &AbsPath| {
        let mut above = place.ancestors();
        above.find(|dir| world.files.require_dir(dir).is_ok())
    };
    // A link changes where it points to, and what it points to changes where that lies.
    let of_file = |file: &AbsPath| [file.parent(), world.files.real_or_same(file).parent()];
    let places = places.iter().filter_map(nearest);
    let mut dirs = Vec::new();
    let shelves = shelves.iter().flat_map(|shelf| shelf_dirs(world, shelf));
    for dir in places
        .chain(files.iter().flat_map(of_file).flatten())
        .chain(shelves)
    {
        if dirs.len() < MAX_DIRS && !dirs.contains(&dir) {
            dirs.push(dir);
        }
    }
    dirs
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};

    use super::*;

    const TREE: &str = "//- /h/.gemini/GEMINI.md\n- Likes tea\n\
                        //- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n\
                        //- /w/app/.git/\n//- /w/app/src/main.rs\n\n\
                        //- /w/app/GEMINI.md\n@docs/style.md\n\
                        //- /w/app/docs/style.md\nWrap at 100.\n";

    fn sight(desk: &FakeDesk, trust: bool) -> Sight {
        let around = surroundings("/w/app", "/h", &[]);
        let flags = Flags {
            trust,
            ..Flags::default()
        };
        look(&desk.world(&around), &flags).unwrap()
    }

    #[test]
    fn directories_of_files_and_of_places_are_watched_and_nothing_deeper() {
        let desk = FakeDesk::parse(TREE);
        let dirs = sight(&desk, true).dirs;
        let dirs: Vec<_> = dirs.iter().map(AbsPath::as_str).collect();
        // The private folder is still to be made; the nearest directory above it is watched.
        assert_eq!(dirs, ["/h/.gemini", "/w/app", "/w/app/docs"]);
        let untrusted = sight(&desk, false).dirs;
        assert_eq!(
            untrusted.len(),
            1,
            "an untrusted project is not even watched"
        );
    }

    #[test]
    fn a_change_tells_its_layer_and_whether_files_came_or_went() {
        let desk = FakeDesk::parse(TREE);
        let first = sight(&desk, true);
        desk.edit("/w/app/docs/style.md", "Wrap at 80.\n");
        let second = sight(&desk, true);
        let edited = News {
            layers: vec![Layer::Project],
            ..News::default()
        };
        assert_eq!(second.news_since(&first), edited);
        desk.edit("/h/.gemini/tmp/app/memory/MEMORY.md", "- Note\n");
        let third = sight(&desk, true);
        let appeared = News {
            layers: vec![Layer::Private],
            is_other_files: true,
            ..News::default()
        };
        assert_eq!(third.news_since(&second), appeared);
        assert_eq!(third.news_since(&third), News::default());
    }

    #[test]
    fn a_skill_that_comes_changes_or_goes_is_news() {
        let skill = "/h/.gemini/skills/tea/SKILL.md";
        let text = |body: &str| format!("---\nname: tea\ndescription: Makes tea\n---\n{body}\n");
        let desk = FakeDesk::parse(TREE);
        let none = sight(&desk, true);
        let concerns = |path: &str| none.concerns(&AbsPath::new(path).unwrap());
        assert!(concerns("/h/.gemini/skills") && concerns("/h/.gemini/skills/tea"));
        desk.edit(skill, &text("Boil."));
        let first = sight(&desk, true);
        for dir in ["/h/.gemini/skills", "/h/.gemini/skills/tea"] {
            assert!(first.dirs.contains(&AbsPath::new(dir).unwrap()), "{dir}");
        }
        let news = |is_other_files| News {
            skills: vec!["tea".to_owned()],
            is_other_files,
            ..News::default()
        };
        assert_eq!(first.news_since(&none), news(true));
        desk.edit(skill, &text("Boil twice."));
        let second = sight(&desk, true);
        assert_eq!(second.news_since(&first), news(false));
        assert_eq!(none.news_since(&second), news(true));
    }

    #[test]
    fn only_what_could_change_memory_concerns_it() {
        let sight = sight(&FakeDesk::parse(TREE), true);
        let concerns = |path: &str| sight.concerns(&AbsPath::new(path).unwrap());
        for path in [
            "/",
            "/h/.gemini/tmp",
            "/w/app/docs/style.md",
            "/w/app/AGENTS.md",
            "/h/.gemini/trustedFolders.json",
        ] {
            assert!(concerns(path), "{path}");
        }
        for path in ["/w/app/target", "/w/app/Cargo.lock", "/h/.gemini/history"] {
            assert!(!concerns(path), "{path}");
        }
    }
}
