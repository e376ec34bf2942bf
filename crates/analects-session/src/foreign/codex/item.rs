//! Items: what went to the model and came from it.

use serde::Deserialize;

use analects_world::provenance::{Author, codex, user_text};

use crate::transcript::{AttachedText, Outcome, Role, ToolUse};

use super::super::clip::{Clip, clip};
use super::super::json::{self, Raw};
use super::super::tools;
use super::output::Part;
use super::{Reading, Scene, output, prompt};

/// What stands for a picture.
pub(super) const PICTURE: &str = "[image]";

/// How kinds of texts begin that are the user's.
const USER_KINDS: &str = "user.";

/// Longer arguments are not taken apart.
const MAX_ARGUMENT_BYTES: usize = 1024 * 1024;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow)]
    r#type: Raw<'a>,
    #[serde(borrow)]
    id: Raw<'a>,
    #[serde(borrow)]
    role: Raw<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    name: Raw<'a>,
    #[serde(borrow)]
    call_id: Raw<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    action: Raw<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
    #[serde(borrow)]
    status: Raw<'a>,
    #[serde(borrow)]
    internal_chat_message_metadata_passthrough: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Passthrough<'a> {
    #[serde(borrow)]
    content_item_kinds: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Action<'a> {
    #[serde(borrow)]
    command: Raw<'a>,
    #[serde(borrow)]
    query: Raw<'a>,
}

impl Reading {
    /// Reads an item.
    pub(super) fn item(&mut self, payload: Raw<'_>, scene: &Scene<'_>) {
        let item: Item<'_> = payload.fields();
        match item.r#type.word().as_deref() {
            Some("message") if item.role.is("user") => self.user(&item, scene),
            Some("message") if item.role.is("assistant") => self.assistant(&item, scene),
            Some("agent_message") => self.letter(&item, scene),
            Some(kind) if kind.ends_with("_output") => self.output(&item),
            Some(kind) => {
                if let Some(kind) = kind.strip_suffix("_call") {
                    self.call(kind, &item, scene);
                }
            }
            None => {}
        }
    }

    fn user(&mut self, item: &Item<'_>, scene: &Scene<'_>) {
        let limit = self.limits.text_bytes;
        let (mut typed, mut notice, mut cwd) = (Clip::new(limit), Clip::new(limit), None);
        let mut attached = Vec::new();
        each_part(item.content, |part| {
            let Some(block) = part.text.excerpt(limit) else {
                if part.r#type.is("input_image") {
                    typed.new_line();
                    typed.push(PICTURE);
                }
                return;
            };
            if cwd.is_none() {
                cwd = prompt::cwd_in(&block.text).map(str::to_owned);
            }
            let spans = codex::split_text(&block.text, block.cut_at);
            let own = user_text(&spans);
            let own = own.trim();
            if !own.is_empty() && !prompt::is_picture_tag(own) {
                typed.new_line();
                typed.push(own);
            }
            for text in AttachedText::from_spans(&spans) {
                if codex::is_shown(&text.text) {
                    notice.new_line();
                    notice.push(text.text.trim());
                } else {
                    attached.push(text);
                }
            }
        });
        self.cwd = self.cwd.take().or(cwd);
        let id = item.id.word();
        if !notice.is_empty() {
            self.say(
                scene.said(id.as_deref(), Role::Program, notice.finish()),
                None,
            );
        }
        let typed = typed.finish();
        if typed.trim().is_empty() {
            self.story.attach(attached);
        } else if is_users(item) {
            self.prompt_item(id.as_deref(), typed, attached, scene);
        } else {
            let author = Author::System;
            attached.push(AttachedText {
                author,
                text: typed,
            });
            self.story.attach(attached);
        }
    }

    fn assistant(&mut self, item: &Item<'_>, scene: &Scene<'_>) {
        let mut text = Clip::new(self.limits.text_bytes);
        each_part(item.content, |part| {
            text.new_line();
            part.text.pour(&mut text);
        });
        let text = text.finish();
        if !text.trim().is_empty() {
            self.say(
                scene.said(item.id.word().as_deref(), Role::Model, text),
                None,
            );
        }
    }

    /// What agents write to each other: tasks, answers.
    fn letter(&mut self, item: &Item<'_>, scene: &Scene<'_>) {
        let mut text = Clip::new(self.limits.text_bytes);
        let mut is_task = false;
        each_part(item.content, |part| {
            text.new_line();
            if part.r#type.is("encrypted_content") {
                text.push("[encrypted]");
                return;
            }
            let part = part.text.text(self.limits.text_bytes).unwrap_or_default();
            is_task |= part.starts_with("Message Type: NEW_TASK");
            let payload = part
                .split_once("\nPayload:\n")
                .map_or(&*part, |(_, payload)| payload);
            text.push(payload);
        });
        let role = if is_task && self.is_subagent {
            Role::User
        } else {
            Role::Program
        };
        let text = text.finish();
        let known = (role == Role::User).then_some(prompt::Known::Event);
        if !text.trim().is_empty() {
            self.say(scene.said(item.id.word().as_deref(), role, text), known);
        }
    }

    fn call(&mut self, kind: &str, item: &Item<'_>, scene: &Scene<'_>) {
        let limit = self.limits.tool_bytes;
        let name = item.name.word().unwrap_or_else(|| kind.into());
        let (mut input, mut paths) = (String::new(), Vec::new());
        if let Some(arguments) = item.arguments.text(MAX_ARGUMENT_BYTES) {
            // JSON in a string; one that is cut is none any more.
            let parsed = json::parse(&arguments);
            paths = tools::paths(parsed);
            input = match parsed.source() {
                Some(_) => tools::input(&name, parsed, limit),
                None => clip(&arguments, limit),
            };
        } else if let Some(text) = item.input.text(limit) {
            input = text;
            tools::patched(item.input, &mut paths);
        } else if let Some(source) = item.action.source() {
            let action: Action<'_> = item.action.fields();
            let line =
                tools::shell_line(action.command, limit).or_else(|| action.query.text(limit));
            input = line.unwrap_or_else(|| clip(source, limit));
        }
        let is_paired = item.call_id.is_string();
        let outcome = match item.status.word().as_deref() {
            Some("failed" | "incomplete") => Outcome::Failed,
            // What runs at the model's side has no result of its own.
            Some("completed") if !is_paired => Outcome::Succeeded,
            _ => Outcome::Unknown,
        };
        let tool = ToolUse {
            name: name.into(),
            input,
            output: String::new(),
            outcome,
            paths,
        };
        let id = item.call_id.word().or_else(|| item.id.word());
        self.use_tool(id.as_deref(), tool, scene);
    }

    /// The model's last turn uses a tool; where it said nothing before, that is a turn of its own.
    pub(super) fn use_tool(&mut self, id: Option<&str>, tool: ToolUse, scene: &Scene<'_>) {
        let last = self.story.turns().len().checked_sub(1);
        let is_models = |turn: &usize| {
            let turn = self.story.turns().get(*turn);
            turn.is_some_and(|turn| turn.role == Role::Model)
        };
        let turn = match last.filter(is_models) {
            Some(turn) => turn,
            None => self.say(scene.said(None, Role::Model, String::new()), None),
        };
        self.story.call(turn, id, tool);
    }

    fn output(&mut self, item: &Item<'_>) {
        if let Some(id) = item.call_id.word() {
            let (text, outcome) = output::read(item.output, self.limits.tool_bytes);
            self.story.result(&id, text, outcome);
        }
    }
}

/// Shows each part of a message; older ones are one text.
fn each_part<'a>(content: Raw<'a>, mut show: impl FnMut(Part<'a>)) {
    if content.is_string() {
        show(Part {
            r#type: Raw::default(),
            text: content,
        });
    }
    content.each(|part| show(part.fields()));
}

/// Newer versions say of each text where it comes from.
fn is_users(item: &Item<'_>) -> bool {
    let Passthrough { content_item_kinds } =
        item.internal_chat_message_metadata_passthrough.fields();
    let (mut is_said, mut is_users) = (false, false);
    content_item_kinds.each(|kind| {
        is_said = true;
        let kind = kind.word();
        is_users |= kind.is_some_and(|kind| kind.starts_with(USER_KINDS) || kind == "unknown");
    });
    is_users || !is_said
}
