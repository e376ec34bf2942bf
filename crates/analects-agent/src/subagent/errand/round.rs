//! The calls of one answer: which are answered by the errand itself, and all responses in their order.

use std::collections::HashMap;

use analects_world::model::{Body, Call, Part};
use serde_json::{Value, json};

use crate::subagent::{COMPLETE_TASK, Output, complete_task};
use crate::tools::{Refusal, RefusalKind};

/// A call that no tool ran for.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The call.
    pub call: Call,
    /// What the model reads.
    pub result: Result<String, Refusal>,
    /// The same as it stands in the history.
    pub part: Part,
}

/// Why nothing but a completion is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    LastTurn,
    NoTime,
}

/// The calls of one answer.
#[derive(Debug)]
pub(super) struct Round {
    seats: Vec<Seat>,
    /// What the task was completed with.
    result: Option<Value>,
}

/// A call, and what it is answered here.
#[derive(Debug)]
struct Seat {
    call: Call,
    answer: Option<Result<String, Refusal>>,
}

/// A round in which all have answered.
pub(super) struct Closed {
    /// A response to each call, in their order, and what else there is to see.
    pub(super) parts: Vec<Part>,
    /// What was answered here.
    pub(super) answered: Vec<Answered>,
    /// What the task was completed with.
    pub(super) result: Option<Value>,
}

impl Round {
    pub(super) fn new(calls: Vec<Call>, output: &Output, refused: Option<Refused>) -> Self {
        let mut result = None;
        let seat = |call: Call| {
            let answer = match (call.name == COMPLETE_TASK, refused) {
                (true, _) => Some(complete(&call, output, &mut result)),
                (false, Some(why)) => Some(Err(why.refusal())),
                (false, None) => None,
            };
            Seat { call, answer }
        };
        let seats = calls.into_iter().map(seat).collect();
        Self { seats, result }
    }

    /// The calls that are to be run.
    pub(super) fn open(&self) -> Vec<Call> {
        let open = self.seats.iter().filter(|seat| seat.answer.is_none());
        open.map(|seat| seat.call.clone()).collect()
    }

    /// Whether the task was completed in it.
    pub(super) fn has_result(&self) -> bool {
        self.result.is_some()
    }

    /// Everything together. A call that has no response gets one: without, no model would take the history.
    pub(super) fn close(self, parts: Vec<Part>) -> Closed {
        let mut others = Vec::new();
        let mut responses = HashMap::new();
        for part in parts {
            match &part.body {
                Body::Response(response) => {
                    responses.insert(response.id.clone(), part);
                }
                _ => others.push(part),
            }
        }
        let (mut parts, mut answered) = (Vec::new(), Vec::new());
        for Seat { call, answer } in self.seats {
            let given = answer.is_none().then(|| responses.remove(&call.id));
            if let Some(part) = given.flatten() {
                parts.push(part);
                continue;
            }
            let ours = Answered::new(call, answer.unwrap_or_else(|| Err(stopped())));
            parts.push(ours.part.clone());
            answered.push(ours);
        }
        parts.extend(others);
        Closed {
            parts,
            answered,
            result: self.result,
        }
    }
}

impl Answered {
    fn new(call: Call, result: Result<String, Refusal>) -> Self {
        let response = match &result {
            Ok(text) => json!({ "output": text }),
            Err(refusal) => json!({ "error": refusal.message }),
        };
        let id = call.id.clone().unwrap_or_default();
        Self {
            part: Part::response(id, &*call.name, response),
            call,
            result,
        }
    }
}

impl Refused {
    fn refusal(self) -> Refusal {
        let message = match self {
            Self::LastTurn => {
                "Nothing is run in the last turn: only `complete_task` was to be called."
            }
            Self::NoTime => "This was not run: your time is over.",
        };
        Refusal::new(RefusalKind::Denied, message)
    }
}

/// Takes the first result that is one.
fn complete(call: &Call, output: &Output, result: &mut Option<Value>) -> Result<String, Refusal> {
    if result.is_some() {
        let message =
            "The task is complete already: the first result counts, and this one does not.";
        return Err(Refusal::new(RefusalKind::BadArguments, message));
    }
    *result = Some(complete_task::read(&call.args, output)?);
    Ok("The task is complete.".to_owned())
}

fn stopped() -> Refusal {
    let message = "This was stopped before it had an answer.";
    Refusal::new(RefusalKind::Cancelled, message)
}
