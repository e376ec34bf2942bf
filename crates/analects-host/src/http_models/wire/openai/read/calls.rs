//! Calls that come in pieces.
//!
//! OpenAI numbers the calls of an answer and sends id and name with the first piece of each. Others leave out the
//! number and send whole calls; or give all of them the number 0 and tell them apart by their ids; or leave out
//! the ids; or repeat id and name with every piece.

use analects_world::model::{Body, Part};
use analects_world::models::Fault;
use serde::Deserialize;

use crate::http_models::wire::loose::{Json, loose};
use crate::http_models::wire::spell::{self, Purse};

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Spelling>,
    purse: Purse,
}

/// A call that is not yet whole.
#[derive(Debug, Default)]
struct Spelling {
    index: Option<u64>,
    id: String,
    name: String,
    args: String,
}

/// A piece of a call.
#[derive(Deserialize)]
pub(super) struct CallDelta {
    #[serde(default, deserialize_with = "loose")]
    index: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    id: Option<String>,
    function: Option<FunctionDelta>,
}

/// What it says.
#[derive(Deserialize, Default)]
pub(super) struct FunctionDelta {
    #[serde(default, deserialize_with = "loose")]
    name: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    arguments: Option<Json>,
}

impl CallDelta {
    /// The only call of an answer, as it was before there could be many.
    pub(super) fn only(function: FunctionDelta) -> Self {
        Self {
            index: Some(0),
            id: None,
            function: Some(function),
        }
    }
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Hears a piece.
    pub(super) fn hear(&mut self, delta: CallDelta) -> Result<(), Fault> {
        let CallDelta {
            index,
            id,
            function,
        } = delta;
        let FunctionDelta { name, arguments } = function.unwrap_or_default();
        let id = id.unwrap_or_default();
        let name = name.unwrap_or_default();
        let args = arguments.map(|json| json.0).unwrap_or_default();
        self.purse.bytes(id.len() + name.len() + args.len())?;
        let place = match self.place(index, &id, &name) {
            Some(place) => place,
            None => {
                self.purse.call()?;
                self.calls.push(Spelling {
                    index,
                    ..Spelling::default()
                });
                self.calls.len() - 1
            }
        };
        if let Some(call) = self.calls.get_mut(place) {
            call.add(id, &name, &args);
        }
        Ok(())
    }

    /// Which call a piece belongs to; none if it begins one. There are few calls, and the last is asked first.
    fn place(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let of_index = |call: &Spelling| call.index == index;
        let place = match index {
            Some(_) => self.calls.iter().rposition(of_index)?,
            None if id.is_empty() && name.is_empty() => self.calls.len().checked_sub(1)?,
            None => {
                return self
                    .calls
                    .iter()
                    .rposition(|c| !id.is_empty() && c.id == id);
            }
        };
        let call = self.calls.get(place)?;
        let is_another = if id.is_empty() || call.id.is_empty() {
            // A name behind arguments begins a call, unless the server only says it again.
            !name.is_empty() && !call.args.is_empty() && call.name != name
        } else {
            call.id != id
        };
        (!is_another).then_some(place)
    }

    /// All calls, in their order, and the first thing that is wrong with any of them.
    pub(super) fn spell(mut self) -> (Vec<Part>, Option<String>) {
        // Stable: calls of one number, or of none, stay as they came.
        self.calls
            .sort_by_key(|call| call.index.unwrap_or(u64::MAX));
        let mut parts: Vec<Part> = Vec::new();
        let mut misspelt = None;
        for call in self.calls {
            let id = match has_id(&parts, &call.id) {
                true => String::new(),
                false => call.id,
            };
            match spell::call(id, call.name, &call.args) {
                Ok(part) => parts.push(part),
                Err(what) => misspelt = misspelt.or(Some(what)),
            }
        }
        (parts, misspelt)
    }
}

impl Spelling {
    fn add(&mut self, id: String, name: &str, args: &str) {
        if self.id.is_empty() {
            self.id = id;
        }
        if self.args.is_empty() && self.name != name {
            self.name.push_str(name);
        }
        self.args.push_str(args);
    }
}

/// An id that two calls share ties no response to either.
fn has_id(parts: &[Part], id: &str) -> bool {
    parts.iter().any(|part| match &part.body {
        Body::Call(call) => call.id.as_deref() == Some(id),
        _ => false,
    })
}
