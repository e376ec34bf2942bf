//! Ids and names of tools: the same on both ends of a pair, and no id twice.
//!
//! Whoever has an id alone keeps it, and of several with the same the first call does. The others get a
//! number behind it. Ids that are made up are those that the original makes up.

use std::collections::{HashMap, HashSet};

use analects_world::model::{Body, stable_id};

use super::pair::{Pairs, known_id};
use super::piece::{Piece, Talk};

/// A tool whose name nobody knows.
const NAMELESS: &str = "unknown";

/// Gives every pair, and every end that has lost its other one, an id and a name.
pub(super) fn tools(talk: &mut Talk, pairs: &Pairs) {
    let mut ids = Ids::new(&talk.pieces);
    let is_call = |piece: &Piece| matches!(piece.part.body, Body::Call(_));
    // Calls first: an orphan must not take the id of a call that comes later.
    let (calls, others): (Vec<_>, Vec<_>) =
        (0..talk.pieces.len()).partition(|&idx| talk.pieces.get(idx).is_some_and(is_call));
    for piece_idx in calls {
        label(talk, piece_idx, pairs.partner(piece_idx), &mut ids);
    }
    for piece_idx in others {
        if pairs.partner(piece_idx).is_none() && !pairs.is_repeat(piece_idx) {
            label(talk, piece_idx, None, &mut ids);
        }
    }
}

fn label(talk: &mut Talk, piece_idx: usize, partner: Option<usize>, ids: &mut Ids) {
    let label_of = |idx: usize| talk.pieces.get(idx).and_then(|piece| own_label(piece));
    let Some((id, name)) = label_of(piece_idx) else {
        return;
    };
    let (other_id, other_name) = partner.and_then(label_of).unwrap_or_default();
    let name = [name, other_name, NAMELESS]
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or(NAMELESS)
        .to_owned();
    let id = match id.or(other_id) {
        Some(id) => ids.claim(id),
        None => ids.claim(&made_up(talk, piece_idx, &name)),
    };
    for idx in [Some(piece_idx), partner].into_iter().flatten() {
        if let Some(piece) = talk.pieces.get_mut(idx) {
            set_label(piece, &id, &name);
        }
    }
}

fn own_label(piece: &Piece) -> Option<(Option<&str>, &str)> {
    match &piece.part.body {
        Body::Call(call) => Some((known_id(call.id.as_ref()), &call.name)),
        Body::Response(response) => Some((known_id(response.id.as_ref()), &response.name)),
        Body::Text(_) | Body::Media(_) | Body::Other => None,
    }
}

fn set_label(piece: &mut Piece, id: &str, name: &str) {
    let (own_id, own_name) = match &mut piece.part.body {
        Body::Call(call) => (&mut call.id, &mut call.name),
        Body::Response(response) => (&mut response.id, &mut response.name),
        Body::Text(_) | Body::Media(_) | Body::Other => return,
    };
    if own_id.as_deref() != Some(id) {
        *own_id = Some(id.to_owned());
    }
    if own_name != name {
        name.clone_into(own_name);
    }
}

fn made_up(talk: &Talk, piece_idx: usize, name: &str) -> String {
    let Some(piece) = talk.pieces.get(piece_idx) else {
        return String::new();
    };
    let start = match piece.part.body {
        Body::Response(_) => "synth_orph",
        _ => "synth",
    };
    let turn_id = talk.turn_ids.get(piece.turn_idx).map_or("", String::as_str);
    let places = [piece.turn_idx, piece.part_idx].map(|idx| idx.to_string());
    let [turn_idx, part_idx] = &places;
    let hash = stable_id(&[turn_id, turn_idx, part_idx]);
    format!("{start}_{name}_{hash}")
}

/// Which ids are taken.
struct Ids {
    /// Those that stand in the history: a number behind another one must not make one of them.
    known: HashSet<String>,
    /// Those given away, with the number that the next one with the same id gets.
    claimed: HashMap<String, usize>,
}

impl Ids {
    fn new(pieces: &[Piece]) -> Self {
        let known = pieces.iter().filter_map(|piece| own_label(piece)?.0);
        Self {
            known: known.map(str::to_owned).collect(),
            claimed: HashMap::new(),
        }
    }

    /// This id, or if it is taken one like it.
    fn claim(&mut self, id: &str) -> String {
        let Some(next) = self.claimed.get(id).copied() else {
            self.claimed.insert(id.to_owned(), 2);
            return id.to_owned();
        };
        let numbered = (next..).map(|number| (number, format!("{id}-{number}")));
        let is_free =
            |like: &String| !self.known.contains(like) && !self.claimed.contains_key(like);
        let free = { numbered }.find(|(_, like)| is_free(like));
        let (number, like) = free.unwrap_or_default();
        self.claimed.insert(id.to_owned(), number + 1);
        self.claimed.insert(like.clone(), 2);
        like
    }
}
