//! Which memory files a host loads itself, here and now.

mod names;

use std::collections::BTreeSet;

use analects_memory::discover::{Candidate, Discovered, Home as Lies, Trust};
use analects_memory::layer::Layer;
use analects_memory::load::Imports;
use analects_world::files::{Files, Pick, Want, Within};
use analects_world::{AbsPath, Agent};

use super::host::{Begins, Below, Loads, Manners, Takes};
use crate::load_memory::Prepared;
use crate::{World, identity};
use names::Names;

/// What a host loads itself.
#[derive(Debug)]
pub(super) struct Theirs {
    /// The files that stand in the conversation from its start.
    pub(super) files: Vec<Candidate>,
    /// What it makes of `@path` in them.
    pub(super) imports: Imports,
    /// The names of files that it brings in itself in any directory of the project.
    anywhere: Vec<String>,
}

/// What `host` loads itself in this place.
pub(super) fn theirs(world: &World<'_>, prepared: &Prepared, host: Agent) -> Theirs {
    let loads = &Manners::of(host).loads;
    let names = Names::of(world, prepared, host);
    let mut files = Vec::new();
    if let Some(names) = &names {
        files.extend(in_home(world, names, loads));
        files.extend(our_layers(world, prepared, names, loads));
    }
    let mut theirs = Theirs {
        files,
        imports: loads.imports,
        anywhere: Vec::new(),
    };
    if let Some(names) = names.filter(|_| prepared.decision.trust == Trust::Trusted) {
        theirs.add_project(world, prepared, names, loads);
    }
    theirs
}

impl Theirs {
    fn add_project(
        &mut self,
        world: &World<'_>,
        prepared: &Prepared,
        mut names: Names,
        loads: &Loads,
    ) {
        let dirs = way(prepared, loads);
        let mut found = files_in(world.files, &dirs, &names.in_project, loads.takes);
        // A project below the user's home meets the user's own file on the way; it is no project's.
        found.retain(|(path, _)| self.files.iter().all(|own| own.path != *path));
        if found.is_empty() || names.instead_too {
            let more = files_in(world.files, &dirs, &names.instead, loads.takes);
            found.extend(more);
            names.in_project.append(&mut names.instead);
        }
        if let Some(limit_bytes) = loads.limit_bytes {
            cut_to(world.files, &mut found, limit_bytes);
        }
        let root = &prepared.root;
        let candidate = |(path, dir): (AbsPath, AbsPath)| Candidate {
            layer: Layer::Project,
            home: Lies::Anywhere,
            import_root: if dir.is_within(root) {
                root.clone()
            } else {
                dir
            },
            path,
        };
        self.files.extend(found.into_iter().map(candidate));
        if loads.below != Below::Never {
            self.anywhere = names.in_project;
        }
    }

    /// The files among those discovered that the host will bring in itself, sooner or later.
    pub(super) fn among(&self, discovered: &Discovered) -> Vec<Candidate> {
        let is_theirs = |file: &&Candidate| {
            let names = self.anywhere.iter();
            let mut names = names.filter(|name| ends_with(&file.path, name));
            file.layer == Layer::Project && names.next().is_some()
        };
        discovered
            .candidates
            .iter()
            .filter(is_theirs)
            .cloned()
            .collect()
    }

    /// The files on the way to what a tool touched that the host brings in itself, if it is one of those that it does
    /// so after.
    pub(super) fn near(
        &self,
        files: &dyn Files,
        root: &AbsPath,
        touched: &[AbsPath],
    ) -> Vec<Candidate> {
        // A path may be said through a link to the project, and of a file that is yet to be made.
        let real = |path: &AbsPath| match path.is_within(root) {
            true => Some(path.clone()),
            false => path.ancestors().find_map(|dir| files.real(&dir).ok()),
        };
        let touched = touched.iter().filter_map(real);
        let inside = |path: AbsPath| {
            let dirs = path.ancestors().take_while(|dir| dir.is_within(root));
            dirs.collect::<Vec<_>>()
        };
        let on_the_way = touched.flat_map(inside);
        let dirs: BTreeSet<_> = on_the_way.collect();
        let dirs = Vec::from_iter(dirs);
        let found = files_in(files, &dirs, &self.anywhere, Takes::All);
        let candidate = |(path, _)| Candidate {
            path,
            layer: Layer::Project,
            home: Lies::Below(root.clone()),
            import_root: root.clone(),
        };
        found.into_iter().map(candidate).collect()
    }
}

fn in_home(world: &World<'_>, names: &Names, loads: &Loads) -> Vec<Candidate> {
    let dirs = [names.home.clone()];
    let found = files_in(world.files, &dirs, &names.in_home, loads.takes);
    let candidate = |(path, dir)| Candidate {
        path,
        layer: Layer::Global,
        home: Lies::Anywhere,
        import_root: dir,
    };
    found.into_iter().map(candidate).collect()
}

fn our_layers(
    world: &World<'_>,
    prepared: &Prepared,
    names: &Names,
    loads: &Loads,
) -> Vec<Candidate> {
    let mut files = Vec::new();
    let own = |path, dir, layer| Candidate {
        path,
        layer,
        home: Lies::Anywhere,
        import_root: dir,
    };
    if loads.layers.contains(&Layer::Private) {
        let folder = identity::registered_folder(world, &world.around.cwd);
        let dirs = Vec::from_iter(folder);
        let index = files_in(world.files, &dirs, &["MEMORY.md".to_owned()], loads.takes);
        let found = match index.is_empty() {
            true => files_in(world.files, &dirs, &names.in_home, loads.takes),
            false => index,
        };
        files.extend(
            found
                .into_iter()
                .map(|(path, dir)| own(path, dir, Layer::Private)),
        );
    }
    if loads.layers.contains(&Layer::Extension) {
        let extensions = prepared.places.extensions.iter();
        files.extend(
            extensions.map(|file| own(file.path.clone(), file.root.clone(), Layer::Extension)),
        );
    }
    files
}

/// The directories on a host's way to the working directory, outermost first.
fn way(prepared: &Prepared, loads: &Loads) -> Vec<AbsPath> {
    let is_on_it = |dir: &AbsPath| loads.begins == Begins::AtTop || dir.is_within(&prepared.root);
    let mut dirs: Vec<_> = prepared
        .places
        .cwd
        .ancestors()
        .take_while(is_on_it)
        .collect();
    dirs.reverse();
    dirs
}

/// The files of these names in these directories, each with the directory it was looked for in.
fn files_in(
    files: &dyn Files,
    dirs: &[AbsPath],
    names: &[String],
    takes: Takes,
) -> Vec<(AbsPath, AbsPath)> {
    let mut all = Vec::new();
    for (dir, listing) in dirs
        .iter()
        .zip(files.list(dirs, &Pick::names(names.to_vec())))
    {
        let mut found = listing.map_or_else(|_| Vec::new(), |listing| listing.found);
        found.sort_by_key(|found| names.iter().position(|name| *name == found.name));
        found.dedup();
        if takes == Takes::First {
            found.truncate(1);
        }
        all.extend(
            found
                .into_iter()
                .map(|found| (dir.join(&found.name), dir.clone())),
        );
    }
    all
}

/// Keeps the files that fit into the limit together: what does not is cut off, and so not there.
fn cut_to(files: &dyn Files, found: &mut Vec<(AbsPath, AbsPath)>, limit_bytes: u64) {
    let limit = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
    let want = |path| Want {
        path,
        within: Within::Anywhere,
        limit_bytes: limit,
    };
    let wants: Vec<_> = found.iter().map(|(path, _)| want(path)).collect();
    let mut left = limit_bytes;
    let mut n_whole = 0;
    for read in files.read(&wants) {
        let Some(rest) = left.checked_sub(read.map_or(0, |blob| blob.len)) else {
            break;
        };
        left = rest;
        n_whole += 1;
    }
    found.truncate(n_whole);
}

/// Whether a path is that of a file of this name in some directory that speaks for itself.
fn ends_with(path: &AbsPath, name: &str) -> bool {
    let dir = path.as_str().strip_suffix(name);
    let dir = dir.and_then(|dir| dir.strip_suffix('/'));
    dir.is_some_and(|dir| !dir.ends_with("/.gemini"))
}
