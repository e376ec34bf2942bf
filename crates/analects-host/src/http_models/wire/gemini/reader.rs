//! What a Gemini server means by what it says.

use analects_world::model::{Body, Part};
use analects_world::models::{Event, Fault, Finish, Kind, Usage};
use serde::Deserialize;
use serde::de::{IgnoredAny, SeqAccess};
use serde_json::Value;

use super::super::loose::{Fields, Loose, loose};
use super::super::{Flow, Reader, is_true, spell};
use crate::http_models::refusal;

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Piece {
    #[serde(default, deserialize_with = "loose")]
    candidates: Option<First<Candidate>>,
    #[serde(default, deserialize_with = "loose")]
    prompt_feedback: Option<Fields<Feedback>>,
    #[serde(default, deserialize_with = "loose")]
    usage_metadata: Option<Fields<Counts>>,
    error: Option<Value>,
}

impl Piece {
    /// Whether it has anything that pieces of an answer have.
    fn is_known(&self) -> bool {
        self.candidates.is_some() || self.prompt_feedback.is_some() || self.usage_metadata.is_some()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default, deserialize_with = "loose")]
    content: Option<Fields<Said>>,
    #[serde(default, deserialize_with = "loose")]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default, deserialize_with = "loose")]
    parts: Option<List>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    #[serde(default, deserialize_with = "loose")]
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    #[serde(default, deserialize_with = "loose")]
    prompt_token_count: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    cached_content_token_count: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    candidates_token_count: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    thoughts_token_count: Option<u64>,
}

/// The first of a list.
struct First<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Loose<'de> for First<T> {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let first = list.next_element::<Maybe<T>>()?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first.map(|Maybe(first)| Self(first.map(|Fields(first)| first))))
    }
}

/// An object, or something that means nothing.
#[derive(Deserialize)]
#[serde(bound = "T: Deserialize<'de>", transparent)]
struct Maybe<T>(#[serde(deserialize_with = "loose")] Option<Fields<T>>);

/// Whatever stands in a list.
struct List(Vec<Value>);

impl<'de> Loose<'de> for List {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = list.next_element()? {
            all.push(value);
        }
        Ok(Some(Self(all)))
    }
}

impl Reader for GeminiReader {
    fn read(
        &mut self,
        _: Option<&str>,
        data: &str,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Flow, Fault> {
        // Some servers answer with the whole list of pieces where they are asked for a stream.
        if data.trim_start().starts_with('[') {
            for piece in parsed::<Vec<Piece>>(data)? {
                self.take(piece, hear)?;
            }
        } else {
            self.take(parsed(data)?, hear)?;
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
    fn take(&mut self, piece: Piece, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        if let Some(error) = &piece.error {
            return Err(refusal::said(error));
        }
        match piece.is_known() {
            true => self.is_known = true,
            false => self.is_strange = true,
        }
        if let Some(First(Some(candidate))) = piece.candidates {
            self.take_candidate(candidate, hear);
        }
        let feedback = piece.prompt_feedback.and_then(|Fields(f)| f.block_reason);
        if let Some(reason) = feedback {
            self.finish = Some(Finish::Blocked(reason));
        }
        if let Some(usage) = piece.usage_metadata.map(|Fields(counts)| usage(&counts))
            && self.usage != Some(usage)
        {
            self.usage = Some(usage);
            hear(Event::Usage(usage));
        }
        Ok(())
    }

    fn take_candidate(&mut self, candidate: Candidate, hear: &mut dyn FnMut(Event)) {
        let said = candidate.content.and_then(|Fields(said)| said.parts);
        let parts = said.into_iter().flat_map(|List(parts)| parts);
        let parts = parts.filter(Value::is_object).map(Part::from_value);
        for part in parts.filter(says_something) {
            match misspelt(&part) {
                None => hear(Event::Part(part)),
                what => self.misspelt = self.misspelt.take().or(what),
            }
        }
        if let Some(reason) = candidate.finish_reason {
            self.finish = Some(finish(&reason));
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

fn usage(counts: &Counts) -> Usage {
    Usage {
        prompt: counts.prompt_token_count.filter(is_true),
        cached: counts.cached_content_token_count.filter(is_true),
        answer: counts.candidates_token_count.filter(is_true),
        thoughts: counts.thoughts_token_count.filter(is_true),
    }
}

fn parsed<'de, T: Deserialize<'de>>(data: &'de str) -> Result<T, Fault> {
    serde_json::from_str(data).map_err(|error| garbled(&error.to_string()))
}

fn garbled(why: &str) -> Fault {
    let message = format!("the server sends no answer of this kind: {why}");
    Fault::new(Kind::Garbled, message)
}
