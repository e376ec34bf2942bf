//! Progress of long work: one line on stderr that is overwritten.
#![expect(
    clippy::disallowed_methods,
    reason = "how often a line is drawn is a matter of the screen: no answer depends on it"
)]

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use analects_world::Progress;

/// Work that is over by then needs no line.
const PATIENCE: Duration = Duration::from_millis(400);
/// A line is written over this often.
const PACE: Duration = Duration::from_millis(100);

/// How wide the bar is.
const COLUMNS: usize = 24;

/// Shows progress where somebody is watching.
pub(crate) struct Waiting {
    is_shown: bool,
    begun: Instant,
    last: Mutex<Option<Instant>>,
}

impl Waiting {
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self {
            is_shown: !is_quiet && io::stderr().is_terminal(),
            begun: Instant::now(),
            last: Mutex::new(None),
        }
    }
}

impl Progress for Waiting {
    fn tell(&self, what: &str, n_done: usize, n_all: usize) {
        if !self.is_shown || self.begun.elapsed() < PATIENCE {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = n_done >= n_all;
        let is_due = last.is_none_or(|last| last.elapsed() >= PACE);
        // What was never shown need not be wiped away.
        if (is_over && last.is_none()) || (!is_over && !is_due) {
            return;
        }
        *last = (!is_over).then(Instant::now);
        let line = match is_over {
            true => String::new(),
            false => bar(what, n_done, n_all),
        };
        let mut out = io::stderr().lock();
        // If it cannot be shown, the work goes on all the same.
        let _ = write!(out, "\r\u{1b}[K{line}").and_then(|()| out.flush());
    }
}

fn bar(what: &str, n_done: usize, n_all: usize) -> String {
    let n_full = n_done * COLUMNS / n_all.max(1);
    let full = "#".repeat(n_full);
    let empty = "-".repeat(COLUMNS - n_full.min(COLUMNS));
    format!("{what} [{full}{empty}] {n_done} of {n_all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_grows() {
        assert_eq!(bar("x", 0, 4), "x [------------------------] 0 of 4");
        assert_eq!(bar("x", 2, 4), "x [############------------] 2 of 4");
        assert_eq!(bar("x", 0, 0), "x [------------------------] 0 of 0");
    }
}
