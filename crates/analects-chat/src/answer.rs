//! An answer, put together from the pieces in which it comes.
//!
//! Only the end of an answer gives a turn, and the end uses the answer up: half a stream cannot get into a
//! history. What came is joined, never moved: a signature stays with the piece that it came with.

mod blank;

use std::io::{self, Write};

use analects_world::model::{Body, Content, Part, Role};
use analects_world::models::{Event, Finish, Usage};
use thiserror::Error;

use blank::is_blank;

/// An answer while it is heard.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    parts: Vec<Part>,
    n_bytes: usize,
    usage: Option<Usage>,
    finish: Option<Finish>,
}

/// An answer that was heard to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// What it says, as a history must keep it.
    pub parts: Vec<Part>,
    /// What it cost, if the server said so.
    pub usage: Option<Usage>,
    /// Why it ended. It may have been cut short: [`Finish::Length`].
    pub finish: Finish,
}

/// Why an answer is of no use. The same question may get a better one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unusable {
    /// Nobody said that it is over.
    #[error("the answer stopped without an end")]
    Unfinished,
    /// It says nothing.
    #[error("the model said nothing")]
    Empty,
    /// It was only thought.
    #[error("the model thought and said nothing")]
    ThoughtOnly,
    /// It wanted to call a tool and could not: the server's word for it.
    #[error("the model could not spell its call ({0})")]
    BadCall(String),
    /// It was too long before it said anything.
    #[error("the answer reached its length before anything was said")]
    Length,
    /// It was not allowed: the server's word for it.
    #[error("the server held the answer back ({0})")]
    Blocked(String),
    /// It would have repeated somebody's text.
    #[error("the server held the answer back because it repeats a text of others")]
    Recitation,
    /// It ended for another reason: the server's word for it.
    #[error("the answer ended early ({0})")]
    Other(String),
    /// It is longer than anybody can use.
    #[error("the answer is longer than {MAX_BYTES} bytes")]
    TooLong,
}

/// No answer may be longer, its thoughts and calls included. No model writes a tenth of it.
pub const MAX_BYTES: usize = 32 << 20;
const SIGNATURE: &str = "thoughtSignature";

impl Answer {
    /// Takes in what comes next.
    pub fn hear(&mut self, event: Event) {
        match event {
            Event::Part(part) => self.part(part),
            Event::Usage(usage) => self.usage = Some(usage),
            Event::Finish(finish) => self.finish = Some(finish),
        }
    }

    /// What it was, once the stream is over.
    pub fn end(self) -> Result<Heard, Unusable> {
        if self.n_bytes > MAX_BYTES {
            return Err(Unusable::TooLong);
        }
        let Some(finish) = self.finish else {
            return Err(Unusable::Unfinished);
        };
        if let Finish::BadCall(word) = finish {
            return Err(Unusable::BadCall(word));
        }
        if says_something(&self.parts) {
            return Ok(Heard {
                parts: self.parts,
                usage: self.usage,
                finish,
            });
        }
        Err(match finish {
            Finish::Done if self.parts.iter().any(|part| part.is_thought) => Unusable::ThoughtOnly,
            Finish::Done => Unusable::Empty,
            Finish::Length => Unusable::Length,
            Finish::Blocked(word) => Unusable::Blocked(word),
            Finish::Recitation => Unusable::Recitation,
            Finish::BadCall(word) => Unusable::BadCall(word),
            Finish::Other(word) => Unusable::Other(word),
        })
    }

    fn part(&mut self, part: Part) {
        self.n_bytes = self.n_bytes.saturating_add(bytes(&part));
        if self.n_bytes > MAX_BYTES {
            // Nothing of it will be used, so nothing of it is kept.
            self.parts = Vec::new();
            return;
        }
        // A model that answers in the name of a tool would forge what the tool said.
        if matches!(part.body, Body::Response(_)) {
            return;
        }
        let alone = match self.parts.last_mut() {
            Some(last) => join(last, part),
            None => Some(part),
        };
        if let Some(part) = alone.filter(|part| !is_nothing(part)) {
            // What a piece takes besides its words: many small ones are many bytes too.
            self.n_bytes = self.n_bytes.saturating_add(size_of::<Part>());
            self.parts.push(part);
        }
    }
}

impl Heard {
    /// Why this is not all that the model had to say, if it is the last word and something is missing. An answer that
    /// calls tools goes on anyway.
    #[must_use]
    pub fn cut_short(&self) -> Option<String> {
        let calls = |part: &Part| matches!(part.body, Body::Call(_));
        if self.parts.iter().any(calls) {
            return None;
        }
        match &self.finish {
            Finish::Done => None,
            Finish::Length => {
                let told = "the answer is cut off: it reached the greatest length that it may have; ask for the rest";
                Some(told.to_owned())
            }
            Finish::Blocked(word) => Some(format!(
                "the answer is not whole: the server held back the rest ({word})"
            )),
            Finish::Recitation => {
                let told = "the answer is not whole: the server held back the rest because it repeats a text of others";
                Some(told.to_owned())
            }
            Finish::BadCall(word) | Finish::Other(word) => Some(format!(
                "the answer may not be whole: it ended early ({word})"
            )),
        }
    }

    /// The model's turn.
    #[must_use]
    pub fn into_content(self, id: impl Into<String>) -> Content {
        Content {
            id: id.into(),
            role: Role::Model,
            parts: self.parts,
        }
    }
}

impl Unusable {
    /// One word for it, as logs have it.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::Empty => "empty",
            Self::ThoughtOnly => "thought_only",
            Self::BadCall(_) => "bad_call",
            Self::Length => "length",
            Self::Blocked(_) => "blocked",
            Self::Recitation => "recitation",
            Self::Other(_) => "other",
            Self::TooLong => "too_long",
        }
    }
}

/// Puts a piece to the one before it, or gives it back if something would move by it.
fn join(last: &mut Part, part: Part) -> Option<Part> {
    let (Body::Text(said), Body::Text(more)) = (&mut last.body, &part.body) else {
        return Some(part);
    };
    if last.is_thought != part.is_thought {
        return Some(part);
    }
    if last.rest == part.rest && !part.rest.contains_key(SIGNATURE) {
        said.push_str(more);
        return None;
    }
    // A wire that signs a thought after it was told tells the signature alone.
    let is_signature = more.is_empty() && part.rest.len() == 1 && part.rest.contains_key(SIGNATURE);
    if part.is_thought && is_signature && last.rest.is_empty() {
        last.rest = part.rest;
        return None;
    }
    Some(part)
}

fn is_nothing(part: &Part) -> bool {
    match &part.body {
        Body::Text(text) => text.is_empty() && part.rest.is_empty(),
        Body::Other => part.rest.is_empty(),
        Body::Call(_) | Body::Response(_) | Body::Media(_) => false,
    }
}

/// Whether there is something besides thoughts and empty words.
fn says_something(parts: &[Part]) -> bool {
    let said = || parts.iter().filter(|part| !part.is_thought);
    let texts = || {
        said().filter_map(|part| match &part.body {
            Body::Text(text) => Some(&**text),
            _ => None,
        })
    };
    // A call counts even where it is marked as a thought: somebody must answer it.
    parts.iter().any(|part| matches!(part.body, Body::Call(_)))
        || said().any(|part| matches!(part.body, Body::Media(_) | Body::Other))
        || !is_blank(&texts().collect::<String>())
}

fn bytes(part: &Part) -> usize {
    match &part.body {
        Body::Text(text) if part.rest.is_empty() => text.len(),
        _ => written_bytes(part),
    }
}

fn written_bytes(part: &Part) -> usize {
    let mut length = Length(0);
    // A part in memory can always be written.
    let _ = serde_json::to_writer(&mut length, part);
    length.0
}

/// Counts what is written to it, and what it takes in memory besides: brackets are small there, and values are not.
struct Length(usize);

/// What an object takes before anything stands in it.
const OBJECT_BYTES: usize = 400;
/// What any other value takes.
const VALUE_BYTES: usize = 80;

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let besides = match bytes {
            b"{" => OBJECT_BYTES,
            b"[" | b"," => VALUE_BYTES,
            _ => 0,
        };
        self.0 = self.0.saturating_add(bytes.len() + besides);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
