//! Looks for many texts in one pass over another.
//!
//! The texts make a tree of symbols whose branches know where to go on when they end (Aho and Corasick's
//! machine). A pass only marks the places of the tree that it comes by; what that means for shorter texts
//! inside longer ones is settled once, at the end. So the cost is that of reading both sides.

use std::collections::HashMap;

use super::symbols::symbols;

/// The root of the tree.
const ROOT: u32 = 0;

/// Texts to look for.
#[derive(Default)]
pub(super) struct Needles {
    words: HashMap<Box<str>, u32>,
    branches: HashMap<(u32, u32), u32>,
    /// All places of the tree but the root.
    places: Vec<Place>,
}

struct Place {
    parent: u32,
    word: u32,
    depth: u32,
}

/// The place of the tree at which a text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needle(u32);

impl Needles {
    /// A text to look for, as its symbols; `None` if it has none.
    pub(super) fn add<'a>(&mut self, needle: impl Iterator<Item = &'a str>) -> Option<Needle> {
        let mut place = ROOT;
        for (depth, symbol) in (0_u32..).zip(needle) {
            let word = match self.words.get(symbol) {
                Some(&word) => word,
                None => {
                    let word = index(self.words.len());
                    self.words.insert(symbol.into(), word);
                    word
                }
            };
            place = match self.branches.get(&(place, word)) {
                Some(&next) => next,
                None => {
                    self.places.push(Place {
                        parent: place,
                        word,
                        depth,
                    });
                    let next = index(self.places.len());
                    self.branches.insert((place, word), next);
                    next
                }
            };
        }
        (place != ROOT).then_some(Needle(place))
    }

    /// Begins a pass.
    pub(super) fn search(self) -> Search {
        let mut by_depth: Vec<u32> = (1..=index(self.places.len())).collect();
        by_depth.sort_by_key(|&place| self.place(place).depth);
        let n_places = self.places.len() + 1;
        let mut search = Search {
            needles: self,
            fallback: vec![ROOT; n_places],
            seen: vec![false; n_places],
            by_depth: Vec::new(),
            at: ROOT,
        };
        for &place in &by_depth {
            let Place { parent, word, .. } = *search.needles.place(place);
            if parent != ROOT {
                let from = search.fallback[parent as usize];
                search.fallback[place as usize] = search.step(from, word);
            }
        }
        search.by_depth = by_depth;
        search
    }

    fn place(&self, place: u32) -> &Place {
        &self.places[place as usize - 1]
    }
}

/// A pass over the text in which is looked.
pub(super) struct Search {
    needles: Needles,
    /// The longest end of each place's text that begins a text of the tree.
    fallback: Vec<u32>,
    seen: Vec<bool>,
    by_depth: Vec<u32>,
    at: u32,
}

impl Search {
    /// More of the text; `None` is an end that no needle reaches across.
    pub(super) fn hear(&mut self, piece: Option<&str>) {
        let Some(piece) = piece else {
            self.at = ROOT;
            return;
        };
        for symbol in symbols(piece) {
            self.at = match self.needles.words.get(symbol) {
                Some(&word) => self.step(self.at, word),
                None => ROOT,
            };
            self.seen[self.at as usize] = true;
        }
    }

    fn step(&self, mut place: u32, word: u32) -> u32 {
        loop {
            if let Some(&next) = self.needles.branches.get(&(place, word)) {
                return next;
            }
            if place == ROOT {
                return ROOT;
            }
            place = self.fallback[place as usize];
        }
    }

    /// What was found.
    pub(super) fn found(mut self) -> FoundNeedles {
        for &place in self.by_depth.iter().rev() {
            if self.seen[place as usize] {
                self.seen[self.fallback[place as usize] as usize] = true;
            }
        }
        FoundNeedles { seen: self.seen }
    }
}

/// Which texts were found.
pub(super) struct FoundNeedles {
    seen: Vec<bool>,
}

impl FoundNeedles {
    /// Whether this one was.
    pub(super) fn has(&self, Needle(place): Needle) -> bool {
        self.seen.get(place as usize).copied().unwrap_or_default()
    }
}

/// Facts are few and short: their symbols fit into 32 bits by far.
fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(texts: &[&str], pieces: &[Option<&str>]) -> Vec<bool> {
        let mut needles = Needles::default();
        let wanted: Vec<_> = texts
            .iter()
            .map(|text| needles.add(symbols(text)))
            .collect();
        let mut search = needles.search();
        pieces.iter().for_each(|piece| search.hear(*piece));
        let found = search.found();
        wanted
            .iter()
            .map(|needle| needle.is_some_and(|needle| found.has(needle)))
            .collect()
    }

    #[test]
    fn texts_inside_of_others_are_found_too() {
        let texts = ["a b c d", "b c", "c", "d e", ""];
        assert_eq!(
            found(&texts, &[Some("x a b c"), Some("d e")]),
            [true, true, true, true, false]
        );
        assert_eq!(
            found(&texts, &[Some("a b"), None, Some("c d")]),
            [false, false, true, false, false]
        );
    }

    proptest! {
        #[test]
        fn it_finds_what_a_plain_search_finds(
            texts in proptest::collection::vec("[abc]( [abc]){0,4}", 1..12),
            text in "[abc]( [abc]){0,40}",
        ) {
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            let plain: Vec<_> = texts.iter().map(|needle| text.contains(needle)).collect();
            prop_assert_eq!(found(&texts, &[Some(&text)]), plain);
        }
    }
}
