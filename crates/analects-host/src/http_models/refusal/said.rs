//! The words of an error, in whichever of the usual shapes they come.

use serde_json::Value;

use super::retry;

/// What a page of the web is told as.
const WEB_PAGE: &str = "it answered with a web page, so something else may live at this address";

/// What a server said about an error.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Said {
    /// For a person.
    pub(super) message: String,
    /// For a program: statuses, types, codes, reasons, quotas; in lower case.
    pub(super) words: Vec<String>,
    /// The status as the words have it.
    pub(super) status: Option<u16>,
    /// How long to wait.
    pub(super) retry_after_ms: Option<u64>,
}

impl Said {
    /// Reads a body: JSON of some shape, a text, or a page of the web.
    pub(super) fn read(body: &str) -> Self {
        let text = body.trim();
        match serde_json::from_str::<Value>(text) {
            Ok(value) => Self::from_document(&value),
            Err(_) if looks_like_a_page(text) => Self::text(WEB_PAGE),
            Err(_) => Self::text(text),
        }
    }

    /// Reads an error object, or a bare text.
    pub(super) fn from_error(error: &Value) -> Self {
        let mut said = match error {
            Value::String(text) => Self::text(text),
            error => Self {
                message: message(error),
                ..Self::default()
            },
        };
        said.take_words(error);
        // Some put the whole answer of the server behind them into their own message.
        let inner = serde_json::from_str::<Value>(said.message.trim()).ok();
        if let Some(inner) = inner.as_ref().and_then(error_in) {
            said.message = message(inner);
            said.take_words(inner);
        }
        said
    }

    /// Whether one of these words is said.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&&**word))
    }

    /// Whether the message holds one of these texts, which are in lower case.
    pub(super) fn tells(&self, texts: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        texts.iter().any(|text| message.contains(text))
    }

    fn from_document(document: &Value) -> Self {
        Self::from_error(error_in(document).unwrap_or(document))
    }

    fn text(text: &str) -> Self {
        Self {
            message: text.to_owned(),
            ..Self::default()
        }
    }

    fn take_words(&mut self, error: &Value) {
        for name in ["status", "type", "code", "reason"] {
            match error.get(name) {
                Some(Value::String(word)) => self.words.push(word.to_lowercase()),
                Some(Value::Number(number)) => {
                    let status = number.as_u64().and_then(|code| u16::try_from(code).ok());
                    self.status = status
                        .filter(|code| (400..600).contains(code))
                        .or(self.status);
                }
                _ => {}
            }
        }
        let details = error.get("details").and_then(Value::as_array);
        for detail in details.into_iter().flatten() {
            self.take_detail(detail);
        }
    }

    /// One of the details that Google's servers add.
    fn take_detail(&mut self, detail: &Value) {
        let text = |name| detail.get(name).and_then(Value::as_str);
        self.words.extend(text("reason").map(str::to_lowercase));
        if let Some(delay) = text("retryDelay").and_then(retry::seconds) {
            self.retry_after_ms = Some(delay);
        }
        let violations = detail.get("violations").and_then(Value::as_array);
        let quotas = violations.into_iter().flatten();
        let ids = quotas.filter_map(|violation| violation.get("quotaId")?.as_str());
        self.words.extend(ids.map(str::to_lowercase));
    }
}

/// The error in a document. Google's servers put a whole list around it when they were asked for a stream.
pub(super) fn error_in(document: &Value) -> Option<&Value> {
    match document {
        Value::Array(items) => items.iter().find_map(|item| item.get("error")),
        document => document.get("error"),
    }
    .filter(|error| !error.is_null())
}

fn message(error: &Value) -> String {
    ["message", "detail", "error", "msg", "error_description"]
        .iter()
        .filter_map(|name| error.get(name))
        .find_map(words_in)
        .unwrap_or_default()
}

/// A text, or the texts of a list of complaints.
fn words_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let texts = items.iter().filter_map(|item| item.get("msg")?.as_str());
            let texts: Vec<_> = texts.collect();
            (!texts.is_empty()).then(|| texts.join("; "))
        }
        _ => None,
    }
}

/// Whether a text begins like a page of the web.
pub(in crate::http_models) fn looks_like_a_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(64).collect();
    let start = start.to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body", "<?xml", "<!--"]
        .iter()
        .any(|tag| start.starts_with(tag))
}
