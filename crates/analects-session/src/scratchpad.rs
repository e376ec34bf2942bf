//! What was done in a conversation, in so few words that an index can hold it.

use serde_json::{Map, Value};

/// What was done in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scratchpad {
    /// All of it in one line.
    pub workflow_summary: Option<String>,
    /// The tools, each once, in the order of their first use.
    pub tool_sequence: Vec<String>,
    /// The files that tools were pointed at.
    pub touched_paths: Vec<String>,
    /// How the last test, build or check ended.
    pub validation: Option<Validation>,
}

/// How the last test, build or check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validation {
    /// Well.
    Passed,
    /// Badly, or it was stopped.
    Failed,
    /// It had not ended.
    Unknown,
}

impl Validation {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Passed, "passed"),
        (Self::Failed, "failed"),
        (Self::Unknown, "unknown"),
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(validation, _)| *validation == self);
        found.map_or("", |(_, word)| *word)
    }

    fn named(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map(|(validation, _)| *validation)
    }
}

impl Scratchpad {
    /// The scratchpad that a value says, if it is an object.
    #[must_use]
    pub fn from_value(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let text = |name| fields.get(name).and_then(Value::as_str);
        let list = |name| {
            let items = fields.get(name).and_then(Value::as_array);
            let texts = items.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        Some(Self {
            workflow_summary: text("workflowSummary").map(str::to_owned),
            tool_sequence: list("toolSequence"),
            touched_paths: list("touchedPaths"),
            validation: text("validationStatus").and_then(Validation::named),
        })
    }

    /// The scratchpad as it is written.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            fields.extend(value.map(|value| (name.to_owned(), value)));
        };
        let list = |items: &[String]| (!items.is_empty()).then(|| Value::from(items));
        put("version", Some(1.into()));
        put(
            "workflowSummary",
            self.workflow_summary.as_deref().map(Value::from),
        );
        put("toolSequence", list(&self.tool_sequence));
        put("touchedPaths", list(&self.touched_paths));
        put(
            "validationStatus",
            self.validation.map(|word| word.as_str().into()),
        );
        Value::Object(fields)
    }
}
