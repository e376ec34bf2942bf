//! A session as we write it: all that a recorder can be told.
//!
//! The file beside this one is what comes out; Gemini CLI's loader reads it in `peer`.

use analects_session::history::history;
use analects_session::message::{Content, MessageKind, Status, Thought, Tokens, ToolCall};
use analects_session::ours::Ours;
use analects_session::record::{self, By, Compressed, Entry, Lines, Recorder, Saying, Start};
use analects_session::replay::{Replayed, replay};
use analects_session::scratchpad::{Scratchpad, Validation};
use analects_session::stamp::Stamp;
use analects_world::model::{self, Role};
use serde_json::json;

fn at(minute: u64) -> Stamp {
    Stamp::from_ms(1_787_306_400_000 + minute * 60_000).unwrap()
}

fn saying(id: &str, minute: u64, content: Content) -> Saying {
    let (id, at) = (id.to_owned(), at(minute));
    Saying { id, at, content }
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn parts(text: &str) -> Content {
    Content::Parts(vec![json!({ "text": text })])
}

fn shell(id: &str, status: Status, output: &str) -> ToolCall {
    let args = json!({ "command": "cargo test", "dir_path": "crates/a" });
    let mut call = ToolCall::new(id, "run_shell_command", args, at(4));
    call.status = Some(status);
    let response = json!({ "id": id, "name": call.name, "response": { "output": output } });
    call.result = Some(json!([{ "functionResponse": response }]));
    call.rest.insert("displayName".to_owned(), "Shell".into());
    call
}

/// The bytes of the session.
pub(crate) fn recorded() -> Vec<u8> {
    let (mut recorder, mut lines) = Recorder::start(Start {
        session_id: "3f1c9a7e-0000-4000-8000-000000000001",
        project_hash: "9f86d081884c7d65",
        at: at(0),
        by: By::Person,
    });
    lines.extend(record::ours(&Ours::new(
        "/home/me/p",
        Some("main".to_owned()),
    )));
    let context = parts("<session_context>\nToday is Friday.");
    lines.extend(recorder.say(MessageKind::User, saying("u0", 0, context)));
    let prompt = saying("u1", 1, parts("修复 test 😀 in @a.rs\u{2028}now\n--- a.rs"));
    lines.extend(recorder.prompt(prompt, Vec::new(), Some(parts("修复 test 😀 in @a.rs"))));
    recorder.think(Thought {
        subject: "Plan".to_owned(),
        description: "run the \"tests\" first".to_owned(),
        at: Some(at(2)),
    });
    lines.extend(recorder.cost(Tokens {
        input: 100,
        output: 20,
        cached: 50,
        thoughts: 7,
        tool: 0,
        total: 127,
    }));
    lines.extend(recorder.answer("gemini-3-pro", saying("g1", 2, text("Ich prüfe das."))));
    for status in [Status::Executing, Status::Executing, Status::Error] {
        let calls = vec![shell("c1", status, "1 failed\n")];
        lines.extend(recorder.use_tools("gemini-3-pro", "unused", at(3), calls));
    }
    let response =
        json!({ "id": "c1", "name": "run_shell_command", "response": { "output": "1 failed\n" } });
    let response = Content::Parts(vec![json!({ "functionResponse": response })]);
    lines.extend(recorder.say(MessageKind::User, saying("r1", 4, response)));
    let calls = vec![shell("c2", Status::Success, "ok")];
    lines.extend(recorder.use_tools("gemini-3-pro", "g2", at(5), calls));
    lines.extend(recorder.cost(Tokens::default()));
    lines.extend(recorder.say(MessageKind::Info, saying("i1", 6, text("Update available"))));
    lines.extend(recorder.say(MessageKind::User, saying("u2", 7, parts("wrong turn"))));
    lines.extend(recorder.rewind("u2"));
    lines.extend(recorder.rewind("nobody"));
    lines.extend(record::directories(&["/home/me/p".to_owned()]));
    lines.extend(go_on(lines.clone()));
    lines = compress(lines);
    lines.extend(end(lines.clone()));
    lines.into_bytes()
}

/// The session is taken up again, and forgets where it began.
fn go_on(before: Lines) -> Lines {
    let replayed = replay(before.into_bytes());
    let (mut recorder, mut lines) = Recorder::resume(&replayed);
    let kept: Vec<_> = replayed.messages().skip(1).map(Entry::from).collect();
    lines.extend(recorder.checkpoint(&kept, at(8)));
    lines
}

/// The session is taken up again, and its history is compressed; once more it is so, and that is undone.
fn compress(before: Lines) -> Lines {
    let mut all = before;
    for (n, minute) in [(1, 10), (2, 12)] {
        let record = replay(all.clone().into_bytes());
        let (mut recorder, mut lines) = Recorder::resume(&record);
        let mut turns = history(&record);
        let id = format!("snapshot-{n}");
        let snapshot = model::Content::text(&*id, Role::User, "<state_snapshot>all is well");
        let thanks = model::Content::text(format!("thanks-{n}"), Role::Model, "Got it.");
        turns.splice(..3, [snapshot, thanks]);
        let messages = record::messages(&turns, &record, at(minute));
        let compressed = Compressed {
            snapshot: &id,
            before: 1200,
            after: 340,
            at: at(minute),
        };
        lines.extend(recorder.compress(&record, &messages, compressed));
        let prompt = saying(&format!("u{minute}"), minute + 1, parts("go on"));
        lines.extend(recorder.say(MessageKind::User, prompt));
        all.extend(lines);
    }
    let record = replay(all.clone().into_bytes());
    let (mut recorder, mut lines) = Recorder::resume(&record);
    lines.extend(recorder.undo(&record, at(14)).unwrap());
    all.extend(lines);
    all
}

/// The session is summed up.
fn end(before: Lines) -> Lines {
    let replayed = replay(before.into_bytes());
    let (mut recorder, mut lines) = Recorder::resume(&replayed);
    lines.extend(recorder.say(MessageKind::User, saying("u3", 15, parts("thanks"))));
    lines.extend(recorder.answer("gemini-3-pro", saying("g3", 15, text("Gern."))));
    lines.extend(record::summary("Fix the failing test"));
    lines.extend(record::scratchpad(&Scratchpad {
        workflow_summary: Some("run_shell_command: cargo | validated".to_owned()),
        tool_sequence: vec!["run_shell_command: cargo".to_owned()],
        touched_paths: vec!["crates/a".to_owned()],
        validation: Some(Validation::Passed),
    }));
    lines
}

#[test]
fn what_we_write_is_what_the_original_was_shown() {
    let text = String::from_utf8(recorded()).unwrap();
    expect_test::expect_file!["recorded.jsonl"].assert_eq(&text);
}

#[test]
fn what_we_write_we_read() {
    let replayed: Replayed = replay(recorded());
    assert_eq!(replayed.problems(), []);
    let ids: Vec<_> = replayed.messages().map(|message| message.id()).collect();
    let begin = ["snapshot-1", "thanks-1", "r1", "g2", "i1"];
    assert_eq!(ids, [&begin[..], &["u10", "u12", "u3", "g3"]].concat());
    let ours = replayed.about().ours.as_ref().unwrap();
    assert_eq!(ours.compressions.len(), 1);
    assert_eq!(replayed.about().scratchpad_is_stale, Some(false));
}
