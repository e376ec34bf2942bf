//! A conversation as Anthropic's messages write it down.
//!
//! Thoughts go back while tools run: from the last time the user spoke to the end, which is where the server
//! asks for them. All of them go or none, since a thought that is missing between others makes those behind it
//! worthless. Older thoughts it would throw away, and those of other wires it cannot read.

use analects_world::model::{Media, Part, Source};
use serde_json::{Value, json};

use super::{HIDDEN, OURS, SIGNATURE};
use crate::http_models::wire::lay::{Outcome, Said, Turn, Word};
use crate::http_models::wire::{name, outcome, spell};

/// All messages of a request.
pub(super) fn messages(turns: &[Turn<'_>]) -> Vec<Value> {
    let is_question =
        |turn: &Turn<'_>| matches!(turn, Turn::User { results, .. } if results.is_empty());
    let asked = turns.iter().rposition(is_question).unwrap_or(0);
    let messages = turns.iter().enumerate().map(|(i, turn)| match turn {
        Turn::User { results, words } => user(results, words),
        Turn::Model(said) if i > asked => assistant(said, Thoughts::Kept),
        Turn::Model(said) => assistant(said, Thoughts::Dropped),
    });
    messages.collect()
}

/// What becomes of the thoughts of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thoughts {
    Kept,
    Dropped,
}

fn user(results: &[Outcome<'_>], words: &[Word<'_>]) -> Value {
    let results = results.iter().map(result);
    let words = words.iter().map(|word| match word {
        Word::Text(words) => text(words),
        Word::Media(medium) => media(medium),
    });
    let content: Vec<Value> = results.chain(words).collect();
    json!({ "role": "user", "content": content })
}

fn result(result: &Outcome<'_>) -> Value {
    let told = outcome::told(result.response);
    let mut content = vec![text(&told.text)];
    content.extend(told.media.into_iter().map(media));
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": result.id,
        "content": content,
    });
    if told.is_error {
        block["is_error"] = true.into();
    }
    block
}

fn assistant(said: &[Said<'_>], thoughts: Thoughts) -> Value {
    let mut content = Vec::new();
    let mut thinking = String::new();
    for piece in said {
        match piece {
            Said::Thought(words, part) => {
                thinking.push_str(words);
                let block = thought(&mut thinking, part);
                content.extend(block.filter(|_| thoughts == Thoughts::Kept));
                continue;
            }
            Said::Text(words) => content.push(text(words)),
            Said::Media(medium) => content.push(text(&outcome::left_out(medium))),
            Said::Call { id, name, args, .. } => content.push(json!({
                "type": "tool_use",
                "id": id,
                "name": name::tool(name),
                "input": spell::object(args),
            })),
        }
        thinking.clear();
    }
    json!({ "role": "assistant", "content": content })
}

/// The thought that a signature closes. One without a signature of ours goes nowhere.
fn thought(thinking: &mut String, part: &Part) -> Option<Value> {
    let signature = part.rest.get(SIGNATURE)?.as_str()?;
    let thinking = std::mem::take(thinking);
    if let Some(data) = signature.strip_prefix(HIDDEN) {
        return Some(json!({ "type": "redacted_thinking", "data": data }));
    }
    let signature = signature.strip_prefix(OURS).filter(|s| !s.is_empty())?;
    Some(json!({ "type": "thinking", "thinking": thinking, "signature": signature }))
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn media(media: &Media) -> Value {
    let source = match &media.source {
        Source::Inline(data) if outcome::is_base64(data) => {
            json!({ "type": "base64", "media_type": media.mime, "data": data })
        }
        Source::Uri(uri) if uri.starts_with("https://") => json!({ "type": "url", "url": uri }),
        _ => return text(&outcome::left_out(media)),
    };
    match &*media.mime {
        mime if outcome::is_image(mime) => json!({ "type": "image", "source": source }),
        "application/pdf" => json!({ "type": "document", "source": source }),
        _ => text(&outcome::left_out(media)),
    }
}
