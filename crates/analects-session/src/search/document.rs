//! From a conversation to what the index holds of it: its words, without secrets.
//!
//! A text is masked before it is cut, in a window that is somewhat larger than what is indexed: half of a token
//! is not recognised any more, and its half would be a word of the index.

use std::borrow::Cow;
use std::ops::Range;

use analects_text::redact;
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

/// How far beyond what is indexed secrets are looked for: as long as any token, and a private key.
const MARGIN_BYTES: usize = 4 * 1024;

/// What the index is to hold of a file with this conversation in it.
#[must_use]
pub fn entry(path: &AbsPath, measure: Measure, transcript: &Transcript) -> Entry {
    let head = &transcript.head;
    let turns = (0..).zip(&transcript.turns);
    let mut docs: Vec<Doc> = turns.map(|(at, turn)| doc(at, turn)).collect();
    if let (Some(first), Some(title)) = (docs.first_mut(), &head.title) {
        add(first, Field::Title, &masked(title, 0..title.len()));
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
        title: (head.title.as_deref()).map(|title| masked(title, 0..title.len()).into_owned()),
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
        tools: turn
            .tools
            .iter()
            .map(|tool| masked(&tool.name, 0..tool.name.len()).into_owned())
            .collect(),
        paths: turn
            .tools
            .iter()
            .flat_map(|tool| &tool.paths)
            .map(|path| masked(path, 0..path.len()).into_owned())
            .collect(),
    };
    let said = match turn.role {
        Role::User => Field::Prompt,
        Role::Model | Role::Program => Field::Answer,
    };
    add(&mut doc, said, &start(&turn.text, MAX_SAID_BYTES));
    for tool in &turn.tools {
        add(&mut doc, Field::Input, &input(tool));
        let output = &tool.output;
        if output.len() <= 2 * MAX_OUTPUT_BYTES {
            add(&mut doc, Field::Output, &masked(output, 0..output.len()));
        } else {
            add(&mut doc, Field::Output, &start(output, MAX_OUTPUT_BYTES));
            add(&mut doc, Field::Output, &end(output, MAX_OUTPUT_BYTES));
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
    let asked = head(&tool.input, MAX_INPUT_BYTES + MARGIN_BYTES);
    let plain = if asked.starts_with('{') {
        Cow::Owned(unescaped(asked))
    } else {
        Cow::Borrowed(asked)
    };
    let mut input = start(&plain, MAX_INPUT_BYTES).into_owned();
    for path in tool
        .paths
        .iter()
        .filter(|path| !asked.contains(path.as_str()))
    {
        input.push('\n');
        input.push_str(&masked(path, 0..path.len()));
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

/// The first bytes of a text, without secrets.
fn start(text: &str, limit_bytes: usize) -> Cow<'_, str> {
    let window = head(text, limit_bytes.saturating_add(MARGIN_BYTES));
    masked(window, 0..head(window, limit_bytes).len())
}

/// The last bytes of a text, without secrets.
fn end(text: &str, limit_bytes: usize) -> Cow<'_, str> {
    let from = |n_bytes: usize| text.ceil_char_boundary(text.len().saturating_sub(n_bytes));
    let window_start = from(limit_bytes.saturating_add(MARGIN_BYTES));
    let window = text.get(window_start..).unwrap_or(text);
    masked(window, from(limit_bytes) - window_start..window.len())
}

fn head(text: &str, limit_bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(limit_bytes))
        .unwrap_or(text)
}

/// The part `kept` of `window`; a secret of which any byte is in it is masked.
fn masked(window: &str, kept: Range<usize>) -> Cow<'_, str> {
    let found = redact::scan(window);
    let mut found = found
        .iter()
        .filter(|finding| finding.range.start < kept.end && finding.range.end > kept.start);
    let Some(first) = found.next() else {
        return Cow::Borrowed(window.get(kept).unwrap_or_default());
    };
    let mut text = String::new();
    let mut copied = kept.start;
    for finding in std::iter::once(first).chain(found) {
        text.push_str(window.get(copied..finding.range.start).unwrap_or_default());
        text.push_str(" [redacted] ");
        copied = finding.range.end;
    }
    text.push_str(window.get(copied..kept.end).unwrap_or_default());
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token that the scanner knows, made up at run time.
    fn token() -> String {
        ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat()
    }

    #[test]
    fn a_secret_that_a_cut_splits_is_not_half_indexed() {
        let token = token();
        for n_before in 0..60 {
            let text = format!("{} {token} {}", "x".repeat(n_before), "y ".repeat(100));
            let shown = start(&text, 40);
            assert!(!shown.contains("16C7e4"), "{shown}");
            let text = format!("{} {token} {}", "y ".repeat(100), "x".repeat(n_before));
            let shown = end(&text, 40);
            assert!(!shown.contains("178B4a"), "{shown}");
        }
    }

    #[test]
    fn what_is_no_secret_is_kept_to_the_byte() {
        let text = "the password is stored in 1Password, 文字";
        assert_eq!(start(text, 1_000), text);
        assert_eq!(start(text, 12), "the password");
        assert_eq!(end(text, 6), "文字");
        assert_eq!(end(text, 5), "字");
    }

    #[test]
    fn the_end_of_a_private_key_is_no_text() {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n".repeat(40);
        let key = [
            "-----BEGIN ",
            "PRIVATE KEY-----\n",
            &body,
            "-----END ",
            "PRIVATE KEY-----",
        ]
        .concat();
        let text = format!("{}{key}", "line\n".repeat(500));
        let shown = end(&text, MAX_OUTPUT_BYTES);
        assert!(!shown.contains("MIIEvQ"), "{shown}");
    }
}
