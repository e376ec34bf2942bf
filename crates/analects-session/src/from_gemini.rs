//! A replayed record as a transcript: who said what, and which tools ran.
//!
//! What a tool answered stands in a record up to three times: in the call, in a message of its own, and as it
//! was shown. Here it stands once, with the tool.

use std::collections::{HashMap, HashSet};

use analects_text::problem::Problem;
use analects_text::trim::trim;
use analects_world::Agent;
use analects_world::model::args::{self, Enough};
use analects_world::provenance::{gemini, user_text};
use memchr::memchr_iter;
use serde_json::Value;

use crate::codes;
use crate::message::{Content, Message, MessageKind, Status, ToolCall};
use crate::record::before_compression;
use crate::replay::{About, Replayed};
use crate::tool_args::{SHELL, is_path_like};
use crate::transcript::{AttachedText, Head, Kind, Outcome, Role, ToolUse, Transcript, Turn};

/// How many files of one tool are named.
const MAX_PATHS: usize = 32;

/// The transcript of a record. A sub-agent's parent is not in its record: whoever knows it says it.
///
/// What we compressed was said all the same: it stands before the snapshot that took its place for the model.
#[must_use]
pub fn transcript(replayed: &Replayed) -> Transcript {
    read(replayed).0
}

/// The same; and what could not be read of it, beside what is known of the [lines](Replayed::problems).
#[must_use]
pub fn read(replayed: &Replayed) -> (Transcript, Vec<Problem>) {
    let (mut turns, mut problems) = turns(replayed);
    let mut standing: HashSet<_> = ids(replayed).collect();
    let mut earlier = before_compression(replayed);
    while let Some(before) = earlier {
        let (mut past, trouble) = self::turns(&before);
        let is_new = |problem: &Problem| !problems.contains(problem);
        let new: Vec<_> = trouble.into_iter().filter(is_new).collect();
        problems.extend(new);
        past.retain(|turn| !standing.contains(&turn.id));
        past.append(&mut turns);
        turns = past;
        standing.extend(ids(&before));
        earlier = before_compression(&before);
    }
    let head = head(replayed.about(), &turns);
    (Transcript { head, turns }, problems)
}

fn ids(replayed: &Replayed) -> impl Iterator<Item = String> {
    replayed.messages().map(|message| message.id().into_owned())
}

/// At most so many messages are reported that could be read in part only.
const MAX_REPORTED: usize = 20;

/// What is said by the messages that stand.
fn turns(replayed: &Replayed) -> (Vec<Turn>, Vec<Problem>) {
    let mut told = Told::default();
    let mut problems = Vec::new();
    for (message_idx, message) in replayed.messages().enumerate() {
        let span = message.span();
        let (mut message, is_whole) = message.read_as_far_as_possible();
        if !is_whole && problems.len() < MAX_REPORTED {
            let text = "the message holds a value that cannot be read; the rest of it was";
            let problem = Problem::new(&codes::FIELD_UNREADABLE, text);
            problems.push(problem.on_line(line_of(replayed.text(), span.start)));
        }
        if message.id.is_empty() {
            message.id = message_idx.to_string();
        }
        let at = message.at;
        let id = std::mem::take(&mut message.id);
        if let Some(said) = told.tell(message) {
            told.turns.push(Turn {
                id,
                at,
                role: said.role,
                text: said.text,
                attached: said.attached,
                tools: said.tools,
                span,
            });
        }
    }
    (told.turns, problems)
}

/// The number of the line that a place is on.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr_iter(b'\n', before).count() + 1
}

fn head(about: &About, turns: &[Turn]) -> Head {
    let ours = about.ours.as_ref();
    let cwd = ours.and_then(|ours| ours.cwd.clone());
    Head {
        agent: Agent::Gemini,
        id: about.session_id.clone().unwrap_or_default(),
        title: about.summary.clone(),
        cwd: cwd.or_else(|| about.directories.first().cloned()),
        branch: ours.and_then(|ours| ours.branch.clone()),
        started: about
            .started
            .or_else(|| turns.iter().find_map(|turn| turn.at)),
        // Not everybody who adds a message says so in the header.
        updated: about
            .updated
            .max(turns.iter().filter_map(|turn| turn.at).max()),
        kind: match about.is_subagent {
            true => Kind::Subagent { parent: None },
            false => Kind::Main,
        },
    }
}

/// What was told so far.
#[derive(Default)]
struct Told {
    turns: Vec<Turn>,
    /// Which tool of which turn a call is.
    calls: HashMap<String, (usize, usize)>,
}

/// What one message says.
struct MessageText {
    role: Role,
    text: String,
    attached: Vec<AttachedText>,
    tools: Vec<ToolUse>,
}

impl MessageText {
    fn new(role: Role, text: String) -> Self {
        Self {
            role,
            text,
            attached: Vec::new(),
            tools: Vec::new(),
        }
    }
}

impl Told {
    /// Returns what a message says; `None` if it says nothing new.
    fn tell(&mut self, message: Message) -> Option<MessageText> {
        let said = match message.kind {
            MessageKind::User => self.user(&message),
            MessageKind::Gemini => MessageText {
                text: spoken(&message.content),
                tools: self.tools(message),
                ..MessageText::new(Role::Model, String::new())
            },
            MessageKind::Info | MessageKind::Warning | MessageKind::Error => {
                MessageText::new(Role::Program, message.content.plain_text())
            }
            MessageKind::Unknown => return None,
        };
        let says_something = !trim(&said.text).is_empty() || !said.tools.is_empty();
        says_something.then_some(said)
    }

    /// What a user's message says. What others wrote into it is attached; where the user wrote nothing, it is the program's.
    fn user(&mut self, message: &Message) -> MessageText {
        let responses: Vec<_> = match &message.content {
            Content::Parts(parts) => parts.iter().filter_map(response).collect(),
            Content::Text(_) => Vec::new(),
        };
        if !responses.is_empty() {
            let mut unknown = message.content.plain_text();
            for response in responses {
                if !self.answer(response) {
                    unknown.push_str(&answer(response));
                }
            }
            return MessageText::new(Role::Program, unknown);
        }
        let spans = message.authored_texts();
        let own = user_text(&spans);
        if trim(&own).is_empty() {
            return MessageText::new(Role::Program, message.content.plain_text());
        }
        let shown = message.display.as_ref().map(|shown| {
            let shown = shown.plain_text();
            user_text(&gemini::split_parts([(None, &*shown)]))
        });
        MessageText {
            attached: AttachedText::from_spans(&spans),
            ..MessageText::new(
                Role::User,
                shown.filter(|shown| !trim(shown).is_empty()).unwrap_or(own),
            )
        }
    }

    /// Gives an answer to the tool that was asked. Whether there is one.
    fn answer(&mut self, response: &Value) -> bool {
        let id = response.get("id").and_then(Value::as_str);
        let place = id.and_then(|id| self.calls.get(id));
        let tool = place.and_then(|&(turn_idx, tool_idx)| {
            let turn = self.turns.get_mut(turn_idx)?;
            turn.tools.get_mut(tool_idx)
        });
        let Some(tool) = tool else {
            return false;
        };
        if tool.output.is_empty() {
            tool.output = answer(response);
        }
        if tool.outcome == Outcome::Unknown {
            tool.outcome = match failed(response) {
                true => Outcome::Failed,
                false => Outcome::Succeeded,
            };
        }
        true
    }

    /// The tools of a model's turn: those on record, and those it only asked for.
    fn tools(&mut self, message: Message) -> Vec<ToolUse> {
        let turn_idx = self.turns.len();
        let mut tools = Vec::new();
        let mut add = |id: Option<String>, tool: ToolUse| {
            let place = (turn_idx, tools.len());
            self.calls.extend(id.map(|id| (id, place)));
            tools.push(tool);
        };
        let is_on_record = !message.tool_calls.is_empty();
        for call in message.tool_calls {
            let tool = used(&call);
            add(call.id, tool);
        }
        if let Content::Parts(parts) = &message.content
            && !is_on_record
        {
            for call in parts.iter().filter_map(|part| part.get("functionCall")) {
                let text = |name| call.get(name).and_then(Value::as_str);
                let name = text("name").unwrap_or_default();
                let args = call.get("args").unwrap_or(&Value::Null);
                add(text("id").map(str::to_owned), asked(name, args));
            }
        }
        tools
    }
}

/// What a model said aloud: its text without its thoughts.
fn spoken(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Parts(parts) => {
            let is_thought = |part: &Value| part.get("thought").is_some_and(|is| *is != false);
            let aloud = parts.iter().filter(|part| !is_thought(part));
            aloud.filter_map(crate::message::text_of).collect()
        }
    }
}

fn used(call: &ToolCall) -> ToolUse {
    ToolUse {
        output: call.result.as_ref().map(output).unwrap_or_default(),
        outcome: match call.status {
            Some(Status::Success) => Outcome::Succeeded,
            Some(Status::Error | Status::Cancelled) => Outcome::Failed,
            Some(
                Status::Validating
                | Status::Scheduled
                | Status::AwaitingApproval
                | Status::Executing,
            )
            | None => Outcome::Unknown,
        },
        ..asked(&call.name, &call.args)
    }
}

fn asked(name: &str, args: &Value) -> ToolUse {
    let command = args::command(args).filter(|_| name == SHELL);
    let input = match command {
        Some(command) => command.into_owned(),
        None if args.is_null() => String::new(),
        None => args.to_string(),
    };
    let mut paths: Vec<String> = Vec::new();
    args::paths(args, &mut |text| {
        let text = trim(text);
        if is_path_like(text) && !paths.iter().any(|known| known == text) {
            paths.push(text.to_owned());
        }
        match paths.len() < MAX_PATHS {
            true => Enough::No,
            false => Enough::Yes,
        }
    });
    ToolUse {
        name: name.to_owned(),
        input,
        output: String::new(),
        outcome: Outcome::Unknown,
        paths,
    }
}

/// What a tool answered: a text, a part, or parts.
fn output(result: &Value) -> String {
    match result {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(output).collect(),
        part => match response(part) {
            Some(response) => answer(response),
            None => crate::message::text_of(part).unwrap_or_default().to_owned(),
        },
    }
}

fn response(part: &Value) -> Option<&Value> {
    part.get("functionResponse").filter(|is| is.is_object())
}

/// The answer in a response: its output or its error, else all of it.
fn answer(response: &Value) -> String {
    let Some(answer) = response.get("response") else {
        return String::new();
    };
    let text = ["output", "error"]
        .iter()
        .find_map(|name| answer.get(name).and_then(Value::as_str));
    text.map_or_else(|| answer.to_string(), str::to_owned)
}

fn failed(response: &Value) -> bool {
    response
        .get("response")
        .is_some_and(|answer| answer.get("error").is_some())
}

#[cfg(test)]
mod tests;
