//! Our answers beside those of Gemini CLI's own functions, recorded by `cargo xtask goldens`.
//!
//! Where an answer differs on purpose, its case stands in `DIFFERENCES` and the reason in
//! `docs/reference/compatibility.md`. A case that differs otherwise fails, and so does one that is listed
//! without need.

use analects_session::history::{history, name_calls};
use analects_session::replay::{Form, Replayed, Standing, replay};
use analects_session::scratchpad::{self, Scratchpad};
use analects_session::stamp::Stamp;
use analects_world::AbsPath;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The published table, which must name every difference.
const TABLE: &str = include_str!("../../../../docs/reference/compatibility.md");

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
    let cases: Vec<Case<String, Option<Map<String, Value>>>> =
        serde_json::from_str(include_str!("goldens/sessions.json")).unwrap();
    assert!(cases.len() >= 370);
    let mut unexplained = Vec::new();
    for case in cases {
        let replayed = replay(case.input.clone().into());
        let theirs = case.output.map(|output| theirs(output, &replayed));
        let ours = (replayed.standing() == Standing::Loadable).then(|| ours(&replayed));
        let listed = DIFFERENCES
            .iter()
            .find(|(_, cases)| cases.contains(&&*case.name));
        match listed {
            Some((reason, _)) => {
                assert_ne!(ours, theirs, "{}: listed without need", case.name);
                let row = format!("| `{reason}` |");
                let is_told = TABLE.lines().any(|line| line.starts_with(&row));
                assert!(is_told, "docs/reference/compatibility.md lacks `{reason}`");
            }
            None if ours == theirs => {}
            None => unexplained.push(format!("{}:\n{ours:?}\n{theirs:?}", case.name)),
        }
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n\n"));
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
    let cases: Vec<Case<Value, Value>> =
        serde_json::from_str(include_str!("goldens/scratchpads.json")).unwrap();
    let root = AbsPath::new("/T/w").unwrap();
    for case in cases {
        let header = json!({ "sessionId": "s", "projectHash": "p" });
        let message = json!({ "id": "a", "type": "gemini", "toolCalls": case.input });
        let replayed = replay(format!("{header}\n{message}\n").into());
        let ours = scratchpad::scratchpad(&replayed, &root).to_value();
        assert_eq!(ours, case.output, "{}: {}", case.name, case.input);
    }
}

#[test]
fn commands_are_told_by_the_same_programs() {
    #[derive(Deserialize)]
    struct Told {
        program: Option<String>,
        summary: String,
    }
    let cases: Vec<Case<String, Told>> =
        serde_json::from_str(include_str!("goldens/programs.json")).unwrap();
    for Case { input, output, .. } in cases {
        assert_eq!(scratchpad::program(&input), output.program, "{input}");
        assert_eq!(scratchpad::sanitized(&input), output.summary, "{input}");
    }
}
