//! Names of turns and calls.

use std::collections::HashSet;

use analects_world::model::{Body, Content, stable_id};

/// A name that no turn of the history has.
pub(super) fn new(session: &str, what: &str, nth: usize, history: &[Content]) -> String {
    let made = |salt: usize| {
        let place = format!("{}.{nth}.{salt}", history.len());
        stable_id(&[session, what, &place])
    };
    let is_taken = |id: &String| history.iter().any(|turn| turn.id == *id);
    (0..).map(made).find(|id| !is_taken(id)).unwrap_or_default()
}

/// The names of all calls in a history.
pub(super) fn taken(history: &[Content]) -> HashSet<String> {
    let calls = history.iter().flat_map(Content::calls);
    calls.filter_map(|call| call.id.clone()).collect()
}

/// Sees to it that every call of an answer has a name of its own, by which its response and its whole output are
/// found. A name that a call has already stays, unless it is `taken`: some servers count from 1 in every answer.
pub(super) fn calls(answer: &mut Content, taken: &mut HashSet<String>) {
    let turn = answer.id.clone();
    for (at, part) in answer.parts.iter_mut().enumerate() {
        let Body::Call(call) = &mut part.body else {
            continue;
        };
        let is_new = call
            .id
            .as_ref()
            .is_some_and(|id| !id.is_empty() && taken.insert(id.clone()));
        if !is_new {
            let id = stable_id(&[&turn, &call.name, &at.to_string()]);
            taken.insert(id.clone());
            call.id = Some(id);
        }
    }
}
