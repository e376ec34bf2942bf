//! A conversation as OpenAI's chat completions write it down.
//!
//! Thoughts are not sent: no chat completion takes them back. A tool says only words here, so media that it
//! answered follow in the user's message behind it.

use std::borrow::Cow;

use analects_world::model::{Media, Source};
use analects_world::models::Request;
use serde_json::{Value, json};

use super::kin::Kin;
use crate::http_models::wire::lay::{self, Outcome, Said, Turn, Word};
use crate::http_models::wire::{name, outcome, spell};

/// All messages of a request.
pub(super) fn messages(request: &Request<'_>, kin: Kin) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for turn in lay::lay(request.history) {
        match turn {
            Turn::Model(said) => messages.push(assistant(said)),
            Turn::User { results, words } => {
                let mut content = results.iter().fold(Vec::new(), |mut content, result| {
                    messages.push(tool(result, &mut content, kin));
                    content
                });
                content.extend(words.iter().map(|word| piece(word, kin)));
                if !content.is_empty() {
                    messages.push(json!({ "role": "user", "content": flat(content) }));
                }
            }
        }
    }
    messages
}

fn assistant(said: Vec<Said<'_>>) -> Value {
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    let mut calls = Vec::new();
    for piece in said {
        match piece {
            Said::Text(text) => texts.push(text),
            Said::Media(media) => texts.push(outcome::left_out(media).into()),
            Said::Thought(..) => {}
            Said::Call { id, name, args, .. } => calls.push(json!({
                "id": id,
                "type": "function",
                "function": { "name": name::tool(name), "arguments": spell::object(args).to_string() },
            })),
        }
    }
    let content = match texts.is_empty() {
        true => Value::Null,
        false => texts.join("\n").into(),
    };
    let mut message = json!({ "role": "assistant", "content": content });
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

/// What a tool said; its media go to what the user says next.
fn tool(result: &Outcome<'_>, behind: &mut Vec<Piece>, kin: Kin) -> Value {
    let told = outcome::told(result.response);
    if !told.media.is_empty() {
        let name = name::tool(result.name);
        behind.push(Piece::Text(format!("[from {name}, {}]", result.id)));
        behind.extend(told.media.iter().map(|medium| media(medium, kin)));
    }
    let text = match told.is_error {
        true => Cow::Owned(format!("Error: {}", told.text)),
        false => told.text,
    };
    json!({ "role": "tool", "tool_call_id": result.id, "content": text })
}

/// A piece of a message.
enum Piece {
    Text(String),
    Other(Value),
}

fn piece(word: &Word<'_>, kin: Kin) -> Piece {
    match word {
        Word::Text(text) => Piece::Text((*text).to_owned()),
        Word::Media(medium) => media(medium, kin),
    }
}

fn media(media: &Media, kin: Kin) -> Piece {
    let piece = match &media.source {
        Source::Inline(data) if outcome::is_base64(data) => inline(&media.mime, data, kin),
        Source::Uri(uri) if outcome::is_image(&media.mime) && uri.starts_with("https://") => {
            Some(json!({ "type": "image_url", "image_url": { "url": uri } }))
        }
        _ => None,
    };
    match piece {
        Some(piece) => Piece::Other(piece),
        None => Piece::Text(outcome::left_out(media)),
    }
}

/// OpenAI reads documents, and sounds only with models for sounds; local servers read sounds and no documents.
fn inline(mime: &str, data: &str, kin: Kin) -> Option<Value> {
    let url = || format!("data:{mime};base64,{data}");
    let sound = |format| json!({ "type": "input_audio", "input_audio": { "data": data, "format": format } });
    match mime {
        mime if outcome::is_image(mime) => {
            Some(json!({ "type": "image_url", "image_url": { "url": url() } }))
        }
        "application/pdf" if kin.is_openai() => Some(
            json!({ "type": "file", "file": { "filename": "document.pdf", "file_data": url() } }),
        ),
        "audio/wav" | "audio/x-wav" if !kin.is_openai() => Some(sound("wav")),
        "audio/mp3" | "audio/mpeg" if !kin.is_openai() => Some(sound("mp3")),
        _ => None,
    }
}

/// Nothing but words are one text: templates of local models often take no other.
fn flat(pieces: Vec<Piece>) -> Value {
    let is_text = pieces.iter().all(|piece| matches!(piece, Piece::Text(_)));
    if !is_text {
        let parts = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => json!({ "type": "text", "text": text }),
            Piece::Other(value) => value,
        });
        return parts.collect();
    }
    let mut all = String::new();
    for piece in pieces {
        let Piece::Text(text) = piece else { continue };
        if !all.is_empty() && !all.ends_with('\n') && !text.starts_with('\n') {
            all.push('\n');
        }
        all.push_str(&text);
    }
    all.into()
}
