//! What a Gemini server means by what it says.

use analects_world::model::{Body, Part};
use analects_world::models::{Event, Fault, Finish, Kind, Usage};
use serde_json::Value;

use super::super::{Flow, Reader, spell};
use crate::http_models::refusal;

/// No model reads or writes so much; a server that says so lies.
const MAX_TOKENS: u64 = 1 << 40;

/// What a piece of an answer has, at least one of them.
const FIELDS: [&str; 3] = ["candidates", "promptFeedback", "usageMetadata"];

/// Reads an answer. Of several candidates, the first is the answer.
#[derive(Debug, Default)]
pub(in crate::http_models) struct GeminiReader {
    usage: Option<Usage>,
    finish: Option<Finish>,
    /// What is wrong with a call.
    misspelt: Option<String>,
    /// Whether anything came that is no answer, and nothing that is one.
    is_strange: bool,
    is_known: bool,
}

impl Reader for GeminiReader {
    fn read(
        &mut self,
        _: Option<&str>,
        data: &str,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Flow, Fault> {
        let piece = serde_json::from_str(data).map_err(|error| garbled(&error.to_string()))?;
        match piece {
            // Some servers answer with the whole list of pieces where they are asked for a stream.
            Value::Array(pieces) => {
                for piece in pieces {
                    self.take(piece, hear)?;
                }
            }
            piece => self.take(piece, hear)?,
        }
        // Usage may follow after the finish.
        Ok(Flow::More)
    }

    fn end(self: Box<Self>, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let Some(finish) = self.finish else {
            if self.is_strange && !self.is_known {
                return Err(garbled("it has no candidates"));
            }
            let message = "the answer stops without saying why";
            return Err(Fault::new(Kind::Cut, message));
        };
        hear(Event::Finish(spell::finish(finish, self.misspelt)));
        Ok(())
    }
}

impl GeminiReader {
    fn take(&mut self, mut piece: Value, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        if let Some(error) = piece.get("error").filter(|error| !error.is_null()) {
            return Err(refusal::said(error));
        }
        if !piece.is_object() {
            return Err(garbled("a piece is no object"));
        }
        match FIELDS.iter().any(|field| piece.get(field).is_some()) {
            true => self.is_known = true,
            false => self.is_strange = true,
        }
        if let Some(candidate) = piece.pointer_mut("/candidates/0") {
            self.take_candidate(candidate, hear);
        }
        let blocked = piece.pointer("/promptFeedback/blockReason");
        if let Some(reason) = blocked.and_then(Value::as_str) {
            self.finish = Some(Finish::Blocked(reason.to_owned()));
        }
        if let Some(usage) = piece.get("usageMetadata").map(usage)
            && self.usage != Some(usage)
        {
            self.usage = Some(usage);
            hear(Event::Usage(usage));
        }
        Ok(())
    }

    fn take_candidate(&mut self, candidate: &mut Value, hear: &mut dyn FnMut(Event)) {
        if let Some(Value::Array(parts)) = candidate.pointer_mut("/content/parts") {
            let parts = parts.drain(..).filter(Value::is_object);
            let parts = parts.map(Part::from_value).filter(says_something);
            for part in parts {
                match misspelt(&part) {
                    None => hear(Event::Part(part)),
                    what => self.misspelt = self.misspelt.take().or(what),
                }
            }
        }
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            self.finish = Some(finish(reason));
        }
    }
}

/// What is wrong with a call, if this is one. A service would not send it; who copies its wire might.
fn misspelt(part: &Part) -> Option<String> {
    let Body::Call(call) = &part.body else {
        return None;
    };
    match &call.args {
        _ if call.name.is_empty() => Some("a tool without a name".to_owned()),
        Value::Null | Value::Object(_) => None,
        _ => {
            let name = spell::cut(&call.name);
            Some(format!("{name}: the arguments are no JSON object"))
        }
    }
}

/// A signature alone says something: it must come back. Nothing at all does not.
fn says_something(part: &Part) -> bool {
    match &part.body {
        Body::Text(text) => !text.is_empty() || !part.rest.is_empty(),
        Body::Other => !part.rest.is_empty(),
        Body::Call(_) | Body::Response(_) | Body::Media(_) => true,
    }
}

fn finish(reason: &str) -> Finish {
    let word = || reason.to_owned();
    match reason {
        "STOP" => Finish::Done,
        "MAX_TOKENS" => Finish::Length,
        "RECITATION" | "IMAGE_RECITATION" => Finish::Recitation,
        "SAFETY"
        | "PROHIBITED_CONTENT"
        | "BLOCKLIST"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT" => Finish::Blocked(word()),
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" => {
            Finish::BadCall(word())
        }
        _ => Finish::Other(word()),
    }
}

fn usage(counts: &Value) -> Usage {
    let count = |name| counts.get(name).and_then(tokens);
    Usage {
        prompt: count("promptTokenCount"),
        cached: count("cachedContentTokenCount"),
        answer: count("candidatesTokenCount"),
        thoughts: count("thoughtsTokenCount"),
    }
}

/// A number of tokens that can be true.
pub(super) fn tokens(value: &Value) -> Option<u64> {
    value.as_u64().filter(|tokens| *tokens <= MAX_TOKENS)
}

fn garbled(why: &str) -> Fault {
    let message = format!("the server sends no answer of this kind: {why}");
    Fault::new(Kind::Garbled, message)
}
