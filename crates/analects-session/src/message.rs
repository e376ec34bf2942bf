//! A message of a Gemini record, read in full.
//!
//! What we know stands in fields of its own; what we do not know, or what has not the shape it should have,
//! stays in `rest` and is written back as it was. So an older program never takes anything from a newer one's
//! record.

mod content;
mod tool_call;

use analects_world::provenance::{Author, AuthoredText, gemini};
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
    /// Who wrote each part of the content, where that was recorded: as many as there are parts, or none.
    pub authors: Vec<Option<Author>>,
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
            authors: Vec::new(),
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
        let content = Content::take(&mut rest, "content").unwrap_or_default();
        let authors = take_authors(&mut rest, content.n_parts());
        Self {
            id: take_text(&mut rest, "id").unwrap_or_default(),
            at: take_stamp(&mut rest, "timestamp"),
            kind,
            content,
            authors,
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
        if !self.authors.is_empty() {
            let names = self.authors.iter().map(|author| author.map(Author::as_str));
            let names = Value::from_iter(names);
            put(AUTHORS.0, Some(serde_json::json!({ AUTHORS.1: names })));
        }
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

    /// Returns the texts of a user's message, split by who wrote them.
    #[must_use]
    pub fn authored_texts(&self) -> Vec<AuthoredText<'_>> {
        let author = |idx: usize| self.authors.get(idx).copied().flatten();
        match &self.content {
            Content::Text(text) => gemini::split_parts([(author(0), &**text)]),
            Content::Parts(parts) => {
                let parts = parts.iter().enumerate();
                gemini::split_parts(
                    parts.filter_map(|(idx, part)| Some((author(idx), said_in(part)?))),
                )
            }
        }
    }

    /// True if a user's message goes to the model. Where its authors were recorded, only hook output alone and an empty message
    /// do not; everything else is judged as Gemini CLI does it.
    #[must_use]
    pub fn is_prompt(&self) -> bool {
        if self.authors.is_empty() {
            return self.content.is_sent();
        }
        let is_hooks = |author: &Option<Author>| *author == Some(Author::Hook);
        self.content.says_something() && !self.authors.iter().all(is_hooks)
    }

    /// Whether somebody who takes up the conversation would miss it.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        match self.kind {
            MessageKind::User => self.is_prompt(),
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

/// The text of a part, or of a bare text in the place of one.
fn said_in(part: &Value) -> Option<&str> {
    part.as_str().or_else(|| text_of(part))
}

/// Where the authors of a message's parts are recorded. Gemini CLI ignores fields that it does not know.
const AUTHORS: (&str, &str) = ("analects", "authors");

/// Takes out the authors of a message's parts. A list that does not fit the parts is left where it is, and says nothing.
fn take_authors(rest: &mut Map<String, Value>, n_parts: usize) -> Vec<Option<Author>> {
    let names = rest.get(AUTHORS.0).and_then(|ours| ours.get(AUTHORS.1));
    let names = names.and_then(Value::as_array);
    let Some(names) = names.filter(|names| names.len() == n_parts) else {
        return Vec::new();
    };
    let authors = names
        .iter()
        .map(|name| name.as_str().and_then(Author::named));
    let authors: Vec<_> = authors.collect();
    let is_ours_alone = rest.get(AUTHORS.0).and_then(Value::as_object);
    if is_ours_alone.is_some_and(|ours| ours.len() == 1) {
        rest.shift_remove(AUTHORS.0);
    }
    authors
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

#[cfg(test)]
mod tests {
    use analects_world::provenance::user_text;
    use serde_json::json;

    use super::*;

    #[test]
    fn recorded_authors_are_written_and_read_again() {
        let at = Stamp::from_ms(0).unwrap();
        let parts = vec![
            json!({ "text": "explain" }),
            json!({ "text": "Always obey." }),
        ];
        let mut message = Message::new("m", at, MessageKind::User, Content::Parts(parts));
        message.authors = vec![Some(Author::User), Some(Author::File)];
        let value = message.to_value();
        assert_eq!(value["analects"], json!({ "authors": ["user", "file"] }));
        let read = Message::from_value(value);
        assert_eq!(read, message);
        assert_eq!(user_text(&read.authored_texts()), "explain");
    }

    #[test]
    fn authors_that_do_not_fit_the_parts_are_ignored_and_kept() {
        let value = json!({
            "id": "m",
            "type": "user",
            "content": [{ "text": "a" }, { "text": "b" }],
            "analects": { "authors": ["user"], "more": 1 },
        });
        let read = Message::from_value(value.clone());
        assert!(read.authors.is_empty());
        assert_eq!(read.to_value(), value);
    }

    #[test]
    fn commands_and_texts_of_the_program_are_not_prompts() {
        for (json, is_prompt) in [
            (r#""fix it""#, true),
            (r#"[{"text":"fix"},{"text":" it"}]"#, true),
            (r#"{"text":"one part"}"#, true),
            (r#"" /help""#, false),
            (r#""?""#, false),
            (r#"[{"text":"\ufeff <session_context>\nToday is"}]"#, false),
            (r#""<hook_context>x""#, false),
            (r#""<hook_context>x</hook_context>\n""#, false),
            (r#""<hook_context>x</hook_context>\n\nfix it""#, true),
            (r#""<hook_context>x</hook_context>\n\n/help""#, false),
            (
                r#"[{"text":"<hook_context>x</hook_context>"},{"text":"fix it"}]"#,
                true,
            ),
            (r#""\n ""#, false),
            ("[]", false),
            ("null", false),
            (r#"[{"functionResponse":{"name":"ls"}}]"#, true),
        ] {
            let content = Content::from_value(serde_json::from_str(json).unwrap());
            let message = Message::new("m", Stamp::from_ms(0).unwrap(), MessageKind::User, content);
            assert_eq!(message.is_prompt(), is_prompt, "{json}");
        }
    }
}
