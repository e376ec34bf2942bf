//! Words that mean the same to developers, and words that mean nothing in a question.
//!
//! The lists are of our own making: `lexicon.txt` and `quiet.txt`, beside this file.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::words::{Kind, words};

/// What another word for the same thing weighs beside the word itself.
const SAME: f32 = 0.7;
/// What a word weighs that only often comes with it.
const NEAR: f32 = 0.3;

/// The lexicon.
pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    for line in content(include_str!("lexicon.txt")) {
        lexicon.add_line(line);
    }
    for line in content(include_str!("quiet.txt")) {
        let (kind, list) = line.split_once(':').unwrap_or_default();
        let set = match kind {
            "weak-en" => &mut lexicon.weak,
            _ => &mut lexicon.stop,
        };
        set.extend(list.split_whitespace());
    }
    let known = lexicon
        .keys
        .keys()
        .map(String::as_str)
        .chain(lexicon.stop.iter().copied());
    let glyphs = known.filter(|key| !key.is_ascii());
    lexicon.most_glyphs = glyphs.map(|key| key.chars().count()).max().unwrap_or(1);
    lexicon
});

fn content(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// What is known about words.
#[derive(Default)]
pub(super) struct Lexicon {
    /// By what a question says: in which lines that stands.
    keys: HashMap<String, Vec<usize>>,
    lines: Vec<Vec<Other>>,
    stop: HashSet<&'static str>,
    weak: HashSet<&'static str>,
    /// The longest entry of a script without blanks, in characters.
    pub(super) most_glyphs: usize,
}

/// Another word for something.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Other {
    /// The terms it is indexed by, one right behind the other.
    pub(super) terms: Vec<String>,
    pub(super) weight: f32,
}

impl Lexicon {
    /// Words for the same thing, for the terms of one, with blanks between them.
    pub(super) fn others(&self, key: &str) -> Option<impl Iterator<Item = &Other>> {
        let lines = self.keys.get(key)?;
        Some(lines.iter().flat_map(|line| &self.lines[*line]))
    }

    /// Whether a word says nothing about what is looked for.
    pub(super) fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// Whether a word says little about it.
    pub(super) fn is_weak(&self, word: &str) -> bool {
        self.weak.contains(word)
    }

    /// Whether this stands in any list.
    pub(super) fn knows(&self, glyphs: &str) -> bool {
        self.keys.contains_key(glyphs) || self.stop.contains(glyphs)
    }

    fn add_line(&mut self, line: &str) {
        let at = self.lines.len();
        let (same, near) = line.split_once('|').unwrap_or((line, ""));
        let mut others = Vec::new();
        for (list, weight) in [(same, SAME), (near, NEAR)] {
            for word in list
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty())
            {
                let (key, terms) = entry(word);
                if weight == SAME {
                    let lines = self.keys.entry(key).or_default();
                    if !lines.contains(&at) {
                        lines.push(at);
                    }
                }
                others.extend(terms.map(|terms| Other { terms, weight }));
            }
        }
        self.lines.push(others);
    }
}

/// How an entry is looked up, and the terms by which a text with it is found.
fn entry(word: &str) -> (String, Option<Vec<String>>) {
    let mut key = Vec::new();
    let mut terms: Vec<String> = Vec::new();
    let mut n_quiet = 0;
    let mut before = None;
    words(word, &mut |term| {
        match term.kind {
            Kind::Quiet => n_quiet += 1,
            Kind::Last if before == Some(Kind::Pair) => {}
            // `log in` is indexed as `log login`: the last says it all.
            Kind::Whole if before == Some(Kind::Word) => {
                key.pop();
                key.push(term.text.clone());
                terms.pop();
                terms.push(term.text.clone());
            }
            _ => terms.push(term.text.clone()),
        }
        if term.kind != Kind::Whole {
            key.push(term.text);
        }
        before = Some(term.kind);
    });
    if !word.is_ascii() {
        let is_one = word.chars().count() < 2;
        return (word.to_owned(), (!is_one).then_some(terms));
    }
    // Of `out of memory` only `memory` is indexed: that would find too much.
    let n_words = word.split_whitespace().count();
    let is_lost = terms.is_empty()
        || (n_words > 1 && n_quiet > 0 && terms.len() < 2 && !is_joined(word, &terms));
    (key.join(" "), (!is_lost).then_some(terms))
}

fn is_joined(word: &str, terms: &[String]) -> bool {
    let joined: String = word.split_whitespace().collect();
    terms.contains(&joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_known_by_all_their_forms() {
        let others = |key: &str| -> Vec<String> {
            let others = LEXICON.others(key).unwrap();
            others.map(|other| other.terms.join(" ")).collect()
        };
        assert!(others("crash").contains(&"panic".to_owned()));
        assert!(others("login").contains(&"auth".to_owned()));
        assert!(others("登录").contains(&"login".to_owned()));
        assert!(others("db").contains(&"数据 据库".to_owned()));
        assert!(!others("oom").contains(&"memori".to_owned()));
        assert!(!others("log").contains(&"auth".to_owned()));
        assert!(LEXICON.others("zebra").is_none());
    }

    #[test]
    fn no_word_has_too_many_others() {
        for (key, lines) in &LEXICON.keys {
            let n_others: usize = lines.iter().map(|line| LEXICON.lines[*line].len()).sum();
            assert!(n_others <= 60, "{key}: {n_others}");
        }
    }
}
