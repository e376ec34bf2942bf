//! Writing: one commit point for every file of every user.

use crate::changes::Changes;
use crate::log::Logged;
use crate::{AbsPath, Files};

/// The write side of a disk. Whatever is written, is written here.
pub trait Desk: Sync {
    /// Commits what `plan` answers, all of it or nothing.
    ///
    /// The plan is asked under all locks, and asked again if a file has changed since it looked. It may
    /// answer `None` to give up: then nothing happens. `guards` are files that other programs lock too;
    /// their locks are held throughout.
    fn commit(&self, guards: &[Guard], plan: &mut Plan<'_>) -> Result<Receipt, CommitError>;

    /// Finishes what a crashed writer left behind, and says what that was.
    fn repair(&self) -> Result<Vec<Repaired>, CommitError>;

    /// How things stand, without changing anything.
    fn status(&self) -> Status;

    /// Visits every commit, the newest first, until `visit` returns false. Those that were taken back
    /// before they happened are left out; a line that cannot be read is visited as [`Logged::unreadable`].
    fn log(&self, visit: &mut dyn FnMut(Logged) -> bool) -> Result<(), CommitError>;

    /// Reads the whole journal and returns what is wrong with its lines. Changes nothing.
    fn check_journal(&self) -> Result<JournalDamage, CommitError>;
}

/// Lines of the journal that are damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JournalDamage {
    /// The numbers of the first damaged lines, from one; at most [`MAX_DAMAGED_LINES`].
    pub lines: Vec<usize>,
    /// How many lines are damaged.
    pub n_damaged: usize,
    /// True if the file ends in the middle of a line: a commit that never happened.
    pub is_torn: bool,
}

/// How many damaged lines are named.
pub const MAX_DAMAGED_LINES: usize = 5;

/// How a commit point stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Who holds the lock right now.
    pub holder: Option<String>,
    /// The name of a commit that the next writer will finish or withdraw.
    pub unfinished: Option<String>,
}

/// Looks at the files and says what to write.
pub type Plan<'a> = dyn FnMut(&dyn Files) -> Option<Changes> + 'a;

/// A file that Gemini CLI locks while it writes it; we hold the same lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard(pub AbsPath);

/// What a commit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Names the commit in the journal; `None` if there was nothing to write.
    pub id: Option<String>,
    /// The files written or removed.
    pub files: Vec<AbsPath>,
    /// What earlier writers had left unfinished, finished on the way.
    pub repaired: Vec<Repaired>,
}

/// An unfinished commit that was taken care of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Its name in the journal.
    pub id: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of an unfinished commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It had not reached the commit point: its traces were removed.
    Withdrawn,
    /// It had: all files now have their new content.
    Finished,
    /// It had, but these files were changed by someone else since; they were left as they are, and the
    /// new content lies beside them.
    Conflicts(Vec<AbsPath>),
}

/// Why nothing was committed, or not all of it finished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// Someone else holds a lock and did not let go in time.
    #[error("`{lock}` is held by {holder}")]
    Busy {
        /// The lock.
        lock: AbsPath,
        /// Who holds it, as far as is known.
        holder: String,
    },
    /// The plan gave up; nothing happened.
    #[error("given up")]
    Abandoned,
    /// The files changed under every new plan.
    #[error("`{0}` keeps changing")]
    Restless(AbsPath),
    /// The disk refused before the commit point; nothing has changed.
    #[error("cannot write `{path}`: {message}")]
    Refused {
        /// The file.
        path: AbsPath,
        /// What the disk said.
        message: String,
    },
    /// The disk refused after the commit point; the next writer finishes it.
    #[error("`{path}` is committed but not yet in place: {message}")]
    Unfinished {
        /// The file.
        path: AbsPath,
        /// What the disk said.
        message: String,
    },
}
