//! The text of a tool's answer, whatever form it has.

use std::borrow::Cow;

use analects_world::Profile;
use serde_json::{Map, Value, json};

use crate::weigh;

/// The text that stands for an answer.
pub(crate) struct Said<'a> {
    pub(crate) text: Cow<'a, str>,
    place: Place<'a>,
}

enum Place<'a> {
    /// The answer is the text.
    Whole,
    /// A field has it; what the others have is small and stays.
    Field(&'a str),
    /// It is the whole answer, written as JSON.
    Json,
}

/// What fields beside the text may hold, in UTF-16 units of JSON; shorter than any text we put in place of one.
const BESIDE: usize = 200;

/// The text of an answer.
///
/// The original takes `output` or `content`, and loses the fields beside it when it puts in another text.
pub(crate) fn said(response: &Value, profile: Profile) -> Said<'_> {
    let (place, text) = match (response, profile) {
        (Value::String(text), _) => (Place::Whole, &**text),
        (Value::Object(fields), Profile::Analects | Profile::Seed) => match main_field(fields) {
            Some((name, text)) => (Place::Field(name), text),
            None => return written(response),
        },
        (Value::Object(fields), Profile::Head) => {
            let of = |name| fields.get(name).and_then(Value::as_str);
            match of("output").or_else(|| of("content")) {
                Some(text) => (Place::Json, text),
                None => return written(response),
            }
        }
        _ => return written(response),
    };
    Said {
        text: Cow::Borrowed(text),
        place,
    }
}

/// The text of an answer that has one, and next to nothing beside it.
pub(crate) fn worded(response: &Value) -> Option<&str> {
    match response {
        Value::String(text) => Some(text),
        Value::Object(fields) => main_field(fields).map(|(_, text)| text),
        _ => None,
    }
}

/// A value as JSON that people can read.
pub(crate) fn pretty(value: &Value) -> String {
    // A value in memory can always be written.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

impl Said<'_> {
    /// The answer with another text in place of this.
    pub(crate) fn instead(&self, response: &Value, text: String, profile: Profile) -> Value {
        match (&self.place, response, profile) {
            (Place::Field(at), Value::Object(fields), _) => {
                let others = |(name, value): (&String, &Value)| match name == at {
                    true => (name.clone(), Value::String(text.clone())),
                    false => (name.clone(), value.clone()),
                };
                Value::Object(fields.iter().map(others).collect())
            }
            (Place::Whole, _, Profile::Analects | Profile::Seed) => Value::String(text),
            _ => json!({ "output": text }),
        }
    }
}

fn written(response: &Value) -> Said<'_> {
    Said {
        text: Cow::Owned(pretty(response)),
        place: Place::Json,
    }
}

/// The longest text, if next to nothing stands beside it.
fn main_field(fields: &Map<String, Value>) -> Option<(&str, &str)> {
    let texts = fields
        .iter()
        .filter_map(|(name, value)| Some((&**name, value.as_str()?)));
    let (at, text) = texts.max_by_key(|(_, text)| text.len())?;
    let mut beside = 0;
    for (name, value) in fields.iter().filter(|(name, _)| *name != at) {
        beside += name.len() + weigh::json_units(value);
        if beside > BESIDE {
            return None;
        }
    }
    Some((at, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(response: Value, text: &str, ours: Value, head: Value) {
        for (profile, expected) in [(Profile::Analects, ours), (Profile::Head, head)] {
            let said = said(&response, profile);
            assert_eq!(said.text, text, "{response}");
            assert_eq!(said.instead(&response, "…".to_owned(), profile), expected);
        }
    }

    #[test]
    fn the_shape_of_an_answer_stays() {
        check(json!("a"), "a", json!("…"), json!({ "output": "…" }));
        check(
            json!({ "exitCode": 1, "output": "a" }),
            "a",
            json!({ "exitCode": 1, "output": "…" }),
            json!({ "output": "…" }),
        );
        check(
            json!({ "content": "a" }),
            "a",
            json!({ "content": "…" }),
            json!({ "output": "…" }),
        );
        check(
            json!([1]),
            "[\n  1\n]",
            json!({ "output": "…" }),
            json!({ "output": "…" }),
        );
        check(
            json!(7),
            "7",
            json!({ "output": "…" }),
            json!({ "output": "…" }),
        );
    }

    #[test]
    fn an_answer_with_much_beside_its_text_is_taken_as_a_whole() {
        let response = json!({ "output": "a", "rows": vec![1; 200] });
        assert_eq!(said(&response, Profile::Analects).text, pretty(&response));
        let error = json!({ "error": "b".repeat(300) });
        assert_eq!(said(&error, Profile::Analects).text, "b".repeat(300));
        assert_eq!(said(&error, Profile::Head).text, pretty(&error));
    }
}
