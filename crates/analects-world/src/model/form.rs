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
        id: take_id(&mut fields),
        name: take_text(&mut fields, "name").unwrap_or_default(),
        args: fields.shift_remove("args").unwrap_or_default(),
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
        id: take_id(&mut fields),
        name: take_text(&mut fields, "name").unwrap_or_default(),
        response: fields.shift_remove("response").unwrap_or_default(),
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

/// An empty id ties nothing to anything.
fn take_id(fields: &mut Map<String, Value>) -> Option<String> {
    take_text(fields, "id").filter(|id| !id.is_empty())
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
        finish(map, &self.rest)
    }
}

struct CallForm<'a>(&'a Call);

impl Serialize for CallForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(call) = self;
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = &call.id {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry("name", &call.name)?;
        if !call.args.is_null() {
            map.serialize_entry("args", &call.args)?;
        }
        finish(map, &call.rest)
    }
}

struct ResponseForm<'a>(&'a Response);

impl Serialize for ResponseForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(response) = self;
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = &response.id {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry("name", &response.name)?;
        if !response.response.is_null() {
            map.serialize_entry("response", &response.response)?;
        }
        if !response.parts.is_empty() {
            map.serialize_entry("parts", &response.parts)?;
        }
        finish(map, &response.rest)
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
        finish(map, &media.rest)
    }
}

fn finish<M: SerializeMap>(mut map: M, rest: &Map<String, Value>) -> Result<M::Ok, M::Error> {
    for (name, value) in rest {
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
            json!({}),
        ] {
            assert_eq!(Part::from_value(value.clone()).to_value(), value);
        }
    }

    #[test]
    fn a_bare_text_is_words_and_an_empty_id_is_none() {
        assert_eq!(Part::from_value(json!("hi")), Part::text("hi"));
        let part = Part::from_value(json!({ "functionCall": { "id": "", "name": "ls" } }));
        assert!(matches!(part.body, Body::Call(Call { id: None, .. })));
    }
}
