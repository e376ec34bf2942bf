//! What is said to a model and what it says, whichever model it is.
//!
//! The values are those of a Gemini history, which is what records hold; other wires are translated at their
//! door. What we do not know stays in `rest` and goes back as it came.

pub mod args;
mod form;
mod id;

pub use id::stable_id;

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::provenance::{Author, AuthoredText, gemini};

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
    /// Who wrote it, where that was recorded. It never goes to a model.
    pub author: Option<Author>,
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

    /// Creates a turn in the user's role that this author wrote.
    #[must_use]
    pub fn written_by(id: impl Into<String>, author: Author, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            role: Role::User,
            parts: vec![Part::written_by(author, text)],
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

    /// Returns its texts, split by who wrote them, without thoughts. A model's turn is the model's.
    #[must_use]
    pub fn authored_texts(&self) -> Vec<AuthoredText<'_>> {
        match self.role {
            Role::Model => {
                let texts = self.texts();
                texts
                    .map(|text| AuthoredText::new(Author::Model, text))
                    .collect()
            }
            Role::User => gemini::split_parts(self.parts.iter().filter_map(|part| {
                let text = match &part.body {
                    Body::Text(text) => Some(&**text),
                    _ => None,
                };
                text.filter(|_| !part.is_thought)
                    .map(|text| (part.author, text))
            })),
        }
    }

    /// Returns the texts in it that the user wrote; none for a model's turn.
    #[must_use]
    pub fn user_texts(&self) -> Vec<&str> {
        let spans = self.authored_texts();
        let own = spans.into_iter().filter(AuthoredText::is_users);
        own.filter_map(|span| match span.text {
            Cow::Borrowed(text) => Some(text),
            Cow::Owned(_) => None,
        })
        .collect()
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
            author: None,
            rest: Map::new(),
        }
    }

    /// Words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    /// Creates a text that this author wrote.
    #[must_use]
    pub fn written_by(author: Author, text: impl Into<String>) -> Self {
        Self {
            author: Some(author),
            ..Self::text(text)
        }
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
