//! Puts messages that a hook changed back into a history.

use analects_world::model::{Content, Part};
use analects_world::provenance::Author;
use serde_json::{Map, Value};

use super::{Message, messages, text_of};

/// The history with the messages of a changed request; without any, as it was. `Err` says why they are none.
///
/// What stands unchanged at the beginning and at the end is where it was. In between, message for message takes the place
/// of what was said there; what is left over of either side is added or taken away.
pub fn edited(history: Vec<Content>, request: &Map<String, Value>) -> Result<Vec<Content>, String> {
    let new = match request.get("messages") {
        None | Some(Value::Null) => return Ok(history),
        Some(Value::Array(new)) => new.iter().map(Message::read).collect::<Option<Vec<_>>>(),
        Some(_) => None,
    };
    let Some(new) = new else {
        return Err(
            "`llm_request.messages` is no list of messages with `role` and `content`".to_owned(),
        );
    };
    let old: Vec<_> = messages(&history).collect();
    let same_before = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old.1 == **new)
        .count();
    let rest = |all: usize| all - same_before;
    let ends = old.iter().rev().zip(new.iter().rev());
    let same_after = ends.take_while(|(old, new)| old.1 == **new).count();
    let same_after = same_after.min(rest(old.len())).min(rest(new.len()));
    let changed_old = old
        .get(same_before..old.len() - same_after)
        .unwrap_or_default();
    let changed_new = new
        .get(same_before..new.len() - same_after)
        .unwrap_or_default();
    let places: Vec<_> = changed_old.iter().map(|(place, _)| *place).collect();
    // What is added comes before what follows unchanged; if nothing does, at the end.
    let follows = old.get(old.len() - same_after).map(|(place, _)| *place);
    let end = places
        .last()
        .map_or_else(|| follows.unwrap_or(history.len()), |last| last + 1);
    Ok(put(history, &places, changed_new, end))
}

fn put(history: Vec<Content>, places: &[usize], new: &[Message], end: usize) -> Vec<Content> {
    let mut changed = Vec::with_capacity(history.len() + new.len());
    let (mut places, mut messages) = (places.iter().peekable(), new.iter());
    let n_turns = history.len();
    for (at, turn) in history.into_iter().enumerate() {
        if at == end {
            changed.extend(
                messages
                    .by_ref()
                    .enumerate()
                    .map(|(n, it)| added(&turn.id, n, it)),
            );
        }
        if places.next_if_eq(&&at).is_none() {
            changed.push(turn);
            continue;
        }
        match messages.next() {
            Some(message) if message.role == turn.role => changed.push(worded(turn, &message.text)),
            Some(message) => {
                let id = turn.id.clone();
                changed.extend(silent(turn));
                changed.push(added(&id, 0, message));
            }
            None => changed.extend(silent(turn)),
        }
    }
    if end >= n_turns {
        changed.extend(messages.enumerate().map(|(n, it)| added("end", n, it)));
    }
    changed
}

/// A turn that says this instead, where its first words were.
fn worded(turn: Content, text: &str) -> Content {
    let mut text = Some(text.to_owned());
    let parts = turn.parts.into_iter().filter_map(|mut part| {
        if text_of(&part).is_some() {
            part.body = analects_world::model::Body::Text(text.take().filter(|it| !it.is_empty())?);
            part.author = Some(Author::Hook);
        }
        Some(part)
    });
    Content {
        parts: parts.collect(),
        ..turn
    }
}

/// A turn without its words; none if there was nothing else in it.
fn silent(turn: Content) -> Option<Content> {
    let turn = worded(turn, "");
    (!turn.parts.is_empty()).then_some(turn)
}

fn added(beside: &str, n: usize, message: &Message) -> Content {
    Content {
        id: format!("{beside}-hook-{n}"),
        role: message.role,
        parts: vec![Part::written_by(Author::Hook, &*message.text)],
    }
}
