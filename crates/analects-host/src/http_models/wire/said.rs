//! Errors that a server tells in the middle of an answer, when it is too late for a status code.

use analects_world::models::{Fault, Kind};
use serde_json::Value;

/// How much of the server's words is passed on.
const MAX_CHARS: usize = 300;

/// What the words of an error mean, the first that fits.
const MEANINGS: [(Kind, &[&str]); 5] = [
    (
        Kind::Quota,
        &[
            "insufficient_quota",
            "billing",
            "credit balance",
            "exceeded your current quota",
        ],
    ),
    (
        Kind::TooLarge,
        &[
            "context_length",
            "context length",
            "context window",
            "context size",
            "exceed_context_size",
            "request_too_large",
            "prompt is too long",
            "413",
        ],
    ),
    (
        Kind::Busy,
        &[
            "overloaded",
            "rate_limit",
            "rate limit",
            "too_many_requests",
            "resource_exhausted",
            "unavailable",
            "capacity",
            "429",
            "503",
            "529",
        ],
    ),
    (
        Kind::Key,
        &[
            "authentication",
            "permission",
            "unauthenticated",
            "unauthorized",
            "invalid_api_key",
            "api key",
            "401",
            "403",
        ],
    ),
    (
        Kind::NoSuchModel,
        &["model_not_found", "not_found_error", "404"],
    ),
];

/// What they mean where nothing better is known: servers call nearly everything an invalid request.
const VAGUE: [(Kind, &[&str]); 2] = [
    (
        Kind::Broken,
        &[
            "api_error",
            "server_error",
            "internal",
            "timeout",
            "500",
            "502",
            "504",
        ],
    ),
    (
        Kind::Refused,
        &[
            "invalid_request",
            "invalid_argument",
            "bad_request",
            "badrequest",
            "400",
        ],
    ),
];

/// The fault that an error object means; a bare text is its message.
///
/// Who sent the request knows the key and blots it out; here whatever looks like one goes.
pub(super) fn fault(error: &Value) -> Fault {
    let field = |name: &str| match error.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let message = match error {
        Value::String(text) => text.clone(),
        _ => field("message"),
    };
    let labels = [field("type"), field("code"), field("status")].map(|s| s.to_lowercase());
    let words = [brief(&message).to_lowercase()];
    let kind = meaning(&MEANINGS, &labels)
        .or_else(|| meaning(&MEANINGS, &words))
        .or_else(|| meaning(&VAGUE, &labels))
        .or_else(|| meaning(&VAGUE, &words));
    let said = match brief(&message) {
        said if said.is_empty() => brief(&labels.join(" ")),
        said => said,
    };
    let message = if said.is_empty() {
        "the server broke off with an error".to_owned()
    } else {
        format!("the server broke off: {said}")
    };
    Fault::new(kind.unwrap_or(Kind::Broken), message)
}

fn meaning(known: &[(Kind, &[&str])], texts: &[String]) -> Option<Kind> {
    let is_said = |word: &&str| texts.iter().any(|text| has(text, word));
    let known = known.iter().find(|(_, words)| words.iter().any(is_said));
    known.map(|(kind, _)| *kind)
}

/// A number is a code only if it stands alone.
fn has(text: &str, word: &str) -> bool {
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return text
            .split(|c: char| !c.is_alphanumeric())
            .any(|w| w == word);
    }
    text.contains(word)
}

/// One line of at most so many characters, without anything that looks like a key.
fn brief(text: &str) -> String {
    let mut said = String::new();
    let mut left = MAX_CHARS;
    for word in text.split_whitespace() {
        let word = if is_key(word) { "…" } else { word };
        let n = word.chars().count() + 1;
        if n > left {
            said.extend(word.chars().take(left));
            said.push('…');
            break;
        }
        left -= n;
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(word);
    }
    said.retain(|c| !c.is_control());
    said
}

fn is_key(word: &str) -> bool {
    const STARTS: [&str; 6] = ["sk-", "AIza", "gsk_", "xai-", "Bearer", "key="];
    STARTS.iter().any(|start| word.contains(start)) && word.len() >= 8
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_means_what_somebody_can_do_about_it() {
        for (error, kind) in [
            (
                json!({ "type": "overloaded_error", "message": "Overloaded" }),
                Kind::Busy,
            ),
            (
                json!({ "type": "rate_limit_error", "message": "slow down" }),
                Kind::Busy,
            ),
            (json!({ "code": 429, "message": "slow down" }), Kind::Busy),
            (
                json!({ "type": "insufficient_quota", "code": "insufficient_quota" }),
                Kind::Quota,
            ),
            (json!({ "code": "context_length_exceeded" }), Kind::TooLarge),
            (
                json!({ "code": 400, "type": "exceed_context_size_error", "message": "no" }),
                Kind::TooLarge,
            ),
            (
                json!({ "type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum" }),
                Kind::TooLarge,
            ),
            (
                json!({ "message": "the prompt is longer than the context size" }),
                Kind::TooLarge,
            ),
            (
                json!({ "type": "authentication_error", "message": "invalid x-api-key" }),
                Kind::Key,
            ),
            (
                json!({ "type": "not_found_error", "message": "model: x" }),
                Kind::NoSuchModel,
            ),
            (
                json!({ "type": "invalid_request_error", "message": "no" }),
                Kind::Refused,
            ),
            (
                json!({ "type": "server_error", "message": "42900 things" }),
                Kind::Broken,
            ),
            (json!({ "message": "it had 42900 things" }), Kind::Broken),
            (json!("out of luck"), Kind::Broken),
            (json!([1]), Kind::Broken),
        ] {
            assert_eq!(fault(&error).kind, kind, "{error}");
        }
    }

    #[test]
    fn its_words_are_few_and_hold_no_key() {
        let message = format!(
            "bad\u{1b}[2J key sk-ant-{} {}",
            "x".repeat(40),
            "é ".repeat(400)
        );
        let fault = fault(&json!({ "message": message }));
        assert!(
            fault
                .message
                .starts_with("the server broke off: bad[2J key … é é")
        );
        assert!(fault.message.ends_with("é…") && fault.message.chars().count() < 340);
        assert_eq!(
            super::fault(&json!({})).message,
            "the server broke off with an error"
        );
    }
}
