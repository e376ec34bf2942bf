//! What a tool answered, in words, for servers that know no other form; and what is left out of a request.

use std::borrow::Cow;

use analects_world::model::{Body, Media, Response};
use serde_json::Value;

/// What stands for an answer that says nothing: some servers refuse an empty one.
const NOTHING: &str = "(no output)";
/// What stands for an answer that never came.
const LOST: &str = "(no result: the tool was interrupted, or its result is gone)";

/// What became of a call.
#[derive(Debug, PartialEq)]
pub(super) struct Told<'a> {
    /// The answer in words. It says something.
    pub(super) text: Cow<'a, str>,
    /// Whether the tool failed.
    pub(super) is_error: bool,
    /// Media that came with it.
    pub(super) media: Vec<&'a Media>,
}

/// Tells a response. `{"output": …}` and `{"error": …}` are what our tools answer; anything else is told as it
/// is, in JSON.
pub(super) fn told(response: Option<&Response>) -> Told<'_> {
    let Some(response) = response else {
        return Told {
            text: LOST.into(),
            is_error: true,
            media: Vec::new(),
        };
    };
    let (value, is_error) = kernel(&response.response);
    let mut text = match value {
        Value::String(text) => Cow::Borrowed(&**text),
        Value::Null => Cow::Borrowed(""),
        other => Cow::Owned(other.to_string()),
    };
    let mut media = Vec::new();
    for part in &response.parts {
        match &part.body {
            Body::Text(more) => text.to_mut().push_str(more),
            Body::Media(medium) => media.push(medium),
            _ => {}
        }
    }
    if text.trim().is_empty() {
        text = NOTHING.into();
    }
    Told {
        text,
        is_error,
        media,
    }
}

fn kernel(response: &Value) -> (&Value, bool) {
    let only = response.as_object().filter(|fields| fields.len() == 1);
    match only.and_then(|fields| fields.iter().next()) {
        Some((name, value)) if name == "output" => (value, false),
        Some((name, value)) if name == "error" => (value, true),
        _ => (response, false),
    }
}

/// What is said in place of a medium that this server does not take.
pub(super) fn left_out(media: &Media) -> String {
    let mime: String = media.mime.chars().take(60).collect();
    format!("[left out: {mime}]")
}

/// Base 64 that a server will not choke on.
pub(super) fn is_base64(data: &str) -> bool {
    let legal = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    !data.is_empty() && data.bytes().all(legal)
}

/// The kinds of image that both OpenAI and Anthropic read.
pub(super) fn is_image(mime: &str) -> bool {
    matches!(
        mime,
        "image/png" | "image/jpeg" | "image/gif" | "image/webp"
    )
}

#[cfg(test)]
mod tests {
    use analects_world::model::Part;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_tool_answered_is_told_in_words() {
        for (response, text, is_error) in [
            (json!({ "output": "a\nb" }), "a\nb", false),
            (json!({ "error": "no such file" }), "no such file", true),
            (json!({ "output": { "n": 1 } }), r#"{"n":1}"#, false),
            (
                json!({ "output": "a", "error": "b" }),
                r#"{"output":"a","error":"b"}"#,
                false,
            ),
            (json!("bare"), "bare", false),
            (json!({ "output": " \n" }), NOTHING, false),
            (json!(null), NOTHING, false),
        ] {
            let Body::Response(response) = Part::response("1", "t", response).body else {
                panic!("it is a response");
            };
            let told = told(Some(&response));
            assert_eq!((&*told.text, told.is_error), (text, is_error));
        }
        assert!(told(None).is_error);
    }
}
