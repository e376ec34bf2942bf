//! Messages, as Anthropic has them and llama.cpp copies them.
//!
//! The base address is that of the server. Thoughts are signed here, and some models want them back as they
//! were: a thought's signature is kept under [`SIGNATURE`] in its part, with [`OURS`] before it, so that no other
//! wire takes it for its own. The words of a thought come in pieces, its signature behind them as a thought
//! without words. Whoever puts pieces together must not join what follows a signature to what stands before it.
//!
//! Where an answer must have a form, models that let themselves be made to call a tool are made to call
//! [`ANSWER`], whose arguments are then told as words; that works on all servers. The models since 5.1 refuse to
//! be made, and are given the schema itself.

mod ask;
mod kin;
mod messages;
mod read;

pub(super) use ask::{ask, count};
pub(in crate::http_models) use read::AnthropicReader;

use analects_world::models::Listed;
use serde_json::Value;

use super::{Letter, catalogue};

/// The field of a part that signs it.
const SIGNATURE: &str = "thoughtSignature";
/// What stands before a signature of this wire.
const OURS: &str = "anthropic:";
/// What stands before a thought of this wire that nobody may read. Signatures hold no colon.
const HIDDEN: &str = "anthropic:redacted:";
/// A tool whose arguments are the answer.
const ANSWER: &str = "analects_answer";
/// A tool whose only argument is the answer: a tool takes objects, and an answer may be something else.
const ANSWER_VALUE: &str = "analects_answer_value";
/// The argument of it.
const VALUE: &str = "value";

/// Asks what models there are.
pub(super) fn list() -> Letter {
    Letter {
        path: "/v1/models?limit=1000".to_owned(),
        headers: vec![ask::version()],
        body: None,
    }
}

/// The models in the answer, if it is one.
pub(super) fn listed(answer: &Value) -> Option<Vec<Listed>> {
    catalogue::models(answer)
}

#[cfg(test)]
mod tests;
