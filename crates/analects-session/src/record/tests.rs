//! Records, written and read again.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::message::Status;
use crate::replay::{Standing, replay};

fn at(minute: u64) -> Stamp {
    Stamp::from_ms(1_787_306_400_000 + minute * 60_000).unwrap()
}

fn start() -> (Recorder, Lines) {
    Recorder::start(Start {
        session_id: "s-1",
        project_hash: "p",
        at: at(0),
        by: By::Person,
    })
}

fn saying(id: &str, minute: u64, text: &str) -> Saying {
    Saying {
        id: id.to_owned(),
        at: at(minute),
        content: Content::Text(text.to_owned()),
    }
}

fn call(id: &str, status: Status) -> ToolCall {
    let args = serde_json::json!({ "path": "a.rs" });
    let mut call = ToolCall::new(id, "read_file", args, at(3));
    call.status = Some(status);
    call
}

#[test]
fn a_conversation_is_written_as_the_original_writes_it() {
    let (mut recorder, mut lines) = start();
    let prompt = Saying {
        content: Content::Parts(vec![serde_json::json!({ "text": "read\u{2028}it" })]),
        ..saying("u1", 1, "")
    };
    lines.extend(recorder.say(MessageKind::User, prompt));
    recorder.think(Thought {
        subject: "Plan".to_owned(),
        description: "look first".to_owned(),
        at: Some(at(2)),
    });
    lines.extend(recorder.cost(Tokens {
        input: 10,
        output: 2,
        total: 12,
        ..Tokens::default()
    }));
    lines.extend(recorder.answer("m", saying("g1", 2, "")));
    lines.extend(recorder.use_tools("m", "g2", at(3), vec![call("c1", Status::Executing)]));
    lines.extend(recorder.use_tools("m", "g3", at(3), vec![call("c1", Status::Executing)]));
    let mut done = call("c1", Status::Success);
    done.result = Some("fn a".into());
    lines.extend(recorder.use_tools("m", "g4", at(4), vec![done]));
    lines.extend(recorder.say(MessageKind::Info, saying("i1", 5, "note")));
    lines.extend(recorder.rewind("never"));
    lines.extend(recorder.rewind("i1"));
    lines.extend(summary("Read it"));
    lines.extend(ours(&Ours::new("/w", None)));
    expect![[r#"
        {"sessionId":"s-1","projectHash":"p","startTime":"2026-08-21T10:00:00.000Z","lastUpdated":"2026-08-21T10:00:00.000Z","kind":"main"}
        {"id":"u1","timestamp":"2026-08-21T10:01:00.000Z","type":"user","content":[{"text":"read\u2028it"}]}
        {"$set":{"lastUpdated":"2026-08-21T10:01:00.000Z"}}
        {"id":"g1","timestamp":"2026-08-21T10:02:00.000Z","type":"gemini","content":"","thoughts":[{"subject":"Plan","description":"look first","timestamp":"2026-08-21T10:02:00.000Z"}],"tokens":{"input":10,"output":2,"cached":0,"thoughts":0,"tool":0,"total":12},"model":"m"}
        {"$set":{"lastUpdated":"2026-08-21T10:02:00.000Z"}}
        {"id":"g1","timestamp":"2026-08-21T10:02:00.000Z","type":"gemini","content":"","thoughts":[{"subject":"Plan","description":"look first","timestamp":"2026-08-21T10:02:00.000Z"}],"tokens":{"input":10,"output":2,"cached":0,"thoughts":0,"tool":0,"total":12},"model":"m","toolCalls":[{"id":"c1","name":"read_file","args":{"path":"a.rs"},"status":"executing","timestamp":"2026-08-21T10:03:00.000Z"}]}
        {"id":"g1","timestamp":"2026-08-21T10:02:00.000Z","type":"gemini","content":"","thoughts":[{"subject":"Plan","description":"look first","timestamp":"2026-08-21T10:02:00.000Z"}],"tokens":{"input":10,"output":2,"cached":0,"thoughts":0,"tool":0,"total":12},"model":"m","toolCalls":[{"id":"c1","name":"read_file","args":{"path":"a.rs"},"result":"fn a","status":"success","timestamp":"2026-08-21T10:03:00.000Z"}]}
        {"id":"i1","timestamp":"2026-08-21T10:05:00.000Z","type":"info","content":"note"}
        {"$set":{"lastUpdated":"2026-08-21T10:05:00.000Z"}}
        {"$rewindTo":"i1"}
        {"$set":{"summary":"Read it"}}
        {"$set":{"analects":{"version":2,"cwd":"/w"}}}
    "#]].assert_eq(lines.as_str());
    assert_eq!(replay(lines.into_bytes()).problems(), []);
}

#[test]
fn tools_after_new_thoughts_or_after_the_user_get_a_message_of_their_own() {
    let (mut recorder, mut lines) = start();
    lines.extend(recorder.use_tools("m", "g1", at(1), vec![call("c1", Status::Success)]));
    recorder.think(Thought {
        subject: String::new(),
        description: "more".to_owned(),
        at: None,
    });
    lines.extend(recorder.use_tools("m", "g2", at(1), vec![call("c2", Status::Success)]));
    lines.extend(recorder.say(MessageKind::User, saying("u1", 2, "and?")));
    lines.extend(recorder.use_tools("m", "g3", at(3), vec![call("c3", Status::Error)]));
    let replayed = replay(lines.into_bytes());
    let ids: Vec<_> = replayed.messages().map(|message| message.id()).collect();
    assert_eq!(ids, ["g1", "g2", "u1", "g3"]);
}

#[test]
fn a_torn_record_is_ended_before_it_goes_on() {
    let (mut recorder, mut lines) = start();
    lines.extend(recorder.say(MessageKind::User, saying("u1", 1, "one")));
    let mut bytes = lines.into_bytes();
    bytes.extend(b"{\"id\":\"u2\",\"conte");
    let (mut recorder, lines) = Recorder::resume(&replay(bytes.clone()));
    bytes.extend(lines.into_bytes());
    bytes.extend(
        recorder
            .say(MessageKind::User, saying("u3", 2, "three"))
            .into_bytes(),
    );
    let replayed = replay(bytes);
    let ids: Vec<_> = replayed.messages().map(|message| message.id()).collect();
    assert_eq!(ids, ["u1", "u3"]);
    assert_eq!(replayed.problems().len(), 1);
}

#[test]
fn an_old_record_goes_on_in_lines() {
    let old = r#"{
  "sessionId": "s", "startTime": "2026-01-02T03:04:05.000Z", "summary": "Old",
  "memoryScratchpad": { "version": 1, "toolSequence": ["ls"] },
  "messages": [
    { "id": "a", "type": "user",
      "content": "hi" },
    { "type": "gemini", "content": "ho" }
  ]
}"#;
    let (_, lines) = Recorder::resume(&replay(old.into()));
    expect![[r#"
        {"sessionId":"s","projectHash":"unknown","startTime":"2026-01-02T03:04:05.000Z","kind":"main","summary":"Old"}
        { "id": "a", "type": "user",       "content": "hi" }
        {"id":"at-223","type":"gemini","content":"ho","thoughts":[],"tokens":null}
        {"$set":{"memoryScratchpad":{"version":1,"toolSequence":["ls"]}}}
        {"$set":{"sessionId":"s"}}
    "#]].assert_eq(lines.as_str());
    let replayed = replay(lines.into_bytes());
    assert_eq!(replayed.standing(), Standing::Loadable);
    assert_eq!(replayed.n_messages(), 2);
}

#[test]
fn messages_of_an_old_record_that_share_a_name_all_go_on() {
    let old = r#"{"sessionId":"s","messages":[
        {"id":"a","type":"user","content":"one"},
        {"id":"a","type":"gemini","content":"two"},
        {"id":"","type":"user","content":"three"},
        {"id":"a","type":"gemini","content":"four"}]}"#;
    let (mut recorder, mut lines) = Recorder::resume(&replay(old.into()));
    lines.extend(recorder.use_tools("m", "g", at(1), vec![call("c", Status::Success)]));
    let replayed = replay(lines.into_bytes());
    let said: Vec<_> = replayed
        .messages()
        .map(|message| message.read().content.plain_text())
        .collect();
    assert_eq!(said, ["one", "two", "three", "four"]);
    let last = replayed.messages().next_back().unwrap().read();
    assert_eq!(
        last.tool_calls.len(),
        1,
        "the tool belongs to what was said last"
    );
}

/// What a recorder can be told.
#[derive(Debug, Clone)]
enum Event {
    Say(MessageKind, Content, bool),
    Answer(String),
    Think(String),
    Cost(u64),
    UseTools(Vec<(u8, Status)>),
    Rewind(u8),
    Checkpoint(u8),
    Resume(bool),
}

fn event() -> impl Strategy<Value = Event> {
    let text = "\\PC{0,8}|[\u{2028}\n\r\"\\\\]{0,3}";
    let kind = prop::sample::select(vec![
        MessageKind::User,
        MessageKind::Info,
        MessageKind::Warning,
        MessageKind::Error,
    ]);
    let content = prop_oneof![
        text.prop_map(Content::Text),
        prop::collection::vec(text, 0..3).prop_map(|texts| {
            let part = |text: String| serde_json::json!({ "text": text });
            Content::Parts(texts.into_iter().map(part).collect())
        }),
    ];
    let status = prop::sample::select(vec![Status::Executing, Status::Success, Status::Error]);
    prop_oneof![
        (kind, content, any::<bool>())
            .prop_map(|(kind, content, is)| Event::Say(kind, content, is)),
        text.prop_map(Event::Answer),
        text.prop_map(Event::Think),
        (1..100u64).prop_map(Event::Cost),
        prop::collection::vec((0..4u8, status), 1..3).prop_map(Event::UseTools),
        any::<u8>().prop_map(Event::Rewind),
        any::<u8>().prop_map(Event::Checkpoint),
        any::<bool>().prop_map(Event::Resume),
    ]
}

/// Tells all events; what the messages should be is kept beside it in the plainest way.
fn record(events: Vec<Event>) -> (Vec<u8>, Vec<Message>) {
    let (mut recorder, lines) = start();
    let mut bytes = lines.into_bytes();
    let mut known: Vec<Message> = Vec::new();
    let (mut thoughts, mut tokens) = (Vec::new(), None);
    let mut grows = false;
    for (event, minute) in events.into_iter().zip(1..) {
        let id = format!("m{minute}");
        let lines = match event {
            Event::Say(kind, content, is_shown) => {
                let mut message = Message::new(&*id, at(minute), kind, content.clone());
                let saying = Saying {
                    id,
                    at: at(minute),
                    content,
                };
                grows = true;
                if is_shown {
                    message.kind = MessageKind::User;
                    message.display = Some(Content::Text("shown".to_owned()));
                    known.push(message);
                    recorder.prompt(saying, Vec::new(), Some(Content::Text("shown".to_owned())))
                } else {
                    known.push(message);
                    recorder.say(kind, saying)
                }
            }
            Event::Answer(text) => {
                let content = Content::Text(text.clone());
                let mut message = Message::new(&*id, at(minute), MessageKind::Gemini, content);
                message.model = Some("m".to_owned());
                message.thoughts = std::mem::take(&mut thoughts);
                message.tokens = tokens.take();
                known.push(message);
                grows = true;
                recorder.answer("m", saying(&id, minute, &text))
            }
            Event::Think(description) => {
                let thought = Thought {
                    subject: "s".to_owned(),
                    description,
                    at: Some(at(minute)),
                };
                thoughts.push(thought.clone());
                recorder.think(thought);
                Lines::default()
            }
            Event::Cost(input) => {
                let cost = Tokens {
                    input,
                    total: input,
                    ..Tokens::default()
                };
                let last = known.last_mut().filter(|last| {
                    grows && last.kind == MessageKind::Gemini && last.tokens.is_none()
                });
                match last {
                    Some(last) => (last.tokens, tokens) = (Some(cost), None),
                    None => tokens = Some(cost),
                }
                recorder.cost(cost)
            }
            Event::UseTools(calls) => {
                let calls: Vec<_> = calls
                    .into_iter()
                    .map(|(call_idx, status)| call(&format!("c{call_idx}"), status))
                    .collect();
                let is_model = known
                    .last()
                    .is_some_and(|last| last.kind == MessageKind::Gemini);
                if !(grows && is_model && thoughts.is_empty()) {
                    let mut message =
                        Message::new(&*id, at(minute), MessageKind::Gemini, Content::default());
                    message.model = Some("m".to_owned());
                    message.thoughts = std::mem::take(&mut thoughts);
                    message.tokens = tokens.take();
                    known.push(message);
                    grows = true;
                }
                let last = known.last_mut().unwrap();
                for call in &calls {
                    match last.tool_calls.iter().position(|known| known.id == call.id) {
                        Some(at) => last.tool_calls[at] = call.clone(),
                        None => last.tool_calls.push(call.clone()),
                    }
                }
                recorder.use_tools("m", &id, at(minute), calls)
            }
            Event::Rewind(to) => {
                let to = usize::from(to) % (known.len() + 1);
                let id = known
                    .get(to)
                    .map_or("nobody".to_owned(), |known| known.id.clone());
                if to < known.len() {
                    known.truncate(to);
                    grows = false;
                }
                recorder.rewind(&id)
            }
            Event::Checkpoint(from) => {
                let from = usize::from(from) % (known.len() + 1);
                known.drain(..from);
                grows = true;
                let entries: Vec<_> = known.iter().cloned().map(Entry::from).collect();
                recorder.checkpoint(&entries, at(minute))
            }
            Event::Resume(is_torn) => {
                if is_torn {
                    bytes.extend(b"{\"id\":\"torn");
                }
                let (resumed, lines) = Recorder::resume(&replay(bytes.clone()));
                recorder = resumed;
                (thoughts, tokens, grows) = (Vec::new(), None, true);
                lines
            }
        };
        bytes.extend(lines.into_bytes());
    }
    (bytes, known)
}

proptest! {
    #[test]
    fn what_is_recorded_is_what_is_replayed(events in prop::collection::vec(event(), 0..24)) {
        let (bytes, known) = record(events);
        let replayed = replay(bytes);
        let messages: Vec<_> = replayed.messages().map(|message| message.read()).collect();
        prop_assert_eq!(messages, known);
        prop_assert_eq!(replayed.standing(), Standing::Loadable);
        let lines = replayed.text().chars().filter(|c| matches!(c, '\r' | '\u{2028}' | '\u{2029}'));
        prop_assert_eq!(lines.count(), 0);
    }
}
