//! What a record says about the conversation as a whole.

use serde_json::Value;

use crate::json;
use crate::ours::Ours;
use crate::replay::line::Fact;
use crate::replay::stage::Stage;
use crate::scratchpad::Scratchpad;
use crate::stamp::Stamp;

/// What a record says about the conversation as a whole. Of every fact the last word counts; a word that
/// makes no sense counts as none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct About {
    /// Its name.
    pub session_id: Option<String>,
    /// The sha256 of the project's root.
    pub project_hash: Option<String>,
    /// When it began.
    pub started: Option<Stamp>,
    /// When something was last said.
    pub updated: Option<Stamp>,
    /// One sentence on what it is about.
    pub summary: Option<String>,
    /// The directories that belonged to the workspace.
    pub directories: Vec<String>,
    /// Whether an agent held it on behalf of another conversation.
    pub is_subagent: bool,
    /// What was done, in few words.
    pub scratchpad: Option<Scratchpad>,
    /// Whether something happened since the scratchpad was written; `None` if none was.
    pub scratchpad_is_stale: Option<bool>,
    /// The text of the first prompt that a model was meant to answer, even if it was taken back.
    pub first_prompt: Option<String>,
    /// What we ourselves noted.
    pub ours: Option<Ours>,
}

impl About {
    pub(super) fn new(stage: &Stage<'_>, text: &str) -> Self {
        let raw = |fact| stage.fields.get(fact).map(|span| span.of(text));
        let string = |fact| {
            let said = raw(fact).and_then(json::string)?;
            Some(said.into_owned()).filter(|said| !said.is_empty())
        };
        let stamp = |fact| string(fact).as_deref().and_then(Stamp::parse);
        let value = |fact| raw(fact).and_then(json::value);
        let directories = match value(Fact::Directories) {
            Some(Value::Array(directories)) => directories,
            _ => Vec::new(),
        };
        Self {
            session_id: string(Fact::SessionId),
            project_hash: string(Fact::ProjectHash),
            started: stamp(Fact::StartTime),
            updated: stamp(Fact::LastUpdated),
            summary: string(Fact::Summary),
            directories: directories
                .iter()
                .filter_map(|directory| directory.as_str().map(str::to_owned))
                .collect(),
            is_subagent: string(Fact::Kind).as_deref() == Some("subagent"),
            scratchpad: value(Fact::Scratchpad).and_then(|value| Scratchpad::from_value(&value)),
            scratchpad_is_stale: stage.is_stale,
            first_prompt: stage.first_prompt.clone(),
            ours: value(Fact::Ours).and_then(Ours::from_value),
        }
    }
}
