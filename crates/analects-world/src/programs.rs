//! Asking other programs for a fact, or for a repository.

use crate::AbsPath;

/// Programs on this machine that answer a question and end.
pub trait Programs: Sync {
    /// What a program prints, run in `dir` without a terminal; an error says why there is no answer.
    ///
    /// It gets no input, little time, and nothing of our environment that could lead it elsewhere.
    fn ask(&self, program: &str, args: &[&str], dir: &AbsPath) -> Result<String, String>;

    /// Fetches a repository with `git`, and lets `look` see its files; they are gone when this returns, whatever
    /// happens. `hear` is told what `git` says meanwhile, line by line; an error is what it said last.
    ///
    /// Nothing of the repository is run, and nobody is asked for a password.
    fn check_out(
        &self,
        remote: &Remote<'_>,
        hear: &mut dyn FnMut(&str),
        look: &mut dyn FnMut(&Checkout),
    ) -> Result<(), String>;
}

/// A repository that somebody wants to look at.
#[derive(Debug, Clone, Copy)]
pub struct Remote<'a> {
    /// Where it is: a URL that `git` understands, or an absolute path.
    pub url: &'a str,
    /// The branch or tag; its own choice without one.
    pub reference: Option<&'a str>,
    /// A directory that is nobody else's business, to put it in.
    pub into: &'a AbsPath,
    /// How long it may take.
    pub limit_ms: u64,
}

/// The files of a repository, for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// Where they are.
    pub dir: AbsPath,
    /// The commit that they are of.
    pub commit: String,
}
