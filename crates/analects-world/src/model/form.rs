//! The form in which histories are kept and measured: Gemini's.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::{Body, Call, Content, Media, Part, Response, Source};

impl Part {
    /// The piece that a value says. Whatever it is, it says one; a bare text is words.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        let mut rest = match value {
            Value::Object(fields) => fields,
            Value::String(text) => return Self::text(text),
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        let is_thought = rest.get("thought") == Some(&Value::Bool(true));
        if is_thought {
            rest.shift_remove("thought");
        }
        let body = take(&mut rest, "functionCall")
            .map(|fields| Body::Call(call(fields)))
            .or_else(|| take(&mut rest, "functionResponse").map(|f| Body::Response(response(f))))
            .or_else(|| medium(&mut rest, "inlineData", "data", Source::Inline).map(Body::Media))
            .or_else(|| medium(&mut rest, "fileData", "fileUri", Source::Uri).map(Body::Media))
            .or_else(|| take_text(&mut rest, "text").map(Body::Text))
            .unwrap_or(Body::Other);
        Self {
            body,
            is_thought,
            author: None,
            rest,
        }
    }

    /// The piece as a value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn call(mut fields: Map<String, Value>) -> Call {
    Call {
        id: take_word(&mut fields, "id"),
        name: take_word(&mut fields, "name").unwrap_or_default(),
        args: take_value(&mut fields, "args"),
        rest: fields,
    }
}

fn response(mut fields: Map<String, Value>) -> Response {
    let parts = match fields.get_mut("parts") {
        Some(Value::Array(parts)) => std::mem::take(parts),
        _ => Vec::new(),
    };
    if !parts.is_empty() {
        fields.shift_remove("parts");
    }
    Response {
        id: take_word(&mut fields, "id"),
        name: take_word(&mut fields, "name").unwrap_or_default(),
        response: take_value(&mut fields, "response"),
        parts: parts.into_iter().map(Part::from_value).collect(),
        rest: fields,
    }
}

fn medium(
    rest: &mut Map<String, Value>,
    name: &str,
    what: &str,
    source: impl FnOnce(String) -> Source,
) -> Option<Media> {
    let fields = rest.get_mut(name)?.as_object_mut()?;
    let mime = take_text(fields, "mimeType")?;
    let Some(text) = take_text(fields, what) else {
        fields.insert("mimeType".to_owned(), mime.into());
        return None;
    };
    let fields = take(rest, name)?;
    Some(Media {
        mime,
        source: source(text),
        rest: fields,
    })
}

fn take(fields: &mut Map<String, Value>, name: &str) -> Option<Map<String, Value>> {
    match fields.get_mut(name)? {
        Value::Object(object) => {
            let object = std::mem::take(object);
            fields.shift_remove(name);
            Some(object)
        }
        _ => None,
    }
}

fn take_text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    match fields.get_mut(name)? {
        Value::String(text) => {
            let text = std::mem::take(text);
            fields.shift_remove(name);
            Some(text)
        }
        _ => None,
    }
}

/// A text that says something. An empty id ties nothing to anything, and stays among the rest.
fn take_word(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    let is_word = fields.get(name).and_then(Value::as_str) != Some("");
    is_word.then(|| take_text(fields, name)).flatten()
}

fn take_value(fields: &mut Map<String, Value>, name: &str) -> Value {
    match fields.get(name) {
        None | Some(Value::Null) => Value::Null,
        Some(_) => fields.shift_remove(name).unwrap_or_default(),
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("role", self.role.as_str())?;
        map.serialize_entry("parts", &self.parts)?;
        map.end()
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.body {
            Body::Text(text) => map.serialize_entry("text", text)?,
            Body::Call(call) => map.serialize_entry("functionCall", &CallForm(call))?,
            Body::Response(response) => {
                map.serialize_entry("functionResponse", &ResponseForm(response))?;
            }
            Body::Media(media) => {
                let name = match media.source {
                    Source::Inline(_) => "inlineData",
                    Source::Uri(_) => "fileData",
                };
                map.serialize_entry(name, &MediaForm(media))?;
            }
            Body::Other => {}
        }
        if self.is_thought {
            map.serialize_entry("thought", &true)?;
        }
        finish(map, &self.rest, |name| name == "thought" && self.is_thought)
    }
}

struct CallForm<'a>(&'a Call);

impl Serialize for CallForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(call) = self;
        let is_said = |name: &str| match name {
            "id" => call.id.is_some(),
            "name" => !call.name.is_empty(),
            "args" => !call.args.is_null(),
            _ => false,
        };
        let mut map = serializer.serialize_map(None)?;
        if is_said("id") {
            map.serialize_entry("id", &call.id)?;
        }
        if is_said("name") {
            map.serialize_entry("name", &call.name)?;
        }
        if is_said("args") {
            map.serialize_entry("args", &call.args)?;
        }
        finish(map, &call.rest, is_said)
    }
}

struct ResponseForm<'a>(&'a Response);

impl Serialize for ResponseForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(response) = self;
        let is_said = |name: &str| match name {
            "id" => response.id.is_some(),
            "name" => !response.name.is_empty(),
            "response" => !response.response.is_null(),
            "parts" => !response.parts.is_empty(),
            _ => false,
        };
        let mut map = serializer.serialize_map(None)?;
        if is_said("id") {
            map.serialize_entry("id", &response.id)?;
        }
        if is_said("name") {
            map.serialize_entry("name", &response.name)?;
        }
        if is_said("response") {
            map.serialize_entry("response", &response.response)?;
        }
        if is_said("parts") {
            map.serialize_entry("parts", &response.parts)?;
        }
        finish(map, &response.rest, is_said)
    }
}

struct MediaForm<'a>(&'a Media);

impl Serialize for MediaForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(media) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mimeType", &media.mime)?;
        match &media.source {
            Source::Inline(data) => map.serialize_entry("data", data)?,
            Source::Uri(uri) => map.serialize_entry("fileUri", uri)?,
        }
        finish(map, &media.rest, |_| false)
    }
}

/// All other fields. One that makes no sense stays there until somebody says it better.
fn finish<M: SerializeMap>(
    mut map: M,
    rest: &Map<String, Value>,
    is_said: impl Fn(&str) -> bool,
) -> Result<M::Ok, M::Error> {
    for (name, value) in rest.iter().filter(|(name, _)| !is_said(name)) {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_piece_comes_back_as_it_was() {
        for value in [
            json!({ "text": "hi" }),
            json!({ "text": "", "thought": true, "thoughtSignature": "s" }),
            json!({ "functionCall": { "id": "1", "name": "ls", "args": { "path": "." } }, "text": "" }),
            json!({ "functionCall": { "name": "ls" }, "thoughtSignature": "s" }),
            json!({ "functionResponse": { "id": "1", "name": "ls", "response": { "output": "x" }, "parts": [{ "inlineData": { "mimeType": "image/png", "data": "AA" } }], "willContinue": false } }),
            json!({ "inlineData": { "mimeType": "image/png", "data": "AA", "displayName": "a" } }),
            json!({ "fileData": { "mimeType": "application/pdf", "fileUri": "gs://a" } }),
            json!({ "inlineData": { "mimeType": "image/png" } }),
            json!({ "executableCode": { "code": "1" } }),
            json!({ "functionCall": 5 }),
            json!({ "functionCall": { "id": "", "args": null } }),
            json!({ "functionResponse": { "id": 5, "name": "", "response": null, "parts": [] } }),
            json!({}),
        ] {
            assert_eq!(Part::from_value(value.clone()).to_value(), value);
        }
    }

    #[test]
    fn a_bare_text_is_words_and_an_empty_id_is_none() {
        assert_eq!(Part::from_value(json!("hi")), Part::text("hi"));
        let part = Part::from_value(json!({ "functionCall": { "id": "", "name": "ls" } }));
        let Body::Call(mut call) = part.body else {
            panic!("it is a call");
        };
        assert_eq!(call.id, None);
        call.id = Some("1".to_owned());
        let part = Part::new(Body::Call(call));
        assert_eq!(
            part.to_value(),
            json!({ "functionCall": { "id": "1", "name": "ls" } })
        );
    }
}
