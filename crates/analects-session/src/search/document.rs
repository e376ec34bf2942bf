//! From a conversation to what the index holds of it.

use analects_world::AbsPath;
use analects_world::files::Measure;
use analects_world::index::{Doc, Entry, Field, Session};

use super::words::push_terms;
use crate::stamp::Stamp;
use crate::transcript::{Head, Role, ToolUse, Transcript, Turn};

/// Of what was said, this many bytes are indexed. Who pastes more, pastes a log.
const MAX_SAID_BYTES: usize = 64 * 1024;
/// Of what a tool was asked.
const MAX_INPUT_BYTES: usize = 8 * 1024;
/// Of the beginning and of the end of what a tool answered: what matters stands there.
const MAX_OUTPUT_BYTES: usize = 1536;

/// What the index is to hold of a file with this conversation in it.
#[must_use]
pub fn entry(path: &AbsPath, measure: Measure, transcript: &Transcript) -> Entry {
    let head = &transcript.head;
    let turns = (0..).zip(&transcript.turns);
    let mut docs: Vec<Doc> = turns.map(|(at, turn)| doc(at, turn)).collect();
    if let (Some(first), Some(title)) = (docs.first_mut(), &head.title) {
        add(first, Field::Title, title);
    }
    docs.retain(|doc| !doc.words.is_empty());
    Entry {
        path: path.clone(),
        measure,
        session: session(head),
        docs,
    }
}

/// The number of a role in the index.
#[must_use]
pub fn role_number(role: Role) -> u8 {
    match role {
        Role::User => 0,
        Role::Model => 1,
        Role::Program => 2,
    }
}

/// The role of a number.
#[must_use]
pub fn role(number: u8) -> Role {
    match number {
        0 => Role::User,
        1 => Role::Model,
        _ => Role::Program,
    }
}

fn session(head: &Head) -> Session {
    Session {
        id: head.id.clone(),
        agent: head.agent.as_str().to_owned(),
        title: head.title.clone(),
        project: head.cwd.clone(),
        started_ms: head.started.map(Stamp::as_ms),
        updated_ms: head.updated.map(Stamp::as_ms),
    }
}

fn doc(at: u32, turn: &Turn) -> Doc {
    let mut doc = Doc {
        turn: at,
        name: turn.id.clone(),
        role: role_number(turn.role),
        at_ms: turn.at.map(Stamp::as_ms),
        span: turn.span.start as u64..turn.span.end as u64,
        words: Vec::new(),
        tools: turn.tools.iter().map(|tool| tool.name.clone()).collect(),
        paths: turn
            .tools
            .iter()
            .flat_map(|tool| tool.paths.clone())
            .collect(),
    };
    let said = match turn.role {
        Role::User => Field::Prompt,
        Role::Model | Role::Program => Field::Answer,
    };
    add(&mut doc, said, start(&turn.text, MAX_SAID_BYTES));
    for tool in &turn.tools {
        add(&mut doc, Field::Input, &input(tool));
        let output = &tool.output;
        if output.len() <= 2 * MAX_OUTPUT_BYTES {
            add(&mut doc, Field::Output, output);
        } else {
            add(&mut doc, Field::Output, start(output, MAX_OUTPUT_BYTES));
            add(&mut doc, Field::Output, end(output, MAX_OUTPUT_BYTES));
        }
    }
    doc
}

fn add(doc: &mut Doc, field: Field, text: &str) {
    let at = doc.words.iter().position(|(held, _)| *held == field);
    let mut terms = at.map_or_else(String::new, |at| doc.words.swap_remove(at).1);
    push_terms(text, &mut terms);
    if !terms.is_empty() {
        doc.words.push((field, terms));
    }
}

/// What a tool was asked, with the files it named.
fn input(tool: &ToolUse) -> String {
    let asked = start(&tool.input, MAX_INPUT_BYTES);
    let mut input = if asked.starts_with('{') {
        unescaped(asked)
    } else {
        asked.to_owned()
    };
    for path in tool
        .paths
        .iter()
        .filter(|path| !asked.contains(path.as_str()))
    {
        input.push('\n');
        input.push_str(path);
    }
    input
}

/// JSON without its escapes, near enough to find words in it.
fn unescaped(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n' | 't' | 'r' | 'f' | 'b') => plain.push('\n'),
                Some(c) => plain.push(c),
                None => {}
            },
            c => plain.push(c),
        }
    }
    plain
}

fn start(text: &str, limit_bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(limit_bytes))
        .unwrap_or(text)
}

fn end(text: &str, limit_bytes: usize) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(limit_bytes));
    text.get(from..).unwrap_or(text)
}
