//! What a server means when it does not answer.
//!
//! Every server words its errors in its own way, and some of them say it with a status that means something
//! else. The words decide where they are known, the status where they are not.

mod retry;
mod said;

use analects_world::models::{Fault, Kind};
use serde_json::Value;

pub(super) use retry::asked_for;
use said::Said;
pub(super) use said::looks_like_a_page;

/// The fault that a refused request is, by its status and body.
pub(super) fn refused(status: u16, body: &str) -> Fault {
    let said = Said::read(body);
    fault(status, Some(status), &said)
}

/// The fault that an error object in the midst of a stream is: `{"code": …, "message": …, "type": …}` or a
/// bare text.
pub(super) fn said(error: &Value) -> Fault {
    let said = Said::from_error(error);
    let status = said.status.unwrap_or_else(|| status_of(&said));
    fault(status, said.status, &said)
}

/// The fault that bare JSON in the midst of a stream is: an error, or nonsense.
pub(super) fn stray(text: &str) -> Fault {
    let document = serde_json::from_str::<Value>(text.trim()).ok();
    match document.as_ref().and_then(said::error_in) {
        Some(error) => said(error),
        None => Fault::new(
            Kind::Garbled,
            "the server sends JSON that is no event of a stream",
        ),
    }
}

/// `told` is the status that the server itself gave, if it did.
fn fault(status: u16, told: Option<u16>, said: &Said) -> Fault {
    let kind = kind(status, said);
    let mut message = match told {
        Some(told) => format!("{} ({told})", means(kind)),
        None => means(kind).to_owned(),
    };
    if kind == Kind::Refused && told == Some(404) {
        message.push_str(", the address may be wrong");
    }
    if !said.message.is_empty() {
        message.push_str(": ");
        message.push_str(&said.message);
    }
    Fault {
        kind,
        message,
        retry_after_ms: said.retry_after_ms,
    }
}

/// Which kind it is. The order matters: what nobody can wait for comes before what may pass.
fn kind(status: u16, said: &Said) -> Kind {
    match status {
        407 => Kind::Unreachable,
        _ if is_too_large(status, said) => Kind::TooLarge,
        _ if is_quota(status, said) => Kind::Quota,
        401 | 403 => Kind::Key,
        _ if said.has(&KEY_WORDS) || said.tells(&KEY_TEXTS) => Kind::Key,
        _ if is_no_such_model(status, said) => Kind::NoSuchModel,
        408 | 429 | 503 | 529 => Kind::Busy,
        500.. => Kind::Broken,
        _ => Kind::Refused,
    }
}

fn is_too_large(status: u16, said: &Said) -> bool {
    // A rate limit speaks of too many tokens, too, and passes.
    status != 429 && (status == 413 || said.has(&TOO_LARGE_WORDS) || said.tells(&TOO_LARGE_TEXTS))
}

fn is_quota(status: u16, said: &Said) -> bool {
    status == 402
        || said.has(&QUOTA_WORDS)
        || said.tells(&["credit balance is too low"])
        || (status == 429 && said.words.iter().any(|word| word.contains("perday")))
}

fn is_no_such_model(status: u16, said: &Said) -> bool {
    // `not_found` is Google's word, and there it is always the model. Others say `not_found_error` of any path.
    said.has(&["model_not_found"])
        || (status == 404 && (said.has(&["not_found"]) || said.tells(&["model"])))
}

/// The status that an error in a stream would have had. The stream itself began well.
fn status_of(said: &Said) -> u16 {
    const BY_WORD: [(&[&str], u16); 6] = [
        (&["overloaded_error", "overloaded", "unavailable"], 503),
        (
            &[
                "rate_limit_error",
                "rate_limit_exceeded",
                "too_many_requests",
                "resource_exhausted",
            ],
            429,
        ),
        (&["invalid_request_error", "invalid_argument"], 400),
        (&["authentication_error", "unauthenticated"], 401),
        (&["permission_error", "permission_denied"], 403),
        (&["not_found_error", "not_found"], 404),
    ];
    let known = BY_WORD.iter().find(|(words, _)| said.has(words));
    match known {
        Some((_, status)) => *status,
        None if said.tells(&["overloaded", "rate limit", "too many requests"]) => 503,
        None => 500,
    }
}

fn means(kind: Kind) -> &'static str {
    match kind {
        Kind::Key => "the server does not take the key",
        Kind::NoSuchModel => "the server has no such model",
        Kind::TooLarge => "the request does not fit into the model's window",
        Kind::Quota => "nothing is left of the quota",
        Kind::Busy => "the server has too much to do",
        Kind::Broken => "the server failed",
        Kind::Unreachable => "the proxy wants to know who asks",
        _ => "the server refuses the request",
    }
}

const KEY_WORDS: [&str; 6] = [
    "api_key_invalid",
    "invalid_api_key",
    "authentication_error",
    "permission_error",
    "unauthenticated",
    "permission_denied",
];
const KEY_TEXTS: [&str; 2] = ["api key not valid", "api key expired"];
const TOO_LARGE_WORDS: [&str; 3] = [
    "context_length_exceeded",
    "exceed_context_size_error",
    "request_too_large",
];
const TOO_LARGE_TEXTS: [&str; 6] = [
    "prompt is too long",
    "exceeds the maximum number of tokens",
    "context length",
    "context size",
    "context window",
    "exceed context limit",
];
const QUOTA_WORDS: [&str; 3] = [
    "insufficient_quota",
    "billing_not_active",
    "billing_hard_limit_reached",
];

#[cfg(test)]
mod tests;
