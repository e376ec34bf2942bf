//! Conversations of three agents on a disk in memory.

mod compress;
mod delete;
mod enact;
mod expire;
mod find;
mod import;
mod list;
mod recording;
mod search;
mod search_index;
mod summarize;
mod summarize_by_model;
mod twins;

use std::fmt::Write;
use std::sync::atomic::Ordering;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::Surroundings;
use expect_test::Expect;
use serde_json::json;

use crate::World;
use crate::verbs::answer::Problem;
use crate::verbs::session::Session;
use crate::verbs::{Failure, Flags, Verb};

/// 2026-03-10, at noon.
const NOW_MS: u64 = 1_773_144_000_000;
const HOUR_MS: u64 = 60 * 60 * 1000;

const CHATS: &str = "/h/.gemini/tmp/app/chats";
/// The ids of two conversations whose files are called the same.
const ONE: &str = "3f1c0000-0000-4000-8000-000000000001";
const TWO: &str = "3f1c0000-0000-4000-8000-000000000002";

const TREE: &str = r#"
//- /h/.gemini/projects.json
{"projects": {"/w/app": "app", "/w/other": "other"}}
//- /h/.gemini/tmp/app/.project_root
/w/app
//- /w/app/.git/
//- /w/other/.git/
"#;

/// A home with two projects, and somebody in one of them.
struct Scene {
    desk: FakeDesk,
    around: Surroundings,
    flags: Flags,
}

impl Scene {
    /// Without any conversation.
    fn new() -> Self {
        Self::with("")
    }

    /// With more files.
    fn with(more: &str) -> Self {
        let desk = FakeDesk::parse(&format!("{TREE}{more}"));
        desk.now_ms.store(NOW_MS, Ordering::Relaxed);
        Self {
            desk,
            around: surroundings("/w/app", "/h", &[]),
            flags: Flags {
                trust: true,
                ..Flags::default()
            },
        }
    }

    /// One conversation of every agent in `/w/app`, and one elsewhere.
    fn of_three() -> Self {
        Self::new()
            .put(
                &chat(ONE),
                &gemini(ONE, &[("Count the ducks.", "Seven ducks.")]),
                5,
            )
            .put(
                "/h/.claude/projects/-w-app/c1a0d000-0000-4000-8000-000000000003.jsonl",
                &claude("/w/app", &[("Count the geese.", "No geese.")]),
                4,
            )
            .put(
                CODEX_FILE,
                &codex("/w/app/sub", &[("Count the swans.", "Two swans.")]),
                3,
            )
            .put(
                "/h/.gemini/tmp/other/chats/session-2026-03-01T10-00-0e5e0000.jsonl",
                &gemini(
                    "0e5e0000-0000-4000-8000-000000000004",
                    &[("Count the herons.", "One.")],
                ),
                2,
            )
    }

    /// A file that was written this many hours ago.
    fn put(self, path: &str, text: &str, hours_ago: u64) -> Self {
        self.desk.edit(path, text);
        self.desk.date(path, NOW_MS - hours_ago * HOUR_MS);
        self
    }

    fn world(&self) -> World<'_> {
        self.desk.world(&self.around)
    }

    fn run<V: Verb>(&self, verb: &V) -> Result<V::Answer, Failure> {
        verb.run(&self.world(), &self.flags)
    }

    fn is_there(&self, path: &str) -> bool {
        self.desk.text(path).is_some()
    }
}

const CODEX_FILE: &str = "/h/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-\
                          c0de0000-0000-7000-8000-000000000005.jsonl";

/// Where the record of a session of `/w/app` lies.
fn chat(id: &str) -> String {
    let short: String = id.chars().take(8).collect();
    format!("{CHATS}/session-2026-03-01T10-00-{short}.jsonl")
}

/// A record of Gemini CLI, from prompts and answers.
fn gemini(id: &str, said: &[(&str, &str)]) -> String {
    let mut lines = vec![json!({
        "sessionId": id, "projectHash": "aa", "kind": "main",
        "startTime": "2026-03-01T10:00:00.000Z", "lastUpdated": "2026-03-01T10:05:00.000Z",
    })];
    for (n, (prompt, answer)) in said.iter().enumerate() {
        let at = format!("2026-03-01T10:0{n}:00.000Z");
        let content = json!([{ "text": prompt }]);
        lines.push(
            json!({ "id": format!("u{n}"), "timestamp": at, "type": "user", "content": content }),
        );
        lines.push(json!({
            "id": format!("m{n}"), "timestamp": at, "type": "gemini", "content": answer, "model": "gemini-3-pro",
        }));
    }
    text(&lines)
}

/// A record of Claude Code.
fn claude(cwd: &str, said: &[(&str, &str)]) -> String {
    let mut lines = Vec::new();
    for (n, (prompt, answer)) in said.iter().enumerate() {
        let at = format!("2026-03-02T10:0{n}:00.000Z");
        lines.push(json!({
            "type": "user", "uuid": format!("u{n}"), "cwd": cwd, "timestamp": at,
            "message": { "content": prompt },
        }));
        lines.push(json!({
            "type": "assistant", "uuid": format!("a{n}"), "cwd": cwd, "timestamp": at,
            "message": { "id": format!("m{n}"), "content": [{ "type": "text", "text": answer }] },
        }));
    }
    text(&lines)
}

/// A record of Codex CLI.
fn codex(cwd: &str, said: &[(&str, &str)]) -> String {
    let at = "2026-03-03T10:00:00.000Z";
    let meta = json!({ "id": "c0de0000-0000-7000-8000-000000000005", "timestamp": at, "cwd": cwd });
    let mut lines = vec![json!({ "timestamp": at, "type": "session_meta", "payload": meta })];
    for (prompt, answer) in said {
        let asked = json!({ "type": "user_message", "message": prompt });
        lines.push(json!({ "timestamp": at, "type": "event_msg", "payload": asked }));
        let content = json!([{ "type": "output_text", "text": answer }]);
        let told = json!({ "type": "message", "role": "assistant", "content": content });
        lines.push(json!({ "timestamp": at, "type": "response_item", "payload": told }));
    }
    text(&lines)
}

fn text(lines: &[serde_json::Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Sessions and problems, a line each.
fn show(sessions: &[Session], problems: &[Problem]) -> String {
    let mut shown = String::new();
    for session in sessions {
        let Session {
            id, agent, title, ..
        } = session;
        let project = session.project.as_deref().unwrap_or("?");
        write!(
            shown,
            "{agent} {id} \"{title}\" {project} {}/{}",
            session.prompts, session.turns
        )
        .unwrap();
        for (is_so, word) in [
            (session.is_live, " live"),
            (session.is_subagent, " sub-agent"),
        ] {
            shown.push_str(if is_so { word } else { "" });
        }
        shown.push('\n');
    }
    for problem in problems {
        let place = problem.path.as_deref().unwrap_or("");
        writeln!(shown, "! {} {place}: {}", problem.code, problem.message).unwrap();
    }
    shown
}

/// What a failure tells.
fn check_failure<T: std::fmt::Debug>(failed: Result<T, Failure>, expected: Expect) {
    let failure = failed.unwrap_err();
    let mut shown = format!("{failure}\n");
    for hint in &failure.hints {
        writeln!(shown, "hint: {hint}").unwrap();
    }
    expected.assert_eq(&shown);
}
