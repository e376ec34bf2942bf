//! Sentences with holes: how facts are told, and what is said between them.
//!
//! A hole in capitals is what must be found again: `{P:…}`, and `{Q:…}` where a fact has two such; behind the
//! colon stands what goes in. Other holes are idle: `{w}` words, `{i}` a known identifier, `{f}` a known file,
//! `{n}` a small number, `{N}` a name. A sentence with a `+` before it wants a file to be made, and the model
//! makes it.

pub(crate) mod chinese;
pub(crate) mod english;

use super::fact::{Kind, Language, Place};
use super::words::Words;

/// What can stand in holes beside words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Project<'a> {
    /// Files that come up again and again.
    pub(crate) files: &'a [String],
    /// Where new files go.
    pub(crate) dirs: &'a [String],
}

/// A sentence whose holes are filled.
#[derive(Debug, Clone)]
pub(crate) struct Filled {
    /// The sentence.
    pub(crate) text: String,
    /// What must be found again.
    pub(crate) probes: Vec<String>,
    /// Whether the first of them is a file that the model is to make.
    pub(crate) is_order: bool,
}

/// The sentences that tell facts of a kind, by who says them.
pub(crate) fn of_facts(kind: Kind, language: Language, place: Place) -> &'static [&'static str] {
    match (language, place) {
        (Language::English, Place::Model) => match kind {
            Kind::Recall => &english::MODEL_RECALL,
            Kind::Artifact => &english::MODEL_ARTIFACT,
            Kind::Continuation => &english::MODEL_CONTINUATION,
            Kind::Decision => &english::MODEL_DECISION,
        },
        (Language::English, Place::User | Place::Tool) => match kind {
            Kind::Recall => &english::RECALL,
            Kind::Artifact => &english::ARTIFACT,
            Kind::Continuation => &english::CONTINUATION,
            Kind::Decision => &english::DECISION,
        },
        (Language::Chinese, Place::Model) => match kind {
            Kind::Recall => &chinese::MODEL_RECALL,
            Kind::Artifact => &chinese::MODEL_ARTIFACT,
            Kind::Continuation => &chinese::MODEL_CONTINUATION,
            Kind::Decision => &chinese::MODEL_DECISION,
        },
        (Language::Chinese, Place::User | Place::Tool) => match kind {
            Kind::Recall => &chinese::RECALL,
            Kind::Artifact => &chinese::ARTIFACT,
            Kind::Continuation => &chinese::CONTINUATION,
            Kind::Decision => &chinese::DECISION,
        },
    }
}

/// One of these sentences, with its holes filled.
pub(crate) fn fill(
    frames: &[&str],
    language: Language,
    words: &mut Words,
    project: Project<'_>,
) -> Filled {
    let frame = words.dice.pick(frames);
    let (frame, is_order) = match frame.strip_prefix('+') {
        Some(frame) => (frame, true),
        None => (frame, false),
    };
    let mut filled = Filled {
        text: String::new(),
        probes: Vec::new(),
        is_order,
    };
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once('{') {
        let (hole, after) = after.split_once('}').unwrap_or((after, ""));
        filled.text.push_str(before);
        let (what, is_probe) = match hole.split_once(':') {
            Some((_, what)) => (what, true),
            None => (hole, false),
        };
        let put = put(what, language, words, project);
        filled.text.push_str(&put);
        if is_probe {
            filled.probes.push(put);
        }
        rest = after;
    }
    filled.text.push_str(rest);
    filled
}

fn put(what: &str, language: Language, words: &mut Words, project: Project<'_>) -> String {
    match (what, language) {
        ("id", _) => words.new_identifier(),
        ("count", _) => words.count(),
        ("measure", _) => words.measure(),
        ("version", _) => words.version(),
        ("address", _) => words.address(),
        ("path", Language::Chinese) if words.dice.chance(40) => words.chinese_path(project.dirs),
        ("path", _) => words.path(project.dirs),
        ("pair", Language::English) => words.pair(),
        ("pair", Language::Chinese) => words.chinese_pair(),
        ("i", _) => words.identifier(),
        ("f", _) => project.files[words.dice.below(project.files.len())].clone(),
        ("n", _) => words.dice.between(2, 9).to_string(),
        ("N", Language::English) => words.name(),
        ("N", Language::Chinese) => words.chinese_name(),
        (_, Language::English) => {
            let n_words = words.dice.between(1, 2);
            words.phrase(n_words)
        }
        (_, Language::Chinese) => {
            let n_words = words.dice.between(1, 2);
            words.chinese_phrase(n_words)
        }
    }
}
