//! Lays a history out in turns that every chat server accepts.
//!
//! The user begins, roles alternate, every call is answered in the turn behind it, in the order of the calls,
//! and the user has the last word. Histories are hardened before they come here; this holds for any other
//! history too, because a server refuses all of a conversation for one turn that it does not understand.
//!
//! A call that nothing answers gets an outcome without a response. A response that belongs to no call gets a
//! call without arguments: what a tool said must not read as if the user had said it. Words of nothing but
//! space are left out, like parts that only another wire knows.

mod pair;

use std::borrow::Cow;

use analects_world::model::{Body, Call, Content, Media, Part, Response, Role};
use serde_json::Value;

use super::name::Ids;

/// What the user says where a conversation would begin with the model.
const BEFORE: &str = "[The conversation goes on.]";
/// What the user says where a conversation would end with the model.
const BEHIND: &str = "Please continue.";

/// One turn.
#[derive(Debug, PartialEq)]
pub(super) enum Turn<'a> {
    /// The user's, or that of the tools. It says something.
    User {
        /// What became of all calls of the turn before, in their order.
        results: Vec<Outcome<'a>>,
        /// What the user says.
        words: Vec<Word<'a>>,
    },
    /// The model's. It holds words, a medium or a call, and does not end with a thought.
    Model(Vec<Said<'a>>),
}

/// What became of a call.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome<'a> {
    /// The id that the call has in this request.
    pub(super) id: String,
    /// The tool.
    pub(super) name: &'a str,
    /// What it answered, if anything did.
    pub(super) response: Option<&'a Response>,
}

/// A piece of what the user says.
#[derive(Debug, PartialEq)]
pub(super) enum Word<'a> {
    /// Words; not only space.
    Text(&'a str),
    /// An image, a document, a sound.
    Media(&'a Media),
}

/// A piece of what the model says.
#[derive(Debug, PartialEq)]
pub(super) enum Said<'a> {
    /// Words; not only space.
    Text(Cow<'a, str>),
    /// A thought, with whatever signs it.
    Thought(&'a str, &'a Part),
    /// An image, a document, a sound.
    Media(&'a Media),
    /// It wants a tool to run.
    Call {
        /// The id that it has in this request.
        id: String,
        /// The id that it has in the history.
        own: Option<&'a str>,
        /// The tool.
        name: &'a str,
        /// What the tool is asked.
        args: &'a Value,
    },
}

/// Lays out a history.
pub(super) fn lay(history: &[Content]) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    let mut ids = Ids::default();
    for run in runs(history) {
        match run {
            Run::Model(pieces) => turns.push(Turn::Model(said(pieces, &mut ids))),
            Run::User(pieces) => pair::answer(pieces, &mut turns, &mut ids),
        }
    }
    close(&mut turns);
    turns
}

/// What one side says before the other does.
enum Run<'a> {
    User(Vec<Told<'a>>),
    Model(Vec<Piece<'a>>),
}

/// What the user or a tool says.
enum Told<'a> {
    Word(Word<'a>),
    Response(&'a Response),
}

/// What the model says.
enum Piece<'a> {
    /// Words, and the number of the content that they stand in.
    Text(Cow<'a, str>, usize),
    Thought(&'a str, &'a Part),
    Media(&'a Media),
    Call(&'a Call),
}

/// The runs that say something. They alternate.
fn runs(history: &[Content]) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for (n, content) in history.iter().enumerate() {
        for part in &content.parts {
            push(&mut runs, content.role, part, n);
        }
    }
    // Runs that turn out to say nothing stood between two of the other side.
    let mut merged: Vec<Run<'_>> = Vec::new();
    for run in runs {
        match (merged.last_mut(), run) {
            (Some(Run::User(all)), Run::User(more)) => all.extend(more),
            (Some(Run::Model(all)), Run::Model(more)) => all.extend(clean(more)),
            (_, Run::User(more)) => merged.push(Run::User(more)),
            (_, Run::Model(more)) => match clean(more) {
                pieces if pieces.is_empty() => {}
                pieces => merged.push(Run::Model(pieces)),
            },
        }
    }
    merged
}

/// Sorts a part in by what it is: only the model calls, and only tools respond, whosever turn it stands in.
fn push<'a>(runs: &mut Vec<Run<'a>>, role: Role, part: &'a Part, n: usize) {
    match (&part.body, role) {
        (Body::Call(call), _) => push_piece(runs, Piece::Call(call)),
        (Body::Response(response), _) => push_told(runs, Told::Response(response)),
        (Body::Text(text), Role::Model) if part.is_thought => {
            push_piece(runs, Piece::Thought(text, part));
        }
        (_, _) if part.is_thought => {}
        (Body::Text(text), Role::Model) => push_piece(runs, Piece::Text(text.into(), n)),
        (Body::Media(media), Role::Model) => push_piece(runs, Piece::Media(media)),
        (Body::Text(text), Role::User) if !text.trim().is_empty() => {
            push_told(runs, Told::Word(Word::Text(text)));
        }
        (Body::Media(media), Role::User) => push_told(runs, Told::Word(Word::Media(media))),
        (Body::Text(_) | Body::Other, _) => {}
    }
}

fn push_told<'a>(runs: &mut Vec<Run<'a>>, told: Told<'a>) {
    match runs.last_mut() {
        Some(Run::User(all)) => all.push(told),
        _ => runs.push(Run::User(vec![told])),
    }
}

/// Words of the model come in pieces, which belong together as they stand, unless they stand in two contents.
fn push_piece<'a>(runs: &mut Vec<Run<'a>>, piece: Piece<'a>) {
    let Some(Run::Model(all)) = runs.last_mut() else {
        return runs.push(Run::Model(vec![piece]));
    };
    match (all.last_mut(), piece) {
        (Some(Piece::Text(text, n)), Piece::Text(more, m)) if *n == m => {
            text.to_mut().push_str(&more);
        }
        (_, piece) => all.push(piece),
    }
}

/// Without words of nothing but space, and without thoughts that lead to nothing.
fn clean(mut pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    pieces.retain(|piece| !matches!(piece, Piece::Text(text, _) if text.trim().is_empty()));
    while let Some(Piece::Thought(..)) = pieces.last() {
        pieces.pop();
    }
    pieces
}

fn said<'a>(pieces: Vec<Piece<'a>>, ids: &mut Ids) -> Vec<Said<'a>> {
    let pieces = pieces.into_iter().map(|piece| match piece {
        Piece::Text(text, _) => Said::Text(text),
        Piece::Thought(text, part) => Said::Thought(text, part),
        Piece::Media(media) => Said::Media(media),
        Piece::Call(call) => Said::Call {
            id: ids.next(call.id.as_deref()),
            own: call.id.as_deref(),
            name: &call.name,
            args: &call.args,
        },
    });
    pieces.collect()
}

/// Lets the user have the first and the last word.
fn close(turns: &mut Vec<Turn<'_>>) {
    if let Some(Turn::Model(_)) = turns.first() {
        turns.insert(0, filler(BEFORE));
    }
    match turns.last_mut() {
        Some(Turn::User { .. }) => {}
        None => turns.push(filler(BEHIND)),
        Some(Turn::Model(said)) => {
            let results = pair::lost(said);
            if results.is_empty() {
                turns.push(filler(BEHIND));
            } else {
                let words = Vec::new();
                turns.push(Turn::User { results, words });
            }
        }
    }
}

fn filler<'a>(text: &'static str) -> Turn<'a> {
    Turn::User {
        results: Vec::new(),
        words: vec![Word::Text(text)],
    }
}

#[cfg(test)]
mod tests;
