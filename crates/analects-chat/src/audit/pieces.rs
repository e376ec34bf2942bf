//! All text that a history holds, piece by piece.

use analects_world::model::{Body, Content, Part};
use serde_json::Value;

/// What lies deeper than this in an argument or an answer is not looked at.
pub(super) const MAX_DEPTH: usize = 64;

/// Shows `hear` every text of a turn; `None` where one ends that does not go on in the next.
pub(super) fn of_content(content: &Content, hear: &mut dyn FnMut(Option<&str>)) {
    of_parts(&content.parts, 0, hear);
}

fn of_parts(parts: &[Part], depth: usize, hear: &mut dyn FnMut(Option<&str>)) {
    if depth > MAX_DEPTH {
        return;
    }
    for part in parts.iter().filter(|part| !part.is_thought) {
        hear(None);
        match &part.body {
            Body::Text(text) => hear(Some(text)),
            Body::Call(call) => {
                hear(Some(&call.name));
                of_value(&call.args, 0, hear);
            }
            Body::Response(response) => {
                hear(Some(&response.name));
                of_value(&response.response, 0, hear);
                of_parts(&response.parts, depth + 1, hear);
            }
            Body::Media(_) | Body::Other => {}
        }
    }
    hear(None);
}

/// The items of a list go on in one another: a command may be given word by word.
fn of_value(value: &Value, depth: usize, hear: &mut dyn FnMut(Option<&str>)) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Null => {}
        Value::Bool(is) => hear(Some(if *is { "true" } else { "false" })),
        Value::Number(number) => hear(Some(&number.to_string())),
        Value::String(text) => hear(Some(text)),
        Value::Array(items) => {
            (items.iter()).for_each(|item| of_value(item, depth + 1, hear));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                hear(None);
                hear(Some(name));
                of_value(value, depth + 1, hear);
            }
            hear(None);
        }
    }
}
