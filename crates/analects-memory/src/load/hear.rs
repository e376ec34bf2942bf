//! For a host's conversation: the host loads some memory files itself, and the loader is told which.

use std::sync::Arc;

use analects_text::problem::Problem;

use super::{Loaded, Loader};
use crate::discover::Candidate;
use crate::import::Format;

/// What a host makes of `@path` in the files that it loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imports {
    /// The text behind it, as we do.
    Expanded,
    /// Nothing: it stays as written.
    AsWritten,
}

impl Loader<'_> {
    /// Takes note of files that the host has put into the conversation: neither they nor anything that
    /// says the same is said again. They stand for good, like start-up memory; so they are heard before
    /// anything of ours is resumed or joins.
    pub fn hear(&mut self, candidates: &[Candidate], imports: Imports) {
        let mut batch = self.batch(Format::Tree);
        batch.imports = imports;
        self.load_missing(candidates, &mut batch);
        self.finish(batch);
        Arc::make_mut(&mut self.seen).end_start();
        self.start = Arc::clone(&self.seen);
    }

    /// Reads candidates that join the conversation now: those that are new in it, and those that say
    /// something else by now. Unlike start-up memory they are [tracked](Self::tracked).
    pub fn join(&mut self, candidates: &[Candidate]) -> (Vec<Loaded>, Vec<Problem>) {
        let brought = self.load_near(candidates);
        (brought.loaded, brought.problems)
    }
}
