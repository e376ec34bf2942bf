//! Lint: lines that say the same in nearly the same words.

use std::collections::HashSet;

use analects_text::likeness::{Gist, twins};
use analects_text::outline::EntryKind;

use super::pairs::{Pair, Words, meetings, told};
use super::said::{Said, n_words, places};
use super::sheet::Sheet;
use super::{Finding, codes};

/// Shorter lines differ by every word that they have.
const MIN_WORDS: usize = 3;

const WORDS: Words = Words {
    code: &codes::NEAR_DUPLICATE,
    does: "says nearly the same as",
    shared: "lines say nearly the same in both files",
};

pub(super) fn check(sheets: &[Sheet<'_>], said: &[Said<'_>]) -> Vec<Finding> {
    let mut places = places(said);
    places.retain(|said| {
        said.first()
            .is_some_and(|said| n_words(said.text) >= MIN_WORDS)
    });
    let gists: Vec<_> = places
        .iter()
        .filter_map(|said| said.first().map(|said| Gist::of(said.text)))
        .collect();
    let mut blamed = HashSet::new();
    let mut pairs = Vec::new();
    for (a, b) in twins(&gists) {
        let meetings = meetings(sheets, &places[a], &places[b]).into_iter();
        let is_new = |pair: &Pair<'_>| blamed.insert((pair.again.sheet, pair.again.at));
        pairs.extend(meetings.filter(counts).filter(is_new));
    }
    told(sheets, pairs, &WORDS, |_| false)
}

/// Whether a person would call it a repetition. Steps may be taken twice, what is nested belongs to what
/// it is nested in, and under another heading the same words mean something else.
fn counts(Pair { first, again }: &Pair<'_>) -> bool {
    let is_one_file = first.sheet == again.sheet;
    let is_step = [first, again]
        .iter()
        .any(|said| said.kind == EntryKind::Numbered);
    let is_nested = first.is_nested || again.is_nested;
    let is_apart = is_one_file && (is_step || (is_nested && first.part != again.part));
    first.mood == again.mood && !is_apart
}
