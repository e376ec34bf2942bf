//! The user's own programs, as real processes around a real run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use analects_testkit::say;
use analects_world::models::Wire;
use serde_json::{Value, json};

use crate::models::variables;

use super::stage::*;

const USER: &str = "home/.gemini/settings.json";
const PROJECT: &str = "repo/.gemini/settings.json";

/// Settings with one command for each event.
fn hooks(commands: &[(&str, &str)]) -> String {
    let hooks = commands.iter().map(|(event, command)| {
        let hook = json!({"type": "command", "command": command, "timeout": 5_000});
        ((*event).to_owned(), json!([{ "hooks": [hook] }]))
    });
    json!({ "hooks": hooks.collect::<serde_json::Map<_, _>>() }).to_string()
}

/// What hooks wrote down of what they were told.
fn told(stage: &Stage) -> Vec<Value> {
    let log = fs::read_to_string(stage.sandbox.path("repo/log")).unwrap();
    log.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const LOG: &str = "(cat; echo) >> $GEMINI_PROJECT_DIR/log";

#[test]
fn real_programs_see_a_whole_run() {
    everywhere(|wire| {
        let stage = Stage::new(
            wire,
            [calls([read("1", "src/lib/pond.rs")]), says("Seven ducks.")],
        );
        let events = [
            "SessionStart",
            "BeforeAgent",
            "BeforeModel",
            "BeforeToolSelection",
            "AfterModel",
            "BeforeTool",
            "AfterTool",
            "PreCompress",
            "PostCompress",
            "AfterAgent",
            "SessionEnd",
        ];
        stage
            .sandbox
            .write(USER, hooks(&events.map(|event| (event, LOG))));
        let ran = stage.talk(&["-p", "How many ducks?"]);
        assert_eq!((ran.code, &*ran.out), (0, "Seven ducks.\n"), "{}", ran.err);
        let told = told(&stage);
        let names: Vec<_> = told
            .iter()
            .map(|told| told["hook_event_name"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "SessionStart",
                "BeforeAgent",
                "BeforeModel",
                "BeforeToolSelection",
                "AfterModel",
                "BeforeTool",
                "AfterTool",
                "BeforeModel",
                "BeforeToolSelection",
                "AfterModel",
                "AfterAgent",
                "SessionEnd",
            ]
        );
        let transcript = told[11]["transcript_path"].as_str().unwrap();
        assert!(
            fs::read_to_string(transcript)
                .unwrap()
                .contains("How many ducks?")
        );
        assert!(
            told[6]["tool_response"]["llmContent"]
                .as_str()
                .unwrap()
                .contains("fn ducks")
        );
    });
}

#[test]
fn a_guard_of_the_projects_says_no_and_is_told_of_once() {
    let script = || {
        [
            calls([read("1", "src/lib/pond.rs")]),
            says("I may not."),
            says("Fine."),
        ]
    };
    let stage = Stage::new(Wire::Gemini, script());
    let guard = "#!/bin/sh\ngrep -q pond.rs || exit 0\necho 'the pond is closed' >&2\nexit 2\n";
    stage.sandbox.write("repo/tools/guard.sh", guard);
    let path = stage.sandbox.path("repo/tools/guard.sh");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    stage.sandbox.write(
        PROJECT,
        hooks(&[("BeforeTool", "$GEMINI_PROJECT_DIR/tools/guard.sh")]),
    );
    let ran = stage.talk(&["-p", "How many ducks?"]);
    assert_eq!((ran.code, &*ran.out), (0, "I may not.\n"), "{}", ran.err);
    let warning =
        "this project runs programs of its own, as hooks: `$GEMINI_PROJECT_DIR/tools/guard.sh`";
    assert!(ran.err.contains(warning), "{}", ran.err);
    let last = stage.asked().pop().unwrap();
    assert!(
        last.contains("Tool execution blocked: the pond is closed"),
        "{last}"
    );
    assert!(!last.contains("fn ducks"), "{last}");
    let again = stage.talk(&["-p", "And now?"]);
    assert_eq!(
        (again.code, again.err.contains(warning)),
        (0, false),
        "{}",
        again.err
    );
    let noted = fs::read_to_string(stage.sandbox.path("home/.gemini/trusted_hooks.json")).unwrap();
    let noted: Value = serde_json::from_str(&noted).unwrap();
    let keys = noted.as_object().unwrap().values().next().unwrap();
    assert_eq!(keys, &json!([":$GEMINI_PROJECT_DIR/tools/guard.sh"]));
}

#[test]
fn hooks_of_a_project_that_nobody_trusts_do_not_run() {
    let stage = Stage::new(Wire::Gemini, [says("Hello.")]);
    stage
        .sandbox
        .write(PROJECT, hooks(&[("BeforeAgent", "touch ran-project")]));
    stage
        .sandbox
        .write(USER, hooks(&[("BeforeAgent", "touch ran-user")]));
    let mut command = stage.sandbox.command(&["-m", "a-model", "-p", "Hello?"]);
    command.envs(variables(&stage.server, stage.wire));
    command.stdin(std::process::Stdio::null());
    let ran = stage.sandbox.ran(command.output().unwrap());
    assert_eq!((ran.code, &*ran.out), (0, "Hello.\n"), "{}", ran.err);
    let is_there = |name: &str| stage.sandbox.path("repo").join(name).exists();
    assert_eq!(
        (is_there("ran-project"), is_there("ran-user")),
        (false, true)
    );
}

#[test]
fn programs_that_misbehave_are_told_of_and_keep_nobody() {
    let stage = Stage::new(
        Wire::Gemini,
        [calls([read("1", "src/lib/pond.rs")]), says("Seven ducks.")],
    );
    stage.sandbox.write("repo/closed.sh", "echo no\n");
    let mut settings: Value = serde_json::from_str(&hooks(&[
        // A flood in JSON's clothes, and one in plain clothes.
        (
            "SessionStart",
            "printf '{\"systemMessage\": \"'; head -c 10485760 /dev/zero | tr '\\0' x",
        ),
        ("BeforeAgent", "head -c 10485760 /dev/zero | tr '\\0' y"),
        // A grandchild that holds the pipes and does not listen.
        (
            "BeforeModel",
            "(trap '' TERM; echo $BASHPID > pid; exec sleep 1000) & sleep 1000",
        ),
        ("BeforeTool", "./closed.sh"),
        ("AfterTool", "echo '{\"decision\": [}'"),
        ("AfterModel", "head -c 100000 /dev/zero | tr '\\0' '['"),
        ("AfterAgent", "kill -9 $$"),
    ]))
    .unwrap();
    settings["hooks"]["BeforeModel"][0]["hooks"][0]["timeout"] = 300.into();
    stage.sandbox.write(USER, settings.to_string());
    let since = Instant::now();
    let ran = stage.talk(&["-v", "-p", "How many ducks?"]);
    assert_eq!((ran.code, &*ran.out), (0, "Seven ducks.\n"), "{}", ran.err);
    assert!(
        since.elapsed() < Duration::from_secs(60),
        "nobody waits for a sleeper"
    );
    for (what, times) in [
        ("for SessionStart printed too much to be understood", 1),
        ("for BeforeModel took longer than 300 ms and was ended", 1),
        (
            "for BeforeTool cannot be run: is it executable? (exit code 126)",
            1,
        ),
        ("for AfterTool printed JSON that is broken or too deep", 1),
        ("for AfterAgent was ended by signal 9", 1),
    ] {
        assert_eq!(ran.err.matches(what).count(), times, "{what}: {}", ran.err);
    }
    assert!(ran.err.len() < 64 * 1024, "{} bytes", ran.err.len());
    let pid = fs::read_to_string(stage.sandbox.path("repo/pid")).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    assert!(
        stat.is_err() || stat.is_ok_and(|stat| stat.contains(") Z ")),
        "the grandchild is gone"
    );
    assert!(stage.asked().iter().all(|asked| asked.len() < 200_000));
}

#[test]
fn a_call_that_a_hook_turns_elsewhere_is_denied_there() {
    let write = say::call(
        "1",
        "write_file",
        json!({"file_path": "a.txt", "content": "x"}),
    );
    let stage = Stage::new(Wire::Gemini, [calls([write]), says("I could not.")]);
    let turn = r#"echo '{"hookSpecificOutput": {"tool_input": {"file_path": "../home/.gemini/settings.json"}}}'"#;
    stage.sandbox.write(USER, hooks(&[("BeforeTool", turn)]));
    let before = fs::read(stage.sandbox.path(USER)).unwrap();
    let ran = stage.talk(&["-p", "Write it.", "--approval-mode", "yolo"]);
    assert_eq!((ran.code, &*ran.out), (0, "I could not.\n"), "{}", ran.err);
    assert_eq!(fs::read(stage.sandbox.path(USER)).unwrap(), before);
    assert!(!stage.sandbox.path("repo/a.txt").exists());
    assert!(
        stage
            .asked()
            .pop()
            .unwrap()
            .contains("outside of the workspace")
    );
}

#[test]
fn silence_with_exit_code_2_blocks_and_the_exit_code_says_so() {
    let stage = Stage::new(Wire::Gemini, [says("Never.")]);
    stage.sandbox.write(
        USER,
        hooks(&[("BeforeAgent", "exit 2"), ("SessionEnd", LOG)]),
    );
    let ran = stage.talk(&["-p", "Hello?", "--output-format", "json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.code, &answer["error"]["type"]),
        (1, &json!("stopped_by_hook")),
        "{}",
        ran.out
    );
    assert_eq!(stage.asked().len(), 0);
    assert_eq!(told(&stage).len(), 1, "the last hook runs once");
}
