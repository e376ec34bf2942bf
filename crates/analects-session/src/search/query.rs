//! From a question to what is looked for.
//!
//! `"one two"` must stand there as it is, `-word` and `-"one two"` must not. All other words are wishes:
//! the more of them a turn has, and the rarer they are, the better. Each stands for its other words too.

mod parts;

use super::lexicon::LEXICON;
use super::words::{Kind, Term, words};
use parts::{Part, parts};

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// Things that a turn should be about.
    pub(super) wishes: Vec<Wish>,
    /// Rows of terms that must be there.
    pub(super) phrases: Vec<Vec<String>>,
    /// Rows of terms that must not.
    pub(super) without: Vec<Vec<String>>,
}

/// One thing that a turn should be about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wish {
    /// How it can be said; the first is how the question says it.
    pub(super) ways: Vec<Way>,
    pub(super) weight: f32,
}

/// One way to say it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Way {
    /// Terms, one right behind the other.
    pub(super) terms: Vec<String>,
    pub(super) weight: f32,
    /// The only term is the beginning of others.
    pub(super) is_start: bool,
}

/// A question has not more different wishes than this.
const MAX_WISHES: usize = 24;
/// A wish has not more ways than this.
const MAX_WAYS: usize = 32;
/// And all of them together not more than this, unless each has only a few.
const MAX_ALL_WAYS: usize = 200;
const LEAST_WAYS: usize = 6;
/// How many words can be one entry of the lexicon.
const MAX_ENTRY_WORDS: usize = 4;
/// How much of a question is read.
const MAX_QUERY_CHARS: usize = 1000;

const WEAK: f32 = 0.25;
/// A part of an identifier, beside the identifier.
const PART: f32 = 0.45;
/// Two characters that may belong to two words.
const BRIDGE: f32 = 0.6;
/// Two words run together.
const JOINED: f32 = 0.5;

impl Query {
    /// Reads a question. Nothing it says is wrong; it may be empty.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text: String = text.chars().take(MAX_QUERY_CHARS).collect();
        let mut query = Self::default();
        let mut wishes = String::new();
        for part in parts(&text) {
            match part {
                Part::Plain(text) => {
                    wishes.push_str(text);
                    wishes.push(' ');
                }
                Part::Phrase(text) => {
                    wishes.push_str(text);
                    wishes.push(' ');
                    query.phrases.extend(row(text));
                }
                Part::Without(text) => query.without.extend(row(text)),
            }
        }
        query.wishes = Wishes::of(&wishes);
        query
    }

    /// Whether nothing is looked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.wishes.is_empty() && self.phrases.is_empty()
    }
}

/// The terms of a phrase as they stand one behind the other in a text.
fn row(text: &str) -> Option<Vec<String>> {
    let mut terms = Vec::new();
    let mut last = None;
    words(text, &mut |term| {
        if term.kind != Kind::Quiet {
            last = Some(term.kind);
            terms.push(term.text);
        }
    });
    // The last character of a run is a term only where the run ends; in a text it may go on.
    if last == Some(Kind::Last) && terms.len() > 1 {
        terms.pop();
    }
    (!terms.is_empty()).then_some(terms)
}

/// Wishes as they are gathered.
struct Wishes {
    wishes: Vec<Wish>,
}

impl Wishes {
    fn of(text: &str) -> Vec<Wish> {
        let mut gathered = Self { wishes: Vec::new() };
        let mut terms = Vec::new();
        words(text, &mut |term| terms.push(term));
        let mut rest = terms.as_slice();
        while let Some(first) = rest.first() {
            let n = match first.kind {
                Kind::Pair | Kind::Last => gathered.run(rest),
                Kind::Part => gathered.name(rest),
                Kind::Word | Kind::Quiet | Kind::Whole => gathered.word(rest),
            };
            rest = rest.get(n.max(1)..).unwrap_or_default();
        }
        gathered.pairs(&terms);
        gathered.wishes.truncate(MAX_WISHES);
        // A long question says enough by itself.
        let n_ways = (MAX_ALL_WAYS / gathered.wishes.len().max(1)).clamp(LEAST_WAYS, MAX_WAYS);
        for wish in &mut gathered.wishes {
            wish.ways.truncate(n_ways);
        }
        gathered.wishes
    }

    /// The longest entry of the lexicon that the terms begin with, or one word; how many terms it has.
    fn word(&mut self, terms: &[Term]) -> usize {
        let is_spaced = |term: &&Term| matches!(term.kind, Kind::Word | Kind::Quiet | Kind::Whole);
        let n_spaced = terms.iter().take_while(is_spaced).count();
        let spaced = terms
            .get(..n_spaced.min(2 * MAX_ENTRY_WORDS))
            .unwrap_or_default();
        for n in (2..=spaced.len()).rev() {
            let row = spaced.get(..n).unwrap_or_default();
            // A joined word belongs to the two before it.
            let splits = spaced.get(n).is_some_and(|next| next.kind == Kind::Whole);
            if splits {
                continue;
            }
            let words = row.iter().filter(|term| term.kind != Kind::Whole);
            let key: Vec<&str> = words.map(|term| term.text.as_str()).collect();
            if key.len() > 1 && LEXICON.others(&key.join(" ")).is_some() {
                let own = row.iter().filter(|term| term.kind != Kind::Quiet);
                let own: Vec<String> = own.map(|term| term.text.clone()).collect();
                self.add(own, &key.join(" "), 1.0);
                return n;
            }
        }
        let Some(first) = terms.first() else { return 0 };
        if let Some(joined) = terms.get(1).filter(|next| next.kind == Kind::Whole) {
            self.add(vec![joined.text.clone()], &joined.text, 1.0);
            return 2;
        }
        if first.kind == Kind::Quiet || LEXICON.is_stop(&first.word) {
            return 1;
        }
        let weight = if LEXICON.is_weak(&first.word) {
            WEAK
        } else {
            1.0
        };
        self.add(vec![first.text.clone()], &first.text, weight);
        1
    }

    /// An identifier: itself, its parts in a row, and each of them.
    fn name(&mut self, terms: &[Term]) -> usize {
        let is_part = |term: &&Term| matches!(term.kind, Kind::Part | Kind::Quiet);
        let n_parts = terms.iter().take_while(is_part).count();
        let parts: Vec<&Term> = terms
            .iter()
            .take(n_parts)
            .filter(|term| term.kind == Kind::Part)
            .collect();
        let whole = terms.get(n_parts).filter(|term| term.kind == Kind::Whole);
        let row: Vec<String> = parts.iter().map(|term| term.text.clone()).collect();
        if let Some(whole) = whole {
            self.add(vec![whole.text.clone()], &whole.text, 1.0);
            if let Some(wish) = self.wishes.last_mut()
                && row.len() > 1
            {
                wish.ways.push(Way::new(row, 0.9));
            }
        }
        let weight = if whole.is_some() { PART } else { 1.0 };
        for part in parts {
            let weight = if LEXICON.is_stop(&part.word) {
                weight * WEAK
            } else {
                weight
            };
            self.add(vec![part.text.clone()], &part.text, weight);
        }
        n_parts + usize::from(whole.is_some())
    }

    /// A run of a script without blanks: what the lexicon knows, and pairs of the rest.
    fn run(&mut self, terms: &[Term]) -> usize {
        let n_pairs = terms
            .iter()
            .take_while(|term| term.kind == Kind::Pair)
            .count();
        let n = n_pairs + 1;
        let glyphs: Vec<char> = terms
            .iter()
            .take(n)
            .filter_map(|term| term.text.chars().next())
            .collect();
        let mut open: Vec<char> = Vec::new();
        let mut at = 0;
        // A character before a known word and one behind it may make a word with parts of it.
        let mut is_bridged = false;
        while at < glyphs.len() {
            let known = (1..=LEXICON.most_glyphs.min(glyphs.len() - at))
                .rev()
                .find_map(|n| {
                    let word: String = glyphs.get(at..at + n)?.iter().collect();
                    let is_whole_run = n == glyphs.len();
                    let counts = n > 1 || is_whole_run || LEXICON.is_stop(&word);
                    (counts && LEXICON.knows(&word)).then_some((word, n))
                });
            match known {
                Some((word, n)) if LEXICON.is_stop(&word) => {
                    self.open_run(&open, is_bridged);
                    open.clear();
                    is_bridged = false;
                    at += n;
                }
                Some((word, n)) => {
                    let first = glyphs.get(at).copied();
                    open.extend(first.filter(|_| !open.is_empty()));
                    self.open_run(&open, is_bridged);
                    let chars: Vec<char> = word.chars().collect();
                    self.add(pairs_of(&chars), &word, 1.0);
                    open.clear();
                    open.extend(chars.last());
                    is_bridged = true;
                    at += n;
                }
                None => {
                    open.extend(glyphs.get(at));
                    at += 1;
                }
            }
        }
        self.open_run(&open, is_bridged);
        n
    }

    /// Characters that no list knows. The first may belong to a known word before them.
    fn open_run(&mut self, glyphs: &[char], is_bridged: bool) {
        match glyphs {
            [] => {}
            [_] if is_bridged => {}
            [only] => {
                self.add(vec![only.to_string()], "", BRIDGE);
                if let Some(way) = self
                    .wishes
                    .last_mut()
                    .and_then(|wish| wish.ways.first_mut())
                {
                    way.is_start = true;
                }
            }
            glyphs => {
                for (at, pair) in pairs_of(glyphs).into_iter().enumerate() {
                    let weight = if is_bridged && at == 0 { BRIDGE } else { 0.85 };
                    self.add(vec![pair], "", weight);
                }
            }
        }
    }

    /// Two words of the question that a text may have as one: `read only`, `readonly`.
    fn pairs(&mut self, terms: &[Term]) {
        let spaced: Vec<&Term> = terms
            .iter()
            .filter(|term| term.kind == Kind::Word)
            .collect();
        for pair in spaced.windows(2) {
            let [one, other] = pair else { continue };
            let is_next = other.bytes.start == one.bytes.end + 1;
            if is_next && !LEXICON.is_stop(&one.word) && !LEXICON.is_stop(&other.word) {
                let both = format!("{}{}", one.word, other.word);
                self.add(vec![super::words::stem(&both)], "", JOINED);
            }
        }
    }

    fn add(&mut self, own: Vec<String>, key: &str, weight: f32) {
        let known = self
            .wishes
            .iter_mut()
            .find(|wish| wish.ways.first().is_some_and(|way| way.terms == own));
        if let Some(wish) = known {
            wish.weight = wish.weight.max(weight);
            return;
        }
        let mut ways = vec![Way::new(own, 1.0)];
        let others = LEXICON.others(key).into_iter().flatten();
        let mut others: Vec<_> = others.collect();
        others.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        for other in others {
            if ways.len() < MAX_WAYS && ways.iter().all(|way| way.terms != other.terms) {
                ways.push(Way::new(other.terms.clone(), other.weight));
            }
        }
        self.wishes.push(Wish { ways, weight });
    }
}

impl Way {
    fn new(terms: Vec<String>, weight: f32) -> Self {
        Self {
            terms,
            weight,
            is_start: false,
        }
    }
}

fn pairs_of(glyphs: &[char]) -> Vec<String> {
    if let [only] = glyphs {
        return vec![only.to_string()];
    }
    glyphs.windows(2).map(String::from_iter).collect()
}

#[cfg(test)]
mod tests;
