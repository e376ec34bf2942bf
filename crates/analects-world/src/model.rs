//! What is said to a model and what it says, whichever model it is.
//!
//! The values are those of a Gemini history, which is what records hold; other wires are translated at their
//! door. What we do not know stays in `rest` and goes back as it came.

pub mod args;
mod form;
mod id;

pub use id::stable_id;

use serde_json::{Map, Value};

/// One turn of a history.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// A name that lasts: that of the message in the record.
    pub id: String,
    /// Whose turn it is.
    pub role: Role,
    /// What it says.
    pub parts: Vec<Part>,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The user's, or that of the tools.
    User,
    /// The model's.
    Model,
}

impl Role {
    /// The word for it in a history.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
        }
    }
}

/// A piece of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it is.
    pub body: Body,
    /// Whether the model only thought it.
    pub is_thought: bool,
    /// All other fields, the signature of a thought among them.
    pub rest: Map<String, Value>,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Words.
    Text(String),
    /// The model wants a tool to run.
    Call(Call),
    /// A tool has run.
    Response(Response),
    /// An image, a document, a sound.
    Media(Media),
    /// Something we do not know; it stands in the part's `rest`.
    Other,
}

/// The model wants a tool to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What ties the response to it.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// What the tool is asked; null if nothing.
    pub args: Value,
    /// All other fields.
    pub rest: Map<String, Value>,
}

/// A tool has run.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// What ties it to its call.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// What it answered; null if nothing.
    pub response: Value,
    /// Media that it answered.
    pub parts: Vec<Part>,
    /// All other fields.
    pub rest: Map<String, Value>,
}

/// An image, a document, a sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// What kind it is.
    pub mime: String,
    /// Where it is.
    pub source: Source,
    /// All other fields.
    pub rest: Map<String, Value>,
}

/// Where a medium is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Here, in base 64.
    Inline(String),
    /// Elsewhere.
    Uri(String),
}

impl Content {
    /// A turn that says only this.
    #[must_use]
    pub fn text(id: impl Into<String>, role: Role, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            role,
            parts: vec![Part::text(text)],
        }
    }

    /// The tools that it wants to run.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().filter_map(|part| match &part.body {
            Body::Call(call) => Some(call),
            _ => None,
        })
    }

    /// The tools that have run.
    pub fn responses(&self) -> impl Iterator<Item = &Response> {
        self.parts.iter().filter_map(|part| match &part.body {
            Body::Response(response) => Some(response),
            _ => None,
        })
    }

    /// What it says in words, without thoughts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let said = self.parts.iter().filter(|part| !part.is_thought);
        said.filter_map(|part| match &part.body {
            Body::Text(text) => Some(&**text),
            _ => None,
        })
    }
}

impl Part {
    /// A piece with nothing but its body.
    #[must_use]
    pub fn new(body: Body) -> Self {
        Self {
            body,
            is_thought: false,
            rest: Map::new(),
        }
    }

    /// Words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    /// A call of a tool.
    #[must_use]
    pub fn call(id: impl Into<String>, name: impl Into<String>, args: Value) -> Self {
        Self::new(Body::Call(Call {
            id: Some(id.into()),
            name: name.into(),
            args,
            rest: Map::new(),
        }))
    }

    /// What a tool answered.
    #[must_use]
    pub fn response(id: impl Into<String>, name: impl Into<String>, response: Value) -> Self {
        Self::new(Body::Response(Response {
            id: Some(id.into()),
            name: name.into(),
            response,
            parts: Vec::new(),
            rest: Map::new(),
        }))
    }
}
