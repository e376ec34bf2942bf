//! A file's bytes as text, within limits.

use analects_text::decode::{Cut, Repair, decode};
use analects_text::hidden;
use analects_text::problem::Problem;
use analects_text::trim::trim;
use analects_text::truncate;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::changes::ContentHash;
use analects_world::files::{Blob, FileId};

use super::Purse;
use super::tracked::{Reach, Version};
use crate::label::Labels;
use crate::{codes, import};

/// A file's text, decoded and cut to its limits.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: AbsPath,
    id: FileId,
    /// Of the text as it was read, before the load's own limit.
    hash: ContentHash,
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

    /// What is remembered of it.
    pub(crate) fn version(&self, profile: Profile) -> Version {
        let cut = if self.cut.is_some() {
            Cut::Cut
        } else {
            Cut::Whole
        };
        Version {
            id: self.id,
            hash: self.hash,
            reach: reach(self.trimmed(), cut, profile),
        }
    }

    pub(super) fn trimmed(&self) -> &str {
        trim(&self.text)
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
        let decoded = decode(&blob.bytes, cut(&blob));
        let hash = fingerprint(&decoded.text, cut(&blob));
        problems.extend(repaired(path, decoded.repair, decoded.line));
        let (mut text, hidden) = self.open(decoded.text.into_owned());
        problems.extend(hidden.map(|problem| problem.in_file(path)));
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
            hash,
            bytes: blob.len,
            text,
            cut,
        }
    }
}

impl Sources<'_> {
    /// A text without what a person would not see in it and a model would read. Control characters stay: they are made
    /// visible wherever somebody looks.
    fn open(&self, text: String) -> (String, Option<Problem>) {
        if self.labels.profile != Profile::Analects {
            return (text, None);
        }
        let mut found = hidden::find(&text);
        found.retain(|hidden| !hidden.c.is_control());
        let Some(first) = found.first() else {
            return (text, None);
        };
        let before = text.get(..first.at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let message = format!("{} hidden characters were left out", found.len());
        let problem = Problem::new(&codes::HIDDEN_LEFT_OUT, message).on_line(line);
        let mut hidden = found.iter().map(|hidden| hidden.at).peekable();
        let open = text.char_indices();
        let open = open.filter(|(at, _)| hidden.next_if_eq(at).is_none());
        (open.map(|(_, c)| c).collect(), Some(problem))
    }
}

/// What would be remembered of a file that is not loaded.
pub(super) fn version(blob: &Blob, profile: Profile) -> Version {
    let decoded = decode(&blob.bytes, cut(blob));
    Version {
        id: blob.id,
        hash: fingerprint(&decoded.text, cut(blob)),
        reach: reach(trim(&decoded.text), cut(blob), profile),
    }
}

fn reach(text: &str, cut: Cut, profile: Profile) -> Reach {
    if text.is_empty() || cut == Cut::Cut {
        Reach::Nowhere
    } else if import::may_import(text, profile) {
        Reach::Directory
    } else {
        Reach::Anywhere
    }
}

fn cut(blob: &Blob) -> Cut {
    if blob.is_cut() { Cut::Cut } else { Cut::Whole }
}

/// How a file is encoded and the white space around its text do not count.
fn fingerprint(text: &str, cut: Cut) -> ContentHash {
    match cut {
        Cut::Whole => ContentHash::of(trim(text).as_bytes()),
        // No decoded text holds a NUL, so none is taken for the start of a longer one.
        Cut::Cut => ContentHash::of(format!("{text}\0").as_bytes()),
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
