//! Applies the lines of a record one after another.
//!
//! Every message is pushed once and popped at most once for each time it was pushed, so a million rewinds
//! cost no more than the million messages they take back.

use std::borrow::Cow;
use std::collections::HashMap;

use analects_world::provenance::gemini;

use crate::json;
use crate::message::Content;
use crate::replay::line::{Fact, Fields, Head, Line};
use crate::replay::scan::Span;
use crate::replay::{Entry, MessageKind};

/// What is known after some of the lines.
#[derive(Default)]
pub(crate) struct Stage<'a> {
    text: &'a str,
    pub(crate) entries: Vec<Entry>,
    /// Where the message of an id stands.
    index: HashMap<Cow<'a, str>, usize>,
    pub(crate) fields: Fields,
    /// Whether a scratchpad was set; if so, whether something happened since.
    pub(crate) is_stale: Option<bool>,
    pub(crate) first_prompt: Option<String>,
    /// The lines by which the messages became others.
    pub(crate) checkpoints: Vec<Span>,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Plays one line. The order of the questions is the original's; a line of no kind we know says nothing.
    pub(crate) fn play(&mut self, line: Line) {
        if let Some(to) = line.rewind.and_then(|to| self.string(to)) {
            self.outdate();
            self.rewind(&to);
        } else if self.is_string(line.message.id) {
            self.outdate();
            self.say(line.message);
        } else if let Some(set) = line.set {
            let is_checkpoint = set.messages.is_some();
            self.checkpoints
                .extend(line.message.span.filter(|_| is_checkpoint));
            self.set(set);
        } else if self.is_header(&line.fields) {
            self.fields.merge(&line.fields);
            self.say_all(line.fields.messages);
        }
    }

    /// Plays the one object that is the whole file. Its messages stand as they are, id or not.
    pub(crate) fn play_whole(&mut self, line: Line) {
        self.fields.merge(&line.fields);
        for head in line.fields.messages.into_iter().flatten() {
            self.notice(head);
            self.entries.extend(Entry::new(head));
        }
    }

    fn set(&mut self, set: Fields) {
        if let Some(scratchpad) = set.get(Fact::Scratchpad) {
            self.is_stale = json::is_truthy(scratchpad.of(self.text)).then_some(false);
        }
        if set.messages.is_some() {
            self.rewind_all();
        }
        self.fields.merge(&set);
        self.say_all(set.messages);
    }

    fn say_all(&mut self, heads: Option<Vec<Head>>) {
        for head in heads.into_iter().flatten() {
            if self.is_string(head.id) {
                self.say(head);
            }
        }
    }

    /// A message takes the place of the one with its id, else the last place.
    fn say(&mut self, head: Head) {
        self.notice(head);
        let id = head.id.and_then(|id| self.string(id)).unwrap_or_default();
        let Some(entry) = Entry::new(head) else {
            return;
        };
        let at = *self.index.entry(id).or_insert(self.entries.len());
        match self.entries.get_mut(at) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
    }

    /// Takes back a message and all after it; all of them, if it is not there.
    fn rewind(&mut self, to: &str) {
        match self.index.get(to) {
            Some(&at) => self.truncate(at),
            None => self.rewind_all(),
        }
    }

    fn rewind_all(&mut self) {
        self.truncate(0);
    }

    fn truncate(&mut self, n_kept: usize) {
        // One by one: to clear a map costs what it once held, each time.
        while self.entries.len() > n_kept {
            let last = self.entries.pop();
            let id = last.and_then(|entry| self.string(entry.id?));
            self.index.remove(&id.unwrap_or_default());
        }
    }

    /// Remembers the first prompt that says something, even if it is taken back later.
    fn notice(&mut self, head: Head) {
        if self.first_prompt.is_some() || head.kind != MessageKind::User {
            return;
        }
        let content = head.content.map(|content| content.of(self.text));
        let content = content.and_then(json::value).map(Content::from_value);
        let Some(content) = content.filter(|content| content.is_sent()) else {
            return;
        };
        let said = content.plain_text();
        let said = gemini::after_hooks(&said);
        self.first_prompt = (!said.is_empty()).then(|| said.to_owned());
    }

    fn outdate(&mut self) {
        if let Some(is_stale) = &mut self.is_stale {
            *is_stale = true;
        }
    }

    fn is_header(&self, fields: &Fields) -> bool {
        [Fact::SessionId, Fact::ProjectHash]
            .iter()
            .all(|&fact| self.is_string(fields.get(fact)))
    }

    fn is_string(&self, span: Option<Span>) -> bool {
        span.is_some_and(|span| span.of(self.text).starts_with('"'))
    }

    fn string(&self, span: Span) -> Option<Cow<'a, str>> {
        json::string(span.of(self.text))
    }
}
