//! What is wrong with a history that is to be sent.
//!
//! Says only what no model accepts; who has the last word depends on what it is sent for. Shares nothing
//! with `harden`, so that each can be held against the other.

use std::collections::{HashMap, HashSet};

use analects_world::model::{Body, Content, Part, Role};

/// Something that a model would refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The turn.
    pub turn_idx: usize,
    /// What is wrong with it.
    pub kind: FaultKind,
}

/// What is wrong with a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The model begins.
    ModelFirst,
    /// It is the same side's turn as before.
    SameRole,
    /// It has no pieces.
    EmptyTurn,
    /// One of its pieces says nothing.
    EmptyPart,
    /// The user calls a tool, or the model answers for one.
    WrongSide,
    /// A call or a response has no id.
    NoId,
    /// A call or a response does not name its tool.
    NoName,
    /// A call has an id that another one has had.
    RepeatedId,
    /// The next turn does not answer a call.
    Unanswered,
    /// A response answers no call of the turn before, or one that is answered already.
    Orphan,
    /// Responses are not the first in their turn, or not in the order of the calls.
    Misplaced,
}

/// Everything that is wrong with a history, turn by turn.
#[must_use]
pub fn faults(history: &[Content]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut call_ids = HashSet::new();
    let mut before: Option<&Content> = None;
    for (turn_idx, turn) in history.iter().enumerate() {
        let mut found = |kind| faults.push(Fault { turn_idx, kind });
        match before {
            None if turn.role == Role::Model => found(FaultKind::ModelFirst),
            Some(before) if before.role == turn.role => found(FaultKind::SameRole),
            _ => {}
        }
        if turn.parts.is_empty() {
            found(FaultKind::EmptyTurn);
        }
        for part in &turn.parts {
            check_part(part, turn.role, &mut found);
        }
        let ids = turn.calls().filter_map(|call| call.id.as_deref());
        let n_repeated = ids.filter(|id| !call_ids.insert(*id)).count();
        (0..n_repeated).for_each(|_| found(FaultKind::RepeatedId));
        check_answers(before, Some(turn), turn_idx, &mut faults);
        before = Some(turn);
    }
    check_answers(before, None, history.len(), &mut faults);
    faults
}

fn check_part(part: &Part, role: Role, found: &mut impl FnMut(FaultKind)) {
    let (side, id, name) = match &part.body {
        Body::Call(call) => (Role::Model, &call.id, &call.name),
        Body::Response(response) => (Role::User, &response.id, &response.name),
        Body::Media(_) => return,
        Body::Text(text) if !text.is_empty() => return,
        Body::Text(_) | Body::Other => {
            let mut fields = part.rest.keys().map(String::as_str);
            if fields.all(|name| ["text", "thought", "callIndex"].contains(&name)) {
                found(FaultKind::EmptyPart);
            }
            return;
        }
    };
    if side != role {
        found(FaultKind::WrongSide);
    }
    if id.as_ref().is_none_or(String::is_empty) {
        found(FaultKind::NoId);
    }
    if name.is_empty() {
        found(FaultKind::NoName);
    }
}

/// Holds the responses of a turn against the calls of the one before.
fn check_answers(
    before: Option<&Content>,
    turn: Option<&Content>,
    turn_idx: usize,
    faults: &mut Vec<Fault>,
) {
    let mut open: HashMap<(Option<&str>, &str), Vec<usize>> = HashMap::new();
    let callers = before.filter(|before| before.role == Role::Model);
    let calls = callers.into_iter().flat_map(Content::calls).enumerate();
    for (place, call) in calls {
        let key = (call.id.as_deref(), &*call.name);
        open.entry(key).or_default().push(place);
    }
    let mut order = Vec::new();
    let mut is_first = true;
    let mut is_misplaced = false;
    let answerers = turn.filter(|turn| turn.role == Role::User);
    for part in answerers.into_iter().flat_map(|turn| &turn.parts) {
        let Body::Response(response) = &part.body else {
            is_first = false;
            continue;
        };
        is_misplaced |= !is_first;
        let key = (response.id.as_deref(), &*response.name);
        match open.get_mut(&key).and_then(Vec::pop) {
            Some(place) => order.push(place),
            None => faults.push(Fault {
                turn_idx,
                kind: FaultKind::Orphan,
            }),
        }
    }
    if is_misplaced || !order.is_sorted() {
        faults.push(Fault {
            turn_idx,
            kind: FaultKind::Misplaced,
        });
    }
    let n_open = open.values().map(Vec::len).sum();
    faults.extend((0..n_open).map(|_| Fault {
        turn_idx: turn_idx.saturating_sub(1),
        kind: FaultKind::Unanswered,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(history: &[Content], expected: &[(usize, FaultKind)]) {
        let found: Vec<_> = faults(history)
            .into_iter()
            .map(|it| (it.turn_idx, it.kind))
            .collect();
        assert_eq!(found, expected);
    }

    fn turn(role: Role, parts: Vec<Part>) -> Content {
        Content {
            id: String::new(),
            role,
            parts,
        }
    }

    fn call(id: &str) -> Part {
        Part::call(id, "ls", json!({}))
    }

    fn response(id: &str) -> Part {
        Part::response(id, "ls", json!({}))
    }

    #[test]
    fn a_history_that_is_fine_has_none() {
        use Role::{Model, User};
        check(&[], &[]);
        check(
            &[
                turn(User, vec![Part::text("look")]),
                turn(Model, vec![Part::text("so"), call("1"), call("2")]),
                turn(
                    User,
                    vec![response("1"), response("2"), Part::text("go on")],
                ),
                turn(Model, vec![Part::text("done")]),
            ],
            &[],
        );
    }

    #[test]
    fn every_fault_is_told_with_its_turn() {
        use FaultKind::*;
        use Role::{Model, User};
        check(&[turn(Model, vec![])], &[(0, ModelFirst), (0, EmptyTurn)]);
        check(
            &[turn(User, vec![Part::text("")]), turn(User, vec![call("")])],
            &[(0, EmptyPart), (1, SameRole), (1, WrongSide), (1, NoId)],
        );
        let ask = || turn(User, vec![Part::text("look")]);
        check(&[ask(), turn(Model, vec![call("1")])], &[(1, Unanswered)]);
        check(
            &[ask(), turn(Model, vec![call("1")]), ask()],
            &[(1, Unanswered)],
        );
        check(&[turn(User, vec![response("1")])], &[(0, Orphan)]);
        let both = || turn(Model, vec![call("1"), call("2")]);
        let swapped = turn(User, vec![response("2"), response("1")]);
        check(&[ask(), both(), swapped], &[(2, Misplaced)]);
        let late = turn(User, vec![response("1"), Part::text("x"), response("2")]);
        check(&[ask(), both(), late], &[(2, Misplaced)]);
        let again = turn(User, vec![response("1"), response("2"), response("2")]);
        check(
            &[
                ask(),
                both(),
                again,
                both(),
                turn(User, vec![response("1"), response("2")]),
            ],
            &[(2, Orphan), (3, RepeatedId), (3, RepeatedId)],
        );
    }
}
