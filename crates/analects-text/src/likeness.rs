//! Tells whether two short texts say the same thing, or the opposite, without asking a model.
//!
//! A rule is read into a [`Gist`]: its words led back to their stems, Chinese in pairs of characters,
//! numbers and names to the letter, and with each word whether it is denied or stands under a condition.
//! Two gists are twins when nothing that carries meaning differs. A paraphrase in other words is no twin:
//! whoever drops one of two twins must not lose anything.
//!
//! ```
//! use analects_text::likeness::{Gist, Stance};
//!
//! let twin = |a, b| Gist::of(a).is_twin_of(&Gist::of(b));
//! assert!(twin("Please run the tests before committing.", "Before you commit, run all tests"));
//! assert!(!twin("Use pnpm, not npm", "Use npm, not pnpm"));
//! assert!(twin("请在提交之前运行测试。", "提交代码前必须运行测试"));
//!
//! let always = Stance::of("Always squash commits").unwrap();
//! assert!(always.contradicts(&Stance::of("Never squash commits").unwrap()));
//! ```

mod atoms;
mod bonds;
mod fold;
mod lexicon;
mod pairing;
mod prints;
mod read;
mod scan;
mod slip;
mod stance;
mod stem;
#[cfg(test)]
mod tests;

pub use fold::plain;
pub use pairing::twins;
pub use stance::{Polarity, Stance, contradictions};
pub use stem::stem;

use atoms::TermKind;
use lexicon::Role;
use prints::{Kind, apart, between, hash, n_shared, of_kind, print};
use read::{Placed, Reading};

/// What a sentence is about, ready to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gist {
    /// Sorted, without repetition.
    prints: Vec<u32>,
    /// Bonds that a text of the opposite meaning would have.
    reversed: Vec<u32>,
    /// Words by their prints, to forgive a slip of the pen.
    words: Vec<(u32, Spelt)>,
    /// Hash and weight of all words, whatever is said of them.
    topic: Vec<(u32, u8)>,
}

/// A word and under what it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spelt {
    tag: u8,
    word: Box<str>,
}

/// A likeness from here on is that of twins.
const TWIN_LIKENESS: f32 = 0.9;
/// One word in this many may be missing on one side.
const WORDS_PER_MISS: usize = 10;
/// The same for characters.
const GLYPHS_PER_MISS: usize = 12;

impl Gist {
    /// Reads `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let gist = Self::build(&read::read(text), &|_| true, Signs::Kept);
        if gist.is_empty() {
            Self::of_bare_words(text)
        } else {
            gist
        }
    }

    /// Whether the text said nothing at all: no letter, no number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.prints.is_empty()
    }

    /// How much two texts are about the same: 0 for nothing in common, 0.9 and more only for twins.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> f32 {
        if self.is_empty() || other.is_empty() {
            return 0.0;
        }
        let said = dice(
            n_shared(self.said(), other.said()),
            self.said().len() + other.said().len(),
        );
        let likeness = 0.8 * self.topic_likeness(other) + 0.2 * said;
        if self.is_twin_of(other) {
            likeness.clamp(TWIN_LIKENESS, 1.0)
        } else {
            likeness.clamp(0.0, TWIN_LIKENESS - 0.01)
        }
    }

    /// Whether both say the same in nearly the same words.
    #[must_use]
    pub fn is_twin_of(&self, other: &Self) -> bool {
        self.agrees_in_words(other) && agree_in_bonds(&self.prints, &other.prints, &self.reversed)
    }

    fn agrees_in_words(&self, other: &Self) -> bool {
        agree_in_words(&self.prints, &other.prints, |mine, theirs| {
            self.forgives(mine, other, theirs)
        })
    }

    /// The same for a text that nobody has read yet. Most are told apart by their words alone, which spares
    /// finding out how these hang together.
    #[must_use]
    pub fn is_twin_of_text(&self, text: &str) -> bool {
        let reading = read::read(text);
        let mut words = Self::of_terms(&reading, &|_| true, Signs::Kept);
        words.settle();
        (words.is_empty() || self.agrees_in_words(&words)) && self.is_twin_of(&Self::of(text))
    }

    /// Sorted hashes of the words: enough to know a twin by, not enough to read.
    ///
    /// The hash is fixed: the same reading gives the same prints on every machine and in every version. A
    /// new entry in the word lists changes the prints of texts with that word, and no others.
    #[must_use]
    pub fn prints(&self) -> Vec<u32> {
        self.prints.clone()
    }

    /// The judgement of [`Self::is_twin_of`] from prints alone. Only a misspelt word is not forgiven.
    #[must_use]
    pub fn is_twin_of_prints(&self, prints: &[u32]) -> bool {
        let mut prints = prints.to_vec();
        prints.sort_unstable();
        prints.dedup();
        agree_in_words(&self.prints, &prints, |_, _| false)
            && agree_in_bonds(&self.prints, &prints, &self.reversed)
    }

    /// What must agree: everything but soft words and what only supports the judgement.
    fn said(&self) -> &[u32] {
        between(&self.prints, Kind::Exact, Kind::Glyph)
    }

    fn topic_likeness(&self, other: &Self) -> f32 {
        let sum = |topic: &[(u32, u8)]| {
            topic
                .iter()
                .map(|(_, weight)| usize::from(*weight))
                .sum::<usize>()
        };
        let shared: usize = self
            .topic
            .iter()
            .filter_map(|(hash, weight)| {
                let at = other
                    .topic
                    .binary_search_by_key(hash, |(hash, _)| *hash)
                    .ok()?;
                let (_, theirs) = other.topic.get(at)?;
                Some(usize::from(*weight.min(theirs)))
            })
            .sum();
        dice(shared, sum(&self.topic) + sum(&other.topic))
    }

    /// Whether every word that only this text has is a misspelt one that only the other has.
    fn forgives(&self, mine: &[u32], other: &Self, theirs: &[u32]) -> bool {
        if mine.len() != theirs.len() || mine.len() > 1 + self.said().len() / WORDS_PER_MISS {
            return false;
        }
        let mut left: Vec<&Spelt> = theirs
            .iter()
            .filter_map(|print| other.spelt(*print))
            .collect();
        left.len() == theirs.len()
            && mine.iter().all(|print| {
                let slip = self.spelt(*print).and_then(|mine| {
                    left.iter().position(|theirs| {
                        mine.tag == theirs.tag && slip::is_slip(&mine.word, &theirs.word)
                    })
                });
                slip.map(|at| left.swap_remove(at)).is_some()
            })
    }

    fn spelt(&self, print: u32) -> Option<&Spelt> {
        let at = self
            .words
            .binary_search_by_key(&print, |(print, _)| *print)
            .ok()?;
        self.words.get(at).map(|(_, spelt)| spelt)
    }

    fn build(reading: &Reading, keep: &dyn Fn(&Placed) -> bool, signs: Signs) -> Self {
        let mut gist = Self::of_terms(reading, keep, signs);
        if !gist.prints.is_empty() {
            let bonds = bonds::bonds(reading, keep);
            gist.prints.extend(bonds.bonds);
            gist.prints.extend(bonds.parallels);
            gist.reversed = bonds.reversed;
        }
        gist.settle();
        gist
    }

    /// What a text says, without how it hangs together; not settled yet.
    fn of_terms(reading: &Reading, keep: &dyn Fn(&Placed) -> bool, signs: Signs) -> Self {
        let mut gist = Self {
            prints: Vec::new(),
            reversed: Vec::new(),
            words: Vec::new(),
            topic: Vec::new(),
        };
        let terms = || reading.placed.iter().filter(|placed| keep(placed));
        for placed in terms() {
            gist.add(placed, signs);
        }
        if !gist
            .prints
            .iter()
            .any(|print| between(&[*print], Kind::Exact, Kind::Glyph).len() == 1)
        {
            // Only words that add little: then they are what it is about.
            gist.prints.clear();
            for placed in terms() {
                gist.add_word(&placed.term.text, tag(placed, signs));
            }
        }
        gist
    }

    /// The gist of a text of nothing but words without content: `do it`.
    fn of_bare_words(text: &str) -> Self {
        let mut gist = Self {
            prints: Vec::new(),
            reversed: Vec::new(),
            words: Vec::new(),
            topic: Vec::new(),
        };
        for token in scan::scan(text) {
            match token {
                scan::Token::Word(word, _) | scan::Token::Exact(word) | scan::Token::Run(word) => {
                    gist.add_word(&word, 0);
                }
                scan::Token::Pause(_) | scan::Token::And | scan::Token::Arrow => {}
            }
        }
        gist.settle();
        gist
    }

    fn settle(&mut self) {
        for prints in [&mut self.prints, &mut self.reversed] {
            prints.sort_unstable();
            prints.dedup();
        }
        self.words.sort_by_key(|(print, _)| *print);
        self.words.dedup_by_key(|(print, _)| *print);
        self.topic
            .sort_unstable_by_key(|(hash, weight)| (*hash, u8::MAX - weight));
        self.topic.dedup_by_key(|(hash, _)| *hash);
    }

    fn add(&mut self, placed: &Placed, signs: Signs) {
        let tag = tag(placed, signs);
        let text = &placed.term.text;
        match placed.term.kind {
            TermKind::Exact | TermKind::Number => self.add_exact(text, tag),
            // Denied, it is no permission at all; that is a word of its own.
            TermKind::May | TermKind::Needless => self.add_exact(text, tag & !1),
            TermKind::Word => self.add_word(text, tag),
            TermKind::Soft | TermKind::All | TermKind::Any => {
                let hash = hash(&[text.as_bytes()]);
                self.prints.push(print(Kind::Soft, hash));
                self.topic.push((hash, 1));
            }
            TermKind::Run => self.add_run(text, tag),
        }
    }

    fn add_exact(&mut self, text: &str, tag: u8) {
        self.prints.push(print(Kind::Exact, tagged(text, tag)));
        self.topic.push((hash(&[text.as_bytes()]), 4));
    }

    fn add_word(&mut self, word: &str, tag: u8) {
        let kind = if tag == 0 { Kind::Word } else { Kind::Bound };
        let print = print(kind, tagged(word, tag));
        self.prints.push(print);
        self.topic.push((hash(&[word.as_bytes()]), 4));
        let word = word.into();
        self.words.push((print, Spelt { tag, word }));
    }

    fn add_run(&mut self, run: &str, tag: u8) {
        let kind = if tag == 0 { Kind::Glyph } else { Kind::Bound };
        let mut buffer = [0; 4];
        for c in run.chars() {
            let c = c.encode_utf8(&mut buffer);
            self.prints.push(print(kind, tagged(c, tag)));
        }
        for pair in bonds::pairs(run) {
            self.prints.push(print(Kind::Pair, tagged(pair, tag)));
            self.topic.push((hash(&[pair.as_bytes()]), 2));
        }
    }
}

/// Whether it matters that a word is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signs {
    Kept,
    Dropped,
}

fn tag(placed: &Placed, signs: Signs) -> u8 {
    let role = match placed.role {
        Role::Plain => 0,
        Role::Before => 1,
        Role::After => 2,
        Role::When => 3,
        Role::Unless => 4,
        Role::Except => 5,
        Role::Until => 6,
        Role::Without => 7,
        Role::Then => 8,
        Role::Than => 9,
        Role::Because => 10,
    };
    2 * role + u8::from(signs == Signs::Kept && placed.is_denied)
}

fn tagged(text: &str, tag: u8) -> u32 {
    hash(&[text.as_bytes(), &[tag]])
}

/// The first half of the judgement on sorted prints. `forgives` is asked about the words that each side
/// has alone.
fn agree_in_words(
    one: &[u32],
    other: &[u32],
    forgives: impl FnOnce(&[u32], &[u32]) -> bool,
) -> bool {
    let said = |prints| between(prints, Kind::Exact, Kind::Glyph).len();
    let n_said = said(one).min(said(other));
    n_said > 0
        && of_kind(one, Kind::Exact) == of_kind(other, Kind::Exact)
        && words_agree(one, other, n_said, forgives)
        && runs_agree(one, other)
        && softs_agree(one, other)
}

/// The second half. `reversed` belongs to `one`.
fn agree_in_bonds(one: &[u32], other: &[u32], reversed: &[u32]) -> bool {
    n_shared(reversed, of_kind(other, Kind::Bond)) == 0 && parallels_agree(one, other)
}

fn words_agree(
    one: &[u32],
    other: &[u32],
    n_said: usize,
    forgives: impl FnOnce(&[u32], &[u32]) -> bool,
) -> bool {
    let words = |prints| between(prints, Kind::Bound, Kind::Word);
    let (mine, theirs) = apart(words(one), words(other));
    match (mine.as_slice(), theirs.as_slice()) {
        ([], []) => true,
        ([], extra) | (extra, []) => {
            of_kind(extra, Kind::Bound).is_empty() && extra.len() <= n_said / WORDS_PER_MISS
        }
        (mine, theirs) => forgives(mine, theirs),
    }
}

fn runs_agree(one: &[u32], other: &[u32]) -> bool {
    let glyphs = |prints| of_kind(prints, Kind::Glyph);
    let n_glyphs = glyphs(one).len().min(glyphs(other).len());
    let (mine, theirs) = apart(glyphs(one), glyphs(other));
    if !(mine.is_empty() || theirs.is_empty())
        || mine.len() + theirs.len() > n_glyphs / GLYPHS_PER_MISS
    {
        return false;
    }
    let (one, other) = (of_kind(one, Kind::Pair), of_kind(other, Kind::Pair));
    // Words may change places, but not so much that other words come of it.
    4 * 2 * n_shared(one, other) >= 3 * (one.len() + other.len())
}

/// A soft word may be missing; another in its place is another matter.
fn softs_agree(one: &[u32], other: &[u32]) -> bool {
    let (mine, theirs) = apart(of_kind(one, Kind::Soft), of_kind(other, Kind::Soft));
    mine.is_empty() || theirs.is_empty()
}

fn parallels_agree(one: &[u32], other: &[u32]) -> bool {
    let (one, other) = (of_kind(one, Kind::Parallel), of_kind(other, Kind::Parallel));
    let n_least = one.len().min(other.len());
    n_least < 2 || 2 * n_shared(one, other) >= n_least
}

/// The part that two lists share, given how long they are together.
#[expect(
    clippy::cast_precision_loss,
    reason = "a likeness needs no more than six digits"
)]
fn dice(n_shared: usize, n_both: usize) -> f32 {
    if n_both == 0 {
        0.0
    } else {
        2.0 * n_shared as f32 / n_both as f32
    }
}
