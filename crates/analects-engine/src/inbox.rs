//! The inbox: proposals in the directories that Gemini CLI's own inbox reads, so that both show the same.
//!
//! [`propose`] puts facts there, `wait` a change that a model wants. [`count`] and [`items`] tell what waits: the first
//! for a line that says so, the second for whatever lets a person look through it; [`seen`] notes that somebody did.
//! [`accept`], [`edit`] and [`dismiss`] do what the person says, each thing by itself, through the one commit point:
//! `memory undo` takes all of it back. What a stranger's text led to lies in quarantine, where Gemini CLI does not look.

mod accept;
mod dismiss;
mod edit;
mod items;
mod propose;
mod seen;
mod settle;
mod wait;

use analects_skill::skill;
use analects_world::AbsPath;
use analects_world::changes::Change;

use crate::book::Book;

pub use accept::{Wish, accept};
pub use analects_skill::codes;
pub use analects_skill::inbox::{Item, ItemFile, Kind, Layer, To, Waiting};
pub use dismiss::dismiss;
pub use edit::{Edit, edit};
pub use items::{Count, count, item, items, place, seen};
pub use propose::{LeftOut, Proposed, Why, propose};
pub use settle::{Outcome, Settlement, Which};

pub(crate) use dismiss::candidates;
pub(crate) use items::shelf;
pub(crate) use wait::wait;

/// Whether a person dismissed a skill of this name that says the same, on whichever shelf it lay. Whoever learns asks here
/// before it is proposed again.
#[must_use]
pub fn is_buried(book: &Book, name: &str, manifest: &str) -> bool {
    book.is_buried_under(&format!("skills/{name}"), &skill::gist(manifest))
}

/// Whether a change takes away what waited: that follows from what it became, and is not worth showing beside it.
pub(crate) fn is_spent(change: &Change) -> bool {
    change.text.is_none() && is_in_inbox(&change.path)
}

/// Whether a path lies where things wait: `…/tmp/<project>/memory/skills`, `….inbox` or `….quarantine`.
pub(crate) fn is_in_inbox(path: &AbsPath) -> bool {
    let names: Vec<_> = path.as_str().split('/').collect();
    let is_shelf = |part: &[&str]| {
        matches!(
            part,
            ["tmp", _, "memory", "skills" | ".inbox" | ".quarantine"]
        )
    };
    names.windows(4).any(is_shelf)
}

#[cfg(test)]
mod tests;
