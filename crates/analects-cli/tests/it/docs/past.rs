//! What Ada did in `pond` before: sessions of two agents, long over, in which some things were done twice.

use std::fs::{File, FileTimes};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Sessions of Gemini CLI: id, day, and what was asked for.
const SESSIONS: [(&str, u32, &str); 2] = [
    (
        "7f56aae6-0000-4000-8000-000000000001",
        3,
        "the migration of the orders table",
    ),
    (
        "2b9c41d7-0000-4000-8000-000000000002",
        5,
        "the migration of the birds table",
    ),
];

/// A session of Claude Code.
const CLAUDE: &str = "c1a0d000-0000-4000-8000-000000000003";

/// Puts all of them where their agents keep them.
pub(super) fn hold(sandbox: &Sandbox, root: &str) {
    for (id, day, what) in SESSIONS {
        let short = id.split('-').next().unwrap();
        let path =
            format!("home/.gemini/tmp/pond/chats/session-2026-03-{day:02}T10-00-{short}.jsonl");
        sandbox.write(&path, gemini(id, day, what));
        age(sandbox, &path);
    }
    let folder = root.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let path = format!("home/.claude/projects/{folder}/{CLAUDE}.jsonl");
    sandbox.write(&path, claude(root));
    age(sandbox, &path);
}

/// Nobody has written there for a day.
fn age(sandbox: &Sandbox, path: &str) {
    let file = File::options().write(true).open(sandbox.path(path));
    let day_ago = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
    let times = FileTimes::new().set_modified(day_ago);
    file.unwrap().set_times(times).unwrap();
}

fn gemini(id: &str, day: u32, what: &str) -> String {
    let start = format!("2026-03-{day:02}T10:00:00.000Z");
    let mut lines = vec![
        json!({ "sessionId": id, "projectHash": "aa", "startTime": start, "lastUpdated": start, "kind": "main" }),
    ];
    let mut said = 0;
    let mut say = |kind: &str, content: &str, call: Option<(&str, &str, i32)>| {
        said += 1;
        let at = format!("2026-03-{day:02}T10:{:02}:{:02}.000Z", said / 60, said % 60);
        let mut message =
            json!({ "id": format!("m{said}"), "timestamp": at, "type": kind, "content": content });
        if let Some((command, output, code)) = call {
            message["toolCalls"] = json!([called(said, &at, command, output, code)]);
        }
        lines.push(message);
    };
    say(
        "user",
        &format!("Please write {what}. Never touch main."),
        None,
    );
    say(
        "gemini",
        "I look at the schema first.",
        Some(("cat db/schema.sql", "create table orders (id int);", 0)),
    );
    say(
        "user",
        "The port of the staging database is 6543, by the way.",
        None,
    );
    say("gemini", "Noted.", None);
    for round in 1..=12 {
        let file = format!(
            "db/steps/{round:03}_{}.sql",
            what.split(' ').nth(4).unwrap()
        );
        say(
            "user",
            &format!("Now step {round}: {file}. Keep every column that is there."),
            None,
        );
        let text = format!("Step {round} adds a column and fills it from the old one. ").repeat(14);
        say(
            "gemini",
            &text,
            Some((
                &format!("cat {file}"),
                "alter table orders add column n int;",
                0,
            )),
        );
        if round % 4 == 0 {
            say(
                "user",
                "Bring the database up to date, with test data.",
                None,
            );
            say("gemini", "", Some(("tools/migrate.sh --all", "fine", 0)));
            say("gemini", "", Some(("tools/seed.sh --small", "fine", 0)));
            say("gemini", "", Some(("make check", "12 passed, 0 failed", 0)));
            say("user", "Good, that works.", None);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn called(nth: usize, at: &str, command: &str, output: &str, code: i32) -> Value {
    let id = format!("run_shell_command-{nth}");
    let told = format!(
        "Command: {command}\nDirectory: (root)\nOutput: {output}\nError: (none)\nExit Code: {code}"
    );
    json!({
        "id": id, "name": "run_shell_command", "args": { "command": command }, "status": "success", "timestamp": at,
        "result": [{ "functionResponse": { "id": id, "name": "run_shell_command", "response": { "output": told } } }],
    })
}

fn claude(root: &str) -> String {
    let at = "2026-03-02T10:00:00.000Z";
    let lines = [
        json!({ "type": "user", "uuid": "u1", "cwd": root, "timestamp": at,
            "message": { "content": "Count the herons in birds.txt." } }),
        json!({ "type": "assistant", "uuid": "a1", "timestamp": at,
            "message": { "id": "m1", "content": [{ "type": "text", "text": "One heron." }] } }),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect()
}
