//! Reads candidates, within limits, each file and each text once.

mod purse;

use std::borrow::Cow;
use std::collections::HashMap;

use analects_text::decode::{Cut, Repair, decode};
use analects_text::problem::Problem;
use analects_text::trim::trim;
use analects_text::truncate;
use analects_world::AbsPath;
use analects_world::files::{Blob, FileId, Files, Trouble, Want};

use crate::discover::Candidate;
use crate::import::{self, Format, ImportNode, ImportOptions, Importer, Top};
use crate::label::Labels;
use crate::layer::Layer;
use crate::{Profile, codes};

pub(crate) use purse::Purse;

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
}

/// A file that was left out because another one says the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The file left out.
    pub path: AbsPath,
    /// The file that is loaded in its place.
    pub same_as: AbsPath,
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
        }
    }

    /// Reads the candidates that were not read before, with a fresh byte budget.
    pub fn load(
        &mut self,
        candidates: &[Candidate],
        format: Format,
    ) -> (Vec<Loaded>, Vec<Problem>) {
        let sources = Sources {
            file_limit_bytes: self.options.file_limit_bytes,
            labels: &self.options.labels,
        };
        let mut purse = Purse::new(self.options.load_limit_bytes, self.options.import.profile);
        let mut problems = Vec::new();
        let mut loaded = Vec::new();
        for batch in candidates.chunks(BATCH) {
            // With nothing left to spend, one byte tells whether there is something to leave out.
            let limit_bytes = if purse.is_empty() {
                1
            } else {
                sources.file_limit_bytes
            };
            let wants: Vec<_> = batch
                .iter()
                .map(|candidate| Want {
                    path: &candidate.path,
                    within: candidate.home.within(),
                    limit_bytes,
                })
                .collect();
            for (candidate, read) in batch.iter().zip(self.files.read(&wants)) {
                let blob = match read {
                    Ok(blob) => blob,
                    Err(trouble) => {
                        problems.extend(unread(candidate, &trouble));
                        continue;
                    }
                };
                if let Some(source) =
                    self.admit(candidate, blob, &sources, &mut purse, &mut problems)
                {
                    let mut importer = Importer::new(
                        self.files,
                        (self.options.import, format),
                        &sources,
                        &mut self.seen,
                        &mut purse,
                        &mut problems,
                    );
                    let top = Top {
                        source: &source,
                        root: &candidate.import_root,
                    };
                    let imported = importer.expand(&top);
                    loaded.push(Loaded {
                        label: self.options.labels.label(&candidate.path),
                        path: candidate.path.clone(),
                        layer: candidate.layer,
                        bytes: source.bytes,
                        text: imported.text,
                        imports: imported.imports,
                    });
                }
            }
        }
        (loaded, problems)
    }

    /// The files that were left out so far because another one says the same.
    #[must_use]
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    fn admit(
        &mut self,
        candidate: &Candidate,
        blob: Blob,
        sources: &Sources<'_>,
        purse: &mut Purse,
        problems: &mut Vec<Problem>,
    ) -> Option<Source> {
        if let Some(first) = self.seen.path_of(blob.id) {
            self.left_out(candidate, first.clone());
            return None;
        }
        if purse.is_empty() && !blob.bytes.is_empty() {
            let message = "left out: the limit for all memory together is used up";
            problems.push(Problem::new(&codes::LOAD_CUT, message).in_file(&candidate.path));
            return None;
        }
        let source = sources.source(&candidate.path, blob, purse, problems);
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
        if candidate.path != same_as {
            self.duplicates.push(Duplicate {
                path: candidate.path.clone(),
                same_as,
            });
        }
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

/// A file's text, decoded and cut to its limits.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: AbsPath,
    pub(crate) id: FileId,
    pub(crate) bytes: u64,
    pub(crate) text: String,
    /// What was left out, if the text was cut.
    cut: Option<String>,
}

impl Source {
    /// The line that follows a text that was cut. It stands apart from the text, in which such a line
    /// would be a forgery.
    pub(crate) fn cut_note(&self) -> String {
        let Some(message) = &self.cut else {
            return String::new();
        };
        let start = if self.text.is_empty() || self.text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        format!("{start}[{message}]\n")
    }

    /// What two files must share to be the same text. Relative imports lead elsewhere from another
    /// directory, and nobody knows how a text goes on that was cut.
    fn same_text_key(&self, profile: Profile) -> Option<Cow<'_, str>> {
        let text = trim(&self.text);
        if text.is_empty() || self.cut.is_some() {
            None
        } else if import::may_import(text, profile) {
            Some(Cow::Owned(format!("{}\n{text}", self.dir())))
        } else {
            Some(Cow::Borrowed(text))
        }
    }

    pub(crate) fn dir(&self) -> AbsPath {
        self.path.parent().unwrap_or_else(AbsPath::root)
    }
}

/// Makes sources of blobs.
pub(crate) struct Sources<'a> {
    pub(crate) file_limit_bytes: usize,
    pub(crate) labels: &'a Labels,
}

impl Sources<'_> {
    pub(crate) fn source(
        &self,
        path: &AbsPath,
        blob: Blob,
        purse: &mut Purse,
        problems: &mut Vec<Problem>,
    ) -> Source {
        let cut = if blob.is_cut() { Cut::Cut } else { Cut::Whole };
        let decoded = decode(&blob.bytes, cut);
        problems.extend(repaired(path, decoded.repair, decoded.line));
        let mut text = decoded.text.into_owned();
        if self.labels.profile == Profile::Head && blob.bytes.starts_with(b"\xEF\xBB\xBF") {
            // There a byte-order mark stays, and only goes where the text is trimmed.
            text.insert(0, '\u{FEFF}');
        }
        let mut note_cut = |text: &mut String, kept: usize, code| {
            text.truncate(kept);
            let message = format!("cut off: {kept} of {} bytes loaded", blob.len);
            problems.push(Problem::new(code, message.clone()).in_file(path));
            Some(message)
        };
        let mut cut = None;
        if blob.is_cut() {
            let kept = truncate::at_line_end(truncate::head_bytes(&text, self.file_limit_bytes));
            let kept = kept.len();
            cut = note_cut(&mut text, kept, &codes::FILE_CUT);
        }
        if let Some(kept) = purse.pay(&text) {
            cut = note_cut(&mut text, kept, &codes::LOAD_CUT);
        }
        Source {
            path: path.clone(),
            id: blob.id,
            bytes: blob.len,
            text,
            cut,
        }
    }
}

fn repaired(path: &AbsPath, repair: Repair, line: usize) -> Option<Problem> {
    let (code, message) = match repair {
        Repair::None => return None,
        Repair::Utf16 => (&codes::UTF16, "UTF-16, converted"),
        Repair::InvalidBytes => (&codes::NOT_UTF8, "holds bytes that are not UTF-8"),
        Repair::NulBytes => (&codes::NUL_BYTES, "holds NUL characters"),
    };
    Some(Problem::new(code, message).in_file(path).on_line(line))
}

/// What is in the load already, by identity and by text.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    files: HashMap<FileId, AbsPath>,
    /// Whole texts, not hashes: no forged collision can push a rule out.
    texts: HashMap<String, AbsPath>,
}

impl Seen {
    pub(crate) fn has(&self, id: FileId) -> bool {
        self.files.contains_key(&id)
    }

    fn path_of(&self, id: FileId) -> Option<&AbsPath> {
        self.files.get(&id)
    }

    fn path_of_text(&self, source: &Source, profile: Profile) -> Option<&AbsPath> {
        self.texts.get(source.same_text_key(profile)?.as_ref())
    }

    fn admit_file(&mut self, source: &Source) {
        self.files
            .entry(source.id)
            .or_insert_with(|| source.path.clone());
    }

    /// Admits a file; false if its text is in the load already.
    pub(crate) fn admit(&mut self, source: &Source, profile: Profile) -> bool {
        self.admit_file(source);
        let Some(key) = source.same_text_key(profile) else {
            return true;
        };
        if self.texts.contains_key(key.as_ref()) {
            return false;
        }
        self.texts.insert(key.into_owned(), source.path.clone());
        true
    }
}

#[cfg(test)]
mod tests;
