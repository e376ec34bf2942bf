//! Lint: the same line twice, in one file or in two that are loaded together.

use std::collections::HashMap;
use std::ops::Range;

use analects_text::outline::EntryKind;

use super::pairs::{Pair, Words, told};
use super::said::{Said, n_words, normal};
use super::sheet::Sheet;
use super::{Finding, codes, fix};

/// A line that says less, or that belongs to another one, may well be true in two parts of one file.
const MIN_WORDS_ACROSS_PARTS: usize = 7;

/// A line of a single word is a label.
const MIN_WORDS: usize = 2;

const WORDS: Words = Words {
    code: &codes::REPEATED_LINE,
    does: "says the same as",
    shared: "lines stand in both files",
};

pub(super) fn check(sheets: &[Sheet<'_>], said: &[Said<'_>]) -> Vec<Finding> {
    let mut places: HashMap<_, Vec<Said<'_>>> = HashMap::new();
    for said in said {
        let key = (normal(said.text), said.mood);
        places.entry(key).or_default().push(*said);
    }
    places.retain(|(text, _), said| said.len() > 1 && n_words(text) >= MIN_WORDS);
    let pairs: Vec<_> = places
        .into_iter()
        .flat_map(|((text, _), said)| pairs(sheets, &said, n_words(&text)))
        .collect();
    let mut removable: HashMap<usize, Vec<Range<usize>>> = HashMap::new();
    for pair in &pairs {
        let text = &sheets[pair.again.sheet].page.text;
        let ranges = removable.entry(pair.again.sheet);
        ranges.or_insert_with(|| fix::repetitions(text));
    }
    told(sheets, pairs, &WORDS, |said| {
        let ranges = removable.get(&said.sheet).map_or(&[][..], Vec::as_slice);
        let at = ranges.partition_point(|range| range.end <= said.at);
        ranges.get(at).is_some_and(|range| range.contains(&said.at))
    })
}

/// Each place with the first one before it that it repeats.
fn pairs<'a>(sheets: &[Sheet<'_>], said: &[Said<'a>], n_words: usize) -> Vec<Pair<'a>> {
    // One place a file and a part is enough to compare with, so that a line repeated a thousand times
    // costs a thousand steps.
    let mut in_files: Vec<Said<'_>> = Vec::new();
    let mut in_parts: HashMap<_, Said<'_>> = HashMap::new();
    let mut pairs = Vec::new();
    for &again in said {
        let meets = |first: &Said<'_>| sheets[first.sheet].page.meets(sheets[again.sheet].page);
        let in_other = in_files.iter().filter(|first| first.sheet != again.sheet);
        let in_same = match again.kind {
            // A step may well be taken twice.
            EntryKind::Numbered => None,
            EntryKind::Bullet | EntryKind::Paragraph => {
                let in_part = in_parts.get(&(again.sheet, again.part)).copied();
                let is_long = n_words >= MIN_WORDS_ACROSS_PARTS && !again.is_nested;
                let in_file = || in_files.last().filter(|last| last.sheet == again.sheet);
                in_part.or_else(|| in_file().filter(|_| is_long).copied())
            }
        };
        let first = in_same.or_else(|| in_other.copied().find(meets));
        pairs.extend(first.map(|first| Pair { first, again }));
        in_parts.entry((again.sheet, again.part)).or_insert(again);
        if in_files.last().is_none_or(|last| last.sheet != again.sheet) {
            in_files.push(again);
        }
    }
    pairs
}
