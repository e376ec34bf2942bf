//! An answer as OpenAI's chat completions give it.
//!
//! Words are told as they come, calls when all is over: their arguments come in pieces. What servers disagree
//! on: some send `[DONE]` and never a finish reason, which is a finish if anything was said; some end without
//! `[DONE]`, which is fine behind a finish reason and a cut without one. Usage comes in the last chunk, in each,
//! or never.

mod calls;

use analects_world::model::Part;
use analects_world::models::{Event, Fault, Finish, Kind, Usage};
use serde::Deserialize;
use serde_json::Value;

use self::calls::{CallDelta, Calls, FunctionDelta};
use crate::http_models::refusal;
use crate::http_models::wire::loose::{Fields, Words, loose};
use crate::http_models::wire::{Flow, Reader, is_true, spell};

/// How much of a refusal is kept.
const MAX_REFUSAL_BYTES: usize = 500;

/// Reads an answer.
#[derive(Debug, Default)]
pub(in crate::http_models) struct OpenAiReader {
    calls: Calls,
    finish: Option<String>,
    usage: Option<Usage>,
    refusal: String,
    has_spoken: bool,
    is_done: bool,
    shape: Shape,
}

/// Whether what came looks like a chat completion.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Shape {
    #[default]
    Nothing,
    Strange,
    Known,
}

#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    #[serde(default, deserialize_with = "loose")]
    usage: Option<Fields<UsageCount>>,
    error: Option<Value>,
    #[serde(default, deserialize_with = "loose")]
    object: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default, deserialize_with = "loose")]
    index: Option<u64>,
    delta: Option<Delta>,
    message: Option<Delta>,
    #[serde(default, deserialize_with = "loose")]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    #[serde(default, deserialize_with = "loose")]
    content: Option<Words>,
    #[serde(default, deserialize_with = "loose")]
    reasoning_content: Option<Words>,
    #[serde(default, deserialize_with = "loose")]
    reasoning: Option<Words>,
    #[serde(default, deserialize_with = "loose")]
    refusal: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
    function_call: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct UsageCount {
    #[serde(default, deserialize_with = "loose")]
    prompt_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    completion_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    prompt_tokens_details: Option<Fields<Details>>,
    #[serde(default, deserialize_with = "loose")]
    completion_tokens_details: Option<Fields<Details>>,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default, deserialize_with = "loose")]
    cached_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    reasoning_tokens: Option<u64>,
}

impl Reader for OpenAiReader {
    fn read(
        &mut self,
        name: Option<&str>,
        data: &str,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Flow, Fault> {
        let data = data.trim();
        if self.is_done || data == "[DONE]" {
            self.is_done = true;
            return Ok(Flow::Over);
        }
        if data.is_empty() {
            return Ok(Flow::More);
        }
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| garbled())?;
        if let Some(error) = &chunk.error {
            return Err(refusal::said(error));
        }
        if name == Some("error") || chunk.object.as_deref() == Some("error") {
            let error = serde_json::from_str(data).unwrap_or_default();
            return Err(refusal::said(&error));
        }
        self.chunk(chunk, hear)?;
        Ok(Flow::More)
    }

    fn end(self: Box<Self>, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let finish = self.finished()?;
        let (parts, misspelt) = self.calls.spell();
        for part in parts {
            hear(Event::Part(part));
        }
        let finish = if self.refusal.is_empty() {
            spell::finish(finish, misspelt)
        } else {
            Finish::Blocked(self.refusal)
        };
        hear(Event::Finish(finish));
        Ok(())
    }
}

impl OpenAiReader {
    fn chunk(&mut self, chunk: Chunk, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let is_known = chunk.choices.is_some() || chunk.usage.is_some();
        self.shape = match self.shape {
            Shape::Known => Shape::Known,
            _ if is_known => Shape::Known,
            _ => Shape::Strange,
        };
        let choices = chunk.choices.into_iter().flatten();
        // Whoever asked wants one answer, even where a server has more.
        let mut firsts = choices.filter(|choice| choice.index.unwrap_or(0) == 0);
        if let Some(choice) = firsts.next() {
            self.choice(choice, hear)?;
        }
        if let Some(usage) = chunk.usage.map(usage).filter(|u| self.usage != Some(*u)) {
            self.usage = Some(usage);
            hear(Event::Usage(usage));
        }
        Ok(())
    }

    fn choice(&mut self, choice: Choice, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        // A whole message behind its pieces says it all again.
        let whole = choice
            .message
            .filter(|_| !self.has_spoken && self.calls.is_empty());
        if let Some(delta) = choice.delta.or(whole) {
            self.delta(delta, hear)?;
        }
        let reason = choice.finish_reason.filter(|reason| !reason.is_empty());
        if let Some(reason) = reason {
            self.finish = Some(spell::cut(&reason));
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let thought = delta.reasoning_content.or(delta.reasoning);
        if let Some(thought) = thought.map(|words| words.0).filter(|text| !text.is_empty()) {
            let is_thought = true;
            hear(Event::Part(Part {
                is_thought,
                ..Part::text(thought)
            }));
        }
        let words = delta.content.map(|words| words.0);
        if let Some(words) = words.filter(|text| !text.is_empty()) {
            self.has_spoken = true;
            hear(Event::Part(Part::text(words)));
        }
        if self.refusal.len() < MAX_REFUSAL_BYTES {
            self.refusal
                .extend(delta.refusal.map(|more| spell::cut(&more)));
        }
        for call in delta.tool_calls.into_iter().flatten() {
            self.calls.hear(call)?;
        }
        match delta.function_call {
            Some(function) => self.calls.hear(CallDelta::only(function)),
            None => Ok(()),
        }
    }

    /// Why the answer is over, if it is.
    fn finished(&self) -> Result<Finish, Fault> {
        let has_said = self.has_spoken || !self.calls.is_empty();
        match self.finish.as_deref() {
            Some("stop" | "tool_calls" | "function_call" | "eos") => Ok(Finish::Done),
            Some("length" | "max_tokens") => Ok(Finish::Length),
            Some("content_filter") => Ok(Finish::Blocked("content_filter".to_owned())),
            Some(reason) => Ok(Finish::Other(reason.to_owned())),
            None if self.is_done && has_said => Ok(Finish::Done),
            None if self.shape == Shape::Strange => Err(garbled()),
            None => Err(Fault::new(
                Kind::Cut,
                "the answer ended before it was finished",
            )),
        }
    }
}

fn usage(Fields(count): Fields<UsageCount>) -> Usage {
    let cached = count.prompt_tokens_details.and_then(|d| d.0.cached_tokens);
    let thoughts = count
        .completion_tokens_details
        .and_then(|d| d.0.reasoning_tokens)
        .filter(is_true);
    let answer = count.completion_tokens.filter(is_true);
    Usage {
        prompt: count.prompt_tokens.filter(is_true),
        cached: cached.filter(is_true),
        answer: answer.map(|n| n.saturating_sub(thoughts.unwrap_or(0))),
        thoughts,
    }
}

fn garbled() -> Fault {
    Fault::new(Kind::Garbled, "what the server sends is no chat completion")
}
