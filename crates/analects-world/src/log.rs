//! The journal as others may read it: who changed what, when, and why.

use crate::AbsPath;
use crate::changes::{Base, Change, ContentHash, Form, Splice, Trace};

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// Its name.
    pub id: String,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Who asked for it.
    pub who: String,
    /// What for.
    pub why: String,
    /// The commit that it took back, if it did.
    pub undoes: Option<String>,
    /// What it did to each file.
    pub files: Vec<LoggedFile>,
    /// Why the rest cannot be relied on, if it cannot.
    pub damage: Option<LineDamage>,
}

/// What is wrong with a line of the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineDamage {
    /// It cannot be read. Which commit it was, and what it changed, is not known.
    Unreadable,
    /// It can be read, but its checksum or its fingerprints show that it is not what was written.
    Altered,
}

impl Logged {
    /// A line that cannot be read.
    #[must_use]
    pub fn unreadable() -> Self {
        Self {
            id: String::new(),
            at_ms: 0,
            who: String::new(),
            why: String::new(),
            undoes: None,
            files: Vec::new(),
            damage: Some(LineDamage::Unreadable),
        }
    }
}

/// What a commit did to one file: at one place, one piece for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedFile {
    /// The file, as it was called.
    pub path: AbsPath,
    /// Whether it is a file, or a link.
    pub form: Form,
    /// The directory that it had to lie in, if there was one.
    pub within: Option<AbsPath>,
    /// The fingerprint of what it held; `None` if there was no file.
    pub before: Option<ContentHash>,
    /// The fingerprint of what it held then; `None` if it was removed.
    pub after: Option<ContentHash>,
    /// Where the pieces stand, in bytes.
    pub at: usize,
    /// What stood there.
    pub old: Piece,
    /// What stands there since.
    pub new: Piece,
    /// The fingerprint of the line above what was taken out, where nothing was put in its place: it tells where that
    /// was, once other lines have come and gone.
    pub below: Option<ContentHash>,
}

/// A piece of a file, as far as the journal kept it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// All of it.
    Bytes(Vec<u8>),
    /// Only how long it was, and its fingerprint where that is known: it held a secret, or was too long
    /// to be kept.
    Withheld {
        /// Its length in bytes.
        len: usize,
        /// Its fingerprint.
        hash: Option<ContentHash>,
    },
}

impl Piece {
    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Withheld { len, .. } => *len,
        }
    }

    /// Whether there is nothing of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was kept.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Withheld { .. } => None,
        }
    }

    fn withheld(bytes: &[u8]) -> Self {
        Self::Withheld {
            len: bytes.len(),
            hash: Some(ContentHash::of(bytes)),
        }
    }
}

/// A longer piece that was put somewhere is not kept: it can be read there.
const MAX_KEPT_BYTES: usize = 64 * 1024;

impl LoggedFile {
    /// What a change does to a file that holds `old`.
    #[must_use]
    pub fn of(change: &Change, old: Option<&[u8]>, after: Option<ContentHash>) -> Self {
        let new = change.text.as_deref().unwrap_or_default();
        let was = old.unwrap_or_default();
        let splice = Splice::between(was, new).widened(was, new);
        let is_secret = change.trace != Trace::Text;
        let piece = |bytes: &[u8], is_kept: bool| {
            if is_kept || bytes.is_empty() {
                Piece::Bytes(bytes.to_vec())
            } else {
                Piece::withheld(bytes)
            }
        };
        Self {
            path: change.path.clone(),
            form: change.form,
            within: change.within.clone(),
            before: match change.base {
                Base::Absent => None,
                Base::Had(hash) => Some(hash),
            },
            after,
            at: splice.at,
            old: piece(splice.old, !is_secret),
            new: piece(splice.new, !is_secret && splice.new.len() <= MAX_KEPT_BYTES),
            below: match splice.new.is_empty() && change.text.is_some() {
                true => line_above(was, splice.at).map(ContentHash::of),
                false => None,
            },
        }
    }
}

/// The whole line that ends at `at`; `None` where no line does.
fn line_above(text: &[u8], at: usize) -> Option<&[u8]> {
    let before = text.get(..at)?;
    let bare = before.strip_suffix(b"\n")?;
    let start = bare.iter().rposition(|&byte| byte == b'\n');
    before.get(start.map_or(0, |end| end + 1)..)
}
