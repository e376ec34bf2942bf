//! Decides where a fact goes: which layer, which file, and why.

use analects_memory::discover::{self, NEVER_ENTERED, Trust};
use analects_memory::layer::Layer;
use analects_memory::note::Style;
use analects_memory::route::{self, Project};
use analects_world::files::{Pick, Subdirs};
use analects_world::{AbsPath, Profile};

use crate::World;
use crate::identity;
use crate::load_memory::Prepared;
use crate::settings::{called, keys};
use crate::verbs::{Failure, Flags};

/// Where somebody wants a fact to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    /// Wherever it belongs.
    Routed,
    /// To the user's own memory.
    Global,
    /// To the user's own notes on this project.
    Private,
    /// To the file that the project commits.
    Project,
    /// To the file of a directory of the project.
    Dir(&'a str),
}

impl<'a> Target<'a> {
    /// What `--to` says.
    #[must_use]
    pub fn named(text: &'a str) -> Self {
        match text {
            "global" => Self::Global,
            "private" => Self::Private,
            "project" => Self::Project,
            dir => Self::Dir(dir),
        }
    }
}

/// The file a fact goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file; it need not exist.
    pub path: AbsPath,
    /// Its layer.
    pub layer: Layer,
    /// How it keeps its facts.
    pub style: Style,
    /// Why there.
    pub because: String,
}

/// The file of private notes that the current Gemini CLI writes.
const INDEX: &str = "MEMORY.md";
/// What older versions wrote. One that is alone stays in use, so that no version misses what it says.
const LEGACY: &str = "GEMINI.md";

/// Finds the file that a fact goes to.
pub(crate) fn place(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    fact: &str,
    target: Target<'_>,
) -> Result<Place, Failure> {
    match target {
        Target::Routed => {
            let names = names(world, prepared);
            let route = route::route(fact, &project(prepared, world, &names));
            let target = match route.place {
                route::Place::Global => Target::Global,
                route::Place::Private => Target::Private,
            };
            let place = place(world, flags, prepared, fact, target)?;
            Ok(Place {
                because: route.because,
                ..place
            })
        }
        Target::Global => Ok(Place {
            path: world.around.global_dir().join(&first_own_name(prepared)),
            layer: Layer::Global,
            style: Style::Section,
            because: WISH.to_owned(),
        }),
        Target::Private => private(world, flags, prepared),
        Target::Project => committed(world, prepared, &prepared.root),
        Target::Dir(dir) => {
            let dir = world.around.resolve(dir);
            world.files.require_dir(&dir).map_err(|trouble| {
                Failure::bad_input(format!("cannot write to `{dir}`: {trouble}"))
                    .hint("name `global`, `private`, `project`, or a directory of the project")
            })?;
            committed(world, prepared, &dir)
        }
    }
}

/// What in a fact names this project: a reason not to tell it everywhere.
#[must_use]
pub(crate) fn names_project(world: &World<'_>, prepared: &Prepared, fact: &str) -> Option<String> {
    let names = names(world, prepared);
    route::names_project(fact, &project(prepared, world, &names))
}

const WISH: &str = "that place was named";

/// What memory files of the project are called. A name that leads elsewhere is none: no load follows it, either.
fn names_in_project(prepared: &Prepared) -> Vec<String> {
    let names = prepared.settings.list(&keys::FILE_NAME).iter();
    names.filter_map(|name| discover::plain(name)).collect()
}

/// What the user's own memory is called, whatever the project calls its own.
fn first_own_name(prepared: &Prepared) -> String {
    let mut names = called::own(&prepared.settings).into_iter();
    let safe = names.find_map(|name| discover::plain(&name));
    safe.unwrap_or_else(|| LEGACY.to_owned())
}

fn private(world: &World<'_>, flags: &Flags, prepared: &Prepared) -> Result<Place, Failure> {
    let look = Flags {
        dry_run: true,
        ..*flags
    };
    let memory = claim(world, &look, prepared)?;
    Ok(notes(world, &memory))
}

/// The file of notes in a private folder.
fn notes(world: &World<'_>, memory: &AbsPath) -> Place {
    let names = Pick::names(vec![INDEX.to_owned(), LEGACY.to_owned()]);
    let found = world.files.list_one(memory, &names).unwrap_or_default();
    let has = |name: &str| found.found.iter().any(|found| found.name == name);
    let (name, style) = match has(LEGACY) && !has(INDEX) {
        true => (LEGACY, Style::Section),
        false => (INDEX, Style::Plain),
    };
    Place {
        path: memory.join(name),
        layer: Layer::Private,
        style,
        because: WISH.to_owned(),
    }
}

/// The same place with all that it needs: a project that has no private folder gets one. It is another place if the
/// folder that was looked at has become another project's in the meantime.
pub(crate) fn made_ready(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    place: &Place,
) -> Result<Place, Failure> {
    if place.layer != Layer::Private {
        return Ok(place.clone());
    }
    let memory = claim(world, flags, prepared)?;
    if place.path.parent().as_ref() == Some(&memory) {
        return Ok(place.clone());
    }
    Ok(Place {
        because: place.because.clone(),
        ..notes(world, &memory)
    })
}

/// Gives this project its private folder if it has none, and says where the memory in it is.
pub(crate) fn claim(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
) -> Result<AbsPath, Failure> {
    let trust = prepared.decision.trust;
    let claimed = identity::claim(world, flags, &prepared.root, None, trust, "memory add")?;
    Ok(claimed.memory)
}

/// The memory file of a directory of the project.
fn committed(world: &World<'_>, prepared: &Prepared, dir: &AbsPath) -> Result<Place, Failure> {
    if prepared.decision.trust != Trust::Trusted {
        return Err(
            Failure::failed("this folder is not trusted, so its memory is not written")
                .hint("trust it with `analects trust add`, or for this run with `--trust`"),
        );
    }
    let root = world.files.real_or_same(&prepared.root);
    let real = world.files.real_or_same(dir);
    if real != root && real.relative_to(&root).is_none() {
        let message = format!("`{dir}` is not in this project");
        return Err(Failure::bad_input(message).hint(format!(
            "the project is {root}; `--to global` is for all projects"
        )));
    }
    if let Some(denied) = prepared.places.denied.closest(&real) {
        let message = format!("`{denied}` is marked DO_NOT_TRUST: no memory is loaded from there");
        return Err(Failure::bad_input(message)
            .hint("`analects trust remove` lifts that; `--to` names another place"));
    }
    if let Some(shut) = real.relative_to(&root).and_then(shut) {
        let message = format!("no memory is loaded from `{shut}`, so `{dir}` is no place for it");
        return Err(Failure::bad_input(message).hint("name a directory of sources"));
    }
    let home = world.files.real_or_same(&world.around.home);
    if real == home && prepared.settings.profile != Profile::Head {
        let message =
            "your home directory is no project: a memory file there would never be loaded";
        return Err(Failure::bad_input(message).hint("`--to global` is for all projects"));
    }
    // A file of the project is held inside of it, so it has to be called by a path that lies there.
    let dir = match dir.is_within(&prepared.root) {
        true => dir,
        false => &real,
    };
    // What is there stays in use, also where it is kept out of sight; a file of the same reach is not begun beside it.
    let names = names_in_project(prepared);
    let hidden = names.iter().map(|name| format!(".gemini/{name}"));
    let spots: Vec<_> = names.iter().cloned().chain(hidden).collect();
    let found = world.files.list_one(dir, &Pick::names(spots.clone()));
    let found = found.unwrap_or_default().found;
    let is_there = |spot: &&String| found.iter().any(|found| found.name == **spot);
    let spot = spots.iter().find(is_there);
    Ok(Place {
        path: dir.join(spot.or(names.first()).map_or(LEGACY, String::as_str)),
        layer: Layer::Project,
        style: Style::Section,
        because: WISH.to_owned(),
    })
}

/// The directory on this way from the root that no search for memory enters.
pub(crate) fn shut(way: &str) -> Option<&str> {
    // What is kept out of sight in a directory is loaded with it.
    let way = way.strip_suffix(".gemini").unwrap_or(way);
    way.split('/').find(|name| NEVER_ENTERED.contains(name))
}

fn project<'a>(prepared: &'a Prepared, world: &World<'_>, names: &'a [String]) -> Project<'a> {
    let git = Pick::names(vec![".git".to_owned()]);
    let found = world.files.list_one(&prepared.root, &git);
    Project {
        name: prepared.root.file_name(),
        is_repository: found.is_ok_and(|listing| !listing.found.is_empty()),
        names,
    }
}

/// At most this many directories are asked for their names.
const MAX_DIRS: usize = 64;

/// What the project's files and modules are called: in its root and one level below.
fn names(world: &World<'_>, prepared: &Prepared) -> Vec<String> {
    let everything = Pick {
        subdirs: Subdirs::Report,
        ..Pick::ending("")
    };
    let root = &prepared.root;
    let Ok(top) = world.files.list_one(root, &everything) else {
        return Vec::new();
    };
    let mut dirs: Vec<_> = top
        .subdirs
        .iter()
        .filter(|name| !name.starts_with('.') && !SKIPPED.contains(&name.as_str()))
        .collect();
    dirs.sort();
    dirs.truncate(MAX_DIRS);
    let paths: Vec<_> = dirs.iter().map(|name| root.join(name)).collect();
    let mut names: Vec<_> = top.found.iter().map(|found| found.name.clone()).collect();
    for (dir, listing) in dirs.iter().zip(world.files.list(&paths, &everything)) {
        let listing = listing.unwrap_or_default();
        let found = listing.found.into_iter().map(|found| found.name);
        let inside = found.chain(listing.subdirs);
        names.extend(inside.map(|name| format!("{dir}/{name}")));
    }
    names.extend(top.subdirs);
    names.sort();
    names.dedup();
    names
}

/// Directories whose contents are nobody's own.
const SKIPPED: [&str; 3] = ["node_modules", "target", "vendor"];
