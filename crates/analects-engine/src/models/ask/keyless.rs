//! An answer without the key: a server may repeat what it was sent, and answers are written down.

use analects_world::model::{Body, Part};
use analects_world::models::Secret;
use serde_json::Value;

/// Keys that open something are longer. A shorter one, as local servers are given, is a word that a model may say.
const MIN_BYTES: usize = 16;
const INSTEAD: &str = "[key]";

/// Takes the key out of what was said, and of what is called. What a server adds for itself must come back as it was.
pub(super) fn keyless(parts: &mut [Part], key: Option<&Secret>) {
    let key = key.map(Secret::expose).unwrap_or_default();
    if key.len() < MIN_BYTES {
        return;
    }
    for part in parts {
        match &mut part.body {
            Body::Text(text) => clean(text, key),
            Body::Call(call) => clean_value(&mut call.args, key),
            Body::Response(_) | Body::Media(_) | Body::Other => {}
        }
    }
}

fn clean(text: &mut String, key: &str) {
    if text.contains(key) {
        *text = text.replace(key, INSTEAD);
    }
}

/// As deep as a parser lets a value be, which is bounded.
fn clean_value(value: &mut Value, key: &str) {
    match value {
        Value::String(text) => clean(text, key),
        Value::Array(items) => items.iter_mut().for_each(|item| clean_value(item, key)),
        Value::Object(fields) => fields.values_mut().for_each(|item| clean_value(item, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_is_taken_out_of_words_and_calls_and_a_word_is_left() {
        let said = || {
            let args = json!({ "a": ["hush-hush-hush-hush", 1] });
            vec![
                Part::text("it is hush-hush-hush-hush."),
                Part::call("1", "t", args),
            ]
        };
        let mut parts = said();
        keyless(&mut parts, Some(&Secret::new("hush-hush-hush-hush")));
        let args = json!({ "a": ["[key]", 1] });
        assert_eq!(
            parts,
            [Part::text("it is [key]."), Part::call("1", "t", args)]
        );
        for key in [None, Some(Secret::new("hush"))] {
            let mut parts = said();
            keyless(&mut parts, key.as_ref());
            assert_eq!(parts, said());
        }
    }
}
