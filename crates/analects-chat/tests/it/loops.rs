//! Loops beside the original: `head` decides at the same events, `analects` differs where it should.

use analects_chat::loops::asking::{ATTEMPTS, Next, SecondModel};
use analects_chat::loops::{Detector, Event, Options, Switch};
use analects_testkit::Beside;
use analects_world::Profile;
use analects_world::model::{Body, Call, Content, Part, Role};
use serde_json::{Value, json};

const ANSWERS: &str = include_str!("goldens/loops.json");
/// The recorder lets the original go on twice.
const ENOUGH: usize = 3;

/// The records that have a field, and who counts them.
fn records(kind: &'static str, field: &str) -> (Beside, Vec<Value>) {
    let beside = Beside::the_original(kind, ANSWERS);
    let mut records: Vec<Value> = serde_json::from_str(beside.answers()).unwrap();
    records.retain(|record| record.get(field).is_some());
    (beside, records)
}

fn detector(profile: Profile) -> Detector {
    Detector::new(Options {
        profile,
        switch: Switch::On,
        exempt_tools: Vec::new(),
        checks_per_prompt: usize::MAX,
    })
}

enum Told {
    Text(String),
    Call(Call),
    Prompt,
}

fn told(piece: &Value) -> Told {
    match (piece.as_str(), &piece["call"]) {
        (Some(text), _) => Told::Text(text.to_owned()),
        (None, Value::Array(call)) => {
            let name = call[0].as_str().unwrap();
            match Part::call("", name, call[1].clone()).body {
                Body::Call(call) => Told::Call(call),
                _ => unreachable!("a call is a call"),
            }
        }
        _ => Told::Prompt,
    }
}

/// The events of a stream, as the recorder makes them.
fn events(stream: &Value) -> Vec<Told> {
    let pieces = stream["pieces"].as_array().unwrap();
    let picks = stream["picks"].as_array().unwrap().iter();
    let all = picks.flat_map(|pick| {
        let idx = usize::try_from(pick[0].as_u64().unwrap()).unwrap();
        let times = usize::try_from(pick[1].as_u64().unwrap()).unwrap();
        (0..times).map(move |_| told(&pieces[idx]))
    });
    let Some(chunk) = stream.get("chunk").and_then(Value::as_u64) else {
        return all.collect();
    };
    let mut joined: Vec<Told> = Vec::new();
    for event in all {
        match (joined.last_mut(), event) {
            (Some(Told::Text(before)), Told::Text(text)) => before.push_str(&text),
            (_, event) => joined.push(event),
        }
    }
    let size = usize::try_from(chunk).unwrap();
    let cut = |event| match event {
        Told::Text(text) => {
            let chars: Vec<char> = text.chars().collect();
            let chunks = chars.chunks(size);
            chunks
                .map(|chunk| Told::Text(chunk.iter().collect()))
                .collect()
        }
        event => vec![event],
    };
    joined.into_iter().flat_map(cut).collect()
}

fn verdicts(stream: &Value, profile: Profile) -> Value {
    let mut detector = detector(profile);
    let mut found = Vec::new();
    for (idx, told) in events(stream).iter().enumerate() {
        let seen = detector.observe(match told {
            Told::Text(text) => Event::Text(text),
            Told::Call(call) => Event::Call(call),
            Told::Prompt => Event::Prompt,
        });
        let Some(seen) = seen else { continue };
        found.push(json!([idx, seen.kind.as_str(), seen.strike]));
        if found.len() == ENOUGH {
            break;
        }
        detector.resume();
    }
    found.into()
}

#[test]
fn head_sees_a_loop_at_the_same_event_as_the_original() {
    let (mut beside, streams) = records("loops/streams", "name");
    assert!(streams.len() > 300);
    for stream in streams {
        let name = stream["name"].as_str().unwrap();
        let ours = verdicts(&stream, Profile::Head);
        beside.compare(name, &stream.to_string(), &ours, &stream["verdicts"]);
    }
    beside.finish();
}

#[test]
fn head_asks_another_model_in_the_same_turns_and_believes_the_same() {
    let (mut beside, checks) = records("loops/checks", "check");
    assert!(checks.len() > 10);
    for check in checks {
        let name = check["check"].as_str().unwrap();
        let theirs = (check["asked"].clone(), check["found"].clone());
        beside.compare(name, &check.to_string(), &asked(&check), &theirs);
    }
    beside.finish();
}

/// Whom `head` asks about which contents in which turns, and which loops come of it.
fn asked(check: &Value) -> (Value, Value) {
    let letters = check["history"].as_str().unwrap();
    let history: Vec<_> = letters.chars().map(content).collect();
    let request = check["request"].as_str().unwrap();
    let second = match check["second"].as_bool().unwrap() {
        true => SecondModel::Available,
        false => SecondModel::Missing,
    };
    let mut says = check["says"].as_array().unwrap().iter();
    let mut answer = || match says.next() {
        Some(Value::String(word)) if word == "failure" => None,
        Some(Value::String(_)) => Some("{}".to_owned()),
        number => {
            let confidence = number.cloned().unwrap_or(json!(0));
            let answer = json!({ "unproductive_state_analysis": "why",
                "unproductive_state_confidence": confidence });
            Some(answer.to_string())
        }
    };
    let mut detector = detector(Profile::Head);
    detector.observe(Event::Prompt);
    let (mut asked, mut found) = (Vec::new(), Vec::new());
    for turn in 1..=check["turns"].as_u64().unwrap() {
        assert_eq!(detector.observe(Event::Turn), None);
        let Some(question) = detector.question(&history, request) else {
            continue;
        };
        let shapes: Vec<_> = question.contents.iter().map(shape).collect();
        let ask = |model: &str| json!({ "turn": turn, "model": model, "attempts": ATTEMPTS, "contents": shapes.join(" ") });
        asked.push(ask("loop-detection"));
        let seen = match detector.answered(answer().as_deref(), second) {
            Next::GoOn => None,
            Next::Found(seen) => Some(seen),
            Next::AskSecond => {
                asked.push(ask("loop-detection-double-check"));
                detector.answered_second(answer().as_deref())
            }
        };
        if let Some(seen) = seen {
            found.push(json!([turn, seen.kind.as_str(), seen.strike]));
            detector.resume();
        }
    }
    (asked.into(), found.into())
}

fn content(letter: char) -> Content {
    let text = || Part::text("x");
    let call = || Part::call("", "ls", json!({}));
    let (role, parts) = match letter {
        'u' => (Role::User, vec![text()]),
        'm' => (Role::Model, vec![text()]),
        'c' => (Role::Model, vec![call()]),
        't' => (Role::Model, vec![text(), call()]),
        'r' => (Role::User, vec![Part::response("", "ls", json!({}))]),
        _ => (Role::Model, Vec::new()),
    };
    let id = String::new();
    Content { id, role, parts }
}

fn shape(content: &Content) -> String {
    let kinds: Vec<_> = (content.parts.iter())
        .map(|part| match part.body {
            Body::Call(_) => "call",
            Body::Response(_) => "response",
            _ => "text",
        })
        .collect();
    format!("{}:{}", content.role.as_str(), kinds.join("+"))
}

#[test]
fn analects_differs_from_the_original_where_it_should() {
    let (mut beside, streams) = records("loops/analects", "name");
    // The first event at which the original sees a loop, and at which we do.
    let mut check = |row: &'static str, name: &str, theirs: Option<u64>, ours: Option<u64>| {
        let mut named = streams.iter().filter(|stream| stream["name"] == name);
        let stream = named.next().unwrap();
        let first = |verdicts: &Value| verdicts.get(0).and_then(|verdict| verdict[0].as_u64());
        let seen = verdicts(stream, Profile::Analects);
        assert_eq!(
            (first(&stream["verdicts"]), first(&seen)),
            (theirs, ours),
            "{name}"
        );
        beside.differs(name, [row]);
    };
    // The order of fields is nothing.
    check("argument-order", "order of fields", Some(9), Some(4));
    // Items are compared as lines, whatever their mark; a line ends where the next one begins.
    check("items", "dash items", Some(9), Some(10));
    check("items", "star items", None, Some(10));
    check("items", "numbered items", None, Some(10));
    check("items", "tables", None, Some(10));
    // Capitals are words.
    check("items", "capitals", None, Some(10));
    // A fence is one wherever it is cut, and is closed with its prompt.
    check("fences", "a fence in two chunks", Some(12), None);
    check("fences", "a fence and a prompt", Some(33), Some(12));
    // Nothing in a chunk is skipped.
    for name in ["in a fence", "unit of 260"] {
        let mut named = streams.iter().filter(|stream| stream["name"] == name);
        let stream = named.next().unwrap();
        let ours = verdicts(stream, Profile::Analects);
        assert_eq!(ours, json!([]), "{name}");
        beside.compare(name, name, &ours, &stream["verdicts"]);
    }
    beside.finish();
}
