//! Snapshots that stand in a history already.
//!
//! A snapshot is the user's turn by its role, so anybody could write one. Only one that was acknowledged
//! speaks for the past; any other is a request like the rest.

use std::borrow::Cow;

use analects_world::model::{Content, Role};
use analects_world::provenance::Author;

use super::snapshot::{Snapshot, TAG};

/// What the model answers to a snapshot. The words are those of the original.
pub(super) const ACKNOWLEDGEMENT: &str = "Got it. Thanks for the additional context!";

/// The snapshot that this turn of a history is.
pub(super) fn snapshot_at(history: &[Content], at: usize) -> Option<Snapshot> {
    let text = text_at(history, at)?;
    Snapshot::parse(text)
}

/// Whether this turn of a history is a snapshot: nobody's request, whoever's turn it is.
#[must_use]
pub fn is_snapshot(history: &[Content], at: usize) -> bool {
    text_at(history, at).is_some()
}

/// Whether this turn only acknowledges a snapshot: nobody said anything.
pub(super) fn is_acknowledgement(history: &[Content], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|at| is_snapshot(history, at))
}

fn text_at(history: &[Content], at: usize) -> Option<&str> {
    let turn = history.get(at).filter(|turn| turn.role == Role::User)?;
    let answer = history
        .get(at + 1)
        .filter(|turn| turn.role == Role::Model)?;
    let first = turn.authored_texts().into_iter().next()?;
    // What somebody typed, piped or selected is not a snapshot, whatever it says.
    let Cow::Borrowed(text) = first.text else {
        return None;
    };
    if first.author != Author::System {
        return None;
    }
    let open = text.trim_start().strip_prefix('<')?.strip_prefix(TAG)?;
    let is_one = open.starts_with('>') && text.contains(&format!("</{TAG}>"));
    (is_one && answer.texts().next() == Some(ACKNOWLEDGEMENT)).then_some(text)
}
