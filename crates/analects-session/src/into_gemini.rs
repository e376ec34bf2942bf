//! A conversation as a new record in Gemini CLI's format, whichever agent held it.
//!
//! What was said stays; what only its own agent understands is left behind. A record that is in the format
//! already keeps everything that its messages say.

use serde_json::{Value, json};

use crate::message::{Content, MessageKind, Status, ToolCall};
use crate::record::{self, Lines, Recorder, Saying, Start};
use crate::replay::Replayed;
use crate::stamp::Stamp;
use crate::transcript::{Outcome, Role, ToolUse, Transcript, Turn};

/// A new record with what a conversation says. `redact` sees every text on its way.
pub fn record(
    transcript: &Transcript,
    title: &str,
    start: Start<'_>,
    now: Stamp,
    redact: &dyn Fn(&str) -> String,
) -> Lines {
    let (mut recorder, mut lines) = Recorder::start(start);
    for (turn_idx, turn) in transcript.turns.iter().enumerate() {
        lines.extend([said(&mut recorder, turn, turn_idx, start.at, redact)]);
    }
    lines.extend([
        note(&mut recorder, transcript, now),
        record::summary(&redact(title)),
    ]);
    lines
}

/// A new record with the messages of another, as they are.
pub fn copy(replayed: &Replayed, transcript: &Transcript, start: Start<'_>, now: Stamp) -> Lines {
    let (mut recorder, mut lines) = Recorder::start(start);
    lines.extend([Lines::messages(replayed)]);
    lines.extend([note(&mut recorder, transcript, now)]);
    if let Some(summary) = &replayed.about().summary {
        lines.extend([record::summary(summary)]);
    }
    lines
}

/// Says where the record comes from, and that it was used just now: Gemini CLI deletes what is old when it
/// starts. It does not go to a model.
fn note(recorder: &mut Recorder, transcript: &Transcript, at: Stamp) -> Lines {
    let head = &transcript.head;
    let text = format!("Imported from {}: session {}", head.agent.as_str(), head.id);
    let saying = Saying {
        id: format!("import-{}", at.as_ms()),
        at,
        content: Content::Text(text),
    };
    recorder.say(MessageKind::Info, saying)
}

fn said(
    recorder: &mut Recorder,
    turn: &Turn,
    turn_idx: usize,
    now: Stamp,
    redact: &dyn Fn(&str) -> String,
) -> Lines {
    let at = turn.at.unwrap_or(now);
    // Ids of other agents may repeat; ours must not.
    let id = format!("import-{}-{turn_idx}", now.as_ms());
    let text = redact(&turn.text);
    let saying = |content| Saying {
        id: id.clone(),
        at,
        content,
    };
    match turn.role {
        Role::User => {
            let parts = vec![json!({ "text": text })];
            recorder.say(MessageKind::User, saying(Content::Parts(parts)))
        }
        Role::Program => recorder.say(MessageKind::Info, saying(Content::Text(text))),
        Role::Model => {
            let tools = turn.tools.iter().enumerate();
            let calls: Vec<_> = tools
                .map(|(tool_idx, tool)| call(tool, &format!("{id}-{tool_idx}"), at, redact))
                .collect();
            // A message for each turn: one that grew with every call would be written again with each.
            recorder.act("", saying(Content::Text(text)), calls)
        }
    }
}

fn call(tool: &ToolUse, id: &str, at: Stamp, redact: &dyn Fn(&str) -> String) -> ToolCall {
    let input = redact(&tool.input);
    let args = match serde_json::from_str(&input) {
        Ok(Value::Object(args)) => Value::Object(args),
        _ => json!({ "command": input }),
    };
    let answered = json!({ "output": redact(&tool.output) });
    let response = json!({ "id": id, "name": tool.name, "response": answered });
    let mut call = ToolCall::new(id, &tool.name, args, at);
    call.result = Some(json!([{ "functionResponse": response }]));
    call.status = Some(match tool.outcome {
        Outcome::Succeeded | Outcome::Unknown => Status::Success,
        Outcome::Failed => Status::Error,
    });
    call
}

#[cfg(test)]
mod tests;
