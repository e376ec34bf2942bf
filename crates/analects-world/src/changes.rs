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
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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
    fn a_fingerprint_survives_being_written_down() {
        let hash = ContentHash::of(b"rule");
        assert_eq!(ContentHash::parse(&hash.to_string()), Some(hash));
        for bad in ["", "zz", &"0".repeat(63), &"0".repeat(65), &"é".repeat(32)] {
            assert_eq!(ContentHash::parse(bad), None, "{bad}");
        }
    }
}
