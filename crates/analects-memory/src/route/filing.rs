//! Decides which file a fact belongs in: global, project, private, or that of a directory.
//!
//! The question of whoever keeps the files of a repository in order, where [`route`](super::route) only asks whose
//! memory a fact is. It knows words, not meaning: where the same words could be meant either way, it says between
//! which places, and puts the narrower first.

mod lexicon;
mod parts;
mod signals;
#[cfg(test)]
mod tests;

use analects_text::{likeness, truncate};

use parts::{Named, Parts};
use signals::Signals;

/// The file that a fact belongs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The person's, for all projects.
    Global,
    /// The person's own notes on this project.
    Private,
    /// The one that the project shares, at its root.
    Project,
    /// That of a directory of the project, by its path from the root.
    Dir(String),
}

/// A place, why it was chosen, and how sure that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filing {
    /// Where the fact belongs; of two places the narrower one.
    pub where_to: Place,
    /// The reason, as a fragment to show.
    pub because: String,
    /// Whether somebody should be asked.
    pub sureness: Sureness,
}

/// How sure a place is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sureness {
    /// The words tell.
    Sure,
    /// They could just as well mean this place.
    Between(Place),
}

/// What is known of the project at hand.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    /// Base name of its root.
    pub name: &'a str,
    /// Whether there is one at all: a bare directory keeps nothing that is not plainly about it.
    pub is_project: bool,
    /// Paths of its directories from the root.
    pub dirs: &'a [String],
    /// Paths of its files from the root.
    pub files: &'a [String],
}

/// What is said after this many bytes is not listened to.
const MAX_BYTES: usize = 4 * 1024;

/// Where `fact` belongs.
#[must_use]
pub fn file(fact: &str, project: &Project<'_>) -> Filing {
    let fact = folded(truncate::head_bytes(fact, MAX_BYTES));
    let signals = Signals::of(&fact, project.name);
    let parts = parts::parts(&fact, project);
    by_reach(&signals, &parts)
        .or_else(|| by_person(&signals, &parts))
        .or_else(|| by_part(&parts))
        .or_else(|| by_group(&signals))
        .unwrap_or_else(|| by_topic(&signals, project))
}

/// Traditional characters and wide letters as their plain forms, which the lists are written in.
fn folded(fact: &str) -> String {
    let mut folded = String::with_capacity(fact.len());
    for c in fact.chars() {
        match c {
            '\u{2E80}'.. => likeness::plain(c, |plain| folded.push(plain)),
            _ => folded.push(c),
        }
    }
    folded
}

/// A fact about all projects.
fn by_reach(signals: &Signals, parts: &Parts) -> Option<Filing> {
    let beyond = signals.beyond.as_ref()?;
    let because = format!("\"{beyond}\" reaches beyond this project");
    let Some(here) = &signals.here else {
        return Some(sure(Place::Global, because));
    };
    let narrow = match (&signals.person, parts.strong.only()) {
        (Some(_), _) => Place::Private,
        (None, Some(dir)) => Place::Dir(dir.to_owned()),
        (None, None) => Place::Project,
    };
    Some(Filing {
        where_to: narrow,
        because: format!("{because}, but \"{here}\" speaks of it"),
        sureness: Sureness::Between(Place::Global),
    })
}

/// A fact about a person: here, if it speaks of this project too.
fn by_person(signals: &Signals, parts: &Parts) -> Option<Filing> {
    if let Some(own) = &signals.own {
        let because = format!("\"{own}\" tells of your own work on this project");
        return Some(sure(Place::Private, because));
    }
    let person = signals.person.as_ref()?;
    let here = signals.here.as_ref().or(parts.strong.by.as_ref());
    Some(match here {
        Some(here) => sure(
            Place::Private,
            format!("\"{person}\" tells of you, and \"{here}\" of this project"),
        ),
        None => sure(
            Place::Global,
            format!("\"{person}\" tells of you, not of a project"),
        ),
    })
}

/// A fact about one part of the project.
fn by_part(parts: &Parts) -> Option<Filing> {
    let named = match parts.strong.dirs.is_empty() {
        true => &parts.weak,
        false => &parts.strong,
    };
    let Named { dirs, by: Some(by) } = named else {
        return None;
    };
    Some(match named.only() {
        Some(dir) => {
            let because = format!("\"{by}\" is a part of this project");
            sure(Place::Dir(dir.to_owned()), because)
        }
        None if dirs.len() > 1 => sure(
            Place::Project,
            "it speaks of several parts of this project".to_owned(),
        ),
        None => sure(Place::Project, format!("\"{by}\" speaks of this project")),
    })
}

/// A fact about the project, or about those who work on it.
fn by_group(signals: &Signals) -> Option<Filing> {
    let here = signals.here.as_ref();
    let here = here.map(|here| format!("\"{here}\" speaks of this project"));
    let group = signals.group.as_ref();
    let group = group.map(|group| format!("\"{group}\" speaks of all who work on it"));
    Some(sure(Place::Project, here.or(group)?))
}

/// A fact that says neither whom nor what it is about.
fn by_topic(signals: &Signals, project: &Project<'_>) -> Filing {
    let Signals {
        manner,
        topic,
        rule,
        ..
    } = signals;
    match (manner, topic, rule) {
        (Some(manner), None, _) => sure(
            Place::Global,
            format!("\"{manner}\" is about how you are talked to"),
        ),
        _ if !project.is_project => sure(
            Place::Global,
            "there is no project here to keep it for".to_owned(),
        ),
        (_, Some(topic), _) => sure(
            Place::Project,
            format!("\"{topic}\" is a matter of the project"),
        ),
        (_, None, Some(rule)) => Filing {
            where_to: Place::Project,
            because: format!("\"{rule}\" gives a rule that may hold here or everywhere"),
            sureness: Sureness::Between(Place::Global),
        },
        (_, None, None) => sure(
            Place::Project,
            "it states something, and nothing in it tells of you".to_owned(),
        ),
    }
}

fn sure(where_to: Place, because: String) -> Filing {
    Filing {
        where_to,
        because,
        sureness: Sureness::Sure,
    }
}
