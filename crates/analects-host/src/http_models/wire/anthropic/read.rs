//! An answer as Anthropic's messages give it.
//!
//! Words and thoughts are told as they come, a call when its block is over. A message that comes whole is read
//! like one that came in pieces. `message_stop` without a reason is a finish if anything was said; an end
//! without either is a cut.

mod block;

use analects_world::models::{Event, Fault, Finish, Kind, Usage};
use serde::Deserialize;
use serde_json::Value;

use self::block::{Block, Blocks, Delta};
use crate::http_models::refusal;
use crate::http_models::wire::loose::{Fields, loose};
use crate::http_models::wire::{Flow, Reader, is_true, spell};

/// Reads an answer.
#[derive(Debug, Default)]
pub(in crate::http_models) struct AnthropicReader {
    blocks: Blocks,
    finish: Option<String>,
    counts: Counts,
    usage: Option<Usage>,
    is_over: bool,
    is_strange: bool,
}

/// An event, or a whole message.
#[derive(Deserialize)]
struct Piece {
    #[serde(default, rename = "type", deserialize_with = "loose")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    index: Option<u64>,
    message: Option<Start>,
    content_block: Option<Block>,
    delta: Option<Delta>,
    #[serde(default, deserialize_with = "loose")]
    usage: Option<Fields<Counts>>,
    error: Option<Value>,
    content: Option<Vec<Block>>,
    #[serde(default, deserialize_with = "loose")]
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default, deserialize_with = "loose")]
    usage: Option<Fields<Counts>>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
struct Counts {
    #[serde(default, deserialize_with = "loose")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "loose")]
    output_tokens_details: Option<Fields<Details>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Details {
    #[serde(default, deserialize_with = "loose")]
    thinking_tokens: Option<u64>,
}

impl Reader for AnthropicReader {
    fn read(
        &mut self,
        name: Option<&str>,
        data: &str,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Flow, Fault> {
        let data = data.trim();
        if self.is_over || data == "[DONE]" {
            self.is_over = true;
            return Ok(Flow::Over);
        }
        if data.is_empty() {
            return Ok(Flow::More);
        }
        let mut piece: Piece = serde_json::from_str(data).map_err(|_| garbled())?;
        if let Some(error) = &piece.error {
            return Err(refusal::said(error));
        }
        let kind = piece.kind.take();
        self.piece(kind.as_deref().or(name).unwrap_or_default(), piece, hear)?;
        match self.is_over {
            true => Ok(Flow::Over),
            false => Ok(Flow::More),
        }
    }

    fn end(mut self: Box<Self>, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let finish = self.finished()?;
        let misspelt = self.blocks.close(hear);
        hear(Event::Finish(spell::finish(finish, misspelt)));
        Ok(())
    }
}

impl AnthropicReader {
    fn piece(
        &mut self,
        kind: &str,
        piece: Piece,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        let index = piece.index.unwrap_or(0);
        match kind {
            "message_start" => self.count(piece.message.and_then(|m| m.usage), hear),
            "content_block_start" => match piece.content_block {
                Some(block) => self.blocks.start(index, block, hear)?,
                None => self.is_strange = true,
            },
            "content_block_delta" => match piece.delta {
                Some(delta) => self.blocks.add(index, delta, hear)?,
                None => self.is_strange = true,
            },
            "content_block_stop" => self.blocks.stop(index, hear),
            "message_delta" => {
                self.count(piece.usage, hear);
                self.stopped(piece.delta.and_then(|delta| delta.stop_reason));
            }
            "message_stop" => self.is_over = true,
            "message" => {
                for (index, block) in (0..).zip(piece.content.into_iter().flatten()) {
                    self.blocks.start(index, block, hear)?;
                    self.blocks.stop(index, hear);
                }
                self.count(piece.usage, hear);
                self.stopped(piece.stop_reason);
                self.is_over = true;
            }
            "error" => return Err(refusal::said(&Value::Null)),
            "ping" => {}
            // There will be more kinds; who sends nothing but these speaks something else.
            _ => self.is_strange = true,
        }
        Ok(())
    }

    fn count(&mut self, counts: Option<Fields<Counts>>, hear: &mut dyn FnMut(Event)) {
        self.counts = self.counts.with(counts.unwrap_or_default().0);
        let usage = self.counts.usage();
        if usage != Usage::default() && self.usage != Some(usage) {
            self.usage = Some(usage);
            hear(Event::Usage(usage));
        }
    }

    fn stopped(&mut self, reason: Option<String>) {
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            self.finish = Some(spell::cut(&reason));
        }
    }

    /// Why the answer is over, if it is.
    fn finished(&self) -> Result<Finish, Fault> {
        let has_said = self.blocks.has_said();
        match self.finish.as_deref() {
            Some("end_turn" | "tool_use" | "stop_sequence") => Ok(Finish::Done),
            Some("max_tokens" | "model_context_window_exceeded") => Ok(Finish::Length),
            Some("refusal") => Ok(Finish::Blocked("refusal".to_owned())),
            Some(reason) => Ok(Finish::Other(reason.to_owned())),
            None if self.is_over && has_said => Ok(Finish::Done),
            None if self.is_strange && !has_said => Err(garbled()),
            None => Err(Fault::new(
                Kind::Cut,
                "the answer ended before it was finished",
            )),
        }
    }
}

impl Counts {
    /// Later numbers replace earlier ones; what is not said again still holds.
    fn with(self, later: Self) -> Self {
        Self {
            input_tokens: later.input_tokens.or(self.input_tokens),
            cache_read_input_tokens: later
                .cache_read_input_tokens
                .or(self.cache_read_input_tokens),
            cache_creation_input_tokens: later
                .cache_creation_input_tokens
                .or(self.cache_creation_input_tokens),
            output_tokens: later.output_tokens.or(self.output_tokens),
            output_tokens_details: later.output_tokens_details.or(self.output_tokens_details),
        }
    }

    /// What was read is counted in three parts here.
    fn usage(self) -> Usage {
        let cached = self.cache_read_input_tokens.filter(is_true);
        let stored = self.cache_creation_input_tokens.filter(is_true);
        let with_cache = |n: u64| n + cached.unwrap_or(0) + stored.unwrap_or(0);
        let thoughts = self.output_tokens_details.and_then(|d| d.0.thinking_tokens);
        let thoughts = thoughts.filter(is_true);
        let answer = |n: u64| n.saturating_sub(thoughts.unwrap_or(0));
        Usage {
            prompt: self.input_tokens.filter(is_true).map(with_cache),
            cached,
            answer: self.output_tokens.filter(is_true).map(answer),
            thoughts,
        }
    }
}

fn garbled() -> Fault {
    Fault::new(Kind::Garbled, "what the server sends is no message")
}
