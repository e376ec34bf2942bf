//! Which session is the latest, and which number each has.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use analects_world::models::Wire;
use expect_test::expect;
use serde_json::Value;

use crate::agent::stage::{Stage, says};
use crate::sandbox::Sandbox;

const OLD: &str = "01d00000-0000-4000-8000-000000000001";
const NEW: &str = "2e300000-0000-4000-8000-000000000002";

/// Puts a session there that began and went on at these hours of a day; its file was written so many hours ago.
fn put(sandbox: &Sandbox, id: &str, began: u32, went_on: u32, hours_ago: u64) {
    let short = id.split('-').next().unwrap();
    let root = fs::canonicalize(sandbox.path("repo")).unwrap();
    let path = format!("home/.gemini/tmp/repo/chats/session-2026-03-01T{began}-00-{short}.jsonl");
    let at = |hour: u32| format!("2026-03-01T{hour}:00:00.000Z");
    let (began, went_on) = (at(began), at(went_on));
    let record = format!(
        r#"{{"sessionId":"{id}","projectHash":"aa","startTime":"{began}","lastUpdated":"{went_on}","kind":"main"}}
{{"id":"u0","timestamp":"{began}","type":"user","content":[{{"text":"Count the ducks of {short}."}}]}}
{{"id":"m0","timestamp":"{began}","type":"gemini","content":"Seven ducks.","model":"gemini-3-pro"}}
{{"id":"u1","timestamp":"{went_on}","type":"user","content":[{{"text":"Count them again."}}]}}
"#
    );
    sandbox
        .write(
            "home/.gemini/tmp/repo/.project_root",
            root.to_str().unwrap(),
        )
        .write(&path, record);
    let file = File::options().append(true).open(sandbox.path(&path));
    let written = SystemTime::now() - Duration::from_secs(hours_ago * 60 * 60);
    file.unwrap().set_modified(written).unwrap();
}

/// An old session and a new one, both long over.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    put(&sandbox, OLD, 10, 11, 3);
    put(&sandbox, NEW, 12, 13, 2);
    sandbox
}

fn ids(listed: &Value) -> Vec<(&str, u64)> {
    let sessions = listed["sessions"].as_array().unwrap().iter();
    sessions
        .map(|session| {
            let number = session["number"].as_u64().unwrap();
            (session["id"].as_str().unwrap(), number)
        })
        .collect()
}

#[test]
fn what_is_written_about_a_session_does_not_make_it_the_latest_nor_a_live_one() {
    let sandbox = sandbox();
    let ran = sandbox.run(&["session", "summarize", OLD]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let listed = sandbox.json(&["session", "list"]);
    assert_eq!(ids(&listed), [(NEW, 2), (OLD, 1)]);
    assert_eq!(listed["sessions"][1]["isLive"], false);
    let shown = sandbox.json(&["session", "show", "latest"]);
    assert_eq!(shown["session"]["id"], NEW);
    let deleted = sandbox.run(&["session", "delete", OLD, "--yes"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
}

#[test]
fn a_file_that_was_copied_is_no_newer_than_what_was_said_in_it() {
    let sandbox = sandbox();
    put(&sandbox, OLD, 10, 11, 0);
    let listed = sandbox.json(&["session", "list"]);
    assert_eq!(ids(&listed), [(NEW, 2), (OLD, 1)]);
}

#[test]
fn a_list_tells_the_numbers_that_resume_takes() {
    let sandbox = sandbox();
    // It began first, and went on last.
    put(&sandbox, OLD, 10, 14, 1);
    // The first line keeps the indentation of the others.
    expect![[r#"
        list:
          1  01d00000  gemini  2026-03-01    Count the ducks of 01d00000
          2  2e300000  gemini  2026-03-01    Count the ducks of 2e300000
    "#]]
    .assert_eq(&format!("list:\n{}", sandbox.run(&["session", "list"]).out));
}

#[test]
fn the_latest_is_the_same_whoever_asks() {
    let stage = Stage::new(Wire::Gemini, [says("Seven."), says("Seven.")]);
    put(&stage.sandbox, OLD, 10, 14, 1);
    put(&stage.sandbox, NEW, 12, 13, 2);
    let shown = stage.sandbox.json(&["session", "show", "latest"]);
    assert_eq!(shown["session"]["id"], OLD);
    let ran = stage.talk(&["--resume", "latest", "-p", "Go on."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let asked = stage.asked().pop().unwrap();
    assert!(asked.contains("Count the ducks of 01d00000."), "{asked}");
    let ran = stage.talk(&["--resume", "2", "-p", "Go on."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let asked = stage.asked().pop().unwrap();
    assert!(asked.contains("Count the ducks of 2e300000."), "{asked}");
}
