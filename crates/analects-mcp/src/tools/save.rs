//! `save_memory`: the engine's own tool, with the client's name in the journal.

use analects_engine::save_memory::{self, Saved};
use analects_engine::verbs::Failure;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Call, Told};

pub(super) use analects_engine::save_memory::SaveMemory as Arguments;

/// What became of a fact.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    /// Whether the fact is remembered now.
    success: bool,
    /// What became of it, or why it is not remembered.
    message: String,
}

pub(super) fn save(call: &Call<'_>) -> Result<Told, Failure> {
    let saved = save_memory::save_memory(call.world, call.flags, &call.arguments()?, &call.who);
    let success = saved.is_success();
    let (message, is_error) = match saved {
        Saved::Done { message, .. } => (message, false),
        Saved::Failed { error, .. } => (error, true),
    };
    let answer = Answer {
        success,
        message: message.clone(),
    };
    Ok(Told {
        is_error,
        ..Told::new(message, &answer)
    })
}
