//! Which response belongs to which call.
//!
//! What is surest is tied first, and each rule is one sweep over what is left: a response in the next turn
//! with the id and the name, with the id alone; the id anywhere, if only one call has it; then, for what has
//! no id, the name in the next turn, or there just the order. Some servers number the calls of each turn
//! from 0 on: there an id far away says nothing, and to answer one call with the response of another would
//! be worse than to answer it with none.

use std::collections::{HashMap, VecDeque};

use analects_world::model::{Body, Response};

use super::piece::Piece;

/// What belongs together, by the places of the pieces.
pub(super) struct Pairs {
    partners: Vec<Option<usize>>,
    repeats: Vec<bool>,
}

impl Pairs {
    /// The response of a call, or the call of a response.
    pub(super) fn partner(&self, piece_idx: usize) -> Option<usize> {
        self.partners.get(piece_idx).copied().flatten()
    }

    /// Whether a response says again what its call has been answered already.
    pub(super) fn is_repeat(&self, piece_idx: usize) -> bool {
        self.repeats.get(piece_idx).copied().unwrap_or_default()
    }
}

/// One end of a pair.
struct Knot<'a> {
    is_call: bool,
    /// The run of the call: that of the response is the next.
    run: usize,
    id: Option<&'a str>,
    /// Whether no other call has the id.
    is_only: bool,
    name: &'a str,
}

/// The run, the id and the name, as far as a rule looks at them.
type Key<'a> = (usize, &'a str, &'a str);
/// How a rule sees an end; `None` if it does not concern it.
type Rule = for<'a> fn(&Knot<'a>) -> Option<Key<'a>>;

const RULES: [Rule; 6] = [
    |knot| Some((knot.run, knot.id?, knot.name)),
    |knot| Some((knot.run, knot.id?, "")),
    |knot| knot.id.filter(|_| knot.is_only).map(|id| (0, id, "")),
    |knot| (knot.is_call || knot.id.is_none()).then_some((knot.run, "", knot.name)),
    |knot| (!knot.is_call || knot.id.is_none()).then_some((knot.run, "", knot.name)),
    |knot| {
        let is_bare = knot.id.is_none() && knot.name.is_empty();
        (knot.is_call || is_bare).then_some((knot.run, "", ""))
    },
];

/// Ties responses to calls.
pub(super) fn pairs(pieces: &[Piece]) -> Pairs {
    let mut partners = vec![None; pieces.len()];
    let n_calls = n_calls(pieces);
    let knots = pieces.iter().map(|piece| knot(piece, &n_calls));
    let mut loose: Vec<_> = { knots.enumerate() }
        .filter_map(|(piece_idx, knot)| Some((piece_idx, knot?)))
        .collect();
    for rule in RULES {
        tie(&loose, rule, &mut partners);
        loose.retain(|(piece_idx, _)| partners.get(*piece_idx) == Some(&None));
    }
    let repeats = repeats(pieces, &partners);
    Pairs { partners, repeats }
}

/// An id that says something.
pub(super) fn known_id(id: Option<&String>) -> Option<&str> {
    id.map(String::as_str).filter(|id| !id.is_empty())
}

/// How many calls have an id.
fn n_calls(pieces: &[Piece]) -> HashMap<&str, usize> {
    let mut n_calls = HashMap::new();
    for piece in pieces {
        if let Body::Call(call) = &piece.part.body
            && let Some(id) = known_id(call.id.as_ref())
        {
            *n_calls.entry(id).or_default() += 1;
        }
    }
    n_calls
}

fn knot<'a>(piece: &'a Piece, n_calls: &HashMap<&str, usize>) -> Option<Knot<'a>> {
    let (is_call, run, id, name) = match &piece.part.body {
        Body::Call(call) => (true, piece.run, &call.id, &call.name),
        Body::Response(response) => {
            // A response that opens the history follows no run.
            let run = piece.run.checked_sub(1).unwrap_or(usize::MAX);
            (false, run, &response.id, &response.name)
        }
        Body::Text(_) | Body::Media(_) | Body::Other => return None,
    };
    let id = known_id(id.as_ref());
    Some(Knot {
        is_call,
        run,
        id,
        is_only: id.and_then(|id| n_calls.get(id)) == Some(&1),
        name,
    })
}

fn tie(loose: &[(usize, Knot<'_>)], rule: Rule, partners: &mut [Option<usize>]) {
    let mut waiting: HashMap<Key<'_>, VecDeque<usize>> = HashMap::new();
    for (piece_idx, knot) in loose.iter().filter(|(_, knot)| knot.is_call) {
        if let Some(key) = rule(knot) {
            waiting.entry(key).or_default().push_back(*piece_idx);
        }
    }
    for (piece_idx, knot) in loose.iter().filter(|(_, knot)| !knot.is_call) {
        let calls = rule(knot).and_then(|key| waiting.get_mut(&key));
        let Some(call_idx) = calls.and_then(VecDeque::pop_front) else {
            continue;
        };
        for (from, to) in [(call_idx, *piece_idx), (*piece_idx, call_idx)] {
            if let Some(partner) = partners.get_mut(from) {
                *partner = Some(to);
            }
        }
    }
}

/// The loose responses that are, word for word, the one that the last call of their id has.
fn repeats(pieces: &[Piece], partners: &[Option<usize>]) -> Vec<bool> {
    let mut answers: HashMap<&str, &Response> = HashMap::new();
    let is_repeat = pieces.iter().zip(partners).map(|(piece, partner)| {
        let partner = partner
            .and_then(|idx| pieces.get(idx))
            .map(|it| &it.part.body);
        match (&piece.part.body, partner) {
            (Body::Call(call), Some(Body::Response(answer))) => {
                if let Some(id) = known_id(call.id.as_ref()) {
                    answers.insert(id, answer);
                }
                false
            }
            (Body::Response(said), None) => known_id(said.id.as_ref())
                .and_then(|id| answers.get(id))
                .is_some_and(|answer| *answer == said),
            _ => false,
        }
    });
    is_repeat.collect()
}
