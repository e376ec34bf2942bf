//! From a changed history back to the messages of its record.
//!
//! A history holds less than a record: no costs, no notices, no names of models. What stands unchanged is
//! therefore not written from the history, but kept as it is in the record.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use analects_world::model::{Body, Content, Part, Role};
use analects_world::provenance::Author;
use serde_json::Value;

use super::Entry;
use crate::history::{is_complete, responses, turns};
use crate::message::{self, Message, MessageKind, ToolCall};
use crate::replay::{MessageRef, Replayed};
use crate::stamp::Stamp;

/// The messages of a record after its history was changed, for a checkpoint.
///
/// A turn that stands as it was keeps its message, byte for byte; ids that were only made up for its calls do
/// not count. A turn of a new name is a new message. Where another text stands for what a tool answered, the
/// result of its call in the message before is changed. What was never meant for a model stays as long as the
/// turn before it does.
///
/// Two things cannot be said in a record: a user's turn that reads like a command of the program, and one
/// that is empty. Both are gone for whoever reads it.
#[must_use]
pub fn messages<'a>(history: &[Content], replayed: &'a Replayed, at: Stamp) -> Vec<Entry<'a>> {
    let originals: Vec<_> = replayed.messages().map(Original::new).collect();
    let mut way = Way::new(&originals, at);
    way.take_silent();
    let mut left = history.iter().peekable();
    while let Some(turn) = left.next() {
        let Some(original_idx) = way.find(turn) else {
            way.add(turn);
            continue;
        };
        let Some(original) = originals.get(original_idx) else {
            continue;
        };
        let answered = original.answered();
        let answer = left.next_if(|next| {
            let is_answer = |answer: &Content| next.id == answer.id && next.role == answer.role;
            answered.is_some_and(is_answer)
        });
        way.next_idx = original_idx + 1;
        way.go_on(original, turn, answer);
        way.take_silent();
    }
    way.entries
}

/// A message of the record, with what a model sees of it.
struct Original<'a> {
    message: MessageRef<'a>,
    turns: Vec<Content>,
}

impl<'a> Original<'a> {
    fn new(message: MessageRef<'a>) -> Self {
        let turns = turns(message.read());
        Self { message, turns }
    }

    /// What its tools answered.
    fn answered(&self) -> Option<&Content> {
        self.turns.get(1)
    }

    fn is_as_it_was(&self, turn: &Content, answer: Option<&Content>) -> bool {
        let is_said = self.turns.first().is_some_and(|said| is_same(turn, said));
        is_said
            && match (answer, self.answered()) {
                (Some(answer), Some(answered)) => is_same(answer, answered),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            }
    }

    /// The message with another content, or with other answers of its tools. `None` if a record has no form
    /// for it in one message.
    fn changed(&self, turn: &Content, answer: Option<&Content>) -> Option<Message> {
        let mut message = self.message.read();
        let is_said = self.turns.first().is_some_and(|said| is_same(turn, said));
        if !is_said {
            message.content = said_by(turn);
            message.authors = authors_of(turn);
            if !turn.parts.iter().any(is_complete) {
                message.thoughts.clear();
                message.tool_calls.clear();
            }
        }
        let answered = self.answered().map_or(&[][..], |answered| &answered.parts);
        answer_with(
            &mut message.tool_calls,
            answered,
            answer.map_or(&[], |answer| &answer.parts),
        );
        let told = turns(message.clone());
        let wanted = [turn].into_iter().chain(answer);
        let is_told = told.len() == wanted.clone().count()
            && wanted
                .zip(&told)
                .all(|(wanted, told)| is_same(wanted, told));
        is_told.then_some(message)
    }

    /// The message with nothing but this turn.
    fn alone(&self, turn: &Content) -> Message {
        let mut message = self.message.read();
        message.content = said_by(turn);
        message.authors = authors_of(turn);
        message.thoughts.clear();
        message.tool_calls.clear();
        message
    }
}

/// Gives tools other answers: each as many of the parts as it had, or else those with its id.
fn answer_with(calls: &mut [ToolCall], before: &[Part], after: &[Part]) {
    let is_as_many = before.len() == after.len();
    let mut left = before.iter().zip(after);
    let mut tied: HashMap<_, Vec<_>> = HashMap::new();
    for part in after {
        tied.entry(id_of(part)).or_default().push(part.clone());
    }
    for call in calls {
        let had = responses(call.clone());
        let parts: Vec<_> = match is_as_many {
            true => {
                let mine = left.by_ref().take(had.len());
                mine.map(|(before, after)| untied(after, before)).collect()
            }
            false => {
                let id = call.id.as_deref().filter(|id| !id.is_empty());
                let mine = id.and_then(|id| tied.remove(&Some(id)));
                mine.unwrap_or_default()
            }
        };
        if parts != had {
            let parts: Vec<_> = parts.iter().map(Part::to_value).collect();
            call.result = (!parts.is_empty()).then_some(Value::Array(parts));
        }
    }
}

/// A part as it is to be written in the place of another: an id that was only made up stays out.
fn untied(part: &Part, before: &Part) -> Part {
    match (id_of(before), id_of(part)) {
        (None, Some(_)) => loose(part),
        (Some(_), _) | (None, None) => part.clone(),
    }
}

fn id_of(part: &Part) -> Option<&str> {
    match &part.body {
        Body::Call(call) => call.id.as_deref(),
        Body::Response(response) => response.id.as_deref(),
        Body::Text(_) | Body::Media(_) | Body::Other => None,
    }
}

/// Whether a turn says what the record said; ids that were made up since do not count.
fn is_same(turn: &Content, said: &Content) -> bool {
    let mut both = turn.parts.iter().zip(&said.parts);
    let is_same_part = |(part, said): (&Part, &Part)| {
        says_same(part, said) || (id_of(said).is_none() && says_same(&loose(part), &loose(said)))
    };
    turn.role == said.role && turn.parts.len() == said.parts.len() && both.all(is_same_part)
}

/// True if two parts say the same, whoever is recorded as their author.
fn says_same(part: &Part, other: &Part) -> bool {
    let what = |part: &Part| (part.body.clone(), part.is_thought, part.rest.clone());
    part == other || (part.author != other.author && what(part) == what(other))
}

/// The part without its id.
fn loose(part: &Part) -> Part {
    let mut part = part.clone();
    let (id, rest) = match &mut part.body {
        Body::Call(call) => (&mut call.id, &mut call.rest),
        Body::Response(response) => (&mut response.id, &mut response.rest),
        Body::Text(_) | Body::Media(_) | Body::Other => return part,
    };
    *id = None;
    rest.shift_remove("id");
    part
}

fn said_by(turn: &Content) -> message::Content {
    message::Content::Parts(turn.parts.iter().map(Part::to_value).collect())
}

/// Who wrote each part of a user's turn; empty if none of it was recorded. Beside the answer of a tool it is always said, even
/// if it is not known: a text there would be taken for the tool's.
fn authors_of(turn: &Content) -> Vec<Option<Author>> {
    let authors: Vec<_> = turn.parts.iter().map(|part| part.author).collect();
    let is_known = authors.iter().any(Option::is_some);
    let has_text = turn.texts().next().is_some();
    let is_beside_answer = has_text && turn.responses().next().is_some();
    if is_known || is_beside_answer {
        authors
    } else {
        Vec::new()
    }
}

/// The way through the record.
struct Way<'a, 'o> {
    originals: &'o [Original<'a>],
    at: Stamp,
    /// Where turns of a name stand in the record, in order.
    places: HashMap<&'o str, VecDeque<usize>>,
    /// Where the last message of a name stands.
    last: HashMap<Cow<'a, str>, usize>,
    /// All before this one is decided.
    next_idx: usize,
    entries: Vec<Entry<'a>>,
    taken: HashSet<String>,
}

impl<'a, 'o> Way<'a, 'o> {
    fn new(originals: &'o [Original<'a>], at: Stamp) -> Self {
        let (mut places, mut last) = (HashMap::<_, VecDeque<_>>::new(), HashMap::new());
        for (original_idx, original) in originals.iter().enumerate() {
            last.insert(original.message.id(), original_idx);
            if let Some(turn) = original.turns.first() {
                places.entry(&*turn.id).or_default().push_back(original_idx);
            }
        }
        Self {
            originals,
            at,
            places,
            last,
            next_idx: 0,
            entries: Vec::new(),
            taken: HashSet::new(),
        }
    }

    /// The message of a turn, if it stands further on in the record.
    fn find(&mut self, turn: &Content) -> Option<usize> {
        let places = self.places.get_mut(&*turn.id)?;
        while places.front().is_some_and(|&place| place < self.next_idx) {
            places.pop_front();
        }
        let place = *places.front()?;
        let said = self.originals.get(place)?.turns.first()?;
        (said.role == turn.role).then_some(place)
    }

    /// Takes along what a model never sees.
    fn take_silent(&mut self) {
        while let Some(original) = self.originals.get(self.next_idx)
            && original.turns.is_empty()
        {
            self.push(Entry::Kept(original.message));
            self.next_idx += 1;
        }
    }

    /// A message of the record goes on, as it was or changed.
    fn go_on(&mut self, original: &Original<'a>, turn: &Content, answer: Option<&Content>) {
        if original.is_as_it_was(turn, answer) {
            return self.push(Entry::Kept(original.message));
        }
        if let Some(message) = original.changed(turn, answer) {
            return self.push(message.into());
        }
        self.push(original.alone(turn).into());
        if let Some(answer) = answer {
            self.add(answer);
        }
    }

    /// A turn that is no message of the record.
    fn add(&mut self, turn: &Content) {
        let kind = match turn.role {
            Role::User => MessageKind::User,
            Role::Model => MessageKind::Gemini,
        };
        let id = self.free_id(&turn.id);
        let mut message = Message::new(id, self.at, kind, said_by(turn));
        message.authors = authors_of(turn);
        self.push(message.into());
    }

    /// The id, or one like it that no other message has.
    fn free_id(&self, id: &str) -> String {
        // One that stands further on would take its place.
        let is_ahead = |id: &str| self.last.get(id).is_some_and(|&last| last >= self.next_idx);
        let is_free = |id: &String| !is_ahead(id) && !self.taken.contains(id);
        let mut ids = (self.taken.len()..).map(|n| format!("{id}-{n}"));
        let id = Some(id.to_owned()).filter(|id| !id.is_empty() && is_free(id));
        id.or_else(|| ids.find(is_free)).unwrap_or_default()
    }

    fn push(&mut self, entry: Entry<'a>) {
        self.taken.insert(entry.id().into_owned());
        self.entries.push(entry);
    }
}

#[cfg(test)]
mod tests;
