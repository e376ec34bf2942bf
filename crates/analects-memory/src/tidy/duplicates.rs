//! Entries that another one makes superfluous.
//!
//! One of those that say the same is kept: the one that is heard by most, then the one that says most, then
//! the first. Every other one goes only if that one says all it says to all who heard it.

use std::cmp::Reverse;
use std::collections::HashMap;

use analects_text::likeness::{Gist, twins};
use analects_text::problem::Problem;

use super::hearing::{rank, reaches};
use super::item::Item;
use super::same::{holds_words_of, n_different_words};
use super::{Deed, Edit, Kind, Place, Step, TidyOptions, short};
use crate::check::codes;
use crate::check::said::{n_words, normal};
use crate::check::sheet::Sheet;

/// What may go, and what only looks like it.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    pub(super) gone: Vec<Gone>,
    pub(super) notes: Vec<Problem>,
}

/// An entry that may go.
#[derive(Debug)]
pub(super) struct Gone {
    pub(super) item: usize,
    /// The one that stays.
    kept: usize,
}

/// A single word is a label.
const MIN_WORDS: usize = 2;

/// A line that says less belongs to the heading above it.
const MIN_WORDS_ALONE: usize = 7;

/// Shorter lines differ by every word that they have.
const MIN_WORDS_ALIKE: usize = 3;

/// At most this many entries that stay are compared with another one.
const MAX_KEPT: usize = 64;

/// At most this many notes are made.
const MAX_NOTES: usize = 20;

/// Finds all entries that may go.
pub(super) fn find(sheets: &[Sheet<'_>], items: &[Item], options: &TidyOptions) -> Duplicates {
    let mut order: Vec<_> = (0..items.len()).collect();
    order.sort_by_cached_key(|&item| {
        let it = &items[item];
        let n_words = n_different_words(&it.written);
        (rank(sheets, it, options), Reverse(n_words), item)
    });
    let alike = Alike::new(items);
    let mut kept: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut found = Duplicates::default();
    for item in order {
        let group = alike.groups[item];
        let near = std::iter::once(group).chain(alike.near(group));
        let others = near.filter_map(|group| kept.get(&group)).flatten();
        let others = others
            .copied()
            .filter(|&kept| compare(&items[kept], &items[item]));
        let others: Vec<_> = others.take(MAX_KEPT).collect();
        let is_editable = options
            .editable
            .contains(&sheets[items[item].page].page.path);
        let stands_for = |kept: &&usize| {
            let says = alike.groups[**kept] == group
                || holds_words_of(&items[**kept].written, &items[item].written);
            is_editable && says && reaches(sheets, &items[**kept], &items[item], options)
        };
        if let Some(&kept) = others.iter().find(stands_for) {
            found.gone.push(Gone { item, kept });
            continue;
        }
        let meets = |kept: &&usize| {
            let (page, other) = (
                sheets[items[**kept].page].page,
                sheets[items[item].page].page,
            );
            page.meets(other)
        };
        if let Some(&other) = others.iter().find(meets)
            && found.notes.len() < MAX_NOTES
        {
            let is_same = alike.groups[other] == group;
            found
                .notes
                .push(note(sheets, &items[other], &items[item], is_same));
        }
        kept.entry(group).or_default().push(item);
    }
    found
}

/// The steps that take them away.
pub(super) fn steps(
    sheets: &[Sheet<'_>],
    items: &[Item],
    found: &Duplicates,
) -> Vec<(Place, Step)> {
    let step = |Gone { item, kept }: &Gone| {
        let (gone, kept) = (&items[*item], &items[*kept]);
        let sheet = &sheets[gone.page];
        let place = match gone.page == kept.page {
            true => format!("line {}", kept.entry.line),
            false => sheets[kept.page].place(kept.entry.range.start),
        };
        let how = match normal(&gone.written) == normal(&kept.written) {
            true => format!("{place} says the same"),
            false => format!("{place} says as much: \"{}\"", short(&kept.written)),
        };
        let from = sheet.place(gone.entry.range.start);
        let step = Step {
            kind: Kind::Duplicate,
            subject: gone.written.clone(),
            reason: format!("remove \"{}\" from {from}: {how}", short(&gone.written)),
            edits: vec![Edit {
                path: sheet.page.path.clone(),
                deed: Deed::Remove(gone.entry.clone()),
            }],
        };
        ((gone.page, gone.entry.range.start), step)
    };
    found.gone.iter().map(step).collect()
}

/// Items by what they say: those with the same words are a group, and groups may be nearly the same.
struct Alike {
    /// The group of each item.
    groups: Vec<usize>,
    near: HashMap<usize, Vec<usize>>,
}

impl Alike {
    fn new(items: &[Item]) -> Self {
        let mut index: HashMap<String, usize> = HashMap::new();
        let mut first: Vec<&Item> = Vec::new();
        let mut groups = Vec::with_capacity(items.len());
        for item in items {
            let group = *index.entry(normal(&item.written)).or_insert(first.len());
            if group == first.len() {
                first.push(item);
            }
            groups.push(group);
        }
        let long: Vec<_> = (0..first.len())
            .filter(|&group| n_words(&first[group].told) >= MIN_WORDS_ALIKE)
            .collect();
        let gists: Vec<_> = long
            .iter()
            .map(|&group| Gist::of(&first[group].told))
            .collect();
        let mut near: HashMap<usize, Vec<usize>> = HashMap::new();
        for (a, b) in twins(&gists) {
            near.entry(long[a]).or_default().push(long[b]);
            near.entry(long[b]).or_default().push(long[a]);
        }
        Self { groups, near }
    }

    fn near(&self, group: usize) -> impl Iterator<Item = usize> {
        self.near.get(&group).into_iter().flatten().copied()
    }
}

/// Whether the same words mean the same in both places.
fn compare(kept: &Item, gone: &Item) -> bool {
    let n_words = n_words(&kept.told).min(n_words(&gone.told));
    let is_alone = n_words >= MIN_WORDS_ALONE || kept.context == gone.context;
    kept.mood == gone.mood && n_words >= MIN_WORDS && is_alone
}

fn note(sheets: &[Sheet<'_>], kept: &Item, item: &Item, is_same: bool) -> Problem {
    let place = sheets[kept.page].place(kept.entry.range.start);
    let (code, message) = match is_same {
        true => (
            &codes::REPEATED_LINE,
            format!("says the same as {place}, but others hear it: both stay"),
        ),
        false => (
            &codes::NEAR_DUPLICATE,
            format!("says nearly the same as {place}; neither says all of the other, so both stay"),
        ),
    };
    sheets[item.page].problem(code, item.entry.range.start, message)
}
