//! One piece of a turn, as this server takes it.

use analects_world::model::{Body, Call, Media, Part, Response, Source};
use serde_json::{Map, Value, json};

use crate::http_models::wire::name;

/// Fields beside a body that the server knows.
const BESIDES: [&str; 2] = ["videoMetadata", "mediaResolution"];
/// Bodies that we do not understand and the server does.
const THEIRS: [&str; 2] = ["executableCode", "codeExecutionResult"];
/// Signatures of other wires begin with their name.
const FOREIGN: [&str; 2] = ["anthropic:", "openai:"];

/// The piece as it is sent; `None` if it says nothing to this server.
pub(super) fn sent(part: &Part) -> Option<Value> {
    let signature = signature(&part.rest);
    let mut fields = match &part.body {
        Body::Text(text) if text.is_empty() && signature.is_none() => return None,
        Body::Text(text) => one("text", text.clone().into()),
        Body::Call(call) => one("functionCall", self::call(call)),
        Body::Response(response) => one("functionResponse", self::response(response)),
        Body::Media(media) => self::media(media),
        Body::Other => theirs(&part.rest)?,
    };
    if part.is_thought {
        fields.insert("thought".to_owned(), true.into());
    }
    if let Some(signature) = signature {
        fields.insert("thoughtSignature".to_owned(), signature.into());
    }
    for name in BESIDES {
        copy(&part.rest, name, &mut fields);
    }
    Some(fields.into())
}

fn call(call: &Call) -> Value {
    let mut fields = Map::new();
    if let Some(id) = &call.id {
        fields.insert("id".to_owned(), id.clone().into());
    }
    fields.insert("name".to_owned(), name::gemini_tool(&call.name).into());
    if !call.args.is_null() {
        fields.insert("args".to_owned(), object(&call.args, "value"));
    }
    fields.into()
}

fn response(response: &Response) -> Value {
    let mut fields = Map::new();
    if let Some(id) = &response.id {
        fields.insert("id".to_owned(), id.clone().into());
    }
    let name = name::gemini_tool(&response.name);
    fields.insert("name".to_owned(), name.into());
    let said = object(&response.response, "output");
    fields.insert("response".to_owned(), said);
    let parts: Vec<_> = response.parts.iter().filter_map(medium).collect();
    if !parts.is_empty() {
        fields.insert("parts".to_owned(), parts.into());
    }
    for name in ["willContinue", "scheduling"] {
        copy(&response.rest, name, &mut fields);
    }
    fields.into()
}

/// Within a response there are media and nothing else.
fn medium(part: &Part) -> Option<Value> {
    match &part.body {
        Body::Media(media) => Some(self::media(media).into()),
        _ => None,
    }
}

/// Without the name that some show for it: this server refuses it.
fn media(media: &Media) -> Map<String, Value> {
    let mime = &media.mime;
    match &media.source {
        Source::Inline(data) => one("inlineData", json!({ "mimeType": mime, "data": data })),
        Source::Uri(uri) => one("fileData", json!({ "mimeType": mime, "fileUri": uri })),
    }
}

fn theirs(rest: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut fields = Map::new();
    for name in THEIRS {
        copy(rest, name, &mut fields);
    }
    (!fields.is_empty()).then_some(fields)
}

fn signature(rest: &Map<String, Value>) -> Option<&str> {
    let signature = rest.get("thoughtSignature")?.as_str()?;
    let is_ours = !signature.is_empty() && !FOREIGN.iter().any(|wire| signature.starts_with(wire));
    (is_ours && is_base64(signature)).then_some(signature)
}

/// A signature that is none would cost the whole request.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let is_digit = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_');
    digits.bytes().all(is_digit) && digits.len() % 4 != 1
}

/// Arguments and answers are objects here, whatever they are elsewhere.
fn object(value: &Value, name: &str) -> Value {
    match value {
        Value::Object(_) => value.clone(),
        Value::Null => json!({}),
        other => json!({ name: other }),
    }
}

fn one(name: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value)])
}

fn copy(from: &Map<String, Value>, name: &str, to: &mut Map<String, Value>) {
    if let Some(value) = from.get(name).filter(|value| !value.is_null()) {
        to.insert(name.to_owned(), value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kept: Value, is: Value) {
        assert_eq!(sent(&Part::from_value(kept)), Some(is));
    }

    fn stays(value: Value) {
        check(value.clone(), value);
    }

    #[test]
    fn what_the_server_knows_goes_as_it_is() {
        stays(json!({ "text": "hi" }));
        stays(json!({ "text": "hm", "thought": true, "thoughtSignature": "c2ln" }));
        stays(json!({ "text": "", "thoughtSignature": "c2ln" }));
        stays(
            json!({ "functionCall": { "id": "1", "name": "ls", "args": { "path": "." } }, "thoughtSignature": "c2ln" }),
        );
        stays(json!({ "functionCall": { "name": "ls" } }));
        stays(
            json!({ "functionResponse": { "id": "1", "name": "ls", "response": { "output": "a" }, "parts": [{ "inlineData": { "mimeType": "image/png", "data": "AA" } }] } }),
        );
        stays(
            json!({ "fileData": { "mimeType": "video/mp4", "fileUri": "gs://a" }, "videoMetadata": { "fps": 1 } }),
        );
        stays(json!({ "executableCode": { "code": "1" } }));
    }

    #[test]
    fn what_others_left_in_a_history_does_not() {
        check(
            json!({ "text": "hi", "callIndex": 3, "thoughtSignature": "anthropic:abc" }),
            json!({ "text": "hi" }),
        );
        check(
            json!({ "functionCall": { "id": "1", "name": "ls", "args": {}, "partialArgs": [] }, "thoughtSignature": "openai:abc" }),
            json!({ "functionCall": { "id": "1", "name": "ls", "args": {} } }),
        );
        check(
            json!({ "inlineData": { "mimeType": "image/png", "data": "AA", "displayName": "a" } }),
            json!({ "inlineData": { "mimeType": "image/png", "data": "AA" } }),
        );
        check(
            json!({ "functionCall": { "name": "ls", "args": "-l" } }),
            json!({ "functionCall": { "name": "ls", "args": { "value": "-l" } } }),
        );
        check(
            json!({ "functionResponse": { "name": "ls", "response": ["a"] } }),
            json!({ "functionResponse": { "name": "ls", "response": { "output": ["a"] } } }),
        );
    }

    #[test]
    fn a_piece_that_says_nothing_here_is_left_out() {
        for kept in [
            json!({}),
            json!({ "text": "" }),
            json!({ "text": "", "thoughtSignature": "openai:abc" }),
            json!({ "text": "", "thoughtSignature": "not base 64" }),
            json!({ "text": "", "thoughtSignature": "abcde" }),
            json!({ "text": "", "thought": true }),
            json!({ "newThing": { "a": 1 } }),
            json!({ "thoughtSignature": "c2ln" }),
            json!(5),
        ] {
            assert_eq!(sent(&Part::from_value(kept.clone())), None, "{kept}");
        }
    }
}
