//! Events: what was shown on the screen, of which we need what the items do not tell.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use analects_world::provenance::{codex, user_text};

use crate::transcript::{Outcome, Role, ToolUse};

use super::super::clip::{Clip, Excerpt};
use super::super::json::Raw;
use super::super::tools;
use super::{Reading, Scene, item, output};

/// A title is a line.
const MAX_TITLE_BYTES: usize = 1024;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Event<'a> {
    #[serde(borrow)]
    r#type: Raw<'a>,
    #[serde(borrow)]
    message: Raw<'a>,
    #[serde(borrow)]
    images: Raw<'a>,
    #[serde(borrow)]
    local_images: Raw<'a>,
    #[serde(borrow)]
    item: Raw<'a>,
    #[serde(borrow)]
    num_turns: Raw<'a>,
    #[serde(borrow)]
    call_id: Raw<'a>,
    #[serde(borrow)]
    exit_code: Raw<'a>,
    #[serde(borrow)]
    success: Raw<'a>,
    #[serde(borrow)]
    thread_name: Raw<'a>,
}

/// Something that is finished.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Finished<'a> {
    #[serde(borrow)]
    r#type: Raw<'a>,
    #[serde(borrow)]
    id: Raw<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    command: Raw<'a>,
    #[serde(borrow)]
    parsed_cmd: Raw<'a>,
    #[serde(borrow)]
    aggregated_output: Raw<'a>,
    #[serde(borrow)]
    exit_code: Raw<'a>,
    #[serde(borrow)]
    status: Raw<'a>,
    #[serde(borrow)]
    server: Raw<'a>,
    #[serde(borrow)]
    tool: Raw<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    #[serde(borrow)]
    result: Raw<'a>,
    #[serde(borrow)]
    changes: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow)]
    r#type: Raw<'a>,
    #[serde(borrow)]
    text: Raw<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    path: Raw<'a>,
}

/// What the user typed in a text block.
fn typed_in(block: Excerpt) -> String {
    let typed = user_text(&codex::split_text(&block.text, block.cut_at));
    typed.trim().to_owned()
}

impl Reading {
    /// Reads an event.
    pub(super) fn event(&mut self, payload: Raw<'_>, scene: &Scene<'_>) {
        let event: Event<'_> = payload.fields();
        match event.r#type.word().as_deref() {
            Some("user_message") => self.user_message(&event, scene),
            Some("item_completed") => self.completed(event.item, scene),
            Some("thread_rolled_back") => {
                let n_turns = event.num_turns.number().unwrap_or_default();
                self.take_back(usize::try_from(n_turns).unwrap_or_default());
            }
            Some("exec_command_end" | "patch_apply_end") => {
                let by_code = event.exit_code.number().map(output::ended);
                let by_word = event
                    .success
                    .source()
                    .map(|_| match event.success.is_true() {
                        true => Outcome::Succeeded,
                        false => Outcome::Failed,
                    });
                self.settle_outcome(event.call_id, by_code.or(by_word));
            }
            Some("thread_name_updated") => {
                self.title = event
                    .thread_name
                    .text(MAX_TITLE_BYTES)
                    .filter(|name| !name.trim().is_empty());
            }
            Some("error" | "warning") => {
                if let Some(text) = event.message.text(self.limits.text_bytes) {
                    self.say(scene.said(None, Role::Program, text), None);
                }
            }
            _ => {}
        }
    }

    fn user_message(&mut self, event: &Event<'_>, scene: &Scene<'_>) {
        let message = event.message.excerpt(self.limits.text_bytes);
        let mut text = Clip::new(self.limits.text_bytes);
        text.push(&message.map(typed_in).unwrap_or_default());
        for images in [event.images, event.local_images] {
            images.each(|_| push_picture(&mut text));
        }
        self.shown(None, &text.finish(), scene);
    }

    fn completed(&mut self, raw: Raw<'_>, scene: &Scene<'_>) {
        let done: Finished<'_> = raw.fields();
        match done.r#type.word().as_deref() {
            Some("UserMessage") => {
                let mut text = Clip::new(self.limits.text_bytes);
                done.content.each(|part| {
                    let part: Part<'_> = part.fields();
                    match part.text.excerpt(self.limits.text_bytes) {
                        Some(said) => {
                            text.new_line();
                            text.push(&typed_in(said));
                        }
                        None if part
                            .r#type
                            .word()
                            .is_some_and(|kind| kind.ends_with("mage")) =>
                        {
                            push_picture(&mut text);
                        }
                        None => {}
                    }
                });
                let id = done.id.word();
                self.shown(id.as_deref(), &text.finish(), scene);
            }
            Some("CommandExecution" | "McpToolCall" | "FileChange") => self.ran(&done, scene),
            _ => {}
        }
    }

    fn shown(&mut self, id: Option<&str>, typed: &str, scene: &Scene<'_>) {
        self.has_events = true;
        if !typed.trim().is_empty() {
            self.prompt_event(id, typed.trim().to_owned(), scene);
        }
    }

    /// A tool ran: the one that an item called, or one that code of the model's called, of which no item tells.
    fn ran(&mut self, done: &Finished<'_>, scene: &Scene<'_>) {
        let outcome = match (done.exit_code.number(), done.status.word().as_deref()) {
            (Some(code), _) => Some(output::ended(code)),
            (None, Some("completed")) => Some(Outcome::Succeeded),
            (None, Some("failed" | "declined")) => Some(Outcome::Failed),
            _ => None,
        };
        let Some(id) = done.id.word() else { return };
        if self.story.called(&id).is_some() {
            self.settle_outcome(done.id, outcome);
            return;
        }
        let tool = self.tool(done, outcome.unwrap_or(Outcome::Unknown));
        self.use_tool(Some(&id), tool, scene);
    }

    fn tool(&self, done: &Finished<'_>, outcome: Outcome) -> ToolUse {
        let limit = self.limits.tool_bytes;
        let (mut paths, mut output) = (tools::paths(done.arguments), Clip::new(limit));
        done.parsed_cmd.each(|parsed| {
            let parsed: Part<'_> = parsed.fields();
            tools::add_path(
                &mut paths,
                parsed.path.word().as_deref().unwrap_or_default(),
            );
        });
        each_key(done.changes, |path| tools::add_path(&mut paths, path));
        done.aggregated_output.pour(&mut output);
        done.result.fields::<Part<'_>>().content.each(|part| {
            output.new_line();
            part.fields::<Part<'_>>().text.pour(&mut output);
        });
        let (name, input) = match done.r#type.word().as_deref() {
            Some("McpToolCall") => {
                let (server, tool) = (done.server.word(), done.tool.word());
                let name = format!(
                    "mcp__{}__{}",
                    server.unwrap_or_default(),
                    tool.unwrap_or_default()
                );
                (name, tools::input("", done.arguments, limit))
            }
            Some("FileChange") => (
                "apply_patch".to_owned(),
                tools::input("", done.changes, limit),
            ),
            _ => (
                "exec_command".to_owned(),
                tools::shell_line(done.command, limit).unwrap_or_default(),
            ),
        };
        ToolUse {
            name,
            input,
            output: output.finish(),
            outcome,
            paths,
        }
    }

    fn settle_outcome(&mut self, id: Raw<'_>, outcome: Option<Outcome>) {
        let tool = id.word().and_then(|id| self.story.called(&id));
        if let (Some(tool), Some(outcome)) = (tool, outcome) {
            tool.outcome = outcome;
        }
    }
}

fn push_picture(text: &mut Clip) {
    text.new_line();
    text.push(item::PICTURE);
}

/// Shows each key of an object.
fn each_key(raw: Raw<'_>, show: impl FnMut(&str)) {
    let source = raw.source().filter(|source| source.starts_with('{'));
    let mut deserializer = serde_json::Deserializer::from_str(source.unwrap_or("{}"));
    let _ = deserializer.deserialize_map(Keys(show));
}

struct Keys<F>(F);

impl<'de, F: FnMut(&str)> Visitor<'de> for Keys<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((key, IgnoredAny)) = map.next_entry::<Cow<'de, str>, _>()? {
            (self.0)(&key);
        }
        Ok(())
    }
}
