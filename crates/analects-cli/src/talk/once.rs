//! Keeps problems from being shown twice: a run reports them as they come, and all of them when it is over.

use std::collections::HashSet;

use analects_text::problem::Problem;

/// The problems that were told.
#[derive(Default)]
pub(super) struct Once(HashSet<String>);

impl Once {
    /// Whether it was not told before; from now on it was.
    pub(super) fn is_new(&mut self, problem: &Problem) -> bool {
        self.0.insert(format!("{} {problem}", problem.code.name))
    }
}
