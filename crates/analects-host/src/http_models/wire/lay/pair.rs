//! Ties responses to calls.

use std::collections::{HashMap, VecDeque};

use analects_world::model::Response;
use serde_json::Value;

use super::{BEFORE, Outcome, Said, Told, Turn, Word, filler};
use crate::http_models::wire::name::Ids;

/// Lays out what is said to the last turn, with the outcome of every call in it.
///
/// A response belongs to the call of its id; where one of the two has no id, to the first call of its name
/// that is still open. The rest belongs to no call, and gets one.
pub(super) fn answer<'a>(pieces: Vec<Told<'a>>, turns: &mut Vec<Turn<'a>>, ids: &mut Ids) {
    let mut responses = Vec::new();
    let mut words = Vec::new();
    for piece in pieces {
        match piece {
            Told::Response(response) => responses.push(response),
            Told::Word(word) => words.push(word),
        }
    }
    let mut results = match turns.last() {
        Some(Turn::Model(said)) => lost(said),
        _ => Vec::new(),
    };
    let orphans = Open::new(turns.last()).tie(responses, &mut results);
    for response in orphans {
        results.push(call_for(response, turns, ids));
    }
    push(turns, results, words);
}

/// The calls of a turn, none of them answered.
pub(super) fn lost<'a>(said: &[Said<'a>]) -> Vec<Outcome<'a>> {
    let calls = said.iter().filter_map(|piece| match piece {
        Said::Call { id, name, .. } => Some(Outcome {
            id: id.clone(),
            name,
            response: None,
        }),
        _ => None,
    });
    calls.collect()
}

fn push<'a>(turns: &mut Vec<Turn<'a>>, results: Vec<Outcome<'a>>, words: Vec<Word<'a>>) {
    if !results.is_empty() || !words.is_empty() {
        turns.push(Turn::User { results, words });
    }
}

/// Puts a call before a response that has none.
fn call_for<'a>(response: &'a Response, turns: &mut Vec<Turn<'a>>, ids: &mut Ids) -> Outcome<'a> {
    let id = ids.next(response.id.as_deref());
    let call = Said::Call {
        id: id.clone(),
        own: response.id.as_deref(),
        name: &response.name,
        args: &Value::Null,
    };
    match turns.last_mut() {
        Some(Turn::Model(said)) => said.push(call),
        _ => turns.extend([filler(BEFORE), Turn::Model(vec![call])]),
    }
    Outcome {
        id,
        name: &response.name,
        response: Some(response),
    }
}

/// Calls that wait for a response, by their place among the calls of the turn.
#[derive(Default)]
struct Open<'a> {
    by_id: HashMap<&'a str, VecDeque<usize>>,
    by_name: HashMap<&'a str, VecDeque<usize>>,
    by_name_without_id: HashMap<&'a str, VecDeque<usize>>,
}

impl<'a> Open<'a> {
    fn new(turn: Option<&Turn<'a>>) -> Self {
        let mut open = Self::default();
        let Some(Turn::Model(said)) = turn else {
            return open;
        };
        let calls = said.iter().filter_map(|piece| match piece {
            Said::Call { own, name, .. } => Some((*own, *name)),
            _ => None,
        });
        for (i, (own, name)) in calls.enumerate() {
            open.by_name.entry(name).or_default().push_back(i);
            let kin = match own {
                Some(id) => open.by_id.entry(id).or_default(),
                None => open.by_name_without_id.entry(name).or_default(),
            };
            kin.push_back(i);
        }
        open
    }

    /// Gives every call its response, and says which belong to none. Ids go first: a name that is called
    /// twice must not take away what has its own response.
    fn tie(
        mut self,
        responses: Vec<&'a Response>,
        results: &mut [Outcome<'a>],
    ) -> Vec<&'a Response> {
        let mut left = Vec::new();
        for response in responses {
            let kin = response.id.as_deref().and_then(|id| self.by_id.get_mut(id));
            if !give(response, kin, results) {
                left.push(response);
            }
        }
        left.retain(|response| {
            let by_name = match response.id {
                Some(_) => &mut self.by_name_without_id,
                None => &mut self.by_name,
            };
            !give(response, by_name.get_mut(&*response.name), results)
        });
        left
    }
}

/// Gives a response to the first of these calls that is open.
fn give<'a>(
    response: &'a Response,
    kin: Option<&mut VecDeque<usize>>,
    results: &mut [Outcome<'a>],
) -> bool {
    let Some(kin) = kin else { return false };
    while let Some(i) = kin.pop_front() {
        if let Some(open) = results.get_mut(i).filter(|o| o.response.is_none()) {
            open.response = Some(response);
            return true;
        }
    }
    false
}
