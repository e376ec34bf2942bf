//! A record of Gemini CLI, replayed from its bytes.
//!
//! The result is the bytes themselves, where in them each message stands, and the few facts that lists need.
//! A message is read when it is asked for. Whatever the bytes are, something is answered: a line that cannot
//! be read is a [`Problem`], and a prefix of a record is a record.
//!
//! The rules are those of Gemini CLI 0.61.0's loader; where we differ, `tests/it/peer` says why.

mod about;
pub(crate) mod line;
pub(crate) mod scan;
mod stage;

use std::borrow::Cow;
use std::ops::Range;

use analects_text::problem::Problem;
use analects_text::trim::trim;
use memchr::memchr_iter;

pub use crate::message::MessageKind;
pub use about::About;

use crate::message::Message;
use crate::{codes, json, legacy};
use line::{Fact, Fields, Head};
use scan::Span;
use stage::Stage;

/// A record, replayed.
#[derive(Debug, Clone)]
pub struct Replayed {
    text: String,
    entries: Vec<Entry>,
    checkpoints: Vec<Span>,
    about: About,
    form: Form,
    problems: Vec<Problem>,
}

/// How a record is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line for everything that happened.
    Lines,
    /// One object for everything: what Gemini CLI wrote before April 2026.
    Object,
}

/// What can be done with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Gemini CLI loads it.
    Loadable,
    /// It says something, but not whose it is; Gemini CLI takes it for corrupt.
    Headless,
    /// Nothing in it can be read.
    Unreadable,
}

/// Where a message stands.
#[derive(Debug, Clone, Copy)]
struct Entry {
    span: Span,
    id: Option<Span>,
    kind: MessageKind,
}

impl Entry {
    fn new(head: Head) -> Option<Self> {
        let (id, kind) = (head.id, head.kind);
        head.span.map(|span| Self { span, id, kind })
    }
}

/// Replays a record. Takes its bytes and keeps them.
#[must_use]
pub fn replay(bytes: Vec<u8>) -> Replayed {
    let mut problems = Problems::default();
    let text = text(bytes, &mut problems);
    let mut stage = Stage::new(&text);
    let mut form = Form::Lines;
    play_lines(&text, &mut stage, &mut problems);
    if !is_named(&stage.fields, &text)
        && let Some(whole) = legacy::read(&text)
    {
        stage = Stage::new(&text);
        stage.play_whole(whole);
        problems.lines.clear();
        form = Form::Object;
    }
    let about = About::new(&stage, &text);
    let Stage {
        entries,
        checkpoints,
        ..
    } = stage;
    let mut replayed = Replayed {
        text,
        entries,
        checkpoints,
        about,
        form,
        problems: problems.into_list(),
    };
    if replayed.standing() == Standing::Headless {
        let message = "the record has no header with the id of the session and its project";
        let problem = Problem::new(&codes::NO_HEADER, message);
        replayed.problems.push(problem);
    }
    replayed
}

impl Replayed {
    /// The messages, in order, as they stand after everything that happened.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = MessageRef<'_>> + ExactSizeIterator {
        let text = &*self.text;
        self.entries
            .iter()
            .map(move |entry| MessageRef { text, entry })
    }

    /// The message at a place.
    #[must_use]
    pub fn message(&self, message_idx: usize) -> Option<MessageRef<'_>> {
        let text = &*self.text;
        let entry = self.entries.get(message_idx)?;
        Some(MessageRef { text, entry })
    }

    /// The lines by which all messages became others, in order.
    pub fn checkpoints(&self) -> impl DoubleEndedIterator<Item = Checkpoint<'_>> {
        let text = &*self.text;
        self.checkpoints
            .iter()
            .map(move |&span| Checkpoint { text, span })
    }

    /// What it says about itself.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// How many messages there are.
    #[must_use]
    pub fn n_messages(&self) -> usize {
        self.entries.len()
    }

    /// How many of them went to the model, answers of tools included.
    #[must_use]
    pub fn n_user_messages(&self) -> usize {
        let is_user = |entry: &&Entry| entry.kind == MessageKind::User;
        self.entries.iter().filter(is_user).count()
    }

    /// Whether there is anything that somebody could take up again.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        self.messages().any(|message| message.is_resumable())
    }

    /// What can be done with it.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let about = &self.about;
        let is_loadable = about.session_id.is_some()
            && (about.project_hash.is_some() || self.form == Form::Object);
        if is_loadable {
            Standing::Loadable
        } else if !self.entries.is_empty() || about.session_id.is_some() {
            Standing::Headless
        } else {
            Standing::Unreadable
        }
    }

    /// How it is laid out.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether the file ends in the middle of a line, so that whoever appends must end that line first.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        !self.text.is_empty() && !self.text.ends_with('\n')
    }

    /// What could not be read.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The record. Byte for byte the file, but for bytes that are no UTF-8.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A line by which all messages of a record became others.
#[derive(Debug, Clone, Copy)]
pub struct Checkpoint<'a> {
    text: &'a str,
    span: Span,
}

impl<'a> Checkpoint<'a> {
    /// Where in the record it stands, without the end of its line.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.start..self.span.end
    }

    /// Its JSON.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.span.of(self.text)
    }

    /// The record as it was before.
    #[must_use]
    pub fn before(&self) -> Replayed {
        let (start, end) = (0, self.span.start);
        replay(Span { start, end }.of(self.text).into())
    }

    /// The messages that it says, as a record of their own.
    #[must_use]
    pub fn alone(&self) -> Replayed {
        replay(self.raw().into())
    }
}

/// A message of a record, not yet read.
#[derive(Debug, Clone, Copy)]
pub struct MessageRef<'a> {
    text: &'a str,
    entry: &'a Entry,
}

impl<'a> MessageRef<'a> {
    /// Its name; empty only in old records.
    #[must_use]
    pub fn id(&self) -> Cow<'a, str> {
        let id = self.entry.id.and_then(|id| json::string(id.of(self.text)));
        id.unwrap_or_default()
    }

    /// Whether it has a name at all; only old records have messages that have none.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let id = self.entry.id.map(|id| id.of(self.text));
        id.is_some_and(|id| id.starts_with('"'))
    }

    /// What kind of message it is.
    #[must_use]
    pub fn kind(&self) -> MessageKind {
        self.entry.kind
    }

    /// Its JSON.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.entry.span.of(self.text)
    }

    /// Where in the record it stands.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.entry.span.start..self.entry.span.end
    }

    /// Reads it. A field that nests too deeply, or holds a number that no machine has, is left out.
    #[must_use]
    pub fn read(&self) -> Message {
        self.read_as_far_as_possible().0
    }

    /// Reads it; and whether nothing was left out.
    pub(crate) fn read_as_far_as_possible(&self) -> (Message, bool) {
        let (value, is_whole) = json::readable(self.raw());
        let mut message = Message::from_value(value);
        message.id = self.id().into_owned();
        message.kind = self.kind();
        (message, is_whole)
    }

    /// Whether somebody who takes up the conversation would miss it.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        matches!(self.kind(), MessageKind::User | MessageKind::Gemini) && self.read().is_resumable()
    }
}

/// The bytes as text of the same length: places in it are places in the file.
fn text(bytes: Vec<u8>, problems: &mut Problems) -> String {
    let mut bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut n_bad = 0;
    let mut at = 0;
    while let Some(Err(error)) = bytes.get(at..).map(str::from_utf8) {
        let start = at + error.valid_up_to();
        let n_bytes = error.error_len().unwrap_or(bytes.len() - start);
        bytes
            .iter_mut()
            .skip(start)
            .take(n_bytes)
            .for_each(|byte| *byte = b'?');
        n_bad += n_bytes;
        at = start + n_bytes;
    }
    let message = format!("{n_bad} bytes are not UTF-8");
    problems.whole = Some(Problem::new(&codes::RECORD_NOT_UTF8, message));
    String::from_utf8(bytes).unwrap_or_default()
}

fn play_lines<'a>(text: &'a str, stage: &mut Stage<'a>, problems: &mut Problems) {
    let mut open = Vec::new();
    let mut start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let ends = memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    for (line_idx, end) in ends.enumerate() {
        let span = Span { start, end };
        start = end + 1;
        if span.start >= span.end || play_line(text, span, stage, &mut open) {
            continue;
        }
        problems.add(line_idx + 1, end == text.len());
    }
}

/// Plays a line. Whether it could be read.
fn play_line<'a>(text: &'a str, span: Span, stage: &mut Stage<'a>, open: &mut Vec<u8>) -> bool {
    match line::read(text, span, open) {
        Ok(line) => {
            stage.play(line);
            true
        }
        Err(scan::Broken) if trim(span.of(text)).is_empty() => true,
        Err(scan::Broken) => play_old_lines(text, span, stage, open),
    }
}

/// Plays lines that end in a carriage return alone. Whether there were any, and all could be read.
fn play_old_lines<'a>(
    text: &'a str,
    span: Span,
    stage: &mut Stage<'a>,
    open: &mut Vec<u8>,
) -> bool {
    let line = span.of(text).trim_end_matches('\r');
    let mut start = span.start;
    let mut is_read = line.contains('\r');
    if !is_read {
        return false;
    }
    for part in line.split('\r') {
        let end = start + part.len();
        match line::read(text, Span { start, end }, open) {
            Ok(line) => stage.play(line),
            Err(scan::Broken) => is_read &= trim(part).is_empty(),
        }
        start = end + 1;
    }
    is_read
}

fn is_named(fields: &Fields, text: &str) -> bool {
    [Fact::SessionId, Fact::ProjectHash].iter().all(|&fact| {
        let raw = fields.get(fact).map(|span| span.of(text));
        raw.is_some_and(json::is_truthy)
    })
}

/// Problems, but not without end.
#[derive(Default)]
struct Problems {
    whole: Option<Problem>,
    lines: Vec<Problem>,
    n_more: usize,
}

impl Problems {
    /// At most this many lines are reported one by one.
    const MAX_REPORTED: usize = 20;

    fn add(&mut self, line: usize, is_last: bool) {
        if self.lines.len() == Self::MAX_REPORTED {
            self.n_more += 1;
            return;
        }
        let problem = match is_last {
            true => Problem::new(
                &codes::LINE_TORN,
                "the last line was not written to its end",
            ),
            false => Problem::new(&codes::LINE_UNREADABLE, "the line is no JSON"),
        };
        self.lines.push(problem.on_line(line));
    }

    fn into_list(self) -> Vec<Problem> {
        let mut list: Vec<_> = self.whole.into_iter().collect();
        let has_more = !self.lines.is_empty() && self.n_more > 0;
        list.extend(self.lines);
        if has_more {
            let message = format!("{} more lines are no JSON", self.n_more);
            list.push(Problem::new(&codes::LINE_UNREADABLE, message));
        }
        list
    }
}

#[cfg(test)]
mod tests;
