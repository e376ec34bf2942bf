//! What can be done to a run: its faults, its time, and what is seen of it.

use nix::errno::Errno;

use crate::place::Ran;

/// What happens to a run, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: to see which steps there are.
    None,
    /// The process dies before this step.
    Kill { at: usize },
    /// The process dies in the middle of this step, if it writes; else after it.
    Tear { at: usize },
    /// The disk refuses this step, and if it lasts, all that follow.
    Refuse {
        at: usize,
        errno: Errno,
        how_long: HowLong,
    },
    /// The disk cannot read what is asked for in this reading step.
    Unreadable { at: usize, errno: Errno },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HowLong {
    Once,
    ForGood,
}

/// What the clock on the wall shows to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// What it really is.
    Real,
    /// Off by this many seconds.
    Off(i64),
    /// Off by the one until it was asked this often, then by the other.
    Jump { asked: usize, from: i64, to: i64 },
}

/// A run that somebody stood beside.
pub(crate) struct Traced {
    pub(crate) ran: Ran,
    /// The steps it took, in words.
    pub(crate) steps: Vec<String>,
    /// What it read, up to a fault in it.
    pub(crate) reads: Vec<String>,
    /// How often it asked for the time.
    pub(crate) n_asked: usize,
}
