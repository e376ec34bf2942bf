//! Histories as few words, for tests.
//!
//! A line is a turn: `U` or `M`, then its pieces between ` | `. `?1 ls` is a call with the id 1, `!1 ls x` the
//! response that says x, `-` no id; `~` begins a thought, `+` a medium, and everything else is text.
//! Turns are named a, b, c. Shown, a made-up name is a star, and `^` says that a piece is signed.

use analects_world::model::{Body, Content, Media, Part, Role, Source};
use serde_json::{Map, Value, json};

pub(crate) fn history(sketch: &str) -> Vec<Content> {
    let lines = sketch
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let turn = |(line, id): (&str, char)| {
        let role = match line.as_bytes() {
            [b'U', ..] => Role::User,
            _ => Role::Model,
        };
        let pieces = line.get(2..).map(|pieces| pieces.split(" | "));
        Content {
            id: id.to_string(),
            role,
            parts: pieces.into_iter().flatten().map(piece).collect(),
        }
    };
    lines.zip('a'..).map(turn).collect()
}

pub(crate) fn show(history: &[Content]) -> String {
    let line = |content: &Content| {
        let id = match content.id.len() {
            32 => "*",
            _ => &content.id,
        };
        let role = match content.role {
            Role::User => 'U',
            Role::Model => 'M',
        };
        let parts: Vec<_> = content.parts.iter().map(show_piece).collect();
        format!("{id} {role} {}\n", parts.join(" | "))
    };
    history.iter().map(line).collect()
}

fn piece(piece: &str) -> Part {
    let mut words = piece.get(1..).unwrap_or_default().splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default();
    let mut part = match piece.as_bytes() {
        [b'?', ..] => Part::call(word(), word(), json!({ "path": "." })),
        [b'!', ..] => Part::response(word(), word(), json!({ "output": word() })),
        [b'+', ..] => Part::new(Body::Media(Media {
            mime: piece.get(1..).unwrap_or_default().to_owned(),
            source: Source::Inline("AA".to_owned()),
            rest: Map::new(),
        })),
        [b'~', ..] => Part {
            is_thought: true,
            ..Part::text(piece.get(1..).unwrap_or_default())
        },
        _ => Part::text(piece),
    };
    let id = match &mut part.body {
        Body::Call(call) => &mut call.id,
        Body::Response(response) => &mut response.id,
        _ => return part,
    };
    id.take_if(|id| *id == "-");
    part
}

fn show_piece(part: &Part) -> String {
    let id = |id: &Option<String>| match id.as_deref() {
        Some(id) if id.starts_with("synth_") => "*".to_owned(),
        id => id.unwrap_or("-").to_owned(),
    };
    let shown = match &part.body {
        Body::Text(text) => text.clone(),
        Body::Call(call) if call.args == json!({}) => format!("?{} {} ()", id(&call.id), call.name),
        Body::Call(call) => format!("?{} {}", id(&call.id), call.name),
        Body::Response(it) => {
            let said = it.response.get("output").and_then(Value::as_str);
            let error = it.response.get("error").map(|_| "LOST");
            let said = said.or(error).unwrap_or_default();
            format!("!{} {} {said}", id(&it.id), it.name)
        }
        Body::Media(media) => format!("+{}", media.mime),
        Body::Other => Value::Object(part.rest.clone()).to_string(),
    };
    let thought = if part.is_thought { "~" } else { "" };
    let signed = match part.rest.contains_key("thoughtSignature") {
        true => "^",
        false => "",
    };
    format!("{signed}{thought}{shown}")
}
