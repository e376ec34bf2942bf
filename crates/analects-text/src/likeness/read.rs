//! Reads a sentence as a rule: what it says, what it denies, and under which condition.
//!
//! This is no grammar. It knows clauses, the reach of a denial and of a condition, and little else; the
//! same words in the same clauses give the same reading, and that is all a comparison needs.

mod reader;

use super::atoms::{Term, atoms};
use super::lexicon::Role;
use reader::Reader;

/// A term where it stands.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) term: Term,
    pub(super) role: Role,
    pub(super) is_denied: bool,
    /// Denied only to say what its opposite is not: `use a, not b`.
    pub(super) is_contrast: bool,
    pub(super) clause: usize,
}

/// What joins or parts terms.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// Index of a placed term.
    Term(usize),
    Link(&'static str),
    /// `and`, a comma of a list.
    Edge,
}

/// What a clause does as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Clause {
    pub(super) sentence: usize,
    pub(super) n_denials: usize,
    /// Only tells how things are, or denies in part: `is not`, `do not always`.
    pub(super) is_vague: bool,
    pub(super) says_do: bool,
    /// Opens with a verb in the form of a command.
    pub(super) is_command: bool,
    /// Opens with where or for what it holds: `for releases, …`.
    pub(super) opens_with_link: bool,
    /// Ends with a colon.
    pub(super) is_lead: bool,
}

/// A text as read.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    pub(super) placed: Vec<Placed>,
    pub(super) items: Vec<Item>,
    pub(super) clauses: Vec<Clause>,
}

/// Reads `text`.
pub(super) fn read(text: &str) -> Reading {
    let atoms = atoms(text);
    let mut reader = Reader::new(&atoms);
    for at in 0..atoms.len() {
        reader.take(at);
    }
    reader.finish()
}
