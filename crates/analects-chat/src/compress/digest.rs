//! What must not be lost of a history, found by rules: no model, no list of topics.
//!
//! The user's own sentences come first, then what tools did and how it ended, then what the model said that
//! is said nowhere else. Sentences are weighed by how rare their words are in this very history (`census`);
//! words that mark a purpose only help (`cues`). Everything is a quotation: nothing is put in other words.

pub(super) mod census;
mod choose;
mod cues;
mod deeds;
mod gather;
mod item;
mod sentences;
mod write;

use analects_text::tokens;
use analects_world::model::Content;

use super::earlier::is_snapshot;
use super::snapshot::Snapshot;
use item::Item;

/// What a digest is to be like.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// What it may cost.
    pub budget_tokens: usize,
    /// What the user is most interested in.
    pub focus: Option<&'a str>,
}

/// What must not be lost of a history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Digest {
    /// The same as it is shown to a model.
    pub snapshot: Snapshot,
    /// What the snapshot costs.
    pub tokens: usize,
    /// The constraints that the user typed in this history, sentence by sentence, newest last.
    pub constraints: Vec<String>,
}

/// The digest of a history. A snapshot inside it is taken apart and goes in with the rest.
#[must_use]
pub fn digest(history: &[Content], wanted: Wanted<'_>) -> Digest {
    let items = gather::gather(history, wanted.focus);
    // What an earlier snapshot lists was proposed then; and a model may have written that snapshot.
    let is_typed = |item: &&Item| !is_snapshot(history, item.at.0);
    let constraints = items.iter().filter(|item| item.is_constraint());
    let constraints = constraints.filter(is_typed);
    let constraints = constraints.map(|item| item.text.clone()).collect();
    let chosen = choose::choose(items, wanted.budget_tokens);
    let snapshot = write::write(chosen);
    Digest {
        tokens: tokens::estimate(&snapshot.render()),
        snapshot,
        constraints,
    }
}

#[cfg(test)]
mod tests;
