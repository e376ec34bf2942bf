//! The words that tell one file from another: the list beside this file, read once.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::super::lexicon::{Phrases, classes};

/// The list, class by class.
#[derive(Debug)]
pub(super) struct Lexicon {
    phrases: HashMap<&'static str, Phrases>,
    words: HashMap<&'static str, HashSet<&'static str>>,
    /// Names of parts that mean the same.
    same: Vec<Vec<&'static str>>,
    /// Which of these lists a name stands in.
    groups: HashMap<&'static str, Vec<usize>>,
}

/// Classes that are looked for as phrases, the longest first.
const PHRASES: [&str; 18] = [
    "opening",
    "not_only",
    "filler",
    "not_after",
    "contrast",
    "not_beyond",
    "beyond",
    "group",
    "here",
    "own",
    "machine",
    "site",
    "rig",
    "person",
    "manner",
    "topic",
    "style",
    "rule",
];

/// Classes that single words are looked up in.
const WORDS: [&str; 4] = ["order", "part", "folder", "inside"];

pub(super) static FILING: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("words.txt")));

impl Lexicon {
    fn read(list: &'static str) -> Self {
        let mut known: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
        let mut same = Vec::new();
        for (class, entries) in classes(list) {
            match class {
                "same" => same.push(entries.collect::<Vec<_>>()),
                _ => known.entry(class).or_default().extend(entries),
            }
        }
        let mut take = |class: &str| known.remove(class).unwrap_or_default();
        let phrases = PHRASES.map(|class| (class, Phrases::longest_first(take(class))));
        let words = WORDS.map(|class| (class, take(class).into_iter().collect()));
        let mut groups: HashMap<_, Vec<_>> = HashMap::new();
        for (at, names) in same.iter().enumerate() {
            for name in names {
                groups.entry(*name).or_default().push(at);
            }
        }
        Self {
            phrases: phrases.into(),
            words: words.into(),
            same,
            groups,
        }
    }

    /// The phrases of a class.
    pub(super) fn phrases(&self, class: &str) -> impl Iterator<Item = &'static str> {
        self.phrases.get(class).into_iter().flat_map(Phrases::iter)
    }

    /// The words of a class.
    pub(super) fn words(&self, class: &str) -> impl Iterator<Item = &'static str> {
        self.words.get(class).into_iter().flatten().copied()
    }

    /// Whether a word is of a class.
    pub(super) fn has(&self, class: &str, word: &str) -> bool {
        let words = self.words.get(class);
        words.is_some_and(|words| words.contains(word))
    }

    /// All names for the part that `name` is a name of.
    pub(super) fn same_as(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let groups = self.groups.get(name).into_iter().flatten();
        let names = groups.filter_map(|at| self.same.get(*at)).flatten();
        names.copied()
    }

    /// Names of parts that are not written in Latin letters.
    pub(super) fn names_without_blanks(&self) -> impl Iterator<Item = &'static str> {
        let names = self.groups.keys().copied();
        names.filter(|name| !name.is_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let classes = PHRASES.into_iter().chain(WORDS).chain(["same"]);
        let classes: HashSet<_> = classes.collect();
        for line in include_str!("words.txt")
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let (class, entries) = line.split_once(':').unwrap();
            assert!(classes.contains(class), "{line}");
            assert_eq!(entries.to_lowercase(), entries);
            for entry in entries.split(',').map(str::trim) {
                assert!(!entry.is_empty(), "{line}");
                // Chinese is looked for without blanks.
                assert!(entry.is_ascii() || !entry.contains(' '), "{entry}");
            }
        }
        for class in PHRASES {
            assert!(FILING.phrases(class).next().is_some(), "{class}");
        }
        for class in WORDS {
            assert!(FILING.words(class).next().is_some(), "{class}");
        }
        assert!(FILING.same_as("登录").any(|name| name == "auth"));
    }
}
