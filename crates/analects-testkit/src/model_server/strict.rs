//! What the real services would refuse, in their words and under their status.
//!
//! Only what they are known to refuse is refused here; whatever else is wrong with a request goes through.

mod anthropic;
mod gemini;
mod openai;

use analects_world::models::Wire;
use serde_json::{Map, Value};

use super::received::{Received, Verb};
use super::reply::Trouble;

/// Whether the service would have this request, given the key that opens it.
pub(super) fn check(request: &Received, key: Option<&str>) -> Result<(), Trouble> {
    let Some((wire, verb)) = request.wants() else {
        return Ok(());
    };
    if let Some(key) = key {
        check_key(wire, request, key)?;
    }
    if wire == Wire::Anthropic && request.header("anthropic-version").is_none() {
        return Err(bad("anthropic-version: header is required"));
    }
    if verb == Verb::List {
        return Ok(());
    }
    let kind = request.header("content-type").unwrap_or_default();
    if !kind.starts_with("application/json") {
        return Err(bad(format!("Content-Type `{kind}` is not supported")));
    }
    let Value::Object(body) = &request.json else {
        return Err(bad("We could not parse the JSON body of your request."));
    };
    match (wire, verb) {
        (Wire::Gemini, Verb::Count) => gemini::check_count(body),
        (Wire::Gemini, _) => gemini::check(body),
        (Wire::OpenAi, _) => openai::check(body),
        (Wire::Anthropic, Verb::Count) => anthropic::check_count(body),
        (Wire::Anthropic, _) => anthropic::check(body),
    }
}

/// Each service has its own place for the key, and its own words for one that is missing or wrong.
fn check_key(wire: Wire, request: &Received, key: &str) -> Result<(), Trouble> {
    let (given, missing, wrong) = match wire {
        // In the address it would be taken too; but what stands in an address ends up in logs.
        Wire::Gemini => (
            request.header("x-goog-api-key"),
            (403, "Method doesn't allow unregistered callers"),
            (400, "API key not valid. Please pass a valid API key."),
        ),
        Wire::OpenAi => {
            let header = request.header("authorization");
            (
                header.and_then(|value| value.strip_prefix("Bearer ")),
                (401, "You didn't provide an API key."),
                (401, "Incorrect API key provided."),
            )
        }
        Wire::Anthropic => (
            request.header("x-api-key"),
            (401, "x-api-key header is required"),
            (401, "invalid x-api-key"),
        ),
    };
    let (status, message) = match given {
        None => missing,
        Some(given) if given != key => wrong,
        Some(_) => return Ok(()),
    };
    Err(Trouble::new(status, message))
}

/// A request that cannot be.
fn bad(message: impl AsRef<str>) -> Trouble {
    Trouble::new(400, message.as_ref())
}

fn need(is: bool, message: impl FnOnce() -> String) -> Result<(), Trouble> {
    if is { Ok(()) } else { Err(bad(message())) }
}

/// Refuses a field that is not among those known.
fn only(
    fields: &Map<String, Value>,
    known: &[&str],
    message: impl Fn(&str) -> String,
) -> Result<(), Trouble> {
    let strange = fields.keys().find(|name| !known.contains(&&***name));
    strange.map_or(Ok(()), |name| Err(bad(message(name))))
}

/// A field that holds a list with something in it.
fn list(value: Option<&Value>) -> Option<&[Value]> {
    let list = value?.as_array()?;
    (!list.is_empty()).then_some(list)
}

fn text_of<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}

/// Letters, digits, `_` and `-`, at most this many.
fn is_name(name: &str, limit: usize) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=limit).contains(&name.len()) && name.chars().all(is_plain)
}

fn is_between(value: Option<&Value>, low: f64, high: f64) -> bool {
    value.is_none_or(|value| value.as_f64().is_some_and(|n| (low..=high).contains(&n)))
}

#[cfg(test)]
mod tests;
