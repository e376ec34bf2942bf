//! A conversation as a new record in Gemini CLI's format, whichever agent held it.
//!
//! What was said stays; what only its own agent understands is left behind. A record that is in the format
//! already keeps everything that its messages say.

use analects_world::provenance::Author;
use serde_json::{Value, json};

use crate::message::{Content, MessageKind, Status, ToolCall};
use crate::ours::{Origin, Ours, fingerprint};
use crate::record::{self, Entry, Lines, Recorder, Saying, Start};
use crate::replay::{MessageRef, Replayed, replay};
use crate::stamp::Stamp;
use crate::transcript::{Outcome, Role, ToolUse, Transcript, Turn, is_shell};

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
    let origin = origin(transcript, &replay(lines.as_str().into()));
    lines.extend([
        note(&mut recorder, transcript, now),
        record::ours(&Ours::copied(origin)),
        record::summary(&redact(title)),
    ]);
    lines
}

/// A new record with the messages of another, as they are but for what `redact` takes out.
pub fn copy(
    replayed: &Replayed,
    transcript: &Transcript,
    start: Start<'_>,
    now: Stamp,
    redact: &dyn Fn(&str) -> String,
) -> Lines {
    let (mut recorder, mut lines) = Recorder::start(start);
    lines.extend([Lines::messages(replayed).redacted(redact)]);
    let origin = origin(transcript, &replay(lines.as_str().into()));
    lines.extend([
        note(&mut recorder, transcript, now),
        record::ours(&Ours::copied(origin)),
    ]);
    if let Some(summary) = &replayed.about().summary {
        lines.extend([record::summary(&redact(summary))]);
    }
    lines
}

/// How a copy stands to the conversation it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renewal {
    /// It has everything; or it does not say what it had.
    Current,
    /// These lines bring it up to date.
    Behind(Lines),
    /// The conversation went on, and so did the copy: they are two now.
    Apart,
}

/// What a copy lacks of a conversation that went on. `fresh` is the copy that would be made now.
///
/// A message that was still growing, and all after it, is taken back and said anew.
#[must_use]
pub fn renew(copy: &Replayed, fresh: &Replayed, transcript: &Transcript, now: Stamp) -> Renewal {
    let mut noted = copy.about().ours.clone().unwrap_or_default();
    let Some(had) = noted.origin.as_ref() else {
        return Renewal::Current;
    };
    let origin = origin(transcript, fresh);
    if origin.messages == had.messages {
        return Renewal::Current;
    }
    if noted.is_newer() || !noted.compressions.is_empty() || fingerprint_of(copy) != had.messages {
        return Renewal::Apart;
    }
    let both = copied(copy).zip(copied(fresh));
    let n_same = both.take_while(|(old, new)| old.raw() == new.raw()).count();
    let (mut recorder, mut lines) = Recorder::resume(copy);
    let changed = copied(copy).nth(n_same);
    let changed = changed.or_else(|| copy.messages().find(is_note));
    lines.extend(changed.map(|message| recorder.rewind(&message.id())));
    let missing = copied(fresh).skip(n_same).map(Entry::Kept);
    lines.extend(missing.map(|message| recorder.repeat(&message)));
    noted.origin = Some(origin);
    lines.extend([note(&mut recorder, transcript, now), record::ours(&noted)]);
    Renewal::Behind(lines)
}

fn origin(transcript: &Transcript, record: &Replayed) -> Origin {
    let head = &transcript.head;
    Origin {
        agent: head.agent,
        session: head.id.clone(),
        messages: fingerprint_of(record),
    }
}

fn fingerprint_of(record: &Replayed) -> String {
    let all: Vec<_> = copied(record).map(|message| message.raw()).collect();
    fingerprint(&all.join("\n"))
}

/// The messages of a copy that were copied.
fn copied(record: &Replayed) -> impl Iterator<Item = MessageRef<'_>> {
    record.messages().filter(|message| !is_note(message))
}

/// What notes of ours are called, before the time.
const NOTE: &str = "import-";

fn is_note(message: &MessageRef<'_>) -> bool {
    let id = message.id();
    let time = id.strip_prefix(NOTE);
    let is_time = |time: &str| time.bytes().all(|byte| byte.is_ascii_digit());
    message.kind() == MessageKind::Info && time.is_some_and(is_time)
}

/// Says where the record comes from, and that it was used just now: Gemini CLI deletes what is old when it
/// starts. It does not go to a model.
fn note(recorder: &mut Recorder, transcript: &Transcript, at: Stamp) -> Lines {
    let head = &transcript.head;
    let text = format!("Imported from {}: session {}", head.agent.as_str(), head.id);
    let saying = Saying {
        id: format!("{NOTE}{}", at.as_ms()),
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
            let mut parts = vec![json!({ "text": text })];
            let mut authors = vec![Some(Author::User)];
            // A plan that the user approved is what the conversation is about.
            let plans = turn.attached.iter();
            for plan in plans.filter(|attached| attached.author == Author::Model) {
                parts.push(json!({ "text": redact(&plan.text) }));
                authors.push(Some(Author::Model));
            }
            recorder.prompt(saying(Content::Parts(parts)), authors, None)
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
        // Only what a shell was asked is a command; a patch is none.
        _ if is_shell(&tool.name) => json!({ "command": input }),
        _ if input.is_empty() => json!({}),
        _ => json!({ "input": input }),
    };
    let output = redact(&tool.output);
    // Under this name a model, and whoever sums the conversation up, knows that it failed.
    let answered = match tool.outcome {
        Outcome::Failed => json!({ "error": output }),
        Outcome::Succeeded | Outcome::Unknown => json!({ "output": output }),
    };
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
