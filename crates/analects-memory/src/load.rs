//! Reads candidates, within limits, each file and each text once.
//!
//! A [`Loader`] is what one conversation knows: start-up memory and what comes just in time go through
//! it, and it is told when a text leaves the context.

mod admit;
mod conversation;
mod hear;
mod near;
mod purse;
mod said;
mod seen;
mod source;
mod tracked;
mod twice;
mod verify;

use std::collections::HashSet;
use std::sync::Arc;

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::{Blob, Files, Trouble, Want};
use analects_world::ownership::{OwnedFiles, TrustedOwners};

use crate::codes;
use crate::discover::{Candidate, Denied};
use crate::import::{Format, ImportNode, ImportOptions, Importer, Top};
use crate::label::Labels;
use crate::layer::Layer;
use crate::stack::Block;

pub use hear::Imports;
pub use tracked::{Reach, Stands, Tracked, Version};
pub use twice::Duplicate;

pub(crate) use purse::Purse;
pub(crate) use seen::Seen;
pub(crate) use source::{Source, Sources};
use twice::LeftOut;
pub(crate) use twice::scope;

/// How to read.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// How imports are expanded.
    pub import: ImportOptions,
    /// At most this many bytes of one file are read.
    pub file_limit_bytes: usize,
    /// At most this many bytes are read in one load.
    pub load_limit_bytes: usize,
    /// How files are called.
    pub labels: Labels,
    /// Directories that files of the project import nothing from.
    pub denied: Denied,
    /// Whose files are read.
    pub owners: TrustedOwners,
}

/// A memory file as it enters the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The file.
    pub path: AbsPath,
    /// The layer it belongs to.
    pub layer: Layer,
    /// What it is called in the prompt.
    pub label: String,
    /// Its length on disk.
    pub bytes: u64,
    /// Its text, imports expanded, our delimiters in it made harmless.
    pub text: String,
    /// What it imported.
    pub imports: Vec<ImportNode>,
    /// Where else the same text stands, in another directory or layer: it counts there too.
    pub also: Vec<String>,
    /// True if the project brings it; false for what is the user's own or an extension's.
    pub is_of_project: bool,
}

impl Loaded {
    /// Whether it replaces an earlier text. No file can forge the note.
    fn is_changed(&self) -> bool {
        self.text.starts_with(twice::CHANGED)
    }
}

/// Reads memory files for one conversation and remembers what it was told.
///
/// Start-up memory and what comes later just in time go through the same loader, so that nothing is said
/// twice. A sub-agent has a conversation, and so a loader, of its own.
pub struct Loader<'a> {
    files: &'a dyn Files,
    options: &'a LoadOptions,
    seen: Arc<Seen>,
    /// What was known when start-up was over.
    start: Arc<Seen>,
    duplicates: Vec<Duplicate>,
}

/// What one load brought.
pub(crate) struct Brought {
    pub(crate) loaded: Vec<Loaded>,
    pub(crate) problems: Vec<Problem>,
    /// Files that were left out although they speak for another place, or had a text of their own.
    pub(crate) echoes: Vec<Block>,
}

/// What the files of one load share.
struct Batch<'a> {
    sources: Sources<'a>,
    format: Format,
    imports: Imports,
    purse: Purse,
    loaded: Vec<Loaded>,
    left_out: Vec<LeftOut>,
    problems: Vec<Problem>,
    /// The candidates that links lead out of where they should lie.
    outside: HashSet<String>,
}

/// Files are read in batches of this size: enough to keep the door's threads busy, few enough that a
/// thousand files over the limit are never in memory together.
const BATCH: usize = 32;

impl<'a> Loader<'a> {
    /// A loader that has read nothing yet.
    #[must_use]
    pub fn new(files: &'a dyn Files, options: &'a LoadOptions) -> Self {
        let seen = Arc::new(Seen::default());
        Self {
            files,
            options,
            start: Arc::clone(&seen),
            seen,
            duplicates: Vec::new(),
        }
    }

    /// Reads the candidates of start-up that were not read before, with a fresh byte budget.
    pub fn load(
        &mut self,
        candidates: &[Candidate],
        format: Format,
    ) -> (Vec<Loaded>, Vec<Problem>) {
        let mut batch = self.batch(format);
        self.load_missing(candidates, &mut batch);
        let brought = self.finish(batch);
        Arc::make_mut(&mut self.seen).end_start();
        self.start = Arc::clone(&self.seen);
        (brought.loaded, brought.problems)
    }

    /// The files that were left out so far because another one says the same.
    #[must_use]
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// The disk without the files of strangers.
    fn owned_files(&self) -> OwnedFiles<'a> {
        OwnedFiles {
            files: self.files,
            owners: &self.options.owners,
        }
    }

    fn profile(&self) -> Profile {
        self.options.import.profile
    }

    fn batch(&self, format: Format) -> Batch<'a> {
        Batch {
            sources: Sources {
                file_limit_bytes: self.options.file_limit_bytes,
                labels: &self.options.labels,
            },
            format,
            imports: Imports::Expanded,
            purse: Purse::new(self.options.load_limit_bytes, self.profile()),
            loaded: Vec::new(),
            left_out: Vec::new(),
            problems: Vec::new(),
            outside: HashSet::new(),
        }
    }

    fn load_missing<'b>(
        &mut self,
        candidates: impl IntoIterator<Item = &'b Candidate>,
        batch: &mut Batch<'_>,
    ) {
        let is_missing = |candidate: &&Candidate| {
            self.profile() == Profile::Head || !self.seen.holds(&candidate.path)
        };
        let missing: Vec<_> = candidates.into_iter().filter(is_missing).collect();
        for chunk in missing.chunks(BATCH) {
            self.load_chunk(chunk, batch);
        }
    }

    fn finish(&mut self, mut batch: Batch<'_>) -> Brought {
        batch.forgive(&self.seen);
        let labels = &self.options.labels;
        let mut echoes = Vec::new();
        if self.profile() != Profile::Head {
            twice::note_elsewhere(&mut batch.loaded, &batch.left_out, labels);
            echoes = twice::echoes(&batch.left_out, labels);
        }
        let told = batch.left_out.iter().map(|left| &left.duplicate.path);
        let told: HashSet<_> = told.collect();
        let seen = &self.seen;
        self.duplicates
            .retain(|left| seen.holds(&left.path) && !told.contains(&left.path));
        let left_out = batch.left_out.into_iter();
        self.duplicates.extend(left_out.map(|left| left.duplicate));
        Brought {
            loaded: batch.loaded,
            problems: batch.problems,
            echoes,
        }
    }

    fn load_chunk(&mut self, chunk: &[&Candidate], batch: &mut Batch<'_>) {
        // With nothing left to spend, one byte tells whether there is something to leave out.
        let limit_bytes = if batch.purse.is_empty() {
            1
        } else {
            batch.sources.file_limit_bytes
        };
        let wants: Vec<_> = chunk
            .iter()
            .map(|candidate| want(candidate, limit_bytes))
            .collect();
        let files = self.owned_files();
        for (candidate, read) in chunk.iter().zip(files.read(&wants)) {
            match read {
                Ok(blob) => self.load_file(candidate, blob, batch),
                Err(trouble) => {
                    if trouble == Trouble::Outside {
                        batch.outside.insert(candidate.path.to_string());
                    }
                    batch.problems.extend(unread(&candidate.path, &trouble));
                }
            }
        }
    }

    fn load_file(&mut self, candidate: &Candidate, blob: Blob, batch: &mut Batch<'_>) {
        let Some((source, is_changed)) = self.admit(candidate, blob, batch) else {
            return;
        };
        if batch.imports == Imports::AsWritten {
            return;
        }
        let files = self.owned_files();
        let mut importer = Importer::new(
            &files,
            (self.options.import, batch.format),
            &batch.sources,
            Arc::make_mut(&mut self.seen),
            &mut batch.purse,
            &mut batch.problems,
        );
        let imported = importer.expand(&Top {
            source: &source,
            root: &candidate.import_root,
            denied: candidate.is_of_project().then_some(&self.options.denied),
        });
        batch.loaded.push(Loaded {
            label: self.options.labels.label(&candidate.path),
            path: candidate.path.clone(),
            layer: candidate.layer,
            bytes: source.bytes,
            text: twice::told(imported.text, is_changed),
            imports: imported.imports,
            also: Vec::new(),
            is_of_project: candidate.is_of_project(),
        });
    }
}

impl Batch<'_> {
    /// A file may be a candidate of two workspaces: what leads out of one lies in the other, and then nothing is missing.
    fn forgive(&mut self, seen: &Seen) {
        let Self {
            outside, problems, ..
        } = self;
        outside.retain(|path| AbsPath::new(path).is_ok_and(|path| seen.holds(&path)));
        let is_held = |path: &Option<String>| path.as_ref().is_some_and(|p| outside.contains(p));
        problems.retain(|it| it.code != &codes::LINK_OUTSIDE || !is_held(&it.path));
    }
}

fn want(candidate: &Candidate, limit_bytes: usize) -> Want<'_> {
    Want {
        path: &candidate.path,
        within: candidate.home.within(),
        limit_bytes,
    }
}

fn unread(path: &AbsPath, trouble: &Trouble) -> Option<Problem> {
    let code = match trouble {
        // Gone since it was listed, or a link to nothing: there is no text to miss.
        Trouble::Missing => return None,
        Trouble::Outside => &codes::LINK_OUTSIDE,
        Trouble::Foreign => &codes::FOREIGN_FILE,
        Trouble::IsDir | Trouble::Special => &codes::NOT_A_FILE,
        _ => &codes::UNREADABLE,
    };
    Some(Problem::new(code, trouble.to_string()).in_file(path))
}

#[cfg(test)]
mod tests;
