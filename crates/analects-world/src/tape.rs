//! Tapes: append-only files that grow a line at a time.
//!
//! A conversation cannot wait for a commit at every word, and what was said needs no undo. So records have a
//! door of their own, beside the commit point.

use crate::AbsPath;

/// Where records are kept.
pub trait Tapes: Sync {
    /// Opens a record for appending, and keeps every other recorder of ours away from it unless it is shared.
    fn open(&self, path: &AbsPath, opening: Opening) -> Result<Box<dyn Tape>, TapeError>;

    /// Whether somebody of ours is recording there right now.
    fn is_live(&self, path: &AbsPath) -> bool;
}

/// Which record is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// A new one: there must not be one yet.
    New,
    /// One that is there and goes on. If its last line was torn, the next one starts on a line of its own.
    Further,
    /// One that many write to at the same time, a few lines each; there need not be one yet.
    Shared,
}

/// A record that is being made.
pub trait Tape: Send {
    /// Appends whole lines, each with its end. What was appended before stays, whatever happens.
    fn append(&mut self, lines: &[u8]) -> Result<(), TapeError>;

    /// Appends lines that are about what was said, and are no part of it: the file keeps the time of its last write, so
    /// that nobody takes it for a conversation that goes on.
    fn annotate(&mut self, lines: &[u8]) -> Result<(), TapeError>;

    /// Sees to it that what was appended survives a power cut.
    fn settle(&mut self) -> Result<(), TapeError>;
}

/// Why something is not recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TapeError {
    /// Somebody else records there.
    #[error("another process is recording this session")]
    Busy,
    /// There is one already.
    #[error("there is such a record already")]
    Exists,
    /// There is none.
    #[error("there is no such record")]
    Missing,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The disk refused for another reason.
    #[error("{0}")]
    Refused(String),
}
