//! Whether what a model wrote may stand for the past, and what it forgot.
//!
//! The digest is the measure: what it holds and the model dropped is put back, and a model that dropped most
//! of it is not needed. What the user is said to want must have been said by the user.

use std::collections::HashSet;

use analects_text::tokens;
use analects_world::model::Content;

use super::digest::census::words;
use super::snapshot::{Section, Snapshot};
use crate::shape::is_request;

/// Why what a model wrote is of no use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It wrote nothing.
    Empty,
    /// It wrote no snapshot: it refused, or was cut short.
    NoSnapshot,
    /// Sections are missing.
    Incomplete,
    /// It is far too long.
    TooLong,
    /// It dropped most of what matters.
    Forgetful,
    /// It did not answer: it was too slow, or the history too long for it.
    Unanswered,
}

/// A digest item is said if this share of its words is.
const COVERED_PERCENT: usize = 80;
/// Whoever says less of the digest's words has read something else, or speaks another language.
const LEAST_SAID_PERCENT: usize = 5;
/// The share of words of a wish that must be the user's.
const WISH_PERCENT: usize = 50;

/// What a model wrote, as far as it may stand for the past.
pub(super) fn judged(
    answer: &str,
    history: &[Content],
    limit_tokens: usize,
) -> Result<Snapshot, Fault> {
    if answer.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let written = Snapshot::parse(answer).ok_or(Fault::NoSnapshot)?;
    if !Snapshot::missing(answer).is_empty() {
        return Err(Fault::Incomplete);
    }
    if written.is_empty() {
        return Err(Fault::Empty);
    }
    if tokens::estimate(&written.render()) > limit_tokens {
        return Err(Fault::TooLong);
    }
    Ok(grounded(&written, history))
}

/// What a model wrote, with everything of the digest that it does not say.
pub(super) fn mend(mut written: Snapshot, digest: &Snapshot) -> Result<Snapshot, Fault> {
    let mut said = HashSet::new();
    words(&written.render(), |word| {
        said.insert(word.hash);
    });
    let (mut n_words, mut n_said) = (0_usize, 0_usize);
    for section in Section::ALL {
        for item in digest.items(section) {
            words(item, |word| {
                n_words += 1;
                n_said += usize::from(said.contains(&word.hash));
            });
            if known_percent(item, &said) < COVERED_PERCENT || !knows_names(item, &said) {
                written.push(section, item);
            }
        }
    }
    match n_said * 100 < n_words * LEAST_SAID_PERCENT {
        true => Err(Fault::Forgetful),
        false => Ok(written),
    }
}

/// The first items of a snapshot, within this many tokens; what the user wants and what is to be done first.
pub(super) fn shortened(written: &Snapshot, limit_tokens: usize) -> Snapshot {
    let order = [
        Section::Goal,
        Section::Plan,
        Section::Constraints,
        Section::Knowledge,
        Section::Artifacts,
        Section::Actions,
        Section::Files,
    ];
    let mut kept = Snapshot::default();
    let mut spent = 0;
    for section in order {
        for item in written.items(section) {
            spent += tokens::estimate(item) + 1;
            if spent <= limit_tokens {
                kept.push(section, item);
            }
        }
    }
    kept
}

/// Without goals and constraints that the user never spoke of.
fn grounded(written: &Snapshot, history: &[Content]) -> Snapshot {
    let mut said = HashSet::new();
    let requests = history.iter().filter(|content| is_request(content));
    for text in requests.flat_map(Content::texts) {
        words(text, |word| {
            said.insert(word.hash);
        });
    }
    let mut kept = Snapshot::default();
    for section in Section::ALL {
        let is_wish = matches!(section, Section::Goal | Section::Constraints);
        for item in written.items(section) {
            if !is_wish || known_percent(item, &said) >= WISH_PERCENT {
                kept.push(section, item);
            }
        }
    }
    kept
}

fn known_percent(text: &str, known: &HashSet<u64>) -> usize {
    let (mut n_words, mut n_known) = (0_usize, 0_usize);
    words(text, |word| {
        n_words += 1;
        n_known += usize::from(known.contains(&word.hash));
    });
    n_known * 100 / n_words.max(1)
}

/// Whether all names and numbers of a text are known: they cannot be said in other words.
fn knows_names(text: &str, known: &HashSet<u64>) -> bool {
    let mut is_known = true;
    words(text, |word| {
        is_known &= !word.is_name() || known.contains(&word.hash);
    });
    is_known
}
