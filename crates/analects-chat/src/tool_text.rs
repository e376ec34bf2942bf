//! What a tool answered, as a person would read it.

use std::borrow::Cow;

use serde_json::Value;

/// The text of an answer: the text itself, what stands under `output`, `content` or `error`, else the JSON.
#[must_use]
pub fn said(response: &Value) -> Cow<'_, str> {
    match response {
        Value::String(text) => Cow::Borrowed(text),
        Value::Null => Cow::Borrowed(""),
        Value::Object(fields) => ["output", "content", "error"]
            .iter()
            .find_map(|name| fields.get(*name)?.as_str())
            .map_or_else(|| pretty(response), Cow::Borrowed),
        other => pretty(other),
    }
}

fn pretty(value: &Value) -> Cow<'_, str> {
    Cow::Owned(serde_json::to_string_pretty(value).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_words_of_an_answer_are_found() {
        assert_eq!(said(&json!("x")), "x");
        assert_eq!(said(&json!({ "output": "x", "error": "y" })), "x");
        assert_eq!(said(&json!({ "error": "y" })), "y");
        assert_eq!(said(&json!({ "n": 1 })), "{\n  \"n\": 1\n}");
        assert_eq!(said(&Value::Null), "");
    }
}
