//! What a message says: a text, or parts of which some are text.

use analects_text::trim::trim;
use analects_text::units;
use analects_world::model::Part;
use analects_world::provenance::gemini;
use serde_json::{Map, Value};

/// What a message says.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A text, as models' answers are written.
    Text(String),
    /// Parts of Gemini's API, as prompts are written. They are kept as they came.
    Parts(Vec<Value>),
}

/// Nothing said.
impl Default for Content {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// How texts begin that Gemini CLI does not send: commands, and what it puts in itself.
const NOT_SENT: [&str; 4] = ["/", "?", "<session_context>", "<hook_context>"];

impl Content {
    /// The content that a value says; a lone part is a list of one.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text),
            Value::Array(parts) => Self::Parts(parts),
            part @ Value::Object(_) => Self::Parts(vec![part]),
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::default(),
        }
    }

    pub(super) fn take(fields: &mut Map<String, Value>, name: &str) -> Option<Self> {
        fields.shift_remove(name).map(Self::from_value)
    }

    /// The content as it is written.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(&**text),
            Self::Parts(parts) => Value::Array(parts.clone()),
        }
    }

    /// The content as the parts that go to a model.
    #[must_use]
    pub fn into_parts(self) -> Vec<Part> {
        match self {
            Self::Text(text) if text.is_empty() => Vec::new(),
            Self::Text(text) => vec![Part::text(text)],
            Self::Parts(parts) => parts.into_iter().map(Part::from_value).collect(),
        }
    }

    /// What was said in words: the text parts alone, one after another.
    #[must_use]
    pub fn plain_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Parts(parts) => parts.iter().filter_map(text_of).collect(),
        }
    }

    /// What was said, with a short note in brackets for each part that is no text.
    #[must_use]
    pub fn annotated_text(&self) -> String {
        let mut said = String::new();
        match self {
            Self::Text(text) => said.push_str(text),
            Self::Parts(parts) => parts.iter().for_each(|part| annotate(part, &mut said)),
        }
        said
    }

    /// Whether there is more than blanks.
    #[must_use]
    pub fn says_something(&self) -> bool {
        !trim(&self.annotated_text()).is_empty()
    }

    /// True if Gemini CLI would send a user's message of this content to the model: not empty, not a command of the program, and
    /// not a text that the program puts in itself.
    #[must_use]
    pub(crate) fn is_sent(&self) -> bool {
        let said = self.annotated_text();
        let said = trim(gemini::after_hooks(&said));
        !said.is_empty() && !NOT_SENT.iter().any(|start| said.starts_with(start))
    }

    /// Returns how many parts it has; a text counts as one.
    #[must_use]
    pub fn n_parts(&self) -> usize {
        match self {
            Self::Text(_) => 1,
            Self::Parts(parts) => parts.len(),
        }
    }
}

/// The text of a part that is text.
pub(crate) fn text_of(part: &Value) -> Option<&str> {
    part.get("text").and_then(Value::as_str)
}

/// Notes a part. Lists may nest, but no deeper than JSON that we read at all.
fn annotate(part: &Value, said: &mut String) {
    match part {
        Value::String(text) => said.push_str(text),
        Value::Array(parts) => parts.iter().for_each(|part| annotate(part, said)),
        Value::Object(fields) => match note(fields) {
            Some(note) => said.push_str(&note),
            None => said.push_str(text_of(part).unwrap_or_default()),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The note for a part that is more than text. Of several reasons the first counts.
fn note(fields: &Map<String, Value>) -> Option<String> {
    let named = |value: &Value| {
        let name = value.get("name").and_then(Value::as_str);
        name.unwrap_or("undefined").to_owned()
    };
    if fields.contains_key("videoMetadata") {
        return Some("[Video Metadata]".to_owned());
    }
    if let Some(thought) = fields.get("thought") {
        let thought = thought
            .as_str()
            .map_or_else(|| thought.to_string(), str::to_owned);
        return Some(format!("[Thought: {thought}]"));
    }
    for (name, note) in [
        ("codeExecutionResult", "[Code Execution Result]"),
        ("executableCode", "[Executable Code]"),
        ("fileData", "[File Data]"),
    ] {
        if fields.contains_key(name) {
            return Some(note.to_owned());
        }
    }
    if let Some(call) = fields.get("functionCall") {
        return Some(format!("[Function Call: {}]", named(call)));
    }
    if let Some(response) = fields.get("functionResponse") {
        return Some(format!("[Function Response: {}]", named(response)));
    }
    fields.get("inlineData").map(medium)
}

fn medium(data: &Value) -> String {
    let text = |name| data.get(name).and_then(Value::as_str);
    let mime = text("mimeType").unwrap_or("unknown");
    let n_chars = text("data").map_or(0, units::count);
    let n_bytes = (n_chars * 3).div_ceil(4);
    // Tenths of a KiB, halves rounded up: floats are exact here, but so is this.
    let tenths = (n_bytes * 20 + 1024) / 2048;
    let what = match mime.split_once('/') {
        Some(("audio", _)) => "Audio",
        Some(("video", _)) => "Video",
        Some(("image", _)) => "Image",
        _ => "Media",
    };
    format!("[{what}: {mime}, {}.{} KB]", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &str) -> Content {
        Content::from_value(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn parts_that_are_no_text_are_noted() {
        let said = content(
            r#"["a",{"text":"b"},{"functionCall":{"name":"ls"}},{"functionResponse":{"name":"ls","response":{}}},
                {"thought":true,"text":"hm"},{"fileData":{}},{"videoMetadata":{}},{"executableCode":{}},
                {"codeExecutionResult":{}},{"inlineData":{"mimeType":"image/png","data":"aGVsbG8="}},
                {"inlineData":{"data":""}},{"text":null},null,7]"#,
        );
        expect_test::expect!["ab[Function Call: ls][Function Response: ls][Thought: true][File Data][Video Metadata][Executable Code][Code Execution Result][Image: image/png, 0.0 KB][Media: unknown, 0.0 KB]"]
            .assert_eq(&said.annotated_text());
        assert_eq!(said.plain_text(), "bhm");
    }
}
