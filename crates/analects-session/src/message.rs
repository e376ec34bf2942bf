//! A message of a Gemini record, read in full.
//!
//! What we know stands in fields of its own; what we do not know, or what has not the shape it should have,
//! stays in `rest` and is written back as it was. So an older program never takes anything from a newer one's
//! record.

mod content;
mod tool_call;

use serde_json::{Map, Value};

pub use content::Content;
pub(crate) use content::text_of;
pub use tool_call::{Status, ToolCall};

use crate::stamp::Stamp;

/// What kind of message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MessageKind {
    /// What went to the model: prompts, and what tools answered.
    User,
    /// What the model said.
    Gemini,
    /// A notice of the program.
    Info,
    /// A warning of the program.
    Warning,
    /// An error the program showed.
    Error,
    /// None of these.
    #[default]
    Unknown,
}

impl MessageKind {
    const ALL: [(Self, &'static str); 5] = [
        (Self::User, "user"),
        (Self::Gemini, "gemini"),
        (Self::Info, "info"),
        (Self::Warning, "warning"),
        (Self::Error, "error"),
    ];

    /// The word for it in a record; none for a kind we do not know.
    #[must_use]
    pub fn as_str(self) -> Option<&'static str> {
        let found = Self::ALL.iter().find(|(kind, _)| *kind == self);
        found.map(|(_, word)| *word)
    }

    /// The kind that a word means.
    #[must_use]
    pub fn named(word: &str) -> Self {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map_or(Self::Unknown, |(kind, _)| *kind)
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its name; a message with the same name replaces it.
    pub id: String,
    /// When it was said.
    pub at: Option<Stamp>,
    /// What kind it is.
    pub kind: MessageKind,
    /// What was said.
    pub content: Content,
    /// What the user saw instead, where that differs: a prompt without the files it named.
    pub display: Option<Content>,
    /// What the model thought.
    pub thoughts: Vec<Thought>,
    /// What the answer cost.
    pub tokens: Option<Tokens>,
    /// Which model answered.
    pub model: Option<String>,
    /// The tools that were used.
    pub tool_calls: Vec<ToolCall>,
    /// All other fields.
    pub rest: Map<String, Value>,
}

/// A thought of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// What it is about; may be empty.
    pub subject: String,
    /// The thought.
    pub description: String,
    /// When it was thought.
    pub at: Option<Stamp>,
}

/// What an answer cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// What was sent.
    pub input: u64,
    /// What came back.
    pub output: u64,
    /// How much of what was sent was known already.
    pub cached: u64,
    /// What was thought.
    pub thoughts: u64,
    /// What the tools' results cost.
    pub tool: u64,
    /// All together.
    pub total: u64,
}

impl Message {
    /// A message that says only this.
    #[must_use]
    pub fn new(id: impl Into<String>, at: Stamp, kind: MessageKind, content: Content) -> Self {
        Self {
            id: id.into(),
            at: Some(at),
            kind,
            content,
            display: None,
            thoughts: Vec::new(),
            tokens: None,
            model: None,
            tool_calls: Vec::new(),
            rest: Map::new(),
        }
    }

    /// The message that a value says. Whatever it is, it says one.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        let mut rest = match value {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let kind = rest.get("type").and_then(Value::as_str);
        let kind = kind.map_or(MessageKind::Unknown, MessageKind::named);
        if kind != MessageKind::Unknown {
            rest.shift_remove("type");
        }
        rest.retain(|_, value| !value.is_null());
        Self {
            id: take_text(&mut rest, "id").unwrap_or_default(),
            at: take_stamp(&mut rest, "timestamp"),
            kind,
            content: Content::take(&mut rest, "content").unwrap_or_default(),
            display: Content::take(&mut rest, "displayContent"),
            thoughts: take_list(&mut rest, "thoughts", Thought::from_value),
            tokens: take(&mut rest, "tokens", Tokens::from_value),
            model: take_text(&mut rest, "model"),
            tool_calls: take_list(&mut rest, "toolCalls", ToolCall::from_value),
            rest,
        }
    }

    /// The message as the original writes it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            fields.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("id", Some(Value::from(&*self.id)));
        put("timestamp", self.at.map(|at| at.to_string().into()));
        put("type", self.kind.as_str().map(Value::from));
        put("content", Some(self.content.to_value()));
        put(
            "displayContent",
            self.display.as_ref().map(Content::to_value),
        );
        let is_model = self.kind == MessageKind::Gemini;
        if is_model || !self.thoughts.is_empty() {
            let thoughts = self.thoughts.iter().map(Thought::to_value).collect();
            put("thoughts", Some(thoughts));
        }
        let nothing = is_model.then_some(Value::Null);
        put("tokens", self.tokens.map(Tokens::to_value).or(nothing));
        put("model", self.model.as_deref().map(Value::from));
        if !self.tool_calls.is_empty() {
            let calls = self.tool_calls.iter().map(ToolCall::to_value).collect();
            put("toolCalls", Some(calls));
        }
        for (name, value) in &self.rest {
            fields.entry(name).or_insert_with(|| value.clone());
        }
        Value::Object(fields)
    }

    /// Whether somebody who takes up the conversation would miss it.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        match self.kind {
            MessageKind::User => self.content.is_prompt(),
            MessageKind::Gemini => {
                self.content.says_something()
                    || !self.tool_calls.is_empty()
                    || !self.thoughts.is_empty()
            }
            MessageKind::Info
            | MessageKind::Warning
            | MessageKind::Error
            | MessageKind::Unknown => false,
        }
    }
}

impl Thought {
    fn from_value(value: &Value) -> Option<Self> {
        let text = |name| value.get(name).and_then(Value::as_str);
        value.is_object().then(|| Self {
            subject: text("subject").unwrap_or_default().to_owned(),
            description: text("description").unwrap_or_default().to_owned(),
            at: text("timestamp").and_then(Stamp::parse),
        })
    }

    fn to_value(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("subject".to_owned(), Value::from(&*self.subject));
        fields.insert("description".to_owned(), Value::from(&*self.description));
        let at = self
            .at
            .map(|at| ("timestamp".to_owned(), Value::from(at.to_string())));
        fields.extend(at);
        Value::Object(fields)
    }
}

impl Tokens {
    fn from_value(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let number = |name| fields.get(name).and_then(Value::as_u64).unwrap_or(0);
        Some(Self {
            input: number("input"),
            output: number("output"),
            cached: number("cached"),
            thoughts: number("thoughts"),
            tool: number("tool"),
            total: number("total"),
        })
    }

    fn to_value(self) -> Value {
        serde_json::json!({
            "input": self.input,
            "output": self.output,
            "cached": self.cached,
            "thoughts": self.thoughts,
            "tool": self.tool,
            "total": self.total,
        })
    }
}

/// Takes a field out, if it can be read.
fn take<T>(
    fields: &mut Map<String, Value>,
    name: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Option<T> {
    let known = fields.get(name).and_then(read)?;
    fields.shift_remove(name);
    Some(known)
}

fn take_text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    match fields.get_mut(name) {
        Some(Value::String(text)) => {
            let text = std::mem::take(text);
            fields.shift_remove(name);
            Some(text)
        }
        _ => None,
    }
}

fn take_stamp(fields: &mut Map<String, Value>, name: &str) -> Option<Stamp> {
    take(fields, name, |value| value.as_str().and_then(Stamp::parse))
}

/// Takes a list out if all of its items can be read.
fn take_list<T>(
    fields: &mut Map<String, Value>,
    name: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Vec<T> {
    let list = take(fields, name, |value| {
        value.as_array()?.iter().map(read).collect()
    });
    list.unwrap_or_default()
}
