//! Running a command line for somebody who waits for it.

use std::collections::BTreeMap;

use crate::{AbsPath, Cancel};

/// Runs command lines.
pub trait Shell: Sync {
    /// Runs a command line to its end, and tells what it prints as it comes, both streams in one.
    ///
    /// It has no terminal and no input. When it is cancelled, or its time is over, everything that it started
    /// is ended with it before this returns; what could not be ended is in [`Ended::left`]. `Err` says why it was
    /// not started at all.
    fn run(
        &self,
        command: &Command<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&[u8]),
    ) -> Result<Ended, String>;

    /// Runs a command line that is told something and answers: `input` is its standard input, then nothing more; what
    /// it prints is kept apart, `most_bytes` of each stream and no more. One that does not read its input is no
    /// failure. Time, cancelling and ending are as in [`Shell::run`].
    fn feed(
        &self,
        command: &Command<'_>,
        input: &[u8],
        most_bytes: usize,
        cancel: &Cancel,
    ) -> Result<Fed, String>;
}

/// A command that was told something, and what it answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fed {
    /// How it ended.
    pub ended: Ended,
    /// What it printed, as far as it was kept.
    pub stdout: Vec<u8>,
    /// What it complained of, as far as it was kept.
    pub stderr: Vec<u8>,
    /// Whether it printed more than that.
    pub is_cut: bool,
}

/// A command line, and where it runs.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    /// The line, for `bash -c`; `sh -c` where there is no bash.
    pub line: &'a str,
    /// The directory it runs in.
    pub dir: &'a AbsPath,
    /// Its whole environment, but for one variable by which its processes are found again.
    pub vars: &'a BTreeMap<String, String>,
    /// How long it may go without printing anything.
    pub idle_ms: Option<u64>,
    /// How long it may take altogether.
    pub whole_ms: Option<u64>,
    /// When it is left alone, if it still runs then: nobody waits for it any longer.
    pub leave_ms: Option<u64>,
}

/// A command that is over, or was left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub how: How,
    /// Processes of it that still run, by number.
    pub left: Vec<u32>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// By itself, with this code.
    Code(i32),
    /// By a signal of somebody else.
    Signal(i32),
    /// Its time was over.
    TimedOut(Limit),
    /// Somebody cancelled it.
    Cancelled,
    /// It has not ended: it runs on, and nobody listens.
    Left,
}

/// Which time was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The time without a word.
    Idle,
    /// The time for all of it.
    Whole,
}
