//! Lines that say the same in nearly the same words.

use analects_text::likeness::{Gist, twins};
use analects_text::outline::EntryKind;

use super::pairs::{Pair, Words, told};
use super::said::{Said, n_words, normal};
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
    let said: Vec<_> = said
        .iter()
        .filter(|said| n_words(said.text) >= MIN_WORDS)
        .collect();
    let gists: Vec<_> = said.iter().map(|said| Gist::of(said.text)).collect();
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let mut blamed = vec![false; said.len()];
    for (first, again) in twins(&gists) {
        let pair = Pair {
            first: *said[first],
            again: *said[again],
        };
        if !blamed[again] && counts(sheets, &pair) {
            blamed[again] = true;
            pairs.push(pair);
        }
    }
    told(sheets, pairs, &WORDS, |_| false)
}

fn counts(sheets: &[Sheet<'_>], Pair { first, again }: &Pair<'_>) -> bool {
    let is_one_file = first.sheet == again.sheet;
    let is_step = again.kind == EntryKind::Numbered || first.kind == EntryKind::Numbered;
    let is_heard_twice = match is_one_file {
        // What is nested belongs to what it is nested in.
        true => !is_step && (first.part == again.part || !(first.is_nested || again.is_nested)),
        false => sheets[first.sheet].page.meets(sheets[again.sheet].page),
    };
    // The very same line is told as such.
    is_heard_twice && normal(first.text) != normal(again.text)
}
