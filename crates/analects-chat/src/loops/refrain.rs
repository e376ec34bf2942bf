//! Sees when the same few lines are said again and again.
//!
//! Items, rows and short lines never fill the window, since each of them begins something new; here they are
//! compared as wholes. Lines that differ in anything, be it a number, are different lines.

use super::window::{SPREAD, Span, TIMES, Window};

/// How many lines may make up what is repeated.
const MAX_LINES: usize = 10;
/// Less than this in all is no chant, however often it is said.
const ENOUGH_UNITS: u64 = 100;
/// The same for code and dividers, where a long table of zeros is nothing strange.
const ENOUGH_QUIET_UNITS: u64 = 5_000;

/// Whether a line may well be the same many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// It says something.
    Words,
    /// Code, a divider, an empty row.
    Quiet,
}

/// What was said again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repeated {
    /// The lines, when they were said last.
    pub(super) lines: Span,
    /// How often they were said in a row.
    pub(super) times: usize,
}

/// The last lines, and how long they have been the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Refrain {
    /// Newest last.
    lines: Vec<(Span, Tone)>,
    /// For each number of lines: how many were the same as the one this many before them.
    runs: [Run; MAX_LINES],
}

#[derive(Debug, Clone, Copy, Default)]
struct Run {
    lines: usize,
    units: u64,
}

impl Refrain {
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes the next line, without its end.
    pub(super) fn push(&mut self, line: Span, tone: Tone, window: &Window) -> Option<Repeated> {
        for (run, &(earlier, _)) in self.runs.iter_mut().zip(self.lines.iter().rev()) {
            *run = match line.units <= SPREAD && window.is_same(earlier, line) {
                true => Run {
                    lines: run.lines + 1,
                    units: run.units + line.units + 1,
                },
                false => Run::default(),
            };
        }
        if self.lines.len() == MAX_LINES {
            self.lines.remove(0);
        }
        self.lines.push((line, tone));
        (1..=self.lines.len()).find_map(|n_lines| self.repeated(n_lines))
    }

    fn repeated(&self, n_lines: usize) -> Option<Repeated> {
        let run = self.runs[n_lines - 1];
        let times = run.lines / n_lines + 1;
        if times < TIMES {
            return None;
        }
        let cycle = self.lines.get(self.lines.len() - n_lines..)?;
        let units: u64 = cycle.iter().map(|(line, _)| line.units + 1).sum();
        let enough = match cycle.iter().all(|&(_, tone)| tone == Tone::Quiet) {
            true => ENOUGH_QUIET_UNITS,
            false => ENOUGH_UNITS,
        };
        let (first, _) = cycle.first()?;
        let (last, _) = cycle.last()?;
        (units <= SPREAD && run.units + units >= enough).then(|| Repeated {
            lines: Span {
                start: first.start,
                units: last.start + last.units - first.start,
            },
            times,
        })
    }
}
