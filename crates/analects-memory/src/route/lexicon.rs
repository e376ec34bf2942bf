//! The words that tell persons from projects: the list beside this file, read once.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The list, class by class.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    pub(super) person: Phrases,
    pub(super) beyond: Phrases,
    pub(super) project: Phrases,
    pub(super) part: HashSet<&'static str>,
    pub(super) path_only: HashSet<&'static str>,
    pub(super) common: HashSet<&'static str>,
    pub(super) everywhere: HashSet<&'static str>,
}

/// Phrases to look for.
#[derive(Debug, Default)]
pub(super) struct Phrases(Vec<&'static str>);

pub(super) static WORDS: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("words.txt")));

impl Phrases {
    /// Phrases in the order in which they can be taken out of a fact: one before its parts.
    pub(super) fn longest_first(mut phrases: Vec<&'static str>) -> Self {
        phrases.sort_by_key(|phrase| Reverse(phrase.len()));
        Self(phrases)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied()
    }
}

/// The lines of a list of words: the class of each, and what is in it.
pub(super) fn classes(list: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| line.split_once(':'));
    named.map(|(class, entries)| {
        let entries = entries.split(',').map(str::trim);
        (class, entries.filter(|entry| !entry.is_empty()))
    })
}

impl Lexicon {
    fn read(list: &'static str) -> Self {
        let mut lexicon = Self::default();
        for (class, entries) in classes(list) {
            match class {
                "person" => lexicon.person.0.extend(entries),
                "beyond" => lexicon.beyond.0.extend(entries),
                "project" => lexicon.project.0.extend(entries),
                "part" => lexicon.part.extend(entries),
                "path_only" => lexicon.path_only.extend(entries),
                "common" => lexicon.common.extend(entries),
                "everywhere" => lexicon.everywhere.extend(entries),
                _ => {}
            }
        }
        // Taken out of a fact one by one, so a phrase must come before its parts.
        lexicon.beyond.0.sort_by_key(|phrase| Reverse(phrase.len()));
        lexicon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let known = [
            "person",
            "beyond",
            "project",
            "part",
            "path_only",
            "common",
            "everywhere",
        ];
        for line in include_str!("words.txt")
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let (class, entries) = line.split_once(':').unwrap();
            assert!(known.contains(&class), "{line}");
            assert_eq!(entries.to_lowercase(), entries);
        }
        assert!(
            WORDS
                .path_only
                .iter()
                .all(|word| !WORDS.common.contains(word))
        );
    }
}
