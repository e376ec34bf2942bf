//! What the project defines, read once and only if somebody asks.

use std::cell::OnceCell;
use std::collections::HashSet;

use analects_text::decode::{Cut, decode};
use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};

use super::super::survey::Survey;
use super::{cargo, just, make, scripts};

/// The names of one kind that a project defines.
#[derive(Debug, Default)]
pub(super) struct Defined {
    pub(super) names: HashSet<String>,
    /// How many files there are, those that they include aside.
    pub(super) n_files: usize,
    /// Whether there may be more than we see: then nothing is missing.
    pub(super) is_open: bool,
}

impl Defined {
    pub(super) fn has(&self, name: &str) -> bool {
        self.is_open || self.names.contains(name)
    }
}

/// Adds what one line defines, and answers with the files that it includes, as it names them.
type AddLine = for<'a> fn(&mut Defined, &'a str) -> Vec<&'a str>;

/// Manifests include manifests; no deeper than this.
const MAX_INCLUDES: usize = 8;

/// Longer than any manifest that people write.
const LIMIT_BYTES: usize = 512 * 1024;

/// A project with more manifests of one kind is not judged by them.
const MAX_FILES: usize = 2000;

pub(super) struct Manifests<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) survey: &'a Survey,
    scripts: OnceCell<Defined>,
    targets: OnceCell<Defined>,
    recipes: OnceCell<Defined>,
    packages: OnceCell<cargo::Packages>,
}

impl<'a> Manifests<'a> {
    pub(super) fn new(files: &'a dyn Files, survey: &'a Survey) -> Self {
        Self {
            files,
            survey,
            scripts: OnceCell::new(),
            targets: OnceCell::new(),
            recipes: OnceCell::new(),
            packages: OnceCell::new(),
        }
    }

    /// The scripts of every `package.json`.
    pub(super) fn scripts(&self) -> &Defined {
        self.scripts.get_or_init(|| scripts::read(self))
    }

    /// The targets of every makefile.
    pub(super) fn targets(&self) -> &Defined {
        self.targets.get_or_init(|| make::read(self))
    }

    /// The recipes of every justfile.
    pub(super) fn recipes(&self) -> &Defined {
        self.recipes.get_or_init(|| just::read(self))
    }

    /// The packages of every `Cargo.toml`.
    pub(super) fn packages(&self) -> &cargo::Packages {
        self.packages.get_or_init(|| cargo::read(self))
    }

    /// What all files with one of these names define, line by line, with the files that they include.
    pub(super) fn defined(&self, names: &[&str], add_line: AddLine) -> Defined {
        let mut defined = Defined::default();
        let mut read = HashSet::new();
        for (path, text) in self.texts(names) {
            defined.n_files += 1;
            if read.insert(path.clone()) {
                self.add(
                    &mut defined,
                    &mut read,
                    (&path, text),
                    add_line,
                    MAX_INCLUDES,
                );
            }
        }
        defined
    }

    fn add(
        &self,
        defined: &mut Defined,
        read: &mut HashSet<AbsPath>,
        (path, text): (&AbsPath, Option<String>),
        add_line: AddLine,
        depth: usize,
    ) {
        let Some(text) = text.filter(|_| depth > 0) else {
            defined.is_open = true;
            return;
        };
        let dir = path.parent().unwrap_or_else(AbsPath::root);
        for line in text.lines() {
            for name in add_line(defined, line) {
                let path = dir.join(name);
                if read.insert(path.clone()) {
                    let text = self.text(&path);
                    self.add(defined, read, (&path, text), add_line, depth - 1);
                }
            }
        }
    }

    /// All files with one of these names, with their texts; `None` stands for a text that cannot be had.
    pub(super) fn texts(&self, names: &[&str]) -> Vec<(AbsPath, Option<String>)> {
        let paths = names.iter().flat_map(|name| self.survey.files_named(name));
        let paths: Vec<_> = paths.take(MAX_FILES + 1).collect();
        if paths.len() > MAX_FILES || self.survey.is_cut {
            return vec![(self.survey.root().clone(), None)];
        }
        let text = |path: AbsPath| (path.clone(), self.text(&path));
        paths.into_iter().map(text).collect()
    }

    pub(super) fn text(&self, path: &AbsPath) -> Option<String> {
        let want = Want {
            path,
            within: Within::Root(self.survey.root()),
            limit_bytes: LIMIT_BYTES,
        };
        let blob = self
            .files
            .read_one(want)
            .ok()
            .filter(|blob| !blob.is_cut())?;
        Some(decode(&blob.bytes, Cut::Whole).text.into_owned())
    }
}
