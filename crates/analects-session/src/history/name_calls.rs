//! Ids for calls and responses of old records that have none.

use std::collections::{HashMap, VecDeque};

use analects_world::model::{Body, Content, Part, Role, stable_id};
use serde_json::{Map, Value};

use super::is_truthy;

/// Gives every call and every response an id, where a record had none: the same ones each time, and one for
/// both where a response stands right after its call.
pub fn name_calls(turns: &mut [Content]) {
    for turn_idx in 0..turns.len() {
        let mut waiting = turns.get_mut(turn_idx + 1).map(waiting).unwrap_or_default();
        let Some([turn, after @ ..]) = turns.get_mut(turn_idx..) else {
            return;
        };
        for (part_idx, part) in turn.parts.iter_mut().enumerate() {
            let Some(tie) = Tie::of(part).filter(Tie::is_loose) else {
                continue;
            };
            let name = tie.name();
            // By now every call has an id, so a response without one has lost its call.
            let (start, is_call) = match tie.end {
                End::Call => ("synth", true),
                End::Response => ("synth_orph", false),
            };
            let id = made_up(start, &name, &turn.id, turn_idx, part_idx);
            tie.set(&id);
            let answer = waiting.get_mut(&name).filter(|_| is_call);
            let answer = answer.and_then(VecDeque::pop_front);
            let next = after.first_mut().zip(answer);
            let part = next.and_then(|(next, part_idx)| next.parts.get_mut(part_idx));
            if let Some(tie) = part.and_then(Tie::of) {
                tie.set(&id);
            }
        }
    }
}

/// The responses of a turn that have no id, by the tool that they come from.
fn waiting(turn: &mut Content) -> HashMap<String, VecDeque<usize>> {
    let mut waiting: HashMap<_, VecDeque<_>> = HashMap::new();
    if turn.role != Role::User {
        return waiting;
    }
    for (part_idx, part) in turn.parts.iter_mut().enumerate() {
        let tie = Tie::of(part).filter(|tie| tie.end == End::Response && tie.is_loose());
        if let Some(tie) = tie {
            waiting.entry(tie.name()).or_default().push_back(part_idx);
        }
    }
    waiting
}

/// One end of what ties a response to its call.
struct Tie<'a> {
    end: End,
    id: &'a mut Option<String>,
    name: &'a str,
    rest: &'a mut Map<String, Value>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Call,
    Response,
}

impl<'a> Tie<'a> {
    fn of(part: &'a mut Part) -> Option<Self> {
        match &mut part.body {
            Body::Call(call) => Some(Self {
                end: End::Call,
                id: &mut call.id,
                name: &call.name,
                rest: &mut call.rest,
            }),
            Body::Response(response) => Some(Self {
                end: End::Response,
                id: &mut response.id,
                name: &response.name,
                rest: &mut response.rest,
            }),
            Body::Text(_) | Body::Media(_) | Body::Other => None,
        }
    }

    /// Whether it has no id that the original takes for one.
    fn is_loose(&self) -> bool {
        self.id.is_none() && !self.rest.get("id").is_some_and(is_truthy)
    }

    /// The name of the tool, as JavaScript writes one that is not there.
    fn name(&self) -> String {
        let is_there = !self.name.is_empty() || self.rest.get("name").is_some_and(Value::is_string);
        let name = if is_there { self.name } else { "undefined" };
        name.to_owned()
    }

    fn set(self, id: &str) {
        self.rest.shift_remove("id");
        *self.id = Some(id.to_owned());
    }
}

fn made_up(start: &str, name: &str, turn: &str, turn_idx: usize, part_idx: usize) -> String {
    let id = stable_id(&[turn, &turn_idx.to_string(), &part_idx.to_string()]);
    format!("{start}_{name}_{id}")
}
