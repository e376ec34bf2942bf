//! Our answers beside those of Gemini CLI's own functions, recorded by `cargo xtask goldens`.
//!
//! Where an answer differs on purpose, its case stands in `DIFFERENCES` and the reason in
//! `docs/reference/compatibility.md`. A case that differs otherwise fails, and so does one that is listed
//! without need.

use analects_session::history::{history, name_calls};
use analects_session::replay::{Form, Replayed, Standing, replay};
use analects_session::scratchpad::{self, Scratchpad};
use analects_session::stamp::Stamp;
use analects_testkit::Beside;
use analects_world::AbsPath;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const DIFFERENCES: [(&str, &[&str]); 4] = [
    ("byte-order-mark", &["weakness-byte order mark"]),
    (
        "odd-part",
        &["weakness-part is null", "weakness-text is a number"],
    ),
    ("lone-part", &["weakness-one part alone is no first prompt"]),
    (
        "wrong-type",
        &[
            "weakness-summary is a number",
            "weakness-thought without words",
        ],
    ),
];

/// What the recorder says for a time that the original made up.
const MADE_UP: &str = "2000-01-01T00:00:00.000Z";

#[derive(Deserialize)]
struct Case<I, O> {
    name: String,
    input: I,
    output: O,
}

#[test]
fn sessions_are_loaded_as_the_original_loads_them() {
    let mut beside = Beside::the_original("sessions", include_str!("goldens/sessions.json"));
    let cases: Vec<Case<String, Option<Map<String, Value>>>> =
        serde_json::from_str(beside.answers()).unwrap();
    assert!(cases.len() >= 370);
    for case in cases {
        let replayed = replay(case.input.clone().into());
        let theirs = case.output.map(|output| theirs(output, &replayed));
        let ours = (replayed.standing() == Standing::Loadable).then(|| ours(&replayed));
        let listed = DIFFERENCES
            .iter()
            .find(|(_, cases)| cases.contains(&&*case.name));
        match listed {
            Some((row, _)) => {
                assert_ne!(ours, theirs, "{}: listed without need", case.name);
                beside.differs(&case.name, [*row]);
            }
            None if says_no_summary(&ours, &theirs) => {
                beside.differs(&case.name, ["empty-summary"]);
            }
            None => compare(&mut beside, &case.name, &case.input, ours, theirs),
        }
    }
    beside.finish();
}

/// Whether the answers differ only in that theirs has a summary without a word.
fn says_no_summary(ours: &Option<Value>, theirs: &Option<Value>) -> bool {
    let (Some(ours), Some(mut theirs)) = (ours, theirs.clone()) else {
        return false;
    };
    let is_empty = theirs["summary"] == "";
    theirs["summary"] = Value::Null;
    is_empty && theirs == *ours
}

/// Only what differs is told.
fn compare(
    beside: &mut Beside,
    name: &str,
    asked: &str,
    mut ours: Option<Value>,
    mut theirs: Option<Value>,
) {
    if let (Some(Value::Object(ours)), Some(Value::Object(theirs))) = (&mut ours, &mut theirs) {
        ours.retain(|name, ours| {
            let is_same = theirs.get(name).is_some_and(|theirs| theirs == ours);
            theirs.retain(|other, _| !(is_same && other == name));
            !is_same
        });
    }
    beside.compare(name, asked, &ours, &theirs);
}

/// Their answer, as far as it can be compared.
fn theirs(output: Map<String, Value>, replayed: &Replayed) -> Value {
    let time = |name| {
        let time = output.get(name).and_then(Value::as_str);
        time.filter(|&time| time != MADE_UP)
    };
    let scratchpad = output.get("memoryScratchpad");
    let first = output.get("firstUserMessage").and_then(Value::as_str);
    json!({
        "id": output.get("sessionId"),
        "project": output.get("projectHash"),
        "started": time("startTime"),
        "updated": time("lastUpdated"),
        "summary": output.get("summary"),
        "scratchpad": scratchpad.and_then(Scratchpad::from_value).map(|pad| pad.to_value()),
        "stale": output.get("memoryScratchpadIsStale"),
        "directories": output.get("directories").unwrap_or(&json!([])),
        "is_subagent": output.get("kind").is_some_and(|kind| kind == "subagent"),
        "messages": output.get("messages").unwrap_or(&json!([])),
        "n_user": output.get("userMessageCount"),
        // For a record that is one object the original does not say.
        "first": match replayed.form() {
            Form::Lines => first.filter(|first| !first.is_empty()),
            Form::Object => replayed.about().first_prompt.as_deref(),
        },
        "is_resumable": output.get("hasResumableContent"),
        "history": output.get("history"),
    })
}

fn ours(replayed: &Replayed) -> Value {
    let about = replayed.about();
    let time = |stamp: Option<Stamp>| stamp.map(|stamp| stamp.to_string());
    let messages: Vec<Value> = replayed
        .messages()
        .map(|message| {
            let whole = message.raw().replace("cut \\ud83d", "cut \u{fffd}");
            serde_json::from_str(&whole).unwrap()
        })
        .collect();
    let mut turns = history(replayed);
    name_calls(&mut turns);
    let turns: Vec<_> = turns
        .iter()
        .map(|turn| {
            // Old records may have messages without an id; theirs is undefined then.
            let id = Some(&turn.id).filter(|id| !id.is_empty());
            json!([id, turn.role.as_str(), turn.parts])
        })
        .collect();
    json!({
        "id": about.session_id,
        "project": about.project_hash,
        "started": time(about.started),
        "updated": time(about.updated),
        "summary": about.summary,
        "scratchpad": about.scratchpad.as_ref().map(Scratchpad::to_value),
        "stale": about.scratchpad_is_stale,
        "directories": about.directories,
        "is_subagent": about.is_subagent,
        "messages": messages,
        "n_user": replayed.n_user_messages(),
        "first": about.first_prompt,
        "is_resumable": replayed.is_resumable(),
        "history": turns,
    })
}

#[test]
fn what_was_done_is_told_as_the_original_tells_it() {
    let kept = include_str!("goldens/scratchpads.json");
    let mut beside = Beside::the_original("scratchpads", kept);
    let cases: Vec<Case<Value, Value>> = serde_json::from_str(beside.answers()).unwrap();
    let root = AbsPath::new("/T/w").unwrap();
    for case in cases {
        let header = json!({ "sessionId": "s", "projectHash": "p" });
        let message = json!({ "id": "a", "type": "gemini", "toolCalls": case.input });
        let replayed = replay(format!("{header}\n{message}\n").into());
        let ours = scratchpad::scratchpad(&replayed, &root).to_value();
        beside.compare(&case.name, &case.input.to_string(), &ours, &case.output);
    }
    beside.finish();
}

#[test]
fn commands_are_told_by_the_same_programs() {
    #[derive(Deserialize)]
    struct Told {
        program: Option<String>,
        summary: String,
    }
    let mut beside = Beside::the_original("programs", include_str!("goldens/programs.json"));
    let cases: Vec<Case<String, Told>> = serde_json::from_str(beside.answers()).unwrap();
    for Case {
        name,
        input,
        output,
    } in cases
    {
        let ours = (scratchpad::program(&input), scratchpad::sanitized(&input));
        beside.compare(
            &name,
            &format!("{input:?}"),
            &ours,
            &(output.program, output.summary),
        );
    }
    beside.finish();
}
