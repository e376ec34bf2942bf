//! `analects hook` as a host runs it: a process that is told something on stdin, and that must never be
//! in the way.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("home/.gemini/GEMINI.md", "- Be brief.\n")
        .write("repo/AGENTS.md", "Test first.\n")
        .write("repo/CLAUDE.md", "Think twice.\n")
        .write("repo/api/v2/GEMINI.md", "Version the API.\n")
        .write("repo/api/v2/handler.rs", "");
    let trusted = json!({ sandbox.path("repo").to_str().unwrap(): "TRUST_FOLDER" });
    sandbox.write("home/.gemini/trustedFolders.json", trusted.to_string());
    sandbox
}

fn input(sandbox: &Sandbox, more: &Value) -> Vec<u8> {
    let mut input = json!({"session_id": "s1", "cwd": sandbox.path("repo")});
    let members = more.as_object().unwrap().clone();
    input.as_object_mut().unwrap().extend(members);
    input.to_string().into_bytes()
}

fn spawn(sandbox: &Sandbox, args: &[&str]) -> Child {
    let mut command = sandbox.command(args);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs a hook; the host must get rid of all it has to say.
fn hook(sandbox: &Sandbox, args: &[&str], input: &[u8]) -> Ran {
    let mut child = spawn(sandbox, args);
    let mut stdin = child.stdin.take().unwrap();
    let written = thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.write_all(input));
        let output = child.wait_with_output().unwrap();
        (writer.join().unwrap(), output)
    });
    written.0.unwrap();
    sandbox.ran(written.1)
}

/// What reaches the model; the answer must be one line of JSON, or nothing.
fn context(ran: &Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    if ran.out.is_empty() {
        return String::new();
    }
    assert_eq!(ran.out.lines().count(), 1);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let text = &answer["hookSpecificOutput"]["additionalContext"];
    text.as_str().unwrap().to_owned()
}

fn touched(sandbox: &Sandbox, session: &str) -> Vec<u8> {
    let read = json!({"file_path": sandbox.path("repo/api/v2/handler.rs")});
    let more = json!({"session_id": session, "tool_name": "Read", "tool_input": read});
    input(sandbox, &more)
}

#[test]
fn every_run_is_counted_without_its_content() {
    let sandbox = repository();
    let start = input(&sandbox, &json!({"source": "startup"}));
    hook(&sandbox, &["hook", "claude", "SessionStart"], &start);
    hook(&sandbox, &["hook", "claude", "Stop"], &start);
    hook(
        &sandbox,
        &["hook", "claude", "after-tool"],
        &touched(&sandbox, "s1"),
    );
    hook(&sandbox, &["--dry-run", "hook", "claude", "Stop"], &start);
    let path = sandbox.path("home/.gemini/analects/events.jsonl");
    let log = fs::read_to_string(&path).unwrap();
    assert_eq!(log.lines().count(), 3, "{log}");
    for content in ["brief", "repo", "handler", "s1\"", "Read"] {
        assert!(!log.contains(content), "{content}: {log}");
    }
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let usage = &sandbox.json(&["doctor", "--usage"])["usage"];
    assert_eq!(usage["kinds"][0]["count"], 3);
    assert_eq!(usage["kinds"][0]["days"][6]["count"], 3);
    assert_eq!(usage["kinds"][0]["sorts"]["claude session-start told"], 1);
    let shown = sandbox.run(&["doctor", "--usage"]).out;
    assert!(
        shown.contains("\nhook                      3  just now"),
        "{shown}"
    );
    sandbox.write(
        "home/.gemini/analects.json",
        "{\"events\": {\"enabled\": false}}",
    );
    hook(&sandbox, &["hook", "claude", "Stop"], &start);
    hook(&sandbox, &["hook", "claude", "SessionStart"], &start);
    assert_eq!(fs::read_to_string(&path).unwrap(), log);
    assert!(!Sandbox::new().run(&["doctor"]).out.contains("counted"));
    let none = Sandbox::new().run(&["doctor", "--usage"]).out;
    assert!(none.ends_with("Nothing was counted yet.\n"), "{none}");
}

#[test]
fn hooks_that_run_at_once_are_all_counted() {
    let sandbox = repository();
    thread::scope(|scope| {
        for n in 0..16 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                hook(
                    sandbox,
                    &["hook", "codex", "Stop"],
                    format!("{{\"session_id\":\"{n}\"}}").as_bytes(),
                )
            });
        }
    });
    let path = sandbox.path("home/.gemini/analects/events.jsonl");
    assert_eq!(fs::read_to_string(path).unwrap().lines().count(), 16);
}

#[test]
fn a_session_is_told_what_its_host_does_not_load() {
    let sandbox = repository();
    let start = input(&sandbox, &json!({"source": "startup"}));
    let claude = context(&hook(&sandbox, &["hook", "claude", "SessionStart"], &start));
    assert!(
        claude.contains("Be brief.") && claude.contains("Test first."),
        "{claude}"
    );
    assert!(!claude.contains("Think twice."), "{claude}");
    let codex = context(&hook(&sandbox, &["hook", "codex", "session-start"], &start));
    assert!(
        codex.contains("Think twice.") && !codex.contains("Test first."),
        "{codex}"
    );
    let gemini = context(&hook(&sandbox, &["hook", "gemini", "SessionStart"], &start));
    assert!(
        gemini.contains("Test first.") && !gemini.contains("Be brief."),
        "{gemini}"
    );
    let tool = touched(&sandbox, "s1");
    let jit = context(&hook(&sandbox, &["hook", "codex", "PostToolUse"], &tool));
    assert!(jit.contains("Version the API."), "{jit}");
    assert_eq!(
        context(&hook(&sandbox, &["hook", "codex", "PostToolUse"], &tool)),
        ""
    );
}

#[test]
fn whatever_comes_in_the_answer_is_zero_and_silence() {
    let sandbox = repository();
    for garbage in ["not json", "[]", "{", "\u{0}", "{\"cwd\": 3", "null"] {
        let ran = hook(
            &sandbox,
            &["hook", "claude", "SessionStart"],
            garbage.as_bytes(),
        );
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (0, "", ""),
            "{garbage}"
        );
    }
    for args in [
        &["hook"][..],
        &["hook", "emacs", "SessionStart"],
        &["hook", "claude", "Nonsense"],
        &["hook", "claude", "SessionStart", "--nonsense"],
        &["hook", "claude", "SessionStart", "and", "more"],
        &["--cwd", "/", "hook", "--room", "x"],
        &[
            "hook",
            "claude",
            "SessionStart",
            "--cwd",
            "/gone/away",
            "--no-memory",
        ],
    ] {
        let ran = hook(&sandbox, args, b"{}");
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (0, "", ""),
            "{args:?}"
        );
    }
    let ran = hook(
        &sandbox,
        &["hook", "claude", "SessionStart", "-v"],
        b"garbage",
    );
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(ran.err, "note: the input is not a JSON object\n");
}

#[test]
fn a_hundred_megabytes_are_no_harm() {
    let sandbox = repository();
    let big = vec![b'x'; 100 * 1024 * 1024];
    let ran = hook(&sandbox, &["hook", "claude", "PostToolUse"], &big);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    // The answer of a tool stands last: what comes before it still counts.
    let mut input = touched(&sandbox, "s1");
    input.pop();
    input.extend_from_slice(b",\"tool_response\":\"");
    input.extend_from_slice(&big);
    input.extend_from_slice(b"\"}");
    let told = context(&hook(&sandbox, &["hook", "codex", "PostToolUse"], &input));
    assert!(told.contains("Version the API."), "{told}");
}

#[test]
fn nobody_need_listen() {
    let sandbox = repository();
    let mut child = spawn(&sandbox, &["hook", "claude", "SessionStart"]);
    drop(child.stdout.take());
    drop(child.stderr.take());
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_home_that_cannot_be_written_does_not_matter() {
    let sandbox = repository();
    let mode = |path: &str, mode| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("", 0o755);
    mode("home/.gemini", 0o555);
    let ran = sandbox.run_as_nobody(&["hook", "claude", "SessionStart", "--trust"]);
    assert!(context(&ran).contains("Be brief."));
    mode("home/.gemini/GEMINI.md", 0o000);
    let ran = sandbox.run_as_nobody(&["hook", "claude", "SessionStart", "--trust"]);
    mode("home/.gemini", 0o755);
    assert!(
        context(&ran).contains("Test first."),
        "the rest is still told"
    );
}

#[test]
fn killed_at_any_moment_it_leaves_nothing_broken() {
    let sandbox = repository();
    for at in 0..40 {
        let session = format!("s{}", at % 4);
        let mut child = spawn(&sandbox, &["hook", "codex", "PostToolUse"]);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&touched(&sandbox, &session)).unwrap();
        drop(stdin);
        thread::sleep(Duration::from_micros(200 * at));
        let _ = child.kill();
        let mut out = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        child.wait().unwrap();
        assert!(
            out.is_empty() || serde_json::from_str::<Value>(&out).is_ok(),
            "{out}"
        );
    }
    let start = input(&sandbox, &json!({"session_id": "s0", "source": "compact"}));
    let told = context(&hook(&sandbox, &["hook", "codex", "SessionStart"], &start));
    assert!(told.contains("Be brief."), "{told}");
    let again = context(&hook(
        &sandbox,
        &["hook", "codex", "PostToolUse"],
        &touched(&sandbox, "s0"),
    ));
    assert!(again.contains("Version the API."), "{again}");
    let doctor = sandbox.run(&["doctor"]);
    assert!(
        doctor.out.contains("nothing is unfinished"),
        "{}",
        doctor.out
    );
    for entry in fs::read_dir(sandbox.path("home/.gemini/analects/hooks")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(!name.contains("tmp") && !name.contains(".new"), "{name}");
        if name.ends_with(".json") {
            serde_json::from_slice::<Value>(&fs::read(&path).unwrap()).unwrap();
        }
    }
}

#[test]
fn hooks_that_run_at_once_do_not_say_the_same() {
    let sandbox = repository();
    let tool = touched(&sandbox, "s1");
    let children: Vec<_> = (0..8)
        .map(|_| {
            let mut child = spawn(&sandbox, &["hook", "codex", "PostToolUse"]);
            child.stdin.take().unwrap().write_all(&tool).unwrap();
            child
        })
        .collect();
    let ran = children
        .into_iter()
        .map(|child| sandbox.ran(child.wait_with_output().unwrap()));
    let n_told = ran
        .filter(|ran| context(ran).contains("Version the API."))
        .count();
    assert_eq!(n_told, 1);
}

#[test]
fn a_prompt_brings_up_what_was_noted_since_the_start() {
    let sandbox = repository();
    let start = input(&sandbox, &json!({"source": "startup"}));
    hook(&sandbox, &["hook", "claude", "SessionStart"], &start);
    sandbox.write(
        "home/.gemini/AGENTS.md",
        "- The staging_db runs on port 5433.\n",
    );
    let prompt = input(
        &sandbox,
        &json!({"prompt": "why does staging_db not answer?"}),
    );
    let told = context(&hook(
        &sandbox,
        &["hook", "claude", "UserPromptSubmit"],
        &prompt,
    ));
    assert!(
        told.contains("- The staging_db runs on port 5433. (~/.gemini/AGENTS.md)"),
        "{told}"
    );
    assert_eq!(
        context(&hook(
            &sandbox,
            &["hook", "claude", "UserPromptSubmit"],
            &prompt
        )),
        ""
    );
}

#[test]
fn what_hooks_note_down_is_no_change_of_memory() {
    let sandbox = repository();
    let start = input(&sandbox, &json!({"source": "startup"}));
    hook(&sandbox, &["hook", "claude", "SessionStart"], &start);
    let log = sandbox.json(&["memory", "log"]);
    assert_eq!(log["changes"], json!([]));
}
