//! A session as a record of Gemini CLI, with the facts beside it, for tests from end to end.

use std::path::Path;

use analects_session::message::{self, MessageKind, Status, ToolCall};
use analects_session::record::{self, By, Lines, Recorder, Saying, Start};
use analects_session::stamp::Stamp;
use analects_world::model::{Content, Part, Role};
use serde_json::{Value, json};

use super::fact::Fact;
use super::score::grown;
use crate::shell::{Done, write};

/// When all sessions begin: 2026-03-14T09:00:00Z.
const BEGIN_MS: u64 = 1_773_478_800_000;
const TURN_MS: u64 = 7_000;

/// Writes a session that is due to be compressed, and `facts.json`.
pub(crate) fn emit(dir: &Path, seed: u64, window_tokens: usize) -> Done {
    let session = grown(seed, window_tokens);
    let id = session_id(seed);
    let at = stamp(0)?;
    let name = record::file_name(&id, at).map_err(|error| error.to_string())?;
    let lines = lines(&session.history, &id)?;
    write(&dir.join(&name), lines.as_str())?;
    let facts: Vec<_> = session.facts.iter().map(Fact::to_value).collect();
    let about = json!({
        "schemaVersion": 1, "seed": seed, "window": window_tokens, "session": id, "file": name,
        "tokens": session.said.all(), "facts": facts,
    });
    write(&dir.join("facts.json"), &format!("{about:#}\n"))?;
    println!("{} with {} facts", dir.join(name).display(), facts.len());
    Ok(())
}

fn session_id(seed: u64) -> String {
    format!("f1de1170-0000-4000-8000-{seed:012}")
}

/// The record of a history. Answers of tools stand with their calls, as the format has it.
fn lines(history: &[Content], session_id: &str) -> Result<Lines, String> {
    let start = Start {
        session_id,
        project_hash: "0000000000000000000000000000000000000000000000000000000000000000",
        at: stamp(0)?,
        by: By::Person,
    };
    let (mut recorder, mut lines) = Recorder::start(start);
    let mut turns = history.iter().zip(1..).peekable();
    while let Some((turn, n)) = turns.next() {
        let at = stamp(n)?;
        let saying = Saying {
            id: turn.id.clone(),
            at,
            content: message::Content::Parts(turn.parts.iter().map(Part::to_value).collect()),
        };
        match turn.role {
            Role::User => lines.extend(recorder.say(MessageKind::User, saying)),
            Role::Model => {
                lines.extend(recorder.answer("gemini-3-pro", saying));
                let is_answer = |(next, _): &(&Content, _)| next.responses().next().is_some();
                let answers = turns.next_if(is_answer);
                let calls = calls(turn, answers.map(|(next, _)| next), at);
                lines.extend(recorder.use_tools("gemini-3-pro", &turn.id, at, calls));
            }
        }
    }
    Ok(lines)
}

fn calls(turn: &Content, answers: Option<&Content>, at: Stamp) -> Vec<ToolCall> {
    let calls = turn.calls().map(|call| {
        let id = call.id.clone().unwrap_or_default();
        let parts = answers.iter().flat_map(|answers| &answers.parts);
        let result: Vec<Value> = parts
            .map(Part::to_value)
            .filter(|part| part["functionResponse"]["id"] == *id)
            .collect();
        let mut call = ToolCall::new(id, &*call.name, call.args.clone(), at);
        call.result = Some(result.into());
        call.status = Some(Status::Success);
        call
    });
    calls.collect()
}

fn stamp(n_turns: u64) -> Result<Stamp, String> {
    let at = Stamp::from_ms(BEGIN_MS + n_turns * TURN_MS);
    at.ok_or_else(|| "the session is too long for a calendar".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_session::{history, replay};

    #[test]
    fn the_record_comes_back_as_the_same_history() {
        let session = grown(3, 8_192);
        let lines = lines(&session.history, "s").unwrap();
        let replayed = replay::replay(lines.into_bytes());
        assert!(replayed.problems().is_empty());
        let turns = history::history(&replayed);
        let back = turns.iter().map(|turn| (turn.role, &turn.parts));
        let went = session.history.iter().map(|turn| (turn.role, &turn.parts));
        assert!(back.eq(went));
    }
}
