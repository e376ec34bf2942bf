//! The turns, laid out anew: side after side, responses right behind their calls.

use std::mem;

use analects_world::model::{Body, Call, Content, Part, Response, Role, stable_id};
use serde_json::json;

use super::pair::Pairs;
use super::piece::{Piece, Talk};
use super::{LOST, OpenCalls};

/// Lays out the turns.
pub(super) fn turns(talk: Talk, pairs: &Pairs, open_calls: OpenCalls) -> Vec<Content> {
    let Talk { turn_ids, pieces } = talk;
    let last = pieces.iter().rev().find(|piece| piece.role == Role::Model);
    let last = last.filter(|_| open_calls == OpenCalls::Running);
    let running = last.map(|piece| piece.run);
    let places: Vec<_> = pieces.iter().map(Place::of).collect();
    let mut table = Table {
        turn_ids: &turn_ids,
        running,
        parts: pieces.into_iter().map(|piece| Some(piece.part)).collect(),
        turns: Vec::new(),
        due: Vec::new(),
        named_from: None,
    };
    for (piece_idx, place) in places.into_iter().enumerate() {
        table.lay(piece_idx, place, pairs);
    }
    table.finish()
}

/// Where a piece comes from.
#[derive(Clone, Copy)]
struct Place {
    turn_idx: usize,
    role: Role,
    run: usize,
}

impl Place {
    fn of(piece: &Piece) -> Self {
        Self {
            turn_idx: piece.turn_idx,
            role: piece.role,
            run: piece.run,
        }
    }
}

/// A turn that is not finished: what tools answer comes before everything else.
struct Turn {
    id: String,
    role: Role,
    responses: Vec<Part>,
    others: Vec<Part>,
}

struct Table<'a> {
    turn_ids: &'a [String],
    /// The run whose calls may stay open.
    running: Option<usize>,
    /// What has not been laid yet; behind the old pieces those that we made.
    parts: Vec<Option<Part>>,
    turns: Vec<Turn>,
    /// Which parts answer the calls of the last turn, in their order.
    due: Vec<usize>,
    /// The last turn of the old history whose id a new one has.
    named_from: Option<usize>,
}

impl Table<'_> {
    fn lay(&mut self, piece_idx: usize, place: Place, pairs: &Pairs) {
        let partner = pairs.partner(piece_idx);
        let Some(part) = self.parts.get(piece_idx).and_then(Option::as_ref) else {
            return self.pass(place);
        };
        match &part.body {
            Body::Response(_) if partner.is_some() || pairs.is_repeat(piece_idx) => {
                self.pass(place);
            }
            Body::Response(response) => {
                let call = call_for(response);
                self.lay_orphan(piece_idx, place, call);
            }
            Body::Call(call) => {
                let is_lost = partner.is_none() && self.running != Some(place.run);
                let lost = is_lost.then(|| lost(call));
                self.say(piece_idx, place);
                self.due.extend(partner);
                self.due.extend(lost.as_ref().map(|_| self.parts.len()));
                self.parts.extend(lost.map(Some));
            }
            Body::Text(_) | Body::Media(_) | Body::Other => self.say(piece_idx, place),
        }
    }

    /// Goes past a response that is laid with its call. The calls before it must not become one turn with
    /// the next ones, even if it is not theirs.
    fn pass(&mut self, place: Place) {
        if !self.due.is_empty() {
            self.open(place);
        }
    }

    fn lay_orphan(&mut self, piece_idx: usize, place: Place, call: Part) {
        self.open(place);
        self.call_before(call);
        let part = self.take(piece_idx);
        if let Some(turn) = self.turns.last_mut() {
            turn.responses.extend(part);
        }
    }

    fn say(&mut self, piece_idx: usize, place: Place) {
        self.open(place);
        let part = self.take(piece_idx);
        if let Some(turn) = self.turns.last_mut() {
            turn.others.extend(part);
        }
    }

    /// Makes sure that the last turn is of the role of what stands at this place.
    fn open(&mut self, place: Place) {
        if self.turns.last().is_none_or(|turn| turn.role != place.role) {
            let id = self.id_from(place.turn_idx);
            self.start(place.role, id);
        }
    }

    /// The id of an old turn; when a new one has it already, one that follows from it.
    fn id_from(&mut self, turn_idx: usize) -> String {
        let id = self.turn_ids.get(turn_idx).map_or("", String::as_str);
        match self.named_from.replace(turn_idx) == Some(turn_idx) {
            true => stable_id(&[id, &self.turns.len().to_string()]),
            false => id.to_owned(),
        }
    }

    fn start(&mut self, role: Role, id: String) {
        let due = mem::take(&mut self.due).into_iter();
        let responses = due.filter_map(|part_idx| self.take(part_idx)).collect();
        self.turns.push(Turn {
            id,
            role,
            responses,
            others: Vec::new(),
        });
    }

    /// Puts a call before the last turn: behind what is said there, or into a turn of its own.
    fn call_before(&mut self, call: Part) {
        let mut turns = self.turns.iter_mut().rev();
        match (turns.next(), turns.next()) {
            (_, Some(before)) => before.others.push(call),
            (Some(first), None) => {
                let before = Turn {
                    id: stable_id(&[&first.id, "sentinel_call"]),
                    role: Role::Model,
                    responses: Vec::new(),
                    others: vec![call],
                };
                self.turns.insert(0, before);
            }
            (None, None) => {}
        }
    }

    fn take(&mut self, piece_idx: usize) -> Option<Part> {
        self.parts.get_mut(piece_idx)?.take()
    }

    fn finish(mut self) -> Vec<Content> {
        if let Some(last) = self.turns.last().filter(|_| !self.due.is_empty()) {
            let id = stable_id(&[&last.id, "sentinel_resp"]);
            self.start(Role::User, id);
        }
        let turns = self.turns.into_iter().map(|turn| {
            let mut parts = turn.responses;
            parts.extend(turn.others);
            Content {
                id: turn.id,
                role: turn.role,
                parts,
            }
        });
        turns.collect()
    }
}

fn lost(call: &Call) -> Part {
    let id = call.id.clone().unwrap_or_default();
    Part::response(id, &*call.name, json!({ "error": LOST }))
}

fn call_for(response: &Response) -> Part {
    let id = response.id.clone().unwrap_or_default();
    Part::call(id, &*response.name, json!({}))
}
