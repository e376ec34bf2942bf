//! What is to be written: plain values that rooms plan and only the commit point performs.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::AbsPath;

/// Changes to any number of files that happen together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The files; none means that there is nothing to do.
    pub files: Vec<Change>,
    /// Who asked for it: a verb, a tool, an agent.
    pub who: String,
    /// What for, in a few words.
    pub why: String,
    /// The commit that this one takes back, if it does.
    pub undoes: Option<String>,
    /// Directories that go too if nothing is left in them then, the innermost first. Whether they do is
    /// no part of the promise: one that stays is no failure.
    pub emptied: Vec<AbsPath>,
}

impl Changes {
    /// Changes that take nothing back.
    #[must_use]
    pub fn new(who: impl Into<String>, why: impl Into<String>, files: Vec<Change>) -> Self {
        Self {
            files,
            who: who.into(),
            why: why.into(),
            undoes: None,
            emptied: Vec::new(),
        }
    }
}

impl Changes {
    /// Whether the journal need not hear of them.
    #[must_use]
    pub fn leave_no_trace(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|change| change.trace == Trace::Nothing)
    }
}

/// A change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file, as the user calls it; a link is written through to its target.
    pub path: AbsPath,
    /// What the plan was made on. If the file says something else by now, the plan is made again.
    pub base: Base,
    /// The new content; `None` removes the file.
    pub text: Option<Vec<u8>>,
    /// Who may read the file.
    pub access: Access,
    /// What the journal may keep of it.
    pub trace: Trace,
    /// The directory, links resolved, from which the file must be reached without a link on the way, whatever
    /// becomes of it in the meantime; `None` lets it lie where its path leads.
    pub within: Option<AbsPath>,
    /// What stands there: a file, or a link.
    pub form: Form,
    /// What the user is told once the change is made, besides what the command itself says.
    pub notice: Option<String>,
}

impl Change {
    /// A change from one content to another; `None` means that there is no file.
    #[must_use]
    pub fn new(path: &AbsPath, old: Option<&[u8]>, new: Option<Vec<u8>>) -> Self {
        Self {
            path: path.clone(),
            base: Base::of(old),
            text: new,
            access: Access::Keep,
            trace: Trace::Text,
            within: None,
            form: Form::File,
            notice: None,
        }
    }

    /// A change of where a link points; `None` means that there is no link. What it points to stays as it is.
    #[must_use]
    pub fn link(path: &AbsPath, old: Option<&str>, new: Option<&str>) -> Self {
        let new = new.map(|target| target.as_bytes().to_vec());
        Self {
            form: Form::Link,
            ..Self::new(path, old.map(str::as_bytes), new)
        }
    }

    /// The same change to a file that only its owner may read.
    #[must_use]
    pub fn owner_only(mut self) -> Self {
        self.access = Access::OwnerOnly;
        self
    }

    /// The same change to a file that must be reached from `root` without a link, or it is refused.
    #[must_use]
    pub fn inside(mut self, root: &AbsPath) -> Self {
        self.within = Some(root.clone());
        self
    }

    /// The same change, with something to tell the user once it is made.
    #[must_use]
    pub fn with_notice(mut self, notice: impl Into<String>) -> Self {
        self.notice = Some(notice.into());
        self
    }

    /// The same change, of which the journal may keep this much.
    #[must_use]
    pub fn leaving(mut self, trace: Trace) -> Self {
        self.trace = trace;
        self
    }
}

/// What sort of thing a change is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// A regular file; a link to one is followed.
    #[default]
    File,
    /// A symbolic link itself, never what it leads to. Its content is where it points, as it is written there.
    Link,
}

/// What a file held when a change was planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// There was no such file.
    Absent,
    /// It had this content.
    Had(ContentHash),
}

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// As before; a new file gets what the system gives new files.
    Keep,
    /// Its owner only, whatever it was before.
    OwnerOnly,
}

/// What the journal may keep of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// What was and what is: the change can be shown and taken back.
    Text,
    /// Fingerprints only: there is a secret in it, or too much. It cannot be taken back.
    Fingerprint,
    /// Nothing: it is bookkeeping of ours that may be lost. It is not kept through a power failure either,
    /// and each file stands for itself.
    Nothing,
}

/// The part in which two contents differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Splice<'a> {
    /// Where it begins, in both.
    pub at: usize,
    /// What stood there.
    pub old: &'a [u8],
    /// What stands there now.
    pub new: &'a [u8],
}

impl<'a> Splice<'a> {
    /// What two contents do not share, from their beginnings and from their ends.
    #[must_use]
    pub fn between(old: &'a [u8], new: &'a [u8]) -> Self {
        let at = shared(old.chunks(BLOCK), new.chunks(BLOCK), |a, b| {
            a.iter().zip(b).take_while(|(a, b)| a == b).count()
        });
        let rest = (
            old.get(at..).unwrap_or_default(),
            new.get(at..).unwrap_or_default(),
        );
        let tail = shared(rest.0.rchunks(BLOCK), rest.1.rchunks(BLOCK), |a, b| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            pairs.take_while(|(a, b)| a == b).count()
        });
        Self {
            at,
            old: rest.0.get(..rest.0.len() - tail).unwrap_or_default(),
            new: rest.1.get(..rest.1.len() - tail).unwrap_or_default(),
        }
    }

    /// The same in whole lines, where that is little more. What is only put in, or only taken out, is taken from where a
    /// line begins, if it reads the same from there; else the rest of the lines that it touches comes along.
    #[must_use]
    pub fn widened(self, old: &'a [u8], new: &'a [u8]) -> Self {
        let (n_old, n_new) = (self.old.len(), self.new.len());
        if n_old.max(n_new) == 0 {
            return self;
        }
        let at = self.slid(old, new);
        let before = old.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|&byte| byte == b'\n');
        let start = start.map_or(0, |end| end + 1);
        let is_whole = |text: &[u8], end: usize| {
            let piece = text.get(start..end).unwrap_or_default();
            piece.is_empty() || piece.ends_with(b"\n") || end == text.len()
        };
        let after = old.get(at + n_old..).unwrap_or_default();
        let n_after = match is_whole(old, at + n_old) && is_whole(new, at + n_new) {
            true => 0,
            false => {
                let end = after.iter().position(|&byte| byte == b'\n');
                end.map_or(after.len(), |end| end + 1)
            }
        };
        if at - start + n_after > MAX_WIDENED_BYTES {
            return self;
        }
        Self {
            at: start,
            old: old.get(start..at + n_old + n_after).unwrap_or_default(),
            new: new.get(start..at + n_new + n_after).unwrap_or_default(),
        }
    }

    /// Where the same piece begins if it is taken from the beginning of a line; where it is, if it cannot be.
    fn slid(&self, old: &[u8], new: &[u8]) -> usize {
        let (text, len) = match (self.old.len(), self.new.len()) {
            (0, len) => (new, len),
            (len, 0) => (old, len),
            _ => return self.at,
        };
        let byte = |at: usize| text.get(at);
        let begins_line = |at: usize| at == 0 || byte(at - 1) == Some(&b'\n');
        let mut at = self.at;
        while !begins_line(at) && byte(at - 1) == byte(at - 1 + len) {
            at -= 1;
        }
        if begins_line(at) { at } else { self.at }
    }

    /// The whole lines in which two contents differ, before and after. They are the ones this was made of.
    #[must_use]
    pub fn lines(&self, old: &'a [u8], new: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let around = |text: &'a [u8], len: usize| {
            let (before, rest) = text.split_at_checked(self.at).unwrap_or((text, &[]));
            let start = before.iter().rposition(|&byte| byte == b'\n');
            let start = start.map_or(0, |at| at + 1);
            let after = rest.get(len..).unwrap_or_default();
            let n_after = after.iter().position(|&byte| byte == b'\n');
            let end = self.at + len + n_after.unwrap_or(after.len());
            text.get(start..end).unwrap_or(text)
        };
        (around(old, self.old.len()), around(new, self.new.len()))
    }
}

/// No more of a line than this comes along with what changed in it.
const MAX_WIDENED_BYTES: usize = 4 * 1024;

/// Compared at once: equal blocks are passed over at the speed of memory.
const BLOCK: usize = 4096;

/// How many bytes two contents share from one end on, given their blocks from there.
fn shared<'a>(
    a: impl Iterator<Item = &'a [u8]>,
    b: impl Iterator<Item = &'a [u8]>,
    count: impl Fn(&[u8], &[u8]) -> usize,
) -> usize {
    let mut n_shared = 0;
    for (a, b) in a.zip(b) {
        if a == b {
            n_shared += a.len();
        } else {
            return n_shared + count(a, b);
        }
    }
    n_shared
}

/// The fingerprint of a content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The fingerprint of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads what [`fmt::Display`] wrote.
    #[must_use]
    pub fn parse(hex: &str) -> Option<Self> {
        let mut hash = [0; 32];
        let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
        if pairs.len() != hash.len() || !rest.is_empty() {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(pairs) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(hash))
    }

    /// Its beginning: enough to tell files of ours apart by their names.
    #[must_use]
    pub fn short(&self) -> String {
        let mut short = self.to_string();
        short.truncate(16);
        short
    }
}

impl Base {
    /// The base that `content` is; `None` means that there is no file.
    #[must_use]
    pub fn of(content: Option<&[u8]>) -> Self {
        content.map_or(Self::Absent, |bytes| Self::Had(ContentHash::of(bytes)))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Thousands are written for a list of entries: one write each, not thirty-two.
        let digit = |nibble: u8| match nibble {
            0..10 => b'0' + nibble,
            _ => b'a' + nibble - 10,
        };
        let mut hex = [0; 64];
        for (pair, byte) in hex.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 0xF)];
        }
        f.write_str(std::str::from_utf8(&hex).unwrap_or_default())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_splice_is_the_part_that_differs() {
        let check = |old: &str, new: &str, at, was: &str, is: &str| {
            let splice = Splice::between(old.as_bytes(), new.as_bytes());
            let expected = Splice {
                at,
                old: was.as_bytes(),
                new: is.as_bytes(),
            };
            assert_eq!(splice, expected);
        };
        check("a b c", "a X c", 2, "b", "X");
        check("aa", "aaa", 2, "", "a");
        check("abc", "", 0, "abc", "");
        check("", "", 0, "", "");
        let long = "x".repeat(3 * BLOCK);
        check(
            &format!("{long}a{long}"),
            &format!("{long}bc{long}"),
            3 * BLOCK,
            "a",
            "bc",
        );
    }

    #[test]
    fn a_splice_is_widened_to_whole_lines() {
        let check = |old: &str, new: &str, at, was: &str, is: &str| {
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let splice = Splice::between(old, new).widened(old, new);
            let expected = Splice {
                at,
                old: was.as_bytes(),
                new: is.as_bytes(),
            };
            assert_eq!(splice, expected);
        };
        check("a\nb 3\nc\n", "a\nb 4\nc\n", 2, "b 3\n", "b 4\n");
        check("- a\n- c\n", "- a\n- b\n- c\n", 4, "", "- b\n");
        check("- a\n- b\n- c\n", "- a\n- c\n", 4, "- b\n", "");
        check("a", "a\n- x\n", 0, "a", "a\n- x\n");
        check("a\nb", "a\nbc", 2, "b", "bc");
        check("a\n", "a\n", 2, "", "");
        let long = "x".repeat(MAX_WIDENED_BYTES);
        check(
            &format!("{long}a!"),
            &format!("{long}b!"),
            long.len(),
            "a",
            "b",
        );
    }

    #[test]
    fn the_lines_of_a_splice_are_whole() {
        let (old, new) = (b"one\ntwo\nthree", b"one\ntwenty\nthree");
        let lines = Splice::between(old, new).lines(old, new);
        assert_eq!(lines, (&b"two"[..], &b"twenty"[..]));
        let lines = Splice::between(b"", b"a\nb").lines(b"", b"a\nb");
        assert_eq!(lines, (&b""[..], &b"a\nb"[..]));
    }

    #[test]
    fn a_fingerprint_survives_being_written_down() {
        let hash = ContentHash::of(b"rule");
        assert_eq!(ContentHash::parse(&hash.to_string()), Some(hash));
        for bad in ["", "zz", &"0".repeat(63), &"0".repeat(65), &"é".repeat(32)] {
            assert_eq!(ContentHash::parse(bad), None, "{bad}");
        }
    }
}
