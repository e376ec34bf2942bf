//! Lines of a record, ready to be appended.

use std::collections::HashSet;

use serde_json::Value;

use super::Entry;
use crate::replay::Replayed;
use crate::stamp::Stamp;

/// Lines to append to a record, in one piece: each is whole and ends with a line end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use = "lines that are not appended never happened"]
pub struct Lines(String);

impl Lines {
    pub(super) fn one(value: &Value) -> Self {
        Self(format!("{}\n", on_one_line(&value.to_string())))
    }

    pub(super) fn end_of_torn_line() -> Self {
        Self("\n".to_owned())
    }

    /// The line by which these are the messages.
    pub(super) fn checkpoint(entries: &[Entry<'_>], at: Stamp) -> Self {
        let messages: Vec<_> = entries.iter().map(Entry::json).collect();
        let messages = messages.join(",");
        Self(format!(
            "{{\"$set\":{{\"messages\":[{messages}],\"lastUpdated\":\"{at}\"}}}}\n"
        ))
    }

    /// The line of one message.
    pub(super) fn message(entry: &Entry<'_>) -> Self {
        Self(format!("{}\n", entry.json()))
    }

    /// The messages of a record, as they are written there.
    pub(crate) fn messages(replayed: &Replayed) -> Self {
        let mut lines = Self::default();
        let mut names = HashSet::new();
        for message in replayed.messages() {
            // In old records several may have one name, or an empty one; in lines the last would stand for all.
            let id = message.id();
            let line = match !id.is_empty() && names.insert(id) {
                true => Entry::Kept(message).json(),
                false => Entry::unnamed(message).json(),
            };
            lines.0.push_str(&line);
            lines.0.push('\n');
        }
        lines
    }

    /// The same lines with every text as `redact` leaves it, names of fields included; what a model signed is not touched.
    pub fn redacted(&self, redact: &dyn Fn(&str) -> String) -> Self {
        let mut lines = Self::default();
        for line in self.0.split_inclusive('\n') {
            let json = line.strip_suffix('\n').unwrap_or(line);
            match serde_json::from_str::<Value>(json) {
                Ok(old) => {
                    let new = redacted(old.clone(), redact);
                    match new == old {
                        true => lines.0.push_str(line),
                        false => lines.extend([Self::one(&new)]),
                    }
                }
                // Nests deeper than anybody reads; no mark of ours ends a text in it.
                Err(_) => {
                    lines.0.push_str(&redact(json));
                    lines.0.push('\n');
                }
            }
        }
        lines
    }

    /// More lines after these.
    pub fn extend(&mut self, more: impl IntoIterator<Item = Self>) {
        for Self(more) in more {
            self.0.push_str(&more);
        }
    }

    /// Whether there is nothing to append.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lines.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Their bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// A value with every text in it as `redact` leaves it. The parser bounds how deep it is.
fn redacted(value: Value, redact: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(redact(&text)),
        Value::Array(items) => {
            let items = items.into_iter();
            Value::Array(items.map(|item| redacted(item, redact)).collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| match &*name {
                "thoughtSignature" => (name, value),
                _ => (redact(&name), redacted(value, redact)),
            });
            Value::Object(fields.collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// One after another, for `extend`.
impl IntoIterator for Lines {
    type Item = Self;
    type IntoIter = std::iter::Once<Self>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(self)
    }
}

/// JSON as a line that every reader takes for one. Line ends stand between values only; the two separators
/// of Unicode stand inside texts, and on newer versions of Node Gemini CLI's reader breaks lines at them.
pub(super) fn on_one_line(json: &str) -> String {
    let mut line = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' | '\r' => line.push(' '),
            '\u{2028}' => line.push_str("\\u2028"),
            '\u{2029}' => line.push_str("\\u2029"),
            c => line.push(c),
        }
    }
    line
}

/// A whole record, from what it came to: its header, its messages, its scratchpad.
pub(super) fn whole(replayed: &Replayed) -> Lines {
    let about = replayed.about();
    let mut header = serde_json::Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        header.extend(value.map(|value| (name.to_owned(), value)));
    };
    put("sessionId", about.session_id.as_deref().map(Value::from));
    // Some old records name no project; without a name no line-wise reader would take the new one.
    let project = about.project_hash.as_deref().unwrap_or("unknown");
    put("projectHash", Some(project.into()));
    put("startTime", about.started.map(|at| at.to_string().into()));
    put("lastUpdated", about.updated.map(|at| at.to_string().into()));
    let kind = if about.is_subagent {
        "subagent"
    } else {
        "main"
    };
    put("kind", Some(kind.into()));
    let directories = Some(&about.directories).filter(|list| !list.is_empty());
    put("directories", directories.map(|list| Value::from(&**list)));
    put("summary", about.summary.as_deref().map(Value::from));
    let mut lines = Lines::one(&Value::Object(header));
    lines.extend([Lines::messages(replayed)]);
    lines.extend(about.scratchpad.as_ref().map(super::scratchpad));
    lines
}
