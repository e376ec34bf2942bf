//! Claims: a small file that says who is doing a piece of work, for as long as they are.
//!
//! Other programs look at the same file, so it is there or not, and whole in every moment. What it says, and when it
//! says nothing any more, is for others to judge.

use crate::AbsPath;

/// Claims, as a disk keeps them.
pub trait Claims: Sync {
    /// Who we are, for what we write there.
    fn who(&self) -> Who;

    /// Puts a claim where none is; false if there is one.
    fn put(&self, path: &AbsPath, text: &[u8]) -> Result<bool, ClaimError>;

    /// Puts another claim in the place of this one, or nothing; false if it is no longer this one that is there.
    fn swap(&self, path: &AbsPath, old: &[u8], new: Option<&[u8]>) -> Result<bool, ClaimError>;

    /// Whether a process of this machine is alive.
    fn pulse(&self, pid: u32) -> Pulse;
}

/// No claim is longer; whatever is there is looked at so far.
pub const MAX_CLAIM_BYTES: usize = 64 * 1024;

/// A process, as others can tell it from every other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// Its number.
    pub pid: u32,
    /// When it began, in units of its machine's own: numbers are given out again.
    pub born: Option<u64>,
    /// Where its number counts: the machine since it was last started, and the part of it that can be seen.
    pub machine: String,
    /// A word that nobody else says, another each time.
    pub token: String,
}

/// Whether a process is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pulse {
    /// It is, and began then, as far as is known.
    Beating {
        /// When, in units of the machine's own.
        born: Option<u64>,
    },
    /// There is none of this number.
    Gone,
}

/// Why nothing could be claimed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot write `{path}`: {message}")]
pub struct ClaimError {
    /// The claim.
    pub path: AbsPath,
    /// What the disk said.
    pub message: String,
}
