//! The shape of the lines, as far as we read them.

use serde::Deserialize;

use super::super::json::Raw;

/// A line, as far as we know its fields.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) r#type: Raw<'a>,
    #[serde(borrow)]
    pub(super) uuid: Raw<'a>,
    #[serde(borrow)]
    pub(super) parent_uuid: Raw<'a>,
    #[serde(borrow)]
    pub(super) session_id: Raw<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Raw<'a>,
    #[serde(borrow)]
    pub(super) cwd: Raw<'a>,
    #[serde(borrow)]
    pub(super) git_branch: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_sidechain: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_meta: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_compact_summary: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_visible_in_transcript_only: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_api_error_message: Raw<'a>,
    #[serde(borrow)]
    pub(super) origin: Raw<'a>,
    #[serde(borrow)]
    pub(super) plan_content: Raw<'a>,
    #[serde(borrow)]
    pub(super) prompt_source: Raw<'a>,
    #[serde(borrow)]
    pub(super) request_id: Raw<'a>,
    #[serde(borrow)]
    pub(super) message: Raw<'a>,
    #[serde(borrow)]
    pub(super) content: Raw<'a>,
    #[serde(borrow)]
    pub(super) attachment: Raw<'a>,
    #[serde(borrow)]
    pub(super) custom_title: Raw<'a>,
    #[serde(borrow)]
    pub(super) ai_title: Raw<'a>,
    #[serde(borrow)]
    pub(super) summary: Raw<'a>,
    #[serde(borrow)]
    pub(super) leaf_uuid: Raw<'a>,
}

/// What was said, and by which model.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Raw<'a>,
    #[serde(borrow)]
    pub(super) model: Raw<'a>,
    #[serde(borrow)]
    pub(super) content: Raw<'a>,
}

/// A part of a message.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow)]
    pub(super) r#type: Raw<'a>,
    #[serde(borrow)]
    pub(super) text: Raw<'a>,
    #[serde(borrow)]
    pub(super) id: Raw<'a>,
    #[serde(borrow)]
    pub(super) name: Raw<'a>,
    #[serde(borrow)]
    pub(super) input: Raw<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Raw<'a>,
    #[serde(borrow)]
    pub(super) content: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_error: Raw<'a>,
}

/// What is put in for the model beside the conversation; also what the person typed while the model was at work.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attachment<'a> {
    #[serde(borrow)]
    pub(super) r#type: Raw<'a>,
    #[serde(borrow)]
    pub(super) prompt: Raw<'a>,
    #[serde(borrow)]
    pub(super) command_mode: Raw<'a>,
    #[serde(borrow)]
    pub(super) origin: Raw<'a>,
    #[serde(borrow)]
    pub(super) is_meta: Raw<'a>,
}

/// Where a text in the user's name comes from.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub(super) kind: Raw<'a>,
}
