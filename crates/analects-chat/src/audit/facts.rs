//! The facts of one kind: each once, in order, not too many, and by which words they are known again.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Tally;
use super::needles::{FoundNeedles, Needle, Needles};
use super::symbols::symbols;

/// How many facts of a kind are looked for.
const MAX_FACTS: usize = 10_000;
/// How many characters of a fact are looked at.
const MAX_CHARS: usize = 1_000;
/// A fact this long may have been cut.
const LONG_CHARS: usize = 160;
/// Then this much of it is enough.
const PREFIX_CHARS: usize = 120;
/// How much of a fact is shown.
const SHOWN_CHARS: usize = 300;

/// The facts of one kind.
#[derive(Default)]
pub(super) struct Facts {
    facts: VecDeque<Fact>,
    seen: HashSet<String>,
    n_unchecked: usize,
}

struct Fact {
    text: String,
    /// Other ways to say it; empty if there is one way.
    spellings: Vec<String>,
}

impl Facts {
    /// A fact that is known by its own words.
    pub(super) fn add(&mut self, text: &str) {
        self.add_any(text, Vec::new);
    }

    /// A fact that may be said in several ways.
    pub(super) fn add_any(&mut self, text: &str, spellings: impl FnOnce() -> Vec<String>) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = cut(&text).to_owned();
        if symbols(&text).next().is_none() || self.seen.contains(&text) {
            return;
        }
        // The newest are looked for: what was said last is what the work goes on with.
        if self.facts.len() == MAX_FACTS
            && let Some(oldest) = self.facts.pop_front()
        {
            self.seen.remove(&oldest.text);
            self.n_unchecked += 1;
        }
        self.seen.insert(text.clone());
        let spellings = spellings();
        self.facts.push_back(Fact { text, spellings });
    }

    /// What to look for, for each fact: one of them is enough.
    pub(super) fn wanted(&self, needles: &mut Needles) -> Vec<Vec<Needle>> {
        let mut beginnings: HashMap<String, usize> = HashMap::new();
        for fact in self.facts.iter().filter(|fact| fact.is_long()) {
            *beginnings.entry(fact.beginning().collect()).or_default() += 1;
        }
        let wanted = self.facts.iter().map(|fact| {
            if !fact.spellings.is_empty() {
                let ways = fact.spellings.iter();
                return ways.filter_map(|way| needles.add(symbols(way))).collect();
            }
            let begins_alone =
                fact.is_long() && beginnings.get(&fact.beginning().collect::<String>()) == Some(&1);
            let needle = match begins_alone {
                true => needles.add(fact.beginning()),
                false => needles.add(symbols(&fact.text)),
            };
            needle.into_iter().collect()
        });
        wanted.collect()
    }

    /// What became of them.
    pub(super) fn tally(&self, wanted: &[Vec<Needle>], found: &FoundNeedles) -> Tally {
        let mut tally = Tally {
            n_unchecked: self.n_unchecked,
            ..Tally::default()
        };
        for (fact, needles) in self.facts.iter().zip(wanted) {
            match needles.iter().any(|needle| found.has(*needle)) {
                true => tally.survived.push(fact.shown()),
                false => tally.lost.push(fact.shown()),
            }
        }
        tally
    }
}

impl Fact {
    fn is_long(&self) -> bool {
        self.text.chars().nth(LONG_CHARS).is_some()
    }

    /// Whole symbols, until there are enough characters.
    fn beginning(&self) -> impl Iterator<Item = &str> {
        symbols(&self.text).scan(0, |n_chars, symbol| {
            let is_wanted = *n_chars < PREFIX_CHARS;
            *n_chars += symbol.chars().count();
            is_wanted.then_some(symbol)
        })
    }

    fn shown(&self) -> String {
        match self.text.char_indices().nth(SHOWN_CHARS) {
            None => self.text.clone(),
            Some(_) => {
                let head = self.text.chars().take(SHOWN_CHARS - 1);
                head.chain(['…']).collect()
            }
        }
    }
}

/// As many whole symbols as are looked at. The first one always is, however long.
fn cut(text: &str) -> &str {
    if text.len() <= MAX_CHARS {
        return text;
    }
    let (mut all, mut n_chars, mut end) = (symbols(text), 0, 0);
    while let Some(symbol) = all.next() {
        n_chars += symbol.chars().count();
        if n_chars > MAX_CHARS && end > 0 {
            break;
        }
        end = text.len() - all.rest().len();
    }
    text.get(..end).unwrap_or(text)
}
