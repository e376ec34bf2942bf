//! A compaction: what was said before it comes back after it, once.

use std::sync::atomic::Ordering;

use serde_json::Value;

use super::*;

const CLAUDES: &str = "/h/.claude/projects/-r/7f56aae6.jsonl";

fn stage() -> Stage {
    let stage = Stage::new(TREE);
    let user = |uuid: &str, text: &str| json!({"type": "user", "uuid": uuid, "sessionId": "7f56aae6", "cwd": "/r", "timestamp": "2026-03-02T10:00:00Z", "message": {"role": "user", "content": text}});
    let lines = [
        user("1", "Port the parser. Never touch vendor/zork.rs in here."),
        json!({"type": "assistant", "uuid": "2", "timestamp": "2026-03-02T10:00:01Z", "message": {"id": "m1", "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "cargo test -p quill"}}]}}),
        json!({"type": "user", "uuid": "3", "timestamp": "2026-03-02T10:00:02Z", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "error[E0599]: no method named `frobnicate`", "is_error": true}]}}),
    ];
    let text: String = lines
        .iter()
        .map(|line: &Value| format!("{line}\n"))
        .collect();
    stage.desk.edit(CLAUDES, &text);
    stage
}

fn context(answer: &Answer) -> String {
    let json: Value = serde_json::from_str(answer.json.as_deref().unwrap_or("null")).unwrap();
    let text = json["hookSpecificOutput"]["additionalContext"].as_str();
    text.unwrap_or_default().to_owned()
}

#[test]
fn what_was_said_comes_back_after_a_compaction_and_only_once() {
    let stage = stage();
    let input = json!({"session_id": "7f56aae6", "cwd": "/r", "transcript_path": CLAUDES, "trigger": "auto"});
    let answer = stage.answer("claude", "PreCompact", input);
    assert_eq!(answer.json, None);
    let start = || {
        let input = json!({"session_id": "7f56aae6", "cwd": "/r", "source": "compact"});
        context(&stage.answer("claude", "SessionStart", input))
    };
    let told = start();
    for fact in [
        "Never touch vendor/zork.rs in here.",
        "cargo test -p quill",
        "error[E0599]: no method named `frobnicate`",
        "proposes to remember 1 of the user's rules",
    ] {
        assert!(told.contains(fact), "{fact}: {told}");
    }
    assert!(!start().contains("frobnicate"));
}

#[test]
fn a_rule_waits_in_the_inbox_and_no_memory_is_written() {
    let stage = stage();
    let input = json!({"session_id": "7f56aae6", "cwd": "/r", "transcript_path": CLAUDES, "trigger": "manual"});
    stage.answer("claude", "PreCompact", input);
    let written: Vec<_> = stage.desk.commits();
    let patch = written
        .iter()
        .find(|it| format!("{it:?}").contains("extraction.patch"));
    assert!(patch.is_some(), "{written:?}");
    assert!(
        !written
            .iter()
            .any(|it| format!("{it:?}").contains("MEMORY.md\"")),
        "{written:?}"
    );
}

#[test]
fn gemini_cries_wolf_and_its_next_prompt_is_the_first_sign() {
    let stage = Stage::new(TREE);
    let record = "/h/.gemini/tmp/r/chats/session-2026-03-01T10-00-aaaaaaaa.jsonl";
    stage.desk.edit(
        record,
        "{\"sessionId\":\"aaaaaaaa-1\",\"projectHash\":\"00\"}\n\
         {\"id\":\"m1\",\"type\":\"user\",\"content\":\"The pond is called zorvek-42.\"}\n",
    );
    let compress = |trigger: &str| {
        let input = json!({"session_id": "aaaaaaaa-1", "cwd": "/r", "transcript_path": record, "trigger": trigger});
        stage.answer("gemini", "PreCompress", input)
    };
    assert_eq!(compress("auto"), Answer::default());
    assert_eq!(stage.desk.commits(), []);
    compress("manual");
    let prompt = || {
        let input = json!({"session_id": "aaaaaaaa-1", "cwd": "/r", "prompt": "ok"});
        context(&stage.answer("gemini", "BeforeAgent", input))
    };
    assert!(prompt().contains("zorvek-42"));
    assert_eq!(prompt(), "");
}

#[test]
fn what_is_no_record_of_the_host_is_left_alone() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/r/secret.jsonl", "{}\n");
    let input = json!({"session_id": "x", "transcript_path": "/r/secret.jsonl", "trigger": "auto"});
    let answer = stage.answer("claude", "PreCompact", input);
    assert_eq!(answer.notes, ["the host names no record of its own"]);
    assert_eq!(stage.desk.commits(), []);
}

#[test]
fn what_nobody_took_goes_when_it_is_old() {
    let stage = stage();
    let day_ms = 24 * 60 * 60 * 1000;
    let now_ms = 100 * day_ms;
    stage.desk.now_ms.store(now_ms, Ordering::Relaxed);
    let dir = "/h/.gemini/analects/handover";
    for (name, age_days) in [("old.txt", 31), ("young.txt", 29), ("old.md", 31)] {
        let path = format!("{dir}/{name}");
        stage.desk.edit(&path, "kept");
        stage.desk.date(&path, now_ms - age_days * day_ms);
    }
    let input = json!({"session_id": "7f56aae6", "cwd": "/r", "transcript_path": CLAUDES, "trigger": "auto"});
    stage.answer("claude", "PreCompact", input);
    let left = |name: &str| stage.desk.text(&format!("{dir}/{name}")).is_some();
    assert!(!left("old.txt") && left("young.txt") && left("old.md"));
}
