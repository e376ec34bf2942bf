//! Calls, as they are spelt on wires where their arguments are a text that comes in pieces.

use std::borrow::Cow;

use analects_world::model::{Body, Call, Part};
use analects_world::models::{Fault, Finish, Kind};
use serde_json::{Map, Value, json};

use crate::http_models::crowd;

/// How many calls an answer may hold.
const MAX_CALLS: usize = 128;
/// How many bytes of them we keep until they are whole.
const MAX_BYTES: usize = 16 << 20;

/// What an answer makes us remember, and how much of it we are ready to.
#[derive(Debug, Default)]
pub(super) struct Purse {
    n_calls: usize,
    n_bytes: usize,
}

impl Purse {
    /// One call more.
    pub(super) fn call(&mut self) -> Result<(), Fault> {
        self.n_calls += 1;
        fits(
            self.n_calls <= MAX_CALLS,
            "more tool calls than anybody can run",
        )
    }

    /// Counts further bytes, within the limit.
    pub(super) fn bytes(&mut self, n: usize) -> Result<(), Fault> {
        self.n_bytes += n;
        fits(
            self.n_bytes <= MAX_BYTES,
            "tool calls longer than anybody can use",
        )
    }
}

fn fits(does: bool, what: &str) -> Result<(), Fault> {
    if does {
        return Ok(());
    }
    Err(Fault::new(
        Kind::TooLong,
        format!("the server sends {what}"),
    ))
}

/// The call, or what is wrong with it. No arguments at all are an empty object.
pub(super) fn call(id: String, name: String, args: &str) -> Result<Part, String> {
    if name.is_empty() {
        return Err("a tool without a name".to_owned());
    }
    if crowd::look(args).is_err() {
        return Err(format!(
            "{}: the arguments have too many values",
            cut(&name)
        ));
    }
    let args = match args.trim() {
        "" | "null" => Ok(Map::new()),
        args => serde_json::from_str::<Map<String, Value>>(args),
    };
    let Ok(args) = args else {
        return Err(format!("{}: the arguments are no JSON object", cut(&name)));
    };
    Ok(Part::new(Body::Call(Call {
        id: Some(id).filter(|id| !id.is_empty()),
        name,
        args: args.into(),
        rest: Map::new(),
    })))
}

/// The arguments of a call as every server takes them: an object.
pub(super) fn object(args: &Value) -> Cow<'_, Value> {
    match args {
        Value::Object(_) => Cow::Borrowed(args),
        Value::Null => Cow::Owned(Map::new().into()),
        other => Cow::Owned(json!({ "value": other })),
    }
}

/// How an answer ends in which a call is misspelt. If it was cut, that is why.
pub(super) fn finish(finish: Finish, misspelt: Option<String>) -> Finish {
    match (finish, misspelt) {
        (Finish::Done | Finish::Other(_), Some(what)) => Finish::BadCall(what),
        (finish, _) => finish,
    }
}

/// A word of the server, no longer than a line.
pub(super) fn cut(word: &str) -> String {
    word.chars().take(100).collect()
}
