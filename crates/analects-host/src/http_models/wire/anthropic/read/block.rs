//! The blocks of an answer: words, thoughts, calls.

use std::collections::BTreeMap;

use analects_world::model::Part;
use analects_world::models::{Event, Fault};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::http_models::wire::anthropic::{ANSWER, ANSWER_VALUE, HIDDEN, OURS, SIGNATURE, VALUE};
use crate::http_models::wire::loose::loose;
use crate::http_models::wire::spell::{self, Purse};

/// What a block costs while it is open, besides what it holds.
const OPEN_BYTES: usize = 64;

/// The blocks that are not over, by their number, and what is known of those that are.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    open: BTreeMap<u64, Open>,
    purse: Purse,
    misspelt: Option<String>,
    has_said: bool,
}

/// A block that is not over. Words are not kept.
#[derive(Debug)]
enum Open {
    Thought {
        signature: String,
    },
    Call {
        id: String,
        name: String,
        args: String,
        whole: String,
    },
}

/// A block, as it begins or whole.
#[derive(Deserialize)]
pub(super) struct Block {
    #[serde(default, rename = "type", deserialize_with = "loose")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    text: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    thinking: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    signature: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    data: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    id: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    name: Option<String>,
    input: Option<Value>,
}

/// What comes to a block, or to the message.
#[derive(Deserialize)]
pub(super) struct Delta {
    #[serde(default, deserialize_with = "loose")]
    text: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    thinking: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    signature: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    partial_json: Option<String>,
    #[serde(default, deserialize_with = "loose")]
    pub(super) stop_reason: Option<String>,
}

impl Blocks {
    /// Whether words or a call came.
    pub(super) fn has_said(&self) -> bool {
        let is_call = |open: &Open| matches!(open, Open::Call { .. });
        self.has_said || self.open.values().any(is_call)
    }

    /// A block begins.
    pub(super) fn start(
        &mut self,
        index: u64,
        block: Block,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        self.stop(index, hear);
        match block.kind.as_deref() {
            Some("text") => self.say(block.text, hear),
            Some("thinking") => {
                let signature = block.signature.unwrap_or_default();
                self.purse.bytes(OPEN_BYTES + signature.len())?;
                think(block.thinking, hear);
                self.open.insert(index, Open::Thought { signature });
            }
            Some("redacted_thinking") => {
                if let Some(data) = block.data.filter(|data| !data.is_empty()) {
                    sign(HIDDEN, &data, hear);
                }
            }
            Some("tool_use") => self.begin(index, block)?,
            // Tools that the server runs itself: nobody has offered them any.
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, index: u64, block: Block) -> Result<(), Fault> {
        let id = block.id.unwrap_or_default();
        let name = block.name.unwrap_or_default();
        let whole = block.input.map(|input| input.to_string());
        let whole = whole.unwrap_or_default();
        self.purse.call()?;
        self.purse.bytes(id.len() + name.len() + whole.len())?;
        let args = String::new();
        let call = Open::Call {
            id,
            name,
            args,
            whole,
        };
        self.open.insert(index, call);
        Ok(())
    }

    /// More of a block.
    pub(super) fn add(
        &mut self,
        index: u64,
        delta: Delta,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        self.say(delta.text, hear);
        think(delta.thinking, hear);
        match (
            self.open.get_mut(&index),
            delta.signature,
            delta.partial_json,
        ) {
            (Some(Open::Thought { signature }), Some(more), _) => {
                self.purse.bytes(more.len())?;
                signature.push_str(&more);
            }
            (Some(Open::Call { args, .. }), _, Some(more)) => {
                self.purse.bytes(more.len())?;
                args.push_str(&more);
            }
            _ => {}
        }
        Ok(())
    }

    /// A block is over.
    pub(super) fn stop(&mut self, index: u64, hear: &mut dyn FnMut(Event)) {
        match self.open.remove(&index) {
            None => {}
            Some(Open::Thought { signature }) if signature.is_empty() => {}
            Some(Open::Thought { signature }) => sign(OURS, &signature, hear),
            Some(Open::Call {
                id,
                name,
                args,
                whole,
            }) => {
                let args = if args.is_empty() { whole } else { args };
                self.call(id, name, args, hear);
            }
        }
    }

    /// All is over: what is wrong with any of the calls.
    pub(super) fn close(&mut self, hear: &mut dyn FnMut(Event)) -> Option<String> {
        while let Some(index) = self.open.keys().next().copied() {
            self.stop(index, hear);
        }
        self.misspelt.take()
    }

    fn call(&mut self, id: String, name: String, args: String, hear: &mut dyn FnMut(Event)) {
        match &*name {
            ANSWER => return self.say(Some(args), hear),
            ANSWER_VALUE => return self.say(Some(unwrapped(args)), hear),
            _ => {}
        }
        match spell::call(id, name, &args) {
            Ok(part) => {
                self.has_said = true;
                hear(Event::Part(part));
            }
            Err(what) => self.misspelt = self.misspelt.take().or(Some(what)),
        }
    }

    fn say(&mut self, text: Option<String>, hear: &mut dyn FnMut(Event)) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.has_said = true;
            hear(Event::Part(Part::text(text)));
        }
    }
}

/// The answer inside an object.
fn unwrapped(args: String) -> String {
    let fields = serde_json::from_str::<Map<String, Value>>(&args);
    match fields
        .ok()
        .and_then(|mut fields| fields.shift_remove(VALUE))
    {
        Some(value) => value.to_string(),
        None => args,
    }
}

fn think(text: Option<String>, hear: &mut dyn FnMut(Event)) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        hear(Event::Part(thought(text)));
    }
}

/// The end of a thought, with what signs it.
fn sign(before: &str, signature: &str, hear: &mut dyn FnMut(Event)) {
    let mut part = thought(String::new());
    let signature = format!("{before}{signature}");
    part.rest.insert(SIGNATURE.to_owned(), signature.into());
    hear(Event::Part(part));
}

fn thought(text: String) -> Part {
    Part {
        is_thought: true,
        ..Part::text(text)
    }
}
