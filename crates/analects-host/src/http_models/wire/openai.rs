//! Chat completions, as OpenAI has them and Ollama, llama.cpp, vLLM, LM Studio and many more copy them.
//!
//! The base address ends with `/v1`. Nobody counts tokens here; what an answer cost is told with the answer.

mod ask;
mod kin;
mod messages;
mod read;

pub(super) use ask::ask;
pub(in crate::http_models) use read::OpenAiReader;

use analects_world::models::Listed;
use serde_json::Value;

use super::{Letter, catalogue};

/// Asks what models there are.
pub(super) fn list() -> Letter {
    Letter {
        path: "/models".to_owned(),
        headers: Vec::new(),
        body: None,
    }
}

/// The models in the answer, if it is one.
pub(super) fn listed(answer: &Value) -> Option<Vec<Listed>> {
    catalogue::models(answer)
}

#[cfg(test)]
mod tests;
