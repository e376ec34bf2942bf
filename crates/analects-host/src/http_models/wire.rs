//! The wire formats: how each kind of server is asked and how its answers are read. Pure: bytes are sent elsewhere.

pub(super) mod anthropic;
mod catalogue;
pub(super) mod gemini;
mod lay;
mod loose;
mod name;
pub(super) mod openai;
mod outcome;
mod schema;
mod spell;
#[cfg(test)]
mod strange;

use analects_world::models::{Event, Fault, Listed, Request, Wire};
use serde_json::Value;

use self::name::Names;

/// What is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Letter {
    /// What follows the server's base address, with a leading slash.
    pub(super) path: String,
    /// What stands at its head, besides the key and the content type.
    pub(super) headers: Vec<(&'static str, String)>,
    /// What it says; without anything to say it is a question for what lies at that path.
    pub(super) body: Option<Value>,
}

/// Whether there is more to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Go on.
    More,
    /// It is over; whatever follows means nothing.
    Over,
}

/// Reads an answer, one piece of the stream after the other.
pub(super) trait Reader: Send {
    /// Reads one piece: the name of a server-sent event, if it has one, and its data.
    ///
    /// An answer that came whole, as one JSON document, is read as the one piece of a stream.
    fn read(
        &mut self,
        name: Option<&str>,
        data: &str,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Flow, Fault>;

    /// The stream is at its end: tells what is left, the finish as the last of all. A stream that ended before
    /// its finish was cut.
    fn end(self: Box<Self>, hear: &mut dyn FnMut(Event)) -> Result<(), Fault>;
}

/// The question, as this wire has it.
pub(super) fn ask(wire: Wire, request: &Request<'_>) -> Letter {
    match wire {
        Wire::Gemini => gemini::ask(request),
        Wire::OpenAi => openai::ask(request),
        Wire::Anthropic => anthropic::ask(request),
    }
}

/// The tools of a request that this wire knows by another name.
pub(super) fn names(wire: Wire, request: &Request<'_>) -> Names {
    Names::new(wire, request.tools)
}

/// Who reads the answer to it.
pub(super) fn reader(wire: Wire) -> Box<dyn Reader> {
    match wire {
        Wire::Gemini => Box::new(gemini::GeminiReader::default()),
        Wire::OpenAi => Box::new(openai::OpenAiReader::default()),
        Wire::Anthropic => Box::new(anthropic::AnthropicReader::default()),
    }
}

/// How to have a request counted, and what the answer says; `None` where nobody offers it.
pub(super) fn count(wire: Wire, request: &Request<'_>) -> Option<Letter> {
    match wire {
        Wire::Gemini => Some(gemini::count(request)),
        Wire::OpenAi => None,
        Wire::Anthropic => Some(anthropic::count(request)),
    }
}

/// The number in the answer to [`count`].
pub(super) fn counted(wire: Wire, answer: &Value) -> Option<u64> {
    let field = match wire {
        Wire::Gemini => "totalTokens",
        Wire::OpenAi | Wire::Anthropic => "input_tokens",
    };
    answer.get(field)?.as_u64()
}

/// Whether there can be this many tokens. No model reads or writes as many as 2^40; a server that says so lies.
fn is_true(n_tokens: &u64) -> bool {
    *n_tokens <= 1 << 40
}

/// How to ask what models there are.
pub(super) fn list(wire: Wire) -> Letter {
    match wire {
        Wire::Gemini => gemini::list(),
        Wire::OpenAi => openai::list(),
        Wire::Anthropic => anthropic::list(),
    }
}

/// The models in the answer to [`list`]; `None` if it is no such answer.
pub(super) fn listed(wire: Wire, answer: &Value) -> Option<Vec<Listed>> {
    match wire {
        Wire::Gemini => gemini::listed(answer),
        Wire::OpenAi => openai::listed(answer),
        Wire::Anthropic => anthropic::listed(answer),
    }
}
