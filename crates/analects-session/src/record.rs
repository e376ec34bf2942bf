//! Writes records that Gemini CLI 0.61.0 reads as its own.
//!
//! A [`Recorder`] is told what happens and answers with the lines to append; it touches no file and knows no
//! clock. What is ours alone stands under the one key `analects` of a `$set`, which the original keeps out of
//! its way.

mod entry;
mod from_history;
mod lines;
mod name;
mod undo;

use std::borrow::Cow;

use analects_world::provenance::Author;
use serde_json::{Map, Value};

pub use entry::Entry;
pub use from_history::messages;
pub use lines::Lines;
pub use name::{NoName, file_name, sanitized, subagent_file_name};
pub(crate) use undo::before_compression;
pub use undo::{CannotUndo, Compressed, is_summed_up};

use crate::message::{Content, Message, MessageKind, Thought, Tokens, ToolCall};
use crate::ours::Ours;
use crate::replay::{Form, Replayed, replay};
use crate::scratchpad::Scratchpad;
use crate::stamp::Stamp;

/// What must be known before anything happens.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The name of the conversation.
    pub session_id: &'a str,
    /// The sha256 of the project's root, in hex.
    pub project_hash: &'a str,
    /// Now.
    pub at: Stamp,
    /// Who holds it.
    pub by: By<'a>,
}

/// Who holds a conversation.
#[derive(Debug, Clone, Copy)]
pub enum By<'a> {
    /// A person.
    Person,
    /// An agent for another conversation, in these directories.
    Subagent {
        /// The directories of the workspace.
        directories: &'a [String],
    },
}

/// Something that was said.
#[derive(Debug, Clone)]
pub struct Saying {
    /// The message's name, new in this conversation.
    pub id: String,
    /// Now.
    pub at: Stamp,
    /// What was said.
    pub content: Content,
}

/// Writes one record.
///
/// ```
/// use analects_session::message::{Content, MessageKind};
/// use analects_session::record::{By, Recorder, Saying, Start};
/// use analects_session::replay::replay;
/// use analects_session::stamp::Stamp;
///
/// let at = Stamp::from_ms(0).unwrap();
/// let (session_id, project_hash) = ("3f1c", "00");
/// let start = Start { session_id, project_hash, at, by: By::Person };
/// let (mut recorder, mut lines) = Recorder::start(start);
/// let content = Content::Text("hello".to_owned());
/// lines.extend(recorder.say(MessageKind::User, Saying { id: "m1".to_owned(), at, content }));
/// assert_eq!(replay(lines.into_bytes()).n_messages(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Recorder {
    /// The messages that stand, in order.
    ids: Vec<String>,
    /// The last of them, as long as it can grow.
    last: Option<Message>,
    /// Thoughts and costs that the next message of the model takes along.
    thoughts: Vec<Thought>,
    tokens: Option<Tokens>,
}

impl Recorder {
    /// Begins a record.
    pub fn start(start: Start<'_>) -> (Self, Lines) {
        let at = start.at.to_string();
        let mut header = Map::new();
        for (name, value) in [
            ("sessionId", start.session_id),
            ("projectHash", start.project_hash),
            ("startTime", &*at),
            ("lastUpdated", &*at),
        ] {
            header.insert(name.to_owned(), value.into());
        }
        match start.by {
            By::Person => {
                header.insert("kind".to_owned(), "main".into());
            }
            By::Subagent { directories } => {
                header.insert("kind".to_owned(), "subagent".into());
                header.insert("directories".to_owned(), directories.into());
            }
        }
        (
            Self::after(Vec::new(), None),
            Lines::one(&Value::Object(header)),
        )
    }

    /// Goes on with a record. The lines end what a crash left unended; for a record that is one object they
    /// are a whole new file, whose name is that of the old one and an `l`.
    pub fn resume(replayed: &Replayed) -> (Self, Lines) {
        let mut lines = match replayed.form() {
            Form::Object => lines::whole(replayed),
            Form::Lines if replayed.is_torn() => Lines::end_of_torn_line(),
            Form::Lines => Lines::default(),
        };
        let replayed = &*in_lines(replayed);
        let id = replayed.about().session_id.as_deref();
        lines.extend(id.map(|id| set("sessionId", id.into())));
        let ids = replayed.messages().map(|message| message.id().into_owned());
        let last = replayed.messages().next_back();
        let last = last.map(|message| message.read());
        (Self::after(ids.collect(), last), lines)
    }

    fn after(ids: Vec<String>, last: Option<Message>) -> Self {
        Self {
            ids,
            last,
            thoughts: Vec::new(),
            tokens: None,
        }
    }

    /// Somebody other than the model said something.
    pub fn say(&mut self, kind: MessageKind, saying: Saying) -> Lines {
        let Saying { id, at, content } = saying;
        self.push(Message::new(id, at, kind, content), Some(at))
    }

    /// Records a message to the model. `authors` has one entry for each of its parts; `display` is what a person saw of it,
    /// where that differs.
    pub fn prompt(
        &mut self,
        saying: Saying,
        authors: Vec<Option<Author>>,
        display: Option<Content>,
    ) -> Lines {
        let Saying { id, at, content } = saying;
        let mut message = Message::new(id, at, MessageKind::User, content);
        message.authors = authors;
        message.display = display;
        self.push(message, Some(at))
    }

    /// The model said something. Thoughts and costs that came before go along.
    pub fn answer(&mut self, model: &str, saying: Saying) -> Lines {
        let Saying { id, at, content } = saying;
        let message = self.of_model(id, at, model, content);
        self.push(message, Some(at))
    }

    /// The model said something, or nothing, and used tools that are done: all of it at once, in a message of its own.
    pub fn act(&mut self, model: &str, saying: Saying, calls: Vec<ToolCall>) -> Lines {
        let Saying { id, at, content } = saying;
        let mut message = self.of_model(id, at, model, content);
        message.tool_calls = calls;
        self.push(message, Some(at))
    }

    /// The model thought something; it is written with what it says or does next.
    pub fn think(&mut self, thought: Thought) {
        self.thoughts.push(thought);
    }

    /// An answer had its price. If the answer is written already, it is written again: the format has no
    /// other way. Told before the answer, it costs nothing.
    pub fn cost(&mut self, tokens: Tokens) -> Lines {
        match self.last_of_model() {
            Some(last) if last.tokens.is_none() => {
                last.tokens = Some(tokens);
                self.tokens = None;
                self.again()
            }
            Some(_) | None => {
                self.tokens = Some(tokens);
                Lines::default()
            }
        }
    }

    /// Tools were used, or came further. Calls of a known id are merged; if nothing new is said, nothing is
    /// written. `id` is for a message of their own, where they need one.
    pub fn use_tools(&mut self, model: &str, id: &str, at: Stamp, calls: Vec<ToolCall>) -> Lines {
        let grows = self.thoughts.is_empty() && self.last_of_model().is_some();
        if !grows {
            let mut message = self.of_model(id.to_owned(), at, model, Content::default());
            merge(&mut message.tool_calls, calls);
            return self.push(message, None);
        }
        let Some(last) = self.last_of_model() else {
            return Lines::default();
        };
        let before = last.tool_calls.clone();
        merge(&mut last.tool_calls, calls);
        if last.tool_calls == before {
            return Lines::default();
        }
        self.again()
    }

    /// Takes back a message and all after it. Nothing is written for a message that does not stand: to a
    /// reader that would mean to take back everything.
    pub fn rewind(&mut self, id: &str) -> Lines {
        let Some(at) = self.ids.iter().position(|known| known == id) else {
            return Lines::default();
        };
        self.ids.truncate(at);
        self.last = None;
        Lines::one(&serde_json::json!({ "$rewindTo": id }))
    }

    /// A message of another record, as it stands there.
    pub(crate) fn repeat(&mut self, message: &Entry<'_>) -> Lines {
        self.ids.push(message.id().into_owned());
        self.last = Some(message.read());
        Lines::message(message)
    }

    /// From now on these are the messages: the history was compressed, masked or rolled back.
    pub fn checkpoint(&mut self, messages: &[Entry<'_>], at: Stamp) -> Lines {
        let ids = messages.iter().map(|message| message.id().into_owned());
        self.ids = ids.collect();
        self.last = messages.last().map(Entry::read);
        Lines::checkpoint(messages, at)
    }

    fn of_model(&mut self, id: String, at: Stamp, model: &str, content: Content) -> Message {
        let mut message = Message::new(id, at, MessageKind::Gemini, content);
        message.model = Some(model.to_owned());
        message.thoughts = std::mem::take(&mut self.thoughts);
        message.tokens = self.tokens.take();
        message
    }

    fn last_of_model(&mut self) -> Option<&mut Message> {
        let last = self.last.as_mut();
        last.filter(|last| last.kind == MessageKind::Gemini)
    }

    fn push(&mut self, message: Message, updated: Option<Stamp>) -> Lines {
        let mut lines = Lines::one(&message.to_value());
        lines.extend(updated.map(|at| set("lastUpdated", at.to_string().into())));
        self.ids.push(message.id.clone());
        self.last = Some(message);
        lines
    }

    fn again(&self) -> Lines {
        let last = self.last.as_ref().map(Message::to_value);
        last.as_ref().map(Lines::one).unwrap_or_default()
    }
}

/// A record as it stands once it goes on. In lines some messages of an old record have another name: whoever names
/// a message, or keeps some of them, must do it by these.
#[must_use]
pub fn in_lines(replayed: &Replayed) -> Cow<'_, Replayed> {
    match replayed.form() {
        Form::Object => Cow::Owned(replay(lines::whole(replayed).into_bytes())),
        Form::Lines => Cow::Borrowed(replayed),
    }
}

/// The line that says what a conversation is about. It does not count as something that happened.
pub fn summary(summary: &str) -> Lines {
    set("summary", summary.into())
}

/// The line that says what was done.
pub fn scratchpad(scratchpad: &Scratchpad) -> Lines {
    set("memoryScratchpad", scratchpad.to_value())
}

/// The line that says what was done and, if somebody told, what the conversation is about.
pub fn summed_up(scratchpad: &Scratchpad, told: Option<&str>) -> Lines {
    let mut fields = Map::new();
    fields.extend(told.map(|told| ("summary".to_owned(), told.into())));
    fields.insert("memoryScratchpad".to_owned(), scratchpad.to_value());
    Lines::one(&serde_json::json!({ "$set": fields }))
}

/// The line that says which directories belong to the workspace.
pub fn directories(directories: &[String]) -> Lines {
    set("directories", directories.into())
}

/// The line that says what only we want to know.
pub fn ours(ours: &Ours) -> Lines {
    set("analects", ours.to_value())
}

fn set(name: &str, value: Value) -> Lines {
    Lines::one(&serde_json::json!({ "$set": { name: value } }))
}

fn merge(known: &mut Vec<ToolCall>, calls: Vec<ToolCall>) {
    for call in calls {
        match known.iter_mut().find(|known| known.id == call.id) {
            Some(known) => known.merge(call),
            None => known.push(call),
        }
    }
}

#[cfg(test)]
mod tests;
