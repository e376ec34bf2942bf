//! How common each word of a history is, and so how much a sentence tells.
//!
//! A word that a long conversation has only once or twice is what would be lost for good; one that is
//! everywhere will be met again. No list of words is needed for that, in any language.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Counts in how many turns each word stands.
#[derive(Debug, Default)]
pub(super) struct Census {
    turns: ByHash<u16>,
    n_turns: usize,
    /// The words of the turn that is being read.
    now: Vec<u64>,
}

/// A table whose keys are hashes already. Whoever makes them meet spoils only the choice of quotations.
pub(super) type ByHash<T> = HashMap<u64, T, BuildHasherDefault<AsIs>>;

/// Takes a hash for what it is.
#[derive(Debug, Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        // The table looks at the upper bits first, which the last multiplication has mixed least.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = fold(self.0, u64::from(*byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Census {
    /// Reads a text of the turn at hand.
    pub(super) fn read(&mut self, text: &str) {
        let mut before = START;
        words(text, |word| {
            self.now.push(word.hash);
            self.now.push(pair(before, word.hash));
            before = word.hash;
        });
        // A long turn is not held twice.
        if self.now.len() > 1 << 16 {
            self.now.sort_unstable();
            self.now.dedup();
        }
    }

    /// Ends the turn at hand.
    pub(super) fn turn(&mut self) {
        self.n_turns += 1;
        self.now.sort_unstable();
        self.now.dedup();
        for word in self.now.drain(..) {
            let count = self.turns.entry(word).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// How much a text tells that is said hardly anywhere else: its few most telling words, and how new the
    /// way is in which its words follow each other. A phrase that comes back with other names in it is
    /// idle talk.
    pub(super) fn news(&self, text: &str) -> f32 {
        let mut best = [0.0_f32; TELLING];
        let mut seen = [0_u64; TELLING];
        let (mut before, mut n_pairs, mut new_pairs) = (START, 0.0_f32, 0.0_f32);
        words(text, |word| {
            n_pairs += 1.0;
            new_pairs += self.rarity(pair(before, word.hash));
            before = word.hash;
            let news = self.rarity(word.hash) * word.weight;
            if seen.contains(&word.hash) {
                return;
            }
            if let Some(at) = best.iter().position(|known| news > *known) {
                best[at..].rotate_right(1);
                seen[at..].rotate_right(1);
                best[at] = news;
                seen[at] = word.hash;
            }
        });
        let freshness = new_pairs / n_pairs.max(1.0);
        (best.iter().sum::<f32>() + PAIRS) * freshness
    }

    /// The build of a sentence: its common words, with a gap wherever there are others. `None` if there are
    /// too few common words to make one.
    pub(super) fn frame(&self, text: &str) -> Option<u64> {
        let (mut hash, mut was_gap, mut anchors) = (START, false, 0.0);
        words(text, |word| {
            let is_gap = self.turns.get(&word.hash).copied().unwrap_or(0) < COMMON;
            if !(is_gap && was_gap) {
                hash = fold(hash, if is_gap { 0 } else { word.hash });
            }
            if !is_gap {
                anchors += 1.0 / word.weight;
            }
            was_gap = is_gap;
        });
        (anchors >= ANCHORS).then_some(hash)
    }

    /// One for a word that stands in a single turn, next to nothing for one that is everywhere. The longer a
    /// history, the more often a word may come and still be rare.
    fn rarity(&self, hash: u64) -> f32 {
        let n_turns = f32::from(self.turns.get(&hash).copied().unwrap_or(1).max(1));
        #[expect(clippy::cast_precision_loss, reason = "only a ratio is wanted")]
        let common = 6.0 + 0.02 * self.n_turns as f32;
        (1.0 - n_turns.ln() / common.ln()).max(0.03)
    }
}

/// A word, by what identifies it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub(crate) hash: u64,
    /// What its looks say: a name or a number tells more than a plain word.
    pub(crate) weight: f32,
}

impl Word {
    /// Whether it is a name or a number, by its looks.
    pub(crate) fn is_name(self) -> bool {
        self.weight > 1.0
    }
}

/// The words of a text, in order: runs of letters, digits and what joins them in names and paths; pairs of
/// characters where words are not set apart.
pub(crate) fn words(text: &str, mut each: impl FnMut(Word)) {
    let mut run = Run::default();
    let mut before: Option<char> = None;
    for c in text.chars() {
        if is_unspaced(c) {
            run.end(&mut each);
            if let Some(before) = before {
                let hash = fold(fold(START, u64::from(before as u32)), u64::from(c as u32));
                each(Word { hash, weight: 0.7 });
            }
            before = Some(c);
        } else {
            before = None;
            run.take(c, &mut each);
        }
    }
    run.end(&mut each);
}

/// A word is common if this many turns have it.
const COMMON: u16 = 7;
/// How many of them make a frame.
const ANCHORS: f32 = 2.5;
/// How many words of a sentence count.
const TELLING: usize = 5;
/// How much it matters that words follow each other in a new way.
const PAIRS: f32 = 1.5;

fn pair(before: u64, word: u64) -> u64 {
    fold(before.rotate_left(17), word)
}

pub(super) const START: u64 = 0xcbf2_9ce4_8422_2325;

pub(super) fn fold(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3)
}

/// A word that is being read.
#[derive(Default)]
struct Run {
    /// Up to the last letter or digit: what joins is no end.
    hash: u64,
    len: usize,
    /// With what joins, if something follows.
    open: u64,
    open_len: usize,
    digits: usize,
    letters: usize,
    joints: usize,
    has_inner_capital: bool,
}

impl Run {
    fn take(&mut self, c: char, each: &mut impl FnMut(Word)) {
        if c.is_alphanumeric() {
            if self.open_len == 0 {
                self.open = START;
            }
            for lower in c.to_lowercase() {
                self.open = fold(self.open, u64::from(lower as u32));
            }
            self.has_inner_capital |= c.is_uppercase() && self.letters > 0;
            self.open_len += 1;
            self.hash = self.open;
            self.joints += usize::from(self.len > 0 && self.open_len > self.len + 1);
            self.len = self.open_len;
            self.digits += usize::from(c.is_numeric());
            self.letters += usize::from(!c.is_numeric());
        } else if self.open_len > 0 && matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '\\') {
            self.open = fold(self.open, u64::from(c as u32));
            self.open_len += 1;
        } else {
            self.end(each);
        }
    }

    fn end(&mut self, each: &mut impl FnMut(Word)) {
        let run = std::mem::take(self);
        if run.len < 2 {
            return;
        }
        let weight = match (run.digits, run.letters, run.joints) {
            (1.., 1.., _) => 2.0,
            (_, _, 1..) => 1.9,
            (2.., 0, 0) => 1.5,
            _ if run.has_inner_capital => 1.7,
            _ => 1.0,
        };
        each(Word {
            hash: run.hash,
            weight,
        });
    }
}

/// Whether it belongs to a script that does not set words apart.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(turns: &[&str], text: &str) -> f32 {
        let mut census = Census::default();
        for turn in turns {
            census.read(turn);
            census.turn();
        }
        census.news(text)
    }

    #[test]
    fn what_is_said_once_tells_more() {
        let turns = ["the port is 5811", "the port", "the port", "the port", "is"];
        assert!(news(&turns, "it is 5811") > news(&turns, "the port is"));
        assert!(news(&["端口是这个", "数据库是那个", "端口是"], "数据库") > 0.0);
    }

    #[test]
    fn a_word_is_told_once_and_joints_at_its_end_do_not_count() {
        let mut hashes = Vec::new();
        words("src/a.rs, src/a.rs. v1.2-", |word| hashes.push(word.hash));
        assert_eq!(hashes.len(), 3);
        assert_eq!(hashes[0], hashes[1]);
    }
}
