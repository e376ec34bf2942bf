//! Short names for what a model says, so that a script reads like a conversation.

use analects_world::model::{Body, Call, Part};
use analects_world::models::{Event, Finish, Usage};
use serde_json::{Map, Value};

/// Words.
#[must_use]
pub fn text(words: &str) -> Event {
    Event::Part(Part::text(words))
}

/// A thought.
#[must_use]
pub fn thought(words: &str) -> Event {
    let mut part = Part::text(words);
    part.is_thought = true;
    Event::Part(part)
}

/// The same piece with a signature, as a history must give it back.
///
/// # Panics
///
/// If the event is no part: nothing else is signed.
#[must_use]
pub fn signed(event: Event, signature: &str) -> Event {
    let Event::Part(mut part) = event else {
        panic!("only parts are signed");
    };
    let signature = Value::from(signature);
    part.rest.insert("thoughtSignature".to_owned(), signature);
    Event::Part(part)
}

/// A call of a tool.
#[must_use]
pub fn call(id: &str, name: &str, args: Value) -> Event {
    Event::Part(Part::call(id, name, args))
}

/// A call of a tool by a server that gives its calls no ids.
#[must_use]
pub fn call_without_id(name: &str, args: Value) -> Event {
    Event::Part(Part::new(Body::Call(Call {
        id: None,
        name: name.to_owned(),
        args,
        rest: Map::new(),
    })))
}

/// What it costs: tokens read, tokens written.
#[must_use]
pub fn usage(prompt: u64, answer: u64) -> Event {
    Event::Usage(Usage {
        prompt: Some(prompt),
        answer: Some(answer),
        ..Usage::default()
    })
}

/// All is said.
#[must_use]
pub fn done() -> Event {
    finish(Finish::Done)
}

/// It is over, for this reason.
#[must_use]
pub fn finish(why: Finish) -> Event {
    Event::Finish(why)
}
