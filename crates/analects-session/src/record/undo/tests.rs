//! Compressions, made and taken back.

use analects_world::model::{Content, Role};
use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::from_gemini::transcript;
use crate::history::history;
use crate::message::{self, MessageKind};
use crate::record::{Saying, in_lines, messages};
use crate::replay::{Standing, replay};

const TALK: &str = r#"{"sessionId":"s","projectHash":"p"}
{"$set":{"analects":{"version":1,"cwd":"/w","branch":"main"}}}
{"id":"a","type":"user","content":"one","odd":{"kept": 1.0}}
{"id":"b","type":"gemini","content":"two","tokens":{"input":5,"new":6}}
{"id":"c","type":"user","content":"three"}
{"id":"d","type":"gemini","content":"four","toolCalls":[{"id":"1","name":"ls","args":{},"result":"long"}]}
"#;

fn at(minute: u64) -> Stamp {
    Stamp::from_ms(1_787_306_400_000 + minute * 60_000).unwrap()
}

/// A record that is written to.
struct Talk {
    text: String,
    n_snapshots: usize,
}

impl Talk {
    fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            n_snapshots: 0,
        }
    }

    fn replayed(&self) -> Replayed {
        replay(self.text.clone().into())
    }

    fn add(&mut self, write: impl FnOnce(&mut Recorder, &Replayed) -> Lines) {
        let record = self.replayed();
        let (mut recorder, mut lines) = Recorder::resume(&record);
        lines.extend(write(&mut recorder, &record));
        self.text.push_str(lines.as_str());
    }

    fn line(&mut self, line: &Value) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
    }

    fn say(&mut self, id: &str, text: &str) {
        let saying = Saying {
            id: id.to_owned(),
            at: at(1),
            content: message::Content::Text(text.to_owned()),
        };
        self.add(|recorder, _| recorder.say(MessageKind::User, saying));
    }

    /// A snapshot for the first turns, and shorter answers of tools in the others.
    fn compress(&mut self, n_turns: usize) {
        self.n_snapshots += 1;
        let n = self.n_snapshots;
        self.add(|recorder, record| {
            let mut turns = history(record);
            for part in turns.iter_mut().flat_map(|turn| &mut turn.parts) {
                if let analects_world::model::Body::Response(response) = &mut part.body {
                    response.response = json!({ "output": "l…" });
                }
            }
            let id = format!("snap{n}");
            let snapshot = Content::text(&*id, Role::User, format!("<state_snapshot>{n}"));
            let thanks = Content::text(format!("ack{n}"), Role::Model, "Got it.");
            turns.splice(..n_turns.min(turns.len()), [snapshot, thanks]);
            let compressed = Compressed {
                snapshot: &id,
                before: 100,
                after: 10,
                at: at(2),
            };
            recorder.compress(record, &messages(&turns, record, at(2)), compressed)
        });
    }

    fn undo(&mut self) -> Result<(), CannotUndo> {
        let record = self.replayed();
        let (mut recorder, mut lines) = Recorder::resume(&record);
        lines.extend(recorder.undo(&record, at(3))?);
        self.text.push_str(lines.as_str());
        Ok(())
    }

    fn raw(&self) -> Vec<String> {
        let record = self.replayed();
        record
            .messages()
            .map(|message| on_one_line(message.raw()))
            .collect()
    }

    /// What a person sees.
    fn told(&self) -> Vec<String> {
        let turns = transcript(&self.replayed()).turns;
        turns.into_iter().map(|turn| turn.text).collect()
    }

    fn ids(&self) -> Vec<String> {
        let record = self.replayed();
        record
            .messages()
            .map(|message| message.id().into_owned())
            .collect()
    }
}

#[test]
fn what_was_compressed_is_still_told_and_nothing_twice() {
    let mut talk = Talk::new(TALK);
    talk.compress(2);
    talk.say("e", "five");
    talk.compress(3);
    let told = talk.told();
    expect![[r#"
        [
            "one",
            "two",
            "<state_snapshot>1",
            "Got it.",
            "three",
            "<state_snapshot>2",
            "Got it.",
            "four",
            "five",
        ]
    "#]]
    .assert_debug_eq(&told);
    // What was taken back was not said, and neither was what the snapshot stood for then.
    talk.line(&json!({ "$rewindTo": "snap2" }));
    assert_eq!(talk.told(), [""; 0]);
}

#[test]
fn messages_of_an_old_record_without_a_name_of_their_own_come_back() {
    let old = r#"{
  "sessionId": "s", "projectHash": "p",
  "messages": [
    { "id": "a", "type": "user", "content": "one" },
    { "type": "gemini", "content": "two" },
    { "id": "a", "type": "user", "content": "three" },
    { "id": "d", "type": "gemini", "content": "four" }
  ]
}"#;
    let old = replay(old.into());
    let (mut recorder, mut lines) = Recorder::resume(&old);
    let record = in_lines(&old);
    let mut turns = history(&record);
    let thanks = Content::text("ack", Role::Model, "Got it.");
    turns.splice(
        ..2,
        [
            Content::text("snap", Role::User, "<state_snapshot>"),
            thanks,
        ],
    );
    let compressed = Compressed {
        snapshot: "snap",
        before: 100,
        after: 10,
        at: at(2),
    };
    lines.extend(recorder.compress(&record, &messages(&turns, &record, at(2)), compressed));
    let mut talk = Talk::new(lines.as_str());
    assert_eq!(
        talk.told(),
        ["one", "two", "<state_snapshot>", "Got it.", "three", "four"]
    );
    talk.undo().unwrap();
    assert_eq!(talk.told(), ["one", "two", "three", "four"]);
    // The third prompt alone is taken back.
    let third = history(&record)[2].id.clone();
    let (mut recorder, mut lines) = Recorder::resume(&old);
    lines.extend(recorder.rewind(&third));
    assert_eq!(Talk::new(lines.as_str()).told(), ["one", "two"]);
}

#[test]
fn what_was_compressed_comes_back_byte_for_byte_and_what_was_said_since_stays() {
    let mut talk = Talk::new(TALK);
    let before = talk.raw();
    talk.compress(2);
    assert_eq!(talk.ids(), ["snap1", "ack1", "c", "d"]);
    talk.say("e", "five");
    let new = talk.raw().pop();
    talk.undo().unwrap();
    let wanted: Vec<_> = before.into_iter().chain(new).collect();
    assert_eq!(talk.raw(), wanted);
    assert_eq!(talk.undo(), Err(CannotUndo::Nothing));
    let ours = talk.replayed().about().ours.clone();
    assert_eq!(ours, Some(Ours::new("/w", Some("main".to_owned()))));
}

#[test]
fn the_note_says_what_can_be_checked() {
    let mut talk = Talk::new(TALK);
    talk.compress(2);
    let note = talk.text.lines().last().unwrap().to_owned();
    expect![[r#"{"$set":{"analects":{"version":2,"cwd":"/w","branch":"main","compressions":[{"line":"775bd0bc994a81d5","messages":"f729ae0cbcc8241e","snapshot":"snap1","before":100,"after":10,"at":"2026-08-21T10:02:00.000Z"}]}}}"#]].assert_eq(&note);
    assert_eq!(talk.replayed().standing(), Standing::Loadable);
}

#[test]
fn compressions_are_undone_one_after_the_other() {
    let mut talk = Talk::new(TALK);
    let first = talk.raw();
    talk.compress(2);
    talk.say("e", "five");
    let second = talk.raw();
    talk.compress(3);
    assert_eq!(talk.ids(), ["snap2", "ack2", "d", "e"]);
    talk.undo().unwrap();
    assert_eq!(talk.raw(), second);
    talk.undo().unwrap();
    let mut wanted = first;
    wanted.extend(second.last().cloned());
    assert_eq!(talk.raw(), wanted);
}

#[test]
fn what_was_changed_or_taken_back_since_stays_so() {
    let mut talk = Talk::new(TALK);
    talk.compress(2);
    talk.text.push_str(
        "{\"id\":\"c\",\"type\":\"user\",\"content\":\"changed\"}\n{\"$rewindTo\":\"d\"}\n",
    );
    talk.say("e", "five");
    talk.undo().unwrap();
    assert_eq!(talk.ids(), ["a", "b", "c", "e"]);
    assert!(talk.raw()[2].contains("changed"));
}

#[test]
fn a_summary_that_was_taken_back_cannot_be_undone() {
    let mut talk = Talk::new(TALK);
    talk.compress(2);
    talk.text.push_str("{\"$rewindTo\":\"snap1\"}\n");
    assert_eq!(talk.undo(), Err(CannotUndo::TakenBack));
}

#[test]
fn what_a_summary_tells_of_is_known_through_every_compression() {
    let mut talk = Talk::new(TALK);
    assert!(!is_summed_up(&talk.replayed(), "a"));
    talk.compress(2);
    talk.line(&json!({ "id": "i", "type": "info", "content": "never sent" }));
    talk.say("e", "five");
    let summed_up = |talk: &Talk| {
        let record = talk.replayed();
        ["a", "b", "c", "d", "e"].map(|id| is_summed_up(&record, id))
    };
    assert_eq!(summed_up(&talk), [true, true, false, false, false]);
    talk.compress(3);
    assert_eq!(summed_up(&talk), [true, true, true, false, false]);
    talk.undo().unwrap();
    talk.undo().unwrap();
    assert_eq!(summed_up(&talk), [false; 5]);
}

#[test]
fn a_record_that_somebody_else_wrote_anew_is_left_alone() {
    let mut talk = Talk::new(TALK);
    talk.compress(2);
    for (from, to) in [
        ("Got it.", "Got  it."),
        ("\"id\":\"b\"", "\"id\":\"bb\""),
        (
            "{\"id\":\"a\",\"type\":\"user\",\"content\":\"one\",\"odd\":{\"kept\": 1.0}}\n",
            "",
        ),
        ("\"snapshot\":\"snap1\"", "\"snapshot\":\"c2\""),
        ("\"line\":\"", "\"line\":\"0"),
        ("\"messages\":\"", "\"messages\":\"0"),
    ] {
        let mut edited = Talk::new(&talk.text.replacen(from, to, 1));
        assert_ne!(edited.text, talk.text, "{from}");
        assert_eq!(edited.undo(), Err(CannotUndo::Changed), "{from}");
    }
    let mut newer = Talk::new(&talk.text.replace("\"version\":2", "\"version\":3"));
    assert_eq!(newer.undo(), Err(CannotUndo::Newer));
    newer.compress(1);
    assert!(newer.text.contains("\"version\":3"));
}

#[derive(Debug, Clone)]
enum Event {
    Say(u8),
    Compress(usize),
    Undo,
    Rewind(u8),
    Line(Value),
}

fn event() -> impl Strategy<Value = Event> {
    let note = json!({ "$set": { "analects": { "version": 2, "compressions": [{ "line": "0", "messages": "0", "snapshot": "s", "before": 1, "after": 1, "at": "2026-01-01T00:00:00.000Z" }] } } });
    prop_oneof![
        4 => (0u8..20).prop_map(Event::Say),
        2 => (0usize..8).prop_map(Event::Compress),
        2 => Just(Event::Undo),
        1 => (0u8..20).prop_map(Event::Rewind),
        1 => Just(Event::Line(note)),
        1 => Just(Event::Line(json!({ "$set": { "messages": [{ "id": "x", "type": "user", "content": "x" }] } }))),
        1 => Just(Event::Line(json!({ "$set": { "analects": 5 } }))),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_an_undo_loses_nothing_that_stands(events in prop::collection::vec(event(), 0..16)) {
        let mut talk = Talk::new(TALK);
        for event in events {
            match event {
                Event::Say(n) => talk.say(&format!("m{n}"), &format!("text {n}")),
                Event::Compress(n_turns) => talk.compress(n_turns),
                Event::Rewind(n) => talk.line(&json!({ "$rewindTo": format!("m{n}") })),
                Event::Line(line) => talk.line(&line),
                Event::Undo => {
                    let standing = talk.ids();
                    if talk.undo().is_ok() {
                        let after: HashSet<_> = talk.ids().into_iter().collect();
                        let lost: Vec<_> = standing.iter().filter(|id| !after.contains(*id)).collect();
                        let is_made = |id: &str| ["snap", "ack", "d_response"].iter().any(|made| id.starts_with(made));
                        prop_assert!(lost.iter().all(|id| is_made(id)), "{lost:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_compression_that_is_undone_at_once_never_happened(n_said in 0u8..6, n_turns in 0usize..12) {
        let mut talk = Talk::new(TALK);
        (0..n_said).for_each(|n| talk.say(&format!("m{n}"), "more"));
        let before = talk.raw();
        talk.compress(n_turns);
        talk.undo().unwrap();
        prop_assert_eq!(talk.raw(), before);
    }

    #[test]
    fn a_record_cut_anywhere_or_spoilt_anywhere_is_undone_or_refused(at in 0usize..4000, byte in prop::option::of(any::<u8>())) {
        let mut talk = Talk::new(TALK);
        talk.compress(2);
        talk.say("e", "five");
        let mut bytes = talk.text.into_bytes();
        let at = at % bytes.len();
        match byte {
            Some(byte) => bytes[at] = byte,
            None => bytes.truncate(at),
        }
        let record = replay(bytes);
        let (mut recorder, mut lines) = Recorder::resume(&record);
        if let Ok(undone) = recorder.undo(&record, super::tests::at(3)) {
            lines.extend(undone);
            let again = replay(format!("{}{}", record.text(), lines.as_str()).into());
            prop_assert!(again.n_messages() >= record.n_messages());
        }
    }
}
