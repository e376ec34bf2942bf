//! Words in the shape that each service gives them. The shapes are those of the services as they answer today,
//! with the fields that we do not read, so that a reader who trips over one shows it here.

mod anthropic;
mod gemini;
mod openai;

use analects_world::model::{Body, Call, Part};
use analects_world::models::{Event, Finish, Listed, Usage, Wire};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::received::Received;
use super::reply::{Quirk, Trouble};

/// An answer as bytes, cut where its events end.
pub(super) struct Rendered {
    pub(super) content_type: &'static str,
    pub(super) events: Vec<Bytes>,
    /// Whether it comes as one document whose length is known.
    pub(super) is_whole: bool,
}

/// What is said, in the wire of the request, streamed or whole as it wants.
pub(super) fn answer(wire: Wire, events: &[Event], quirk: &Quirk, request: &Received) -> Rendered {
    let said = Said {
        events,
        quirk,
        request,
    };
    if !request.wants_stream() || *quirk == Quirk::Whole {
        return document(&match wire {
            Wire::Gemini => gemini::whole(&said),
            Wire::OpenAi => openai::whole(&said),
            Wire::Anthropic => anthropic::whole(&said),
        });
    }
    if !request.wants_events() {
        return document(&Value::from(gemini::chunks(&said)));
    }
    let events = match wire {
        Wire::Gemini => gemini::stream(&said),
        Wire::OpenAi => openai::stream(&said),
        Wire::Anthropic => anthropic::stream(&said),
    };
    Rendered {
        content_type: match wire {
            Wire::Gemini => "text/event-stream",
            Wire::OpenAi | Wire::Anthropic => "text/event-stream; charset=utf-8",
        },
        events: events.into_iter().map(Bytes::from).collect(),
        is_whole: false,
    }
}

/// An error, in the shape of the service.
pub(super) fn trouble(wire: Wire, trouble: &Trouble) -> Value {
    match wire {
        Wire::Gemini => gemini::trouble(trouble),
        Wire::OpenAi => openai::trouble(trouble),
        Wire::Anthropic => anthropic::trouble(trouble),
    }
}

/// An error in the middle of a stream.
pub(super) fn trouble_event(wire: Wire, what: &Trouble) -> Bytes {
    let value = trouble(wire, what);
    Bytes::from(match wire {
        Wire::Gemini => gemini::event(&value),
        Wire::OpenAi => openai::event(&value),
        Wire::Anthropic => anthropic::event(&value),
    })
}

/// A number of tokens.
pub(super) fn counted(wire: Wire, tokens: u64) -> Value {
    match wire {
        Wire::Gemini => json!({
            "totalTokens": tokens,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens}],
        }),
        Wire::OpenAi | Wire::Anthropic => json!({"input_tokens": tokens}),
    }
}

/// The models that are to be had.
pub(super) fn models(wire: Wire, models: &[Listed]) -> Value {
    match wire {
        Wire::Gemini => gemini::models(models),
        Wire::OpenAi => openai::models(models),
        Wire::Anthropic => anthropic::models(models),
    }
}

/// One JSON document.
pub(super) fn document(value: &Value) -> Rendered {
    Rendered {
        content_type: "application/json; charset=utf-8",
        events: vec![Bytes::from(value.to_string())],
        is_whole: true,
    }
}

/// What is to be said.
struct Said<'a> {
    events: &'a [Event],
    quirk: &'a Quirk,
    request: &'a Received,
}

impl Said<'_> {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.events.iter().filter_map(|event| match event {
            Event::Part(part) => Some(part),
            _ => None,
        })
    }

    /// The usage that counts: the last.
    fn usage(&self) -> Option<Usage> {
        let mut events = self.events.iter().rev();
        events.find_map(|event| match event {
            Event::Usage(usage) => Some(*usage),
            _ => None,
        })
    }

    fn finish(&self) -> Option<&Finish> {
        self.events.iter().find_map(|event| match event {
            Event::Finish(finish) => Some(finish),
            _ => None,
        })
    }

    fn has_call(&self) -> bool {
        self.parts().any(|part| matches!(part.body, Body::Call(_)))
    }

    /// The arguments of a call as the text that two of three wires send.
    fn arguments(&self, call: &Call) -> String {
        match (self.quirk, &call.args) {
            (Quirk::Arguments(text), _) => text.clone(),
            (_, Value::Null) => "{}".to_owned(),
            (_, args) => args.to_string(),
        }
    }

    /// A count of tokens, or the lie that is told in its place.
    fn tokens(&self, count: u64) -> Value {
        match self.quirk {
            Quirk::Usage(lie) => lie.clone(),
            _ => count.into(),
        }
    }
}

/// The counts that are known, under their names.
fn counts<const N: usize>(said: &Said<'_>, counts: [(&str, Option<u64>); N]) -> Map<String, Value> {
    let known = counts.into_iter();
    known
        .filter_map(|(name, count)| Some((name.to_owned(), said.tokens(count?))))
        .collect()
}

fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    }
}

/// A text in pieces of a few characters, as a model writes it.
fn in_pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(6)
        .map(|piece| piece.iter().collect())
        .collect()
}
