//! The agent as a process: a scripted server on every wire, a real repository, real tools.

mod errands;
mod hooks;
mod hostile;
mod servers;
pub(crate) mod stage;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use analects_testkit::model_server::{Received, Script};
use analects_testkit::say;
use analects_world::models::Wire;
use serde_json::{Value, json};

use stage::*;

#[test]
fn a_tool_is_run_its_rules_come_along_and_only_the_answer_is_printed() {
    everywhere(|wire| {
        let stage = Stage::new(
            wire,
            [calls([read("1", "src/lib/pond.rs")]), says("Seven ducks.")],
        );
        let ran = stage.talk(&["-p", "How many ducks?"]);
        assert_eq!((ran.code, &*ran.out), (0, "Seven ducks.\n"), "{}", ran.err);
        let [first, second] = &stage.asked()[..] else {
            panic!("{:#?}", stage.asked())
        };
        assert!(
            first.contains("Write short sentences."),
            "memory is in the first request"
        );
        assert!(first.contains("How many ducks?"));
        assert!(!first.contains("Library code never prints."));
        assert_eq!(second.matches("fn ducks()").count(), 1, "{second}");
        assert_eq!(
            second.matches("Library code never prints.").count(),
            1,
            "{second}"
        );
        assert_eq!(
            second.matches("Newly Discovered Project Context").count(),
            1 + first.matches("Newly Discovered Project Context").count()
        );
    });
}

#[test]
fn a_file_is_changed_where_that_is_allowed_and_nowhere_else() {
    everywhere(|wire| {
        let edit = || {
            let args =
                json!({ "file_path": "src/lib/pond.rs", "old_string": "7", "new_string": "8" });
            [
                calls([read("1", "src/lib/pond.rs")]),
                calls([say::call("2", "replace", args)]),
                says("Done."),
            ]
        };
        let stage = Stage::new(wire, edit());
        let ran = stage.talk(&["-p", "One more duck.", "--approval-mode", "auto-edit"]);
        assert_eq!((ran.code, &*ran.out), (0, "Done.\n"), "{}", ran.err);
        let pond = stage.sandbox.path("repo/src/lib/pond.rs");
        assert_eq!(
            fs::read_to_string(&pond).unwrap(),
            "fn ducks() -> u32 {\n    8\n}\n"
        );
        // Undone by its id, as everything that is written.
        let log = stage.sandbox.json(&["memory", "log", "--all"]);
        assert!(log.to_string().contains("agent:replace"), "{log}");

        let stage = Stage::new(wire, edit());
        let ran = stage.talk(&["-p", "One more duck."]);
        assert_eq!((ran.code, &*ran.out), (0, "Done.\n"), "{}", ran.err);
        let pond = stage.sandbox.path("repo/src/lib/pond.rs");
        assert!(fs::read_to_string(&pond).unwrap().contains('7'));
        let last = stage.asked().pop().unwrap();
        assert!(
            last.contains("--approval-mode"),
            "the model is told why: {last}"
        );
    });
}

#[test]
fn a_command_runs_in_the_repository_where_that_is_allowed() {
    let run = say::call(
        "1",
        "run_shell_command",
        json!({ "command": "ls src && exit 3" }),
    );
    let stage = Stage::new(Wire::Gemini, [calls([run]), says("Listed.")]);
    let ran = stage.talk(&["-p", "List it.", "--approval-mode", "yolo"]);
    assert_eq!((ran.code, &*ran.out), (0, "Listed.\n"), "{}", ran.err);
    let last = stage.asked().pop().unwrap();
    assert!(
        last.contains("Exit Code: 3") && last.contains("GEMINI.md\\nlib"),
        "{last}"
    );
}

#[test]
fn a_session_goes_on_with_everything_that_was_said_and_done() {
    everywhere(|wire| {
        let stage = Stage::new(
            wire,
            [
                calls([read("1", "src/lib/pond.rs")]),
                says("Seven ducks."),
                says("As I said."),
            ],
        );
        stage.talk(&["-p", "How many ducks?"]);
        let ran = stage.talk(&["--resume", "latest", "-p", "Are you sure?"]);
        assert_eq!((ran.code, &*ran.out), (0, "As I said.\n"), "{}", ran.err);
        let last = stage.asked().pop().unwrap();
        for text in [
            "How many ducks?",
            "fn ducks()",
            "Seven ducks.",
            "Are you sure?",
            "read_file",
        ] {
            assert!(last.contains(text), "{text}: {last}");
        }
        let sessions = stage.sandbox.json(&["session", "list"]);
        assert_eq!(
            sessions["sessions"].as_array().unwrap().len(),
            1,
            "{sessions}"
        );
    });
}

#[test]
fn what_a_compression_took_away_is_brought_along_again() {
    everywhere(|wire| {
        let long = "The pond lies behind the mill and has no outlet. ".repeat(300);
        let turns = (0..12).map(|n| quiet([read(&format!("c{n}"), &format!("notes/{n}.txt"))]));
        let script = [quiet([read("a", "src/lib/pond.rs")])]
            .into_iter()
            .chain(turns);
        let script = script.chain([quiet([read("z", "src/lib/heron.rs")]), says("All read.")]);
        // Whoever is asked for a snapshot says nothing that could be used: the digest stands.
        let mut all = script.fold(Script::new(), |all, reply| all.turn_when(is_chat, reply));
        all = all.otherwise(|_| says("I cannot."));
        let stage = Stage::new(wire, all);
        for n in 0..12 {
            stage
                .sandbox
                .write(&format!("repo/notes/{n}.txt"), format!("{n}: {long}"));
        }
        stage.sandbox.write(
            "home/.gemini/analects.json",
            r#"{"context": {"windowTokens": 16000}}"#,
        );
        let ran = stage.talk(&[
            "-p",
            "Read everything. Never touch vendor/.",
            "--output-format",
            "json",
        ]);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            (ran.code, &answer["response"]),
            (0, &json!("All read.")),
            "{} {}",
            ran.out,
            ran.err
        );
        assert!(
            answer["stats"]["context"]["compressions"].as_u64() >= Some(1),
            "{answer:#}"
        );
        let asked: Vec<_> = stage
            .requests()
            .into_iter()
            .filter(is_chat)
            .map(|it| it.json.to_string())
            .collect();
        let rule = "Library code never prints.";
        let has: Vec<_> = asked
            .iter()
            .map(|text| text.matches(rule).count())
            .collect();
        assert_eq!(has.first(), Some(&0));
        assert_eq!(has.get(1), Some(&1));
        assert!(
            has.iter().all(|n| *n <= 1),
            "never twice: {has:?} {}",
            asked.last().unwrap()
        );
        assert!(
            has.contains(&0) && has.iter().skip(2).any(|n| *n == 0),
            "a compression took it away: {has:?}"
        );
        assert_eq!(
            has.last(),
            Some(&1),
            "and the next file there brought it back: {has:?}"
        );
        assert!(asked.last().unwrap().contains("Never touch vendor/."));
        assert!(
            asked
                .iter()
                .all(|text| text.contains("Write short sentences.")),
            "start-up memory is always there"
        );
    });
}

/// Whether tools are offered: questions of our own have none.
fn is_chat(it: &Received) -> bool {
    it.json
        .get("tools")
        .is_some_and(|tools| tools.to_string().contains("read_many_files"))
}

#[test]
fn a_model_that_goes_in_circles_is_stopped() {
    everywhere(|wire| {
        let script = Script::new().otherwise(|_| calls([read("1", "src/lib/pond.rs")]));
        let stage = Stage::new(wire, script);
        let ran = stage.talk(&["-p", "How many ducks?", "--output-format", "json"]);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            (ran.code, &answer["error"]["code"]),
            (54, &json!(54)),
            "{}",
            ran.out
        );
        assert!(stage.asked().len() < 20);
        let told = stage.asked().pop().unwrap();
        assert!(told.contains("`read_file` was called"), "it was told first");
    });
}

#[test]
fn turns_can_be_limited() {
    let script = Script::new().otherwise(|it| {
        let n = it.body.len();
        calls([say::call(
            "1",
            "glob",
            json!({ "pattern": format!("*{n}") }),
        )])
    });
    let stage = Stage::new(Wire::Gemini, script);
    let ran = stage.talk(&["-p", "Go", "--max-turns", "3"]);
    assert_eq!((ran.code, &*ran.out), (53, ""), "{}", ran.err);
    assert_eq!(stage.asked().len(), 3);
}

#[test]
fn git_walks_a_history_once() {
    let script = Script::new().otherwise(|_| says("Hello."));
    let stage = Stage::new(Wire::Gemini, script);
    let asked = stage.sandbox.path("asked");
    let git = format!(
        "#!/bin/sh\necho \"$@\" >> {}\necho {}\n",
        asked.display(),
        "5".repeat(40)
    );
    stage.sandbox.write("bin/git", git);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(stage.sandbox.path("bin/git"), mode).unwrap();
    for _ in 0..2 {
        let mut command = stage.command(&["-p", "Hello"]);
        command.env("PATH", stage.sandbox.path("bin"));
        let ran = stage.sandbox.ran(command.output().unwrap());
        assert_eq!((ran.code, &*ran.out), (0, "Hello.\n"), "{}", ran.err);
    }
    let asked = fs::read_to_string(asked).unwrap();
    assert_eq!(asked.matches("rev-list").count(), 1, "{asked}");
}
