//! Histories, changed and written down again.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::history::{history, name_calls};
use crate::record::Recorder;
use crate::replay::replay;

const HEADER: &str = r#"{"sessionId":"s","projectHash":"p"}"#;

fn at() -> Stamp {
    Stamp::from_ms(1_787_306_400_000).unwrap()
}

/// The record with the checkpoint behind it that its changed history comes to.
fn written(record: &Replayed, changed: &[Content]) -> (Vec<String>, Replayed) {
    let (mut recorder, mut lines) = Recorder::resume(record);
    let entries = messages(changed, record, at());
    let shown = entries.iter().map(|entry| {
        let word = match entry {
            Entry::Kept(_) => "=",
            Entry::Anew(_) => "~",
        };
        format!("{word} {}", entry.json())
    });
    let shown = shown.collect();
    lines.extend([recorder.checkpoint(&entries, at())]);
    let text = format!("{}{}", record.text(), lines.as_str());
    (shown, replay(text.into()))
}

fn check(lines: &str, change: impl FnOnce(&mut Vec<Content>), expect: Expect) {
    let record = replay(format!("{HEADER}\n{lines}").into());
    let mut changed = history(&record);
    change(&mut changed);
    let (shown, again) = written(&record, &changed);
    expect.assert_eq(&format!("{}\n", shown.join("\n")));
    assert_eq!(history(&again), changed);
}

const TALK: &str = r#"{"id":"e","type":"user","content":"<session_context>"}
{"id":"a","type":"user","content":"list"}
{"id":"b","type":"gemini","content":"ok","thoughts":[{"subject":"S","description":"d"}],"tokens":{"input":1,"odd":2},"model":"m","toolCalls":[{"id":"1","name":"ls","args":{},"result":"long output","resultDisplay":"shown"},{"id":"2","name":"cat","args":{},"result":[{"functionResponse":{"id":"2","name":"cat","response":{"output":"x"}}}]}],"new":{"field": [1.0]}}
{"id":"i","type":"info","content":"note"}
{"id":"c","type":"user","content":[{"text":"and now?"}]}
"#;

#[test]
fn what_stands_unchanged_is_kept_byte_for_byte() {
    check(
        TALK,
        |_| {},
        expect![[r#"
        = {"id":"e","type":"user","content":"<session_context>"}
        = {"id":"a","type":"user","content":"list"}
        = {"id":"b","type":"gemini","content":"ok","thoughts":[{"subject":"S","description":"d"}],"tokens":{"input":1,"odd":2},"model":"m","toolCalls":[{"id":"1","name":"ls","args":{},"result":"long output","resultDisplay":"shown"},{"id":"2","name":"cat","args":{},"result":[{"functionResponse":{"id":"2","name":"cat","response":{"output":"x"}}}]}],"new":{"field": [1.0]}}
        = {"id":"i","type":"info","content":"note"}
        = {"id":"c","type":"user","content":[{"text":"and now?"}]}
    "#]],
    );
}

#[test]
fn a_prefix_gives_way_to_a_snapshot_and_what_was_shown_after_it_goes_too() {
    check(
        TALK,
        |turns| {
            let snapshot = Content::text("snap", Role::User, "<state_snapshot>…");
            let thanks = Content::text("ack", Role::Model, "Got it.");
            turns.splice(..3, [snapshot, thanks]);
        },
        expect![[r#"
            = {"id":"e","type":"user","content":"<session_context>"}
            ~ {"id":"snap","timestamp":"2026-08-21T10:00:00.000Z","type":"user","content":[{"text":"<state_snapshot>…"}]}
            ~ {"id":"ack","timestamp":"2026-08-21T10:00:00.000Z","type":"gemini","content":[{"text":"Got it."}],"thoughts":[],"tokens":null}
            = {"id":"c","type":"user","content":[{"text":"and now?"}]}
        "#]],
    );
}

#[test]
fn a_shortened_answer_of_a_tool_changes_the_result_of_its_call() {
    check(
        TALK,
        |turns| {
            let Body::Response(response) = &mut turns[2].parts[0].body else {
                panic!("a tool answered");
            };
            response.response = json!({ "output": "lo…" });
        },
        expect![[r#"
            = {"id":"e","type":"user","content":"<session_context>"}
            = {"id":"a","type":"user","content":"list"}
            ~ {"id":"b","type":"gemini","content":"ok","thoughts":[{"subject":"S","description":"d"}],"tokens":{"input":1,"output":0,"cached":0,"thoughts":0,"tool":0,"total":0},"model":"m","toolCalls":[{"id":"1","name":"ls","args":{},"result":[{"functionResponse":{"id":"1","name":"ls","response":{"output":"lo…"}}}],"resultDisplay":"shown"},{"id":"2","name":"cat","args":{},"result":[{"functionResponse":{"id":"2","name":"cat","response":{"output":"x"}}}]}],"new":{"field":[1.0]}}
            = {"id":"i","type":"info","content":"note"}
            = {"id":"c","type":"user","content":[{"text":"and now?"}]}
        "#]],
    );
}

#[test]
fn an_answer_that_lost_its_calls_or_its_results_loses_them_in_the_record() {
    check(
        TALK,
        |turns| {
            turns[1].parts = vec![Part::text("ok")];
            turns.remove(2);
        },
        expect![[r#"
            = {"id":"e","type":"user","content":"<session_context>"}
            = {"id":"a","type":"user","content":"list"}
            ~ {"id":"b","type":"gemini","content":[{"text":"ok"}],"thoughts":[],"tokens":{"input":1,"output":0,"cached":0,"thoughts":0,"tool":0,"total":0},"model":"m","new":{"field":[1.0]}}
            = {"id":"i","type":"info","content":"note"}
            = {"id":"c","type":"user","content":[{"text":"and now?"}]}
        "#]],
    );
    check(
        TALK,
        |turns| {
            turns.remove(2);
        },
        expect![[r#"
            = {"id":"e","type":"user","content":"<session_context>"}
            = {"id":"a","type":"user","content":"list"}
            ~ {"id":"b","type":"gemini","content":"ok","thoughts":[{"subject":"S","description":"d"}],"tokens":{"input":1,"output":0,"cached":0,"thoughts":0,"tool":0,"total":0},"model":"m","toolCalls":[{"id":"1","name":"ls","args":{},"resultDisplay":"shown"},{"id":"2","name":"cat","args":{}}],"new":{"field":[1.0]}}
            = {"id":"i","type":"info","content":"note"}
            = {"id":"c","type":"user","content":[{"text":"and now?"}]}
        "#]],
    );
}

#[test]
fn turns_that_were_put_together_stay_together() {
    check(
        TALK,
        |turns| {
            let next = turns.pop().unwrap();
            turns[2].parts.extend(next.parts);
        },
        expect![[r#"
            = {"id":"e","type":"user","content":"<session_context>"}
            = {"id":"a","type":"user","content":"list"}
            ~ {"id":"b","type":"gemini","content":[{"text":"**S** d","thought":true},{"text":"ok"},{"functionCall":{"id":"1","name":"ls","args":{}}},{"functionCall":{"id":"2","name":"cat","args":{}}}],"thoughts":[],"tokens":{"input":1,"output":0,"cached":0,"thoughts":0,"tool":0,"total":0},"model":"m","new":{"field":[1.0]}}
            ~ {"id":"b_response","timestamp":"2026-08-21T10:00:00.000Z","type":"user","content":[{"functionResponse":{"id":"1","name":"ls","response":{"output":"long output"}}},{"functionResponse":{"id":"2","name":"cat","response":{"output":"x"}}},{"text":"and now?"}],"analects":{"authors":[null,null,null]}}
            = {"id":"i","type":"info","content":"note"}
        "#]],
    );
}

#[test]
fn ids_that_were_made_up_are_not_written() {
    let lines = r#"{"id":"b","type":"gemini","content":[{"functionCall":{"name":"ls"}}],"toolCalls":[{"name":"ls","result":[{"functionResponse":{"name":"ls","response":{"output":"long"}}}]}]}
"#;
    let record = replay(format!("{HEADER}\n{lines}").into());
    let mut named = history(&record);
    name_calls(&mut named);
    let (shown, _) = written(&record, &named);
    assert!(shown[0].starts_with('='), "{shown:?}");
    let Body::Response(response) = &mut named[1].parts[0].body else {
        panic!("a tool answered");
    };
    response.response = json!({ "output": "l…" });
    let (shown, again) = written(&record, &named);
    assert!(!shown[0].contains("synth"), "{shown:?}");
    let mut turns = history(&again);
    name_calls(&mut turns);
    assert_eq!(turns, named);
}

#[test]
fn a_new_turn_never_takes_the_place_of_another_message() {
    let lines = r#"{"id":"a","type":"user","content":"one"}
{"id":"b","type":"info","content":"note"}
{"id":"c","type":"user","content":"two"}
"#;
    let record = replay(format!("{HEADER}\n{lines}").into());
    let mut turns = history(&record);
    for id in ["b", "c", "", "", "new", "new"] {
        turns.insert(0, Content::text(id, Role::User, format!("new {id}")));
    }
    let (_, again) = written(&record, &turns);
    let texts = |turns: &[Content]| -> Vec<String> {
        let texts = turns.iter().flat_map(Content::texts);
        texts.map(ToOwned::to_owned).collect()
    };
    assert_eq!(texts(&history(&again)), texts(&turns));
}

fn part() -> impl Strategy<Value = Value> {
    let id = prop::option::of(prop::sample::select(vec!["1", "2", ""]));
    let name = prop::sample::select(vec!["ls", "cat"]);
    let tie = (id, name).prop_map(|(id, name)| match id {
        Some(id) => json!({ "id": id, "name": name }),
        None => json!({ "name": name }),
    });
    prop_oneof![
        4 => "[a-z]{1,4}".prop_map(|text| json!({ "text": text })),
        1 => "[a-z]{1,4}".prop_map(|text| json!({ "text": text, "thought": true, "thoughtSignature": "z" })),
        2 => tie.clone().prop_map(|tie| json!({ "functionCall": tie })),
        2 => tie.prop_map(|mut tie| { tie["response"] = json!({ "output": "long" }); json!({ "functionResponse": tie }) }),
        1 => Just(json!({ "inlineData": { "mimeType": "image/png", "data": "AA" } })),
        1 => Just(json!("bare")),
    ]
}

fn parts() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-z]{0,4}".prop_map(Value::from),
        prop::collection::vec(part(), 0..4).prop_map(Value::from),
    ]
}

fn message() -> impl Strategy<Value = Value> {
    let id = prop::sample::select(vec!["a", "b", "c", "d", "a_response", "ü", ""]);
    let kind = prop::sample::select(vec!["user", "user", "gemini", "gemini", "info", "odd"]);
    let content = prop_oneof![8 => parts(), 1 => Just(json!([null, 7]))];
    let thoughts = prop::collection::vec(
        Just(json!({ "subject": "s", "description": "d", "x": 1 })),
        0..2,
    );
    let call = (
        prop::sample::select(vec!["1", "2", "3"]),
        prop::option::of(parts()),
    );
    let call = call
        .prop_map(|(id, result)| json!({ "id": id, "name": "ls", "args": {}, "result": result }));
    let calls = prop::collection::vec(call, 0..3);
    (id, kind, content, thoughts, calls).prop_map(|(id, kind, content, thoughts, calls)| {
        json!({ "id": id, "type": kind, "content": content, "thoughts": thoughts, "toolCalls": calls, "odd": null })
    })
}

fn record() -> impl Strategy<Value = Replayed> {
    let line = prop_oneof![
        8 => message().prop_map(|message| message.to_string()),
        1 => Just(r#"{"$rewindTo":"b"}"#.to_owned()),
        1 => prop::collection::vec(message(), 0..4).prop_map(|messages| json!({ "$set": { "messages": messages } }).to_string()),
        1 => Just("{\"torn".to_owned()),
    ];
    prop::collection::vec(line, 0..16)
        .prop_map(|lines| replay(format!("{HEADER}\n{}\n", lines.join("\n")).into()))
}

/// Another text for everything that tools answered.
fn shorten(turns: &mut [Content]) {
    for part in turns.iter_mut().flat_map(|turn| &mut turn.parts) {
        if let Body::Response(response) = &mut part.body {
            response.response = json!({ "output": "l…" });
        }
    }
}

proptest! {
    #[test]
    fn any_history_comes_back(record in record()) {
        let turns = history(&record);
        let (shown, again) = written(&record, &turns);
        prop_assert_eq!(history(&again), turns);
        prop_assert!(shown.iter().all(|line| line.starts_with('=')));
        prop_assert_eq!(shown.len(), record.n_messages());
    }

    #[test]
    fn any_history_with_another_beginning_comes_back(record in record(), n_gone in 0usize..12, is_shortened: bool) {
        let mut turns = history(&record);
        if is_shortened {
            shorten(&mut turns);
        }
        let snapshot = Content::text("snap", Role::User, "<state_snapshot>");
        let thanks = Content::text("ack", Role::Model, "Got it.");
        turns.splice(..n_gone.min(turns.len()), [snapshot, thanks]);
        let (_, again) = written(&record, &turns);
        // A turn whose name another message has got a name of its own.
        let nameless = |turns: Vec<Content>| -> Vec<_> { turns.into_iter().map(|turn| (turn.role, turn.parts)).collect() };
        prop_assert_eq!(nameless(history(&again)), nameless(turns));
    }
}
