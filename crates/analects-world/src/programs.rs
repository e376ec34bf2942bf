//! Asking other programs for a fact.

use crate::AbsPath;

/// Programs on this machine that answer a question and end.
pub trait Programs: Sync {
    /// What a program prints, run in `dir` without a terminal; an error says why there is no answer.
    ///
    /// It gets no input, little time, and nothing of our environment that could lead it elsewhere.
    fn ask(&self, program: &str, args: &[&str], dir: &AbsPath) -> Result<String, String>;
}
