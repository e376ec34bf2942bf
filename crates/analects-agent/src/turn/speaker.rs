//! Whether a model that stopped meant to continue.

use analects_chat::question::Question;
use analects_chat::view::{self, Lookback};
use analects_world::Profile;
use analects_world::model::{Content, Role};
use serde_json::{Value, json};

const SYSTEM: &str = include_str!("../../prompts/next_speaker.md");

/// What another model is asked.
pub(super) fn question(history: &[Content], profile: Profile) -> Question {
    let mut contents = view::routing(history, Lookback::USUAL, profile);
    let ask = "Whose turn is it now: the user's or the model's? Answer in the form that is wanted.";
    contents.push(Content::text("speaker", Role::User, ask));
    Question {
        system: SYSTEM.trim_end().to_owned(),
        contents,
        schema: json!({
            "type": "object",
            "properties": {
                "reasoning": { "type": "string" },
                "next_speaker": { "type": "string", "enum": ["user", "model"] },
            },
            "required": ["reasoning", "next_speaker"],
        }),
    }
}

/// Whether the answer says that the model goes on. What makes no sense says nothing.
pub(super) fn goes_on(answer: Option<&str>) -> bool {
    let said = answer.and_then(|answer| serde_json::from_str::<Value>(answer.trim()).ok());
    said.is_some_and(|said| said["next_speaker"] == "model")
}
