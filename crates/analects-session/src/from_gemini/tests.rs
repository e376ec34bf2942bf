//! Transcripts of records.

use std::fmt::Write;

use expect_test::expect;

use super::*;
use crate::replay::replay;

fn show(transcript: &Transcript) -> String {
    let mut shown = String::new();
    for turn in &transcript.turns {
        let role = turn.role.as_str();
        writeln!(shown, "{} {role}: {}", turn.id, turn.text).unwrap();
        for tool in &turn.tools {
            let ToolUse {
                name,
                input,
                output,
                outcome,
                paths,
            } = tool;
            let answer = format!("{output:?} {outcome:?} {paths:?}");
            writeln!(shown, "  {name}({input}) = {answer}").unwrap();
        }
    }
    shown
}

#[test]
fn tools_stand_with_their_answers_and_programs_speak_for_themselves() {
    let record = r#"{"sessionId":"s","projectHash":"p","startTime":"2026-08-21T10:00:00.000Z","lastUpdated":"2026-08-21T10:09:00.000Z","kind":"main","directories":["/repo"]}
{"id":"c","type":"user","content":[{"text":"<session_context>\nToday is Friday"}]}
{"id":"u","timestamp":"2026-08-21T10:01:00.000Z","type":"user","content":[{"text":"fix @a.rs"},{"text":"--- a.rs\nfn a"}],"displayContent":[{"text":"fix @a.rs"}]}
{"id":"g","type":"gemini","content":"Looking.","thoughts":[{"subject":"s","description":"d"}],"toolCalls":[{"id":"1","name":"read_file","args":{"file_path":"/repo/a.rs"},"result":[{"functionResponse":{"id":"1","name":"read_file","response":{"output":"fn a"}}}],"status":"success","resultDisplay":"shown"},{"id":"2","name":"run_shell_command","args":{"command":"cargo test","dir_path":"crates/a"},"status":"error"}]}
{"id":"r","type":"user","content":[{"functionResponse":{"id":"1","name":"read_file","response":{"output":"fn a"}}},{"functionResponse":{"id":"2","name":"run_shell_command","response":{"error":"2 failed"}}}]}
{"id":"h","type":"gemini","content":[{"text":"hm","thought":true},{"text":"Again."},{"functionCall":{"id":"3","name":"glob","args":{"pattern":"*.rs"}}}]}
{"id":"q","type":"user","content":[{"functionResponse":{"id":"3","name":"glob","response":{"files":["a.rs"]}}},{"functionResponse":{"id":"9","name":"lost","response":{"output":"?"}}}]}
{"id":"w","type":"warning","content":"quota"}
{"id":"e","type":"gemini","content":"","thoughts":[{"subject":"s","description":"d"}]}
{"id":"x","type":"dance","content":"la"}
{"$set":{"summary":"Fix a"}}
"#;
    let transcript = transcript(&replay(record.into()));
    expect![[r#"
        c program: <session_context>
        Today is Friday
        u user: fix @a.rs
        g model: Looking.
          read_file({"file_path":"/repo/a.rs"}) = "fn a" Succeeded ["/repo/a.rs"]
          run_shell_command(cargo test) = "2 failed" Failed ["crates/a"]
        h model: Again.
          glob({"pattern":"*.rs"}) = "{\"files\":[\"a.rs\"]}" Succeeded []
        q program: ?
        w program: quota
    "#]]
    .assert_eq(&show(&transcript));
    expect![[r#"
        Head {
            agent: Gemini,
            id: "s",
            title: Some(
                "Fix a",
            ),
            cwd: Some(
                "/repo",
            ),
            branch: None,
            started: Some(
                Stamp(
                    1787306400000,
                ),
            ),
            updated: Some(
                Stamp(
                    1787306940000,
                ),
            ),
            kind: Main,
        }
    "#]]
    .assert_debug_eq(&transcript.head);
    assert_eq!(transcript.prompts().count(), 1);
}

#[test]
fn what_we_noted_ourselves_tells_where_it_was() {
    let record = r#"{"sessionId":"s","projectHash":"p","kind":"subagent","messages":[{"type":"user","content":"no id"},{"id":"a","timestamp":"2026-08-21T10:01:00.000Z","type":"user","content":"go"}]}
{"$set":{"analects":{"version":1,"cwd":"/w","branch":"main"}}}"#;
    let head = transcript(&replay(record.into())).head;
    assert_eq!(head.cwd.as_deref(), Some("/w"));
    assert_eq!(head.branch.as_deref(), Some("main"));
    assert_eq!(head.kind, Kind::Subagent { parent: None });
    assert_eq!(head.started, head.updated);
    assert!(head.started.is_some());
}

#[test]
fn a_message_that_is_newer_than_the_header_says_when_it_was_last_used() {
    let updated = |header: &str| {
        let record = format!(
            "{{\"sessionId\":\"s\",\"projectHash\":\"p\",\"lastUpdated\":\"{header}\"}}
{{\"id\":\"a\",\"timestamp\":\"2026-08-21T10:01:00.000Z\",\"type\":\"user\",\"content\":\"go\"}}
"
        );
        let updated = transcript(&replay(record.into())).head.updated;
        updated.map(|at| at.to_string())
    };
    let (stale, message, later) = (
        "2026-06-01T00:00:00.000Z",
        "2026-08-21T10:01:00.000Z",
        "2026-08-22T00:00:00.000Z",
    );
    assert_eq!(updated(stale).as_deref(), Some(message));
    assert_eq!(updated(later).as_deref(), Some(later));
}

#[test]
fn a_value_that_nobody_can_read_takes_nothing_else_along() {
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let record = format!(
        r#"{{"sessionId":"s","projectHash":"p"}}
{{"id":"g","type":"gemini","content":"The port is 7777.","toolCalls":[{{"id":"1","name":"parse","args":{{"file":"a.rs"}},"status":"success","result":[{{"functionResponse":{{"id":"1","response":{{"tree":{deep},"output":"fine"}}}}}}]}}]}}
{{"id":"h","type":"gemini","content":"Forty-two.","toolCalls":[{{"id":"2","name":"calc","args":{{"x":1e999}},"status":"success"}}]}}
"#
    );
    let (transcript, problems) = read(&replay(record.into()));
    expect![[r#"
        g model: The port is 7777.
          parse({"file":"a.rs"}) = "fine" Succeeded ["a.rs"]
        h model: Forty-two.
          calc() = "" Succeeded []
    "#]]
    .assert_eq(&show(&transcript));
    let lines: Vec<_> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(2), Some(3)]);
}

fn check_user(content: &str, expect: expect_test::Expect) {
    let record = format!(
        r#"{{"sessionId":"s","projectHash":"p"}}
{{"id":"u","type":"user","content":{content}}}
"#
    );
    expect.assert_eq(&show(&transcript(&replay(record.into()))));
}

#[test]
fn a_prompt_behind_what_a_hook_said_is_the_users() {
    check_user(
        r#"[{"text":"<hook_context>be kind</hook_context>\n\nfix it"}]"#,
        expect![[r#"
            u user: fix it
        "#]],
    );
    check_user(
        r#"[{"text":"<hook_context>be kind</hook_context>\n"}]"#,
        expect![[r#"
            u program: <hook_context>be kind</hook_context>

        "#]],
    );
    check_user(
        r#"[{"text":"<hook_context>be kind\n\nfix it"}]"#,
        expect![[r#"
            u program: <hook_context>be kind

            fix it
        "#]],
    );
}

#[test]
fn what_a_hook_said_in_a_part_of_its_own_is_not_the_users() {
    check_user(
        r#"[{"text":"fix it"},{"text":"<hook_context>be kind</hook_context>"},{"text":" now"}]"#,
        expect![[r#"
            u user: fix it now
        "#]],
    );
    check_user(
        r#"[{"text":"<session_context>"},{"text":"Today is Friday"}]"#,
        expect![[r#"
            u program: <session_context>Today is Friday
        "#]],
    );
}
