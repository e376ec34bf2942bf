//! Finds where a fact mentions the project at hand.

use std::cmp::Reverse;
use std::collections::HashSet;

use analects_text::script::is_unspaced;

use super::Project;
use super::lexicon::{Phrases, WORDS};

/// How sure a mention is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// A plain word that a module happens to be named by, or a file that every project has.
    Weak,
    Strong,
}

/// A mention of the project, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mention {
    /// `this repo`.
    Phrase(String),
    Name(String),
    Path(String),
    File(String),
    /// A file that every project has.
    FileOfAll(String),
    /// A module or directory.
    Part(String),
    /// The same, by a word that may mean itself.
    PlainPart(String),
}

impl Mention {
    pub(super) fn strength(&self) -> Strength {
        match self {
            Self::Phrase(_) | Self::Name(_) | Self::Path(_) | Self::File(_) | Self::Part(_) => {
                Strength::Strong
            }
            Self::FileOfAll(_) | Self::PlainPart(_) => Strength::Weak,
        }
    }

    /// The reason it gives, as a fragment to show.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Phrase(text) => format!("\"{text}\" speaks of this project"),
            Self::Name(text) => format!("\"{text}\" is the name of this project"),
            Self::Path(text) => format!("\"{text}\" is a path in this project"),
            Self::File(text) | Self::FileOfAll(text) => {
                format!("\"{text}\" is a file of this project")
            }
            Self::Part(text) | Self::PlainPart(text) => {
                format!("\"{text}\" is a part of this project")
            }
        }
    }

    pub(super) fn into_text(self) -> String {
        match self {
            Self::Phrase(text)
            | Self::Name(text)
            | Self::Path(text)
            | Self::File(text)
            | Self::FileOfAll(text)
            | Self::Part(text)
            | Self::PlainPart(text) => text,
        }
    }
}

/// A fact, cut for two ways of looking: word by word, and for phrases.
pub(super) struct Words {
    /// As written, without the marks around them.
    pub(super) words: Vec<String>,
    /// In lower case, a blank around every word and mark.
    pub(super) spaced: String,
    /// In lower case, without blanks: Chinese.
    pub(super) dense: String,
}

impl Words {
    pub(super) fn of(fact: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut word = String::new();
        let mut spaced = String::from(" ");
        for c in fact.chars().chain([' ']) {
            let c = if matches!(c, '\u{2019}' | '\u{2BC}') {
                '\''
            } else {
                c
            };
            if is_of_word(c) {
                word.push(c);
                continue;
            }
            let (bare, mark) = without_end_marks(&word);
            if !bare.is_empty() {
                spaced.push_str(&bare.to_lowercase());
                spaced.push(' ');
                words.push(bare.to_owned());
            }
            if mark || !c.is_whitespace() {
                spaced.push_str(". ");
            }
            word.clear();
        }
        let dense = fact
            .chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(char::to_lowercase);
        Self {
            words,
            spaced,
            dense: dense.collect(),
        }
    }

    /// The first of `phrases` to occur, and of those that start together the longest.
    pub(super) fn first_of(&self, phrases: &Phrases) -> Option<&'static str> {
        let found = phrases
            .iter()
            .filter_map(|phrase| Some((self.find(phrase)?, phrase)));
        found
            .min_by_key(|(at, phrase)| (*at, Reverse(phrase.len())))
            .map(|(_, phrase)| phrase)
    }

    /// Where a phrase stands.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        if phrase.is_ascii() {
            self.spaced.find(&format!(" {phrase} "))
        } else {
            self.dense.find(phrase)
        }
    }

    /// Whether a Chinese word for a part stands right beside `word`.
    fn has_part_beside(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let mut parts = WORDS.part.iter().filter(|part| !part.is_ascii());
        parts.any(|part| {
            self.dense.contains(&format!("{word}{part}"))
                || self.dense.contains(&format!("{part}{word}"))
        })
    }

    /// The fact without the phrases that speak of all projects: `所有项目中` holds `项目中`.
    fn without_beyond(&self) -> Self {
        let mut rest = Self {
            words: Vec::new(),
            spaced: self.spaced.clone(),
            dense: self.dense.clone(),
        };
        for phrase in WORDS.beyond.iter() {
            rest.spaced = rest.spaced.replace(&format!(" {phrase} "), " . ");
            rest.dense = rest.dense.replace(phrase, ".");
        }
        rest
    }
}

/// Characters of words, names and paths in scripts that part words; others stand alone.
fn is_of_word(c: char) -> bool {
    (c.is_alphanumeric() && !is_unspaced(c))
        || matches!(c, '_' | '.' | '/' | '\\' | '-' | ':' | '~' | '\'' | '@')
}

/// A word without the marks at its ends, and whether one of them ends a sentence.
fn without_end_marks(word: &str) -> (&str, bool) {
    let bare = word
        .trim_end_matches(['.', ':', '\''])
        .trim_start_matches(['\'', ':', '@']);
    (bare, word.ends_with(['.', ':']))
}

/// The strongest mention of the project, the first of equals.
pub(super) fn strongest(words: &Words, project: &Project<'_>) -> Option<Mention> {
    if let Some(phrase) = words.without_beyond().first_of(&WORDS.project) {
        return Some(Mention::Phrase(phrase.to_owned()));
    }
    let known = Known::of(project);
    let name = project.name.to_lowercase();
    if !name.is_ascii() && name.chars().count() > 1 && words.dense.contains(&name) {
        return Some(Mention::Name(name));
    }
    let mut weak = None;
    for (at, word) in words.words.iter().enumerate() {
        let beside = |at: Option<usize>| {
            at.and_then(|at| words.words.get(at))
                .map(|word| word.to_lowercase())
        };
        let is_part = [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .filter_map(beside)
            .any(|beside| WORDS.part.contains(beside.as_str()))
            || words.has_part_beside(word);
        match mention(word, is_part, &known) {
            Some(mention) if mention.strength() == Strength::Strong => return Some(mention),
            found => weak = weak.or(found),
        }
    }
    // `I never squash here`, but not `here is my name`.
    let ends_here = words.spaced.ends_with(" here ") || words.spaced.contains(" here . ");
    if ends_here {
        return Some(Mention::Phrase("here".to_owned()));
    }
    weak
}

/// The names of a project, in lower case.
struct Known {
    name: String,
    /// Whole paths, `/` between their components.
    paths: Vec<String>,
    /// Last components.
    bases: HashSet<String>,
    /// Last components without their endings.
    stems: HashSet<String>,
    /// First components.
    tops: HashSet<String>,
    endings: HashSet<String>,
}

impl Known {
    fn of(project: &Project<'_>) -> Self {
        let mut known = Self {
            name: uniform(project.name),
            paths: Vec::new(),
            bases: HashSet::new(),
            stems: HashSet::new(),
            tops: HashSet::new(),
            endings: HashSet::new(),
        };
        for name in project.names {
            let path = components(name);
            if let (Some(top), Some(base)) = (path.first(), path.last()) {
                known.tops.insert(top.clone());
                known.bases.insert(base.clone());
                let (stem, ending) = stem_and_ending(base);
                known.stems.insert(stem.to_owned());
                known.endings.extend(ending.map(str::to_owned));
                known.paths.push(path.join("/"));
            }
        }
        known
    }

    /// Whether a path of the project has these components in a row.
    fn has_in_a_row(&self, wanted: &[String]) -> bool {
        let wanted = format!("/{}/", wanted.join("/"));
        self.paths
            .iter()
            .any(|path| format!("/{path}/").contains(&wanted))
    }
}

/// What `word` mentions, if anything. `is_part` tells that it stands beside `module` or the like.
fn mention(word: &str, is_part: bool, known: &Known) -> Option<Mention> {
    let lower = word.replace('\\', "/").to_lowercase();
    if lower.contains("::") || lower.contains('/') {
        return names_path(&lower, known).then(|| Mention::Path(word.to_owned()));
    }
    let bare = uniform(lower.strip_suffix("'s").unwrap_or(&lower));
    let is_common = WORDS.common.contains(lower.as_str());
    let is_path_only = WORDS.path_only.contains(lower.as_str());
    if bare == known.name && bare.len() > 1 && ((!is_common && !is_path_only) || is_part) {
        return Some(Mention::Name(word.to_owned()));
    }
    if WORDS.everywhere.contains(lower.as_str()) {
        return known
            .bases
            .contains(&bare)
            .then(|| Mention::FileOfAll(word.to_owned()));
    }
    let (stem, ending) = stem_and_ending(&bare);
    if let Some(ending) = ending {
        let is_likely = WORDS.path_only.contains(stem) && known.endings.contains(ending);
        return (known.bases.contains(&bare) || is_likely).then(|| Mention::File(word.to_owned()));
    }
    if is_path_only || !(known.bases.contains(&bare) || known.stems.contains(&bare)) {
        return None;
    }
    if is_part || is_made_up(word) {
        return Some(Mention::Part(word.to_owned()));
    }
    (!is_common && bare.len() > 3).then(|| Mention::PlainPart(word.to_owned()))
}

/// Whether a path leads into the project.
fn names_path(path: &str, known: &Known) -> bool {
    if path.starts_with("./") || path.starts_with("../") {
        return true;
    }
    let is_common =
        WORDS.common.contains(known.name.as_str()) || WORDS.path_only.contains(known.name.as_str());
    let wanted = components(path);
    let Some(first) = wanted.first() else {
        return false;
    };
    if !is_common && wanted.contains(&known.name) {
        return true;
    }
    if path.starts_with(['/', '~']) || path.contains("://") {
        return false;
    }
    known.has_in_a_row(&wanted)
        || (wanted.len() > 1 && known.tops.contains(first) && path.contains('/'))
}

/// Whether a word cannot be one of a language: it has a digit, a hyphen or a capital inside.
pub(super) fn is_made_up(word: &str) -> bool {
    word.contains(['_', '-'])
        || word.chars().any(char::is_numeric)
        || word.chars().skip(1).any(char::is_uppercase)
}

/// The components of a path or of a module's name.
pub(super) fn components(path: &str) -> Vec<String> {
    path.replace("::", "/")
        .replace('\\', "/")
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".." | "~"))
        .map(uniform)
        .collect()
}

/// Lower case, and one kind of hyphen: a package `my-app` is a module `my_app`.
pub(super) fn uniform(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

/// A file's name without its ending, and the ending.
pub(super) fn stem_and_ending(base: &str) -> (&str, Option<&str>) {
    match base.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !ending.is_empty() => (stem, Some(ending)),
        _ => (base, None),
    }
}
