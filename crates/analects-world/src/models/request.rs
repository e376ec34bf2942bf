//! What a model is asked.

use serde_json::Value;

use crate::model::Content;

/// A question to a model.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The model, as its server calls it.
    pub model: &'a str,
    /// What it must know before anything else. Empty for nothing.
    pub system: &'a str,
    /// What was said so far; the last turn is the user's.
    pub history: &'a [Content],
    /// What it may call.
    pub tools: &'a [Tool],
    /// How it is to answer.
    pub options: &'a Options,
}

/// Something that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments: an object.
    pub parameters: Value,
}

/// How a model is to answer. What is `None` is left to the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How long the answer may be, thoughts included where the server counts them in.
    pub max_output_tokens: Option<u32>,
    /// How freely it chooses its words.
    pub temperature: Option<f64>,
    /// How much it thinks first.
    pub thinking: Thinking,
    /// What the answer must look like.
    pub form: Form,
    /// Whether it must call a tool.
    pub choice: Choice,
}

impl Options {
    /// Everything is left to the server.
    pub const USUAL: Self = Self {
        max_output_tokens: None,
        temperature: None,
        thinking: Thinking::Usual,
        form: Form::Free,
        choice: Choice::Auto,
    };
}

/// How much a model thinks before it answers. A server that cannot be told is not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// As the server has it.
    Usual,
    /// As little as it can.
    Off,
    /// At most this many tokens.
    Tokens(u32),
}

/// What an answer must look like.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// As it likes.
    Free,
    /// JSON of this schema.
    Json {
        /// A name for the schema, of letters, digits and `_`.
        name: &'static str,
        /// The schema.
        schema: Value,
    },
}

/// Whether a tool must be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// As it likes.
    Auto,
    /// None may.
    None,
    /// Some must.
    Any,
    /// This one must.
    Only(String),
}
