//! What single words do in a rule: the two lists beside this file, read once.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::stem::stem;

/// Under what the words of a clause stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Before,
    After,
    When,
    Unless,
    Except,
    Until,
    Without,
    Then,
    Than,
    Because,
}

/// How something is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denial {
    /// The bare `not`: what it denies depends on what stands before it.
    Bare,
    /// An order: `never`, `must not`.
    Order,
    /// `no`: an order where it opens a sentence, a fact elsewhere.
    No,
    /// `does not`, `cannot`: a fact where it has a subject.
    State,
    /// `is not`: never an order.
    Fact,
    /// `a instead of b`: denies the second and asserts the first.
    Contrast,
}

/// What a word or phrase does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Nothing; in Chinese its neighbours do not touch.
    Quiet,
    /// Nothing, as if it were not there.
    Particle,
    Soft,
    All,
    Any,
    Only,
    /// `do not just`: denies less than it seems to; elsewhere nothing.
    Just,
    May,
    Needless,
    Always,
    Please,
    Must,
    Use,
    Denial(Denial),
    /// `prefer a over b`, but also `loop over b`.
    Over,
    /// A condition in front of what it governs.
    Under(Role),
    /// A condition behind what it governs, as Chinese has it.
    Past(Role),
    Link(&'static str),
    Place,
    Relation,
    And,
    But,
    Same(&'static str),
    /// Content that must not be taken apart.
    Whole,
}

type Map<T> = HashMap<&'static str, T, BuildHasherDefault<Fnv>>;
type Set<T> = HashSet<T, BuildHasherDefault<Fnv>>;

/// FNV-1a: the lists are ours, so nobody can choose words that collide, and every word of every text is
/// looked up in several of them.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

/// The list of one language.
pub(super) struct Lexicon {
    classes: Map<Class>,
    /// First words of entries that are phrases.
    starters: Set<&'static str>,
    /// How many words, or characters in Chinese, the longest entry has.
    pub(super) longest: usize,
    same: Map<&'static str>,
    whole: Set<&'static str>,
    joined: Set<&'static str>,
    verbs: Set<&'static str>,
    relations: Set<&'static str>,
    softs: Set<&'static str>,
    ordered: Set<&'static str>,
    /// What is wrong with the list.
    faults: Vec<String>,
}

pub(super) static ENGLISH: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("english.txt")));
pub(super) static CHINESE: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("chinese.txt")));

/// Verbs with a doer on the left and an object on the right, by their stems.
static RELATIONS: LazyLock<Set<String>> = LazyLock::new(|| {
    ENGLISH
        .relations
        .union(&ENGLISH.verbs)
        .map(|word| stem(word))
        .collect()
});
/// Words that add little, by their stems.
static SOFTS: LazyLock<Set<String>> =
    LazyLock::new(|| ENGLISH.softs.iter().map(|word| stem(word)).collect());

/// Whether a verb, given by its stem, has a doer on the left and an object on the right.
pub(super) fn is_relation(stem: &str) -> bool {
    RELATIONS.contains(stem)
}

/// Whether a word, given by its stem, adds little.
pub(super) fn is_soft(stem: &str) -> bool {
    SOFTS.contains(stem)
}

/// Whether a word, or a run that holds it, speaks of a sequence.
pub(super) fn speaks_of_order(text: &str) -> bool {
    if text.is_ascii() {
        ENGLISH.ordered.contains(text)
    } else {
        CHINESE.ordered.iter().any(|word| text.contains(word))
    }
}

impl Lexicon {
    /// The class of a word or phrase.
    pub(super) fn class(&self, entry: &str) -> Option<Class> {
        self.classes.get(entry).copied()
    }

    /// Whether a phrase may begin with `word`.
    pub(super) fn opens_phrase(&self, word: &str) -> bool {
        self.starters.contains(word)
    }

    /// The form all ways to write `word` are led back to.
    pub(super) fn same(&self, word: &str) -> Option<&'static str> {
        self.same.get(word).copied()
    }

    /// Whether `word` only looks inflected.
    pub(super) fn is_whole(&self, word: &str) -> bool {
        self.whole.contains(word)
    }

    /// Whether two words in a row are as often written as this one.
    pub(super) fn is_joined(&self, both: &str) -> bool {
        self.joined.contains(both)
    }

    /// Whether a command may start with `word`.
    pub(super) fn is_verb(&self, word: &str) -> bool {
        self.verbs.contains(word)
    }

    fn read(list: &'static str) -> Self {
        let mut lexicon = Self {
            classes: Map::default(),
            starters: Set::default(),
            longest: 1,
            same: Map::default(),
            whole: Set::default(),
            joined: Set::default(),
            verbs: Set::default(),
            relations: Set::default(),
            softs: Set::default(),
            ordered: Set::default(),
            faults: Vec::new(),
        };
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        for (class, entries) in lines.filter_map(|line| line.split_once(':')) {
            for entry in entries.split(',').map(str::trim) {
                lexicon.add(class, entry);
            }
        }
        lexicon
    }

    fn add(&mut self, class: &str, entry: &'static str) {
        let (entry, stands_for) = entry.split_once('=').unwrap_or((entry, entry));
        let is_latin = entry.is_ascii();
        match class {
            "join" => drop(self.joined.insert(entry)),
            "ordered" => drop(self.ordered.insert(entry)),
            "verb" => drop(self.verbs.insert(entry)),
            "whole" if is_latin => drop(self.whole.insert(entry)),
            "relation" if is_latin => drop(self.relations.insert(entry)),
            "soft" if is_latin => drop(self.softs.insert(entry)),
            "same" if is_latin && !entry.contains(' ') => {
                self.same.insert(entry, stands_for);
            }
            _ => self.add_class(class, entry, stands_for),
        }
    }

    fn add_class(&mut self, class: &str, entry: &'static str, stands_for: &'static str) {
        let Some(class) = named(class, stands_for) else {
            self.faults.push(format!("no class {class}"));
            return;
        };
        let n_parts = if entry.is_ascii() {
            let mut words = entry.split(' ');
            if let (Some(first), Some(_)) = (words.next(), words.next()) {
                self.starters.insert(first);
            }
            entry.split(' ').count()
        } else {
            entry.chars().count()
        };
        self.longest = self.longest.max(n_parts);
        let before = self.classes.insert(entry, class);
        if let Some(before) = before.filter(|before| *before != class) {
            self.faults
                .push(format!("{entry} is {before:?} and {class:?}"));
        }
    }
}

fn named(class: &str, stands_for: &'static str) -> Option<Class> {
    Some(match class {
        "quiet" => Class::Quiet,
        "particle" => Class::Particle,
        "soft" => Class::Soft,
        "all" => Class::All,
        "any" => Class::Any,
        "only" => Class::Only,
        "just" => Class::Just,
        "may" => Class::May,
        "needless" => Class::Needless,
        "always" => Class::Always,
        "please" => Class::Please,
        "must" => Class::Must,
        "use" => Class::Use,
        "not" => Class::Denial(Denial::Bare),
        "never" => Class::Denial(Denial::Order),
        "no" => Class::Denial(Denial::No),
        "state" => Class::Denial(Denial::State),
        "fact" => Class::Denial(Denial::Fact),
        "contrast" => Class::Denial(Denial::Contrast),
        "over" => Class::Over,
        "before" => Class::Under(Role::Before),
        "after" => Class::Under(Role::After),
        "when" => Class::Under(Role::When),
        "unless" => Class::Under(Role::Unless),
        "except" => Class::Under(Role::Except),
        "until" => Class::Under(Role::Until),
        "without" => Class::Under(Role::Without),
        "then" => Class::Under(Role::Then),
        "than" => Class::Under(Role::Than),
        "because" => Class::Under(Role::Because),
        "past_before" => Class::Past(Role::Before),
        "past_after" => Class::Past(Role::After),
        "past_when" => Class::Past(Role::When),
        "link" => Class::Link(stands_for),
        "place" => Class::Place,
        "relation" => Class::Relation,
        "and" => Class::And,
        "but" => Class::But,
        "same" => Class::Same(stands_for),
        "whole" => Class::Whole,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_are_sound() {
        assert_eq!(ENGLISH.faults, [""; 0]);
        assert_eq!(CHINESE.faults, [""; 0]);
        assert_eq!(ENGLISH.class("never"), Some(Class::Denial(Denial::Order)));
        assert_eq!(
            ENGLISH.class("instead of"),
            Some(Class::Denial(Denial::Contrast))
        );
        assert_eq!(CHINESE.class("不要"), Some(Class::Denial(Denial::Order)));
        assert_eq!(CHINESE.class("文件夹"), Some(Class::Same("目录")));
    }
}
