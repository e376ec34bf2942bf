//! Decides where a fact belongs: with the person, or with this project.
//!
//! Facts of one project in the memory of all projects are the complaint heard most often. So whatever
//! names this project stays with it, even if it tells of a person too; only what clearly tells of a person
//! goes everywhere; and of what is left a repository keeps its own. Every choice comes with its reason.

pub mod filing;
mod lexicon;
mod mention;
#[cfg(test)]
mod tests;

use lexicon::WORDS;
use mention::{Mention, Strength, Words};

/// Whose memory a fact goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The person's, for all projects.
    Global,
    /// The person's, for this project alone.
    Private,
}

/// A place and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Where the fact belongs.
    pub place: Place,
    /// The reason, as a fragment to show.
    pub because: String,
}

/// What is known of the project at hand.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    /// Base name of its root.
    pub name: &'a str,
    /// Whether it is under version control; a bare directory is hardly a project.
    pub is_repository: bool,
    /// Relative paths of its files and directories, and names of its modules.
    pub names: &'a [String],
}

/// Where `fact` belongs.
#[must_use]
pub fn route(fact: &str, project: &Project<'_>) -> Route {
    let words = Words::of(fact);
    if let Some(mention) = telling(&words, project) {
        return Route {
            place: Place::Private,
            because: mention.reason(),
        };
    }
    if let Some(phrase) = words.first_of(&WORDS.beyond) {
        return Route {
            place: Place::Global,
            because: format!("\"{phrase}\" reaches beyond this project"),
        };
    }
    if let Some(phrase) = words.first_of(&WORDS.person) {
        return Route {
            place: Place::Global,
            because: format!("\"{phrase}\" tells of you, not of a project"),
        };
    }
    if project.is_repository {
        Route {
            place: Place::Private,
            because: "nothing in it tells of you, and this is a repository".to_owned(),
        }
    } else {
        Route {
            place: Place::Global,
            because: "there is no repository here to keep it for".to_owned(),
        }
    }
}

/// What in a fact names this project, its files or modules: asked before a fact goes to global memory.
#[must_use]
pub fn names_project(fact: &str, project: &Project<'_>) -> Option<String> {
    telling(&Words::of(fact), project).map(Mention::into_text)
}

/// The mention of the project that decides; a weak one does not hold against a person.
fn telling(words: &Words, project: &Project<'_>) -> Option<Mention> {
    let mention = mention::strongest(words, project)?;
    let is_personal = words
        .first_of(&WORDS.beyond)
        .or_else(|| words.first_of(&WORDS.person))
        .is_some();
    (mention.strength() == Strength::Strong || !is_personal).then_some(mention)
}
