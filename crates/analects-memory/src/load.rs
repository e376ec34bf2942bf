//! Reads candidates, within limits, each file and each text once.

mod purse;
mod seen;
mod source;

use std::collections::{HashMap, HashSet};

use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::AbsPath;
use analects_world::files::{Blob, Files, Trouble, Want};

use crate::discover::Candidate;
use crate::import::{Format, ImportNode, ImportOptions, Importer, Top};
use crate::label::Labels;
use crate::layer::Layer;
use crate::stack::{self, Block};
use crate::{Profile, codes};

pub(crate) use purse::Purse;
pub(crate) use seen::Seen;
pub(crate) use source::{Source, Sources};

/// How to read.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// How imports are expanded.
    pub import: ImportOptions,
    /// At most so many bytes of one file are read.
    pub file_limit_bytes: usize,
    /// At most so many bytes are read in one load.
    pub load_limit_bytes: usize,
    /// How files are called.
    pub labels: Labels,
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
}

/// A file that was left out because another one says the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The file left out.
    pub path: AbsPath,
    /// The layer it would have belonged to.
    pub layer: Layer,
    /// The file that is loaded in its place.
    pub same_as: AbsPath,
}

impl Duplicate {
    /// Whether the text has another scope or rank here than where it is loaded.
    #[must_use]
    pub fn counts_elsewhere(&self, kept_layer: Layer) -> bool {
        let scope = |path: &AbsPath| {
            let dir = path.parent().unwrap_or_else(AbsPath::root);
            // `<dir>/.gemini/X` speaks for `<dir>`.
            match dir.file_name() {
                ".gemini" => dir.parent(),
                _ => Some(dir),
            }
        };
        self.layer != kept_layer || scope(&self.path) != scope(&self.same_as)
    }
}

/// Reads memory files for one conversation and remembers what it has read.
///
/// Start-up memory and what comes later just in time go through the same loader, so that nothing is said
/// twice.
pub struct Loader<'a> {
    files: &'a dyn Files,
    options: &'a LoadOptions,
    seen: Seen,
    duplicates: Vec<Duplicate>,
    /// The paths of the duplicates, so that each is told once.
    told: HashSet<AbsPath>,
}

/// What the files of one load share.
struct Batch<'a> {
    sources: Sources<'a>,
    format: Format,
    purse: Purse,
    loaded: Vec<Loaded>,
    problems: Vec<Problem>,
}

/// Files are read in batches of this size: enough to keep the door's threads busy, few enough that a
/// thousand files over the limit are never in memory together.
const BATCH: usize = 32;

impl<'a> Loader<'a> {
    /// A loader that has read nothing yet.
    #[must_use]
    pub fn new(files: &'a dyn Files, options: &'a LoadOptions) -> Self {
        Self {
            files,
            options,
            seen: Seen::default(),
            duplicates: Vec::new(),
            told: HashSet::new(),
        }
    }

    /// Reads the candidates that were not read before, with a fresh byte budget.
    pub fn load(
        &mut self,
        candidates: &[Candidate],
        format: Format,
    ) -> (Vec<Loaded>, Vec<Problem>) {
        let n_told = self.duplicates.len();
        let mut batch = Batch {
            sources: Sources {
                file_limit_bytes: self.options.file_limit_bytes,
                labels: &self.options.labels,
            },
            format,
            purse: Purse::new(self.options.load_limit_bytes, self.options.import.profile),
            loaded: Vec::new(),
            problems: Vec::new(),
        };
        for chunk in candidates.chunks(BATCH) {
            self.load_chunk(chunk, &mut batch);
        }
        if self.options.import.profile != Profile::Head {
            self.note_elsewhere(&mut batch.loaded, n_told);
        }
        (batch.loaded, batch.problems)
    }

    fn load_chunk(&mut self, chunk: &[Candidate], batch: &mut Batch<'_>) {
        // With nothing left to spend, one byte tells whether there is something to leave out.
        let limit_bytes = if batch.purse.is_empty() {
            1
        } else {
            batch.sources.file_limit_bytes
        };
        let want = |candidate| want(candidate, limit_bytes);
        let wants: Vec<_> = chunk.iter().map(want).collect();
        for (candidate, read) in chunk.iter().zip(self.files.read(&wants)) {
            match read {
                Ok(blob) => self.load_file(candidate, blob, batch),
                Err(trouble) => batch.problems.extend(unread(candidate, &trouble)),
            }
        }
    }

    fn load_file(&mut self, candidate: &Candidate, blob: Blob, batch: &mut Batch<'_>) {
        let Some(source) = self.admit(candidate, blob, batch) else {
            return;
        };
        let mut importer = Importer::new(
            self.files,
            (self.options.import, batch.format),
            &batch.sources,
            &mut self.seen,
            &mut batch.purse,
            &mut batch.problems,
        );
        let imported = importer.expand(&Top {
            source: &source,
            root: &candidate.import_root,
        });
        batch.loaded.push(Loaded {
            label: self.options.labels.label(&candidate.path),
            path: candidate.path.clone(),
            layer: candidate.layer,
            bytes: source.bytes,
            text: imported.text,
            imports: imported.imports,
            also: Vec::new(),
        });
    }

    /// Notes at each text where else it stands, if it has another scope or rank there.
    fn note_elsewhere(&self, loaded: &mut [Loaded], n_told: usize) {
        let index: HashMap<_, _> = loaded
            .iter()
            .enumerate()
            .map(|(at, file)| (file.path.clone(), at))
            .collect();
        for duplicate in self.duplicates.iter().skip(n_told) {
            let kept = index
                .get(&duplicate.same_as)
                .and_then(|&at| loaded.get_mut(at));
            if let Some(kept) = kept.filter(|kept| duplicate.counts_elsewhere(kept.layer)) {
                kept.also.push(self.options.labels.label(&duplicate.path));
            }
        }
    }

    /// The files that were left out so far because another one says the same.
    #[must_use]
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// A block for each file that was left out since `n_told` although it speaks for another place than
    /// its twin: the comment that stands for a second occurrence, under the file's own name.
    pub(crate) fn echoes(&self, n_told: usize) -> Vec<Block> {
        if self.options.import.profile == Profile::Head {
            return Vec::new();
        }
        let label = |path: &AbsPath| self.options.labels.label(path);
        let duplicates = self.duplicates.iter().skip(n_told);
        let echoes = duplicates.filter(|duplicate| duplicate.counts_elsewhere(Layer::Project));
        let block = |duplicate: &Duplicate| {
            let twin = format!(
                "<!-- File already processed: {} -->",
                label(&duplicate.same_as)
            );
            let text = stack::marked(&label(&duplicate.path), &twin);
            Block {
                path: duplicate.path.clone(),
                tokens: tokens::estimate(&text),
                text,
                cut_tokens: 0,
            }
        };
        echoes.map(block).collect()
    }

    fn admit(
        &mut self,
        candidate: &Candidate,
        blob: Blob,
        batch: &mut Batch<'_>,
    ) -> Option<Source> {
        let (purse, problems) = (&mut batch.purse, &mut batch.problems);
        if let Some(first) = self.seen.path_of(blob.id) {
            self.left_out(candidate, first.clone());
            return None;
        }
        if purse.is_empty() && !blob.bytes.is_empty() {
            let message = "left out: the limit for all memory together is used up";
            problems.push(Problem::new(&codes::LOAD_CUT, message).in_file(&candidate.path));
            return None;
        }
        let source = batch.sources.source(&candidate.path, blob, purse, problems);
        if self.options.import.profile == Profile::Head {
            self.seen.admit_file(&source);
            return Some(source);
        }
        if let Some(first) = self.seen.path_of_text(&source, self.options.import.profile) {
            let first = first.clone();
            purse.refund(&source.text);
            self.seen.admit_file(&source);
            self.left_out(candidate, first);
            return None;
        }
        self.seen.admit(&source, self.options.import.profile);
        Some(source)
    }

    fn left_out(&mut self, candidate: &Candidate, same_as: AbsPath) {
        // The same path offered again (a later look at the same directory) is no news.
        if candidate.path != same_as && self.told.insert(candidate.path.clone()) {
            self.duplicates.push(Duplicate {
                path: candidate.path.clone(),
                layer: candidate.layer,
                same_as,
            });
        }
    }
}

fn want(candidate: &Candidate, limit_bytes: usize) -> Want<'_> {
    Want {
        path: &candidate.path,
        within: candidate.home.within(),
        limit_bytes,
    }
}

fn unread(candidate: &Candidate, trouble: &Trouble) -> Option<Problem> {
    let code = match trouble {
        // Gone since it was listed, or a link to nothing: there is no text to miss.
        Trouble::Missing => return None,
        Trouble::Outside => &codes::LINK_OUTSIDE,
        Trouble::IsDir | Trouble::Special => &codes::NOT_A_FILE,
        _ => &codes::UNREADABLE,
    };
    Some(Problem::new(code, trouble.to_string()).in_file(&candidate.path))
}

#[cfg(test)]
mod tests;
