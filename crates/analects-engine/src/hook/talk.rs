//! A host's conversation, and what we may add to it.

use analects_memory::discover::{self, Candidate, Home};
use analects_memory::import::Format;
use analects_memory::load::{Imports, Loaded, Loader, Tracked};
use analects_memory::nearby::{self, Nearby};
use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::Scene;
use super::host::Manners;
use super::said::Said;
use super::theirs::{Theirs, theirs};

/// What the conversation holds, and a way to add to it.
pub(super) struct Talk<'a> {
    scene: &'a Scene<'a>,
    theirs: Theirs,
    loader: Loader<'a>,
    /// What the host has brought in itself, near what was touched.
    pub(super) brought: Vec<AbsPath>,
    /// What went wrong so far.
    pub(super) problems: Vec<Problem>,
}

impl<'a> Talk<'a> {
    /// A conversation at its start: the host has loaded its own files, earlier hooks said `rows`. With it
    /// comes start-up memory, as far as the conversation does not hold it.
    pub(super) fn start(scene: &'a Scene<'a>, rows: Vec<Tracked>) -> (Self, Vec<Loaded>) {
        let prepared = scene.prepared;
        let discovered =
            discover::discover(scene.world.files, &prepared.places, &prepared.discover);
        let theirs = theirs(&scene.world, prepared, scene.host);
        let deeper = theirs.among(&discovered);
        let mut talk = Self::begin(scene, theirs, &deeper, rows);
        let mut candidates = talk.left_alone();
        candidates.extend(discovered.candidates);
        let (loaded, problems) = talk.loader.join(&candidates);
        talk.problems.extend(discovered.problems);
        talk.problems.extend(problems);
        (talk, loaded)
    }

    /// A conversation as earlier hooks left it, in which a tool touched `paths`. With it comes what that brings in.
    pub(super) fn touch(
        scene: &'a Scene<'a>,
        said: &Said,
        paths: &[AbsPath],
        limit_tokens: usize,
    ) -> (Self, Nearby) {
        let prepared = scene.prepared;
        let files = scene.world.files;
        let theirs = theirs(&scene.world, prepared, scene.host);
        let mut near = theirs.near(files, &prepared.root, paths);
        near.retain(|file| {
            theirs
                .files
                .iter()
                .all(|at_start| at_start.path != file.path)
        });
        let below = Manners::of(scene.host).loads.below;
        // After any other tool nobody but us tells, unless the host did so before.
        if !below.follows(scene.input.tool.as_deref()) {
            near.retain(|file| said.theirs.contains(&file.path));
        }
        let mut talk = Self::begin(scene, theirs, &near, said.rows.clone());
        talk.brought = near.into_iter().map(|file| file.path).collect();
        let nearby = nearby::nearby(
            files,
            &prepared.places,
            &prepared.discover,
            &mut talk.loader,
            paths,
            limit_tokens,
        );
        talk.problems.extend(nearby.problems.iter().cloned());
        (talk, nearby)
    }

    fn begin(scene: &'a Scene<'a>, theirs: Theirs, more: &[Candidate], rows: Vec<Tracked>) -> Self {
        let mut loader = Loader::new(scene.world.files, &scene.prepared.load);
        loader.hear(&theirs.files, theirs.imports);
        loader.hear(more, theirs.imports);
        loader.resume(rows);
        Self {
            scene,
            theirs,
            loader,
            brought: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Takes back what found no room.
    pub(super) fn unsay(&mut self, paths: &[AbsPath]) {
        self.loader.forget(paths);
    }

    /// All that we said, to be kept for the next hook.
    pub(super) fn rows(&self) -> Vec<Tracked> {
        self.loader.tracked()
    }

    /// What the host's files import, if it leaves imports alone: nobody but us says it.
    fn left_alone(&self) -> Vec<Candidate> {
        if self.theirs.imports == Imports::Expanded {
            return Vec::new();
        }
        let scene = self.scene;
        let mut scratch = Loader::new(scene.world.files, &scene.prepared.load);
        let (loaded, _) = scratch.load(&self.theirs.files, Format::Tree);
        let mut candidates = Vec::new();
        for file in loaded {
            let theirs = self.theirs.files.iter();
            let Some(theirs) = theirs.clone().find(|theirs| theirs.path == file.path) else {
                continue;
            };
            candidates.extend(file.imports.into_iter().map(|import| Candidate {
                path: import.path,
                layer: theirs.layer,
                home: Home::Below(theirs.import_root.clone()),
                import_root: theirs.import_root.clone(),
            }));
        }
        candidates
    }
}
