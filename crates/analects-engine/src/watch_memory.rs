//! How memory stands, so that a change of it can be noticed: where to watch, and what became other.
//!
//! Only directories that hold a file in use, or could hold one by name, are watched: never a tree.

use std::collections::BTreeSet;

use analects_memory::discover::Trust;
use analects_memory::import::ImportNode;
use analects_memory::layer::Layer;
use analects_world::AbsPath;
use analects_world::changes::ContentHash;

use crate::World;
use crate::load_memory::{self, Started};
use crate::settings::keys;
use crate::verbs::{Failure, Flags};

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
}

/// What is other than before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News {
    /// The layers that say something else.
    pub layers: Vec<Layer>,
    /// Whether files came or went.
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
    Ok(Sight {
        dirs: dirs(world, &files, &places),
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
    }

    /// What is other now than it was `before`.
    #[must_use]
    pub fn news_since(&self, before: &Self) -> News {
        let pairs = self.layers.iter().zip(&before.layers);
        News {
            layers: pairs
                .filter(|(now, then)| now != then)
                .map(|(now, _)| now.0)
                .collect(),
            is_other_files: self.files != before.files,
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

fn dirs(world: &World<'_>, files: &BTreeSet<AbsPath>, places: &[AbsPath]) -> Vec<AbsPath> {
    let nearest = |place: &AbsPath| {
        let mut above = place.ancestors();
        above.find(|dir| world.files.require_dir(dir).is_ok())
    };
    // A link changes where it points to, and what it points to changes where that lies.
    let of_file = |file: &AbsPath| [file.parent(), world.files.real_or_same(file).parent()];
    let places = places.iter().filter_map(nearest);
    let mut dirs = Vec::new();
    for dir in places.chain(files.iter().flat_map(of_file).flatten()) {
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
            is_other_files: false,
        };
        assert_eq!(second.news_since(&first), edited);
        desk.edit("/h/.gemini/tmp/app/memory/MEMORY.md", "- Note\n");
        let third = sight(&desk, true);
        let appeared = News {
            layers: vec![Layer::Private],
            is_other_files: true,
        };
        assert_eq!(third.news_since(&second), appeared);
        assert_eq!(third.news_since(&third), News::default());
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
