//! The agent as a process: a scripted server on every wire, a real repository, real tools.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use analects_testkit::model_server::{Received, Reply, Script, Verb};
use analects_testkit::{ModelServer, say};
use analects_world::models::{Event, Wire};
use serde_json::{Value, json};

use crate::models::variables;
use crate::sandbox::{Ran, Sandbox};

/// A repository, and a server that plays the model.
struct Stage {
    sandbox: Sandbox,
    server: ModelServer,
    wire: Wire,
}

impl Stage {
    fn new(wire: Wire, script: impl Into<Script>) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("repo/GEMINI.md", "Write short sentences.\n");
        sandbox.write("repo/src/GEMINI.md", "Source files end with a newline.\n");
        sandbox.write("repo/src/lib/GEMINI.md", "Library code never prints.\n");
        sandbox.write("repo/src/lib/pond.rs", "fn ducks() -> u32 {\n    7\n}\n");
        sandbox.write("repo/src/lib/heron.rs", "fn herons() -> u32 {\n    1\n}\n");
        Self {
            sandbox,
            server: ModelServer::start(script),
            wire,
        }
    }

    fn command(&self, args: &[&str]) -> std::process::Command {
        let args: Vec<_> = ["--trust", "-m", "a-model"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let mut command = self.sandbox.command(&args);
        command.envs(variables(&self.server, self.wire));
        command.stdin(Stdio::null());
        command
    }

    fn talk(&self, args: &[&str]) -> Ran {
        self.sandbox.ran(self.command(args).output().unwrap())
    }

    /// What the model was asked, request by request, as one text each.
    fn asked(&self) -> Vec<String> {
        self.requests()
            .iter()
            .map(|it| it.json.to_string())
            .collect()
    }

    fn requests(&self) -> Vec<Received> {
        let received = self.server.received();
        let refused: Vec<_> = received
            .iter()
            .filter_map(|it| it.refused.clone())
            .collect();
        assert_eq!(
            refused,
            Vec::<String>::new(),
            "the real service would refuse this"
        );
        let is_ask = |it: &Received| matches!(it.wants(), Some((_, Verb::Ask)));
        received.into_iter().filter(is_ask).collect()
    }
}

fn calls(events: impl IntoIterator<Item = Event>) -> Reply {
    let events = events.into_iter().chain([say::usage(900, 20), say::done()]);
    Reply::say(events)
}

/// The same by a server that counts nothing.
fn quiet(events: impl IntoIterator<Item = Event>) -> Reply {
    Reply::say(events.into_iter().chain([say::done()]))
}

fn says(text: &str) -> Reply {
    Reply::say([say::text(text), say::usage(1_000, 10), say::done()])
}

fn read(id: &str, path: &str) -> Event {
    say::call(id, "read_file", json!({ "file_path": path }))
}

/// On every wire.
fn everywhere(test: impl Fn(Wire)) {
    for (_, wire) in Wire::NAMES {
        test(wire);
    }
}

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
fn half_an_answer_runs_nothing() {
    everywhere(|wire| {
        let write = say::call(
            "1",
            "write_file",
            json!({ "file_path": "new.txt", "content": "once" }),
        );
        let cut = calls([say::text("I write it."), write.clone()]).cut_after_events(2);
        let stage = Stage::new(wire, [cut, says("I did not write it.")]);
        let ran = stage.talk(&["-p", "Write it", "--approval-mode", "auto-edit"]);
        assert_eq!(
            (ran.code, &*ran.out),
            (0, "I did not write it.\n"),
            "{}",
            ran.err
        );
        assert!(!stage.sandbox.path("repo/new.txt").exists());
        let [_, second] = &stage.asked()[..] else {
            panic!("asked {} times", stage.asked().len())
        };
        assert!(!second.contains("I write it."));
    });
}

#[test]
fn a_server_that_counts_more_than_we_do_is_no_riddle() {
    everywhere(|wire| {
        let script = Script::new().otherwise(|_| Reply::trouble(413, "11125 > 8192, try more"));
        let stage = Stage::new(wire, script);
        let ran = stage.talk(&["-p", "How many ducks?"]);
        assert_eq!((ran.code, &*ran.out), (1, ""), "{}", ran.err);
        assert!(ran.err.contains("send less at once"), "{}", ran.err);
        assert!(!ran.err.contains("11125"), "{}", ran.err);
    });
}

#[test]
fn whatever_a_model_calls_it_is_told_what_is_wrong() {
    let stage = Stage::new(
        Wire::Gemini,
        [
            calls([
                say::call("1", "fly", json!({})),
                say::call("2", "read_file", json!({ "file_path": 7 })),
                read("3", "/etc/passwd"),
                read("4", "../../../../etc/passwd"),
                read("5", "outside/passwd"),
                read("6", "src"),
                read("7", "pipe"),
                read("8", "nowhere.txt"),
                say::call(
                    "9",
                    "ask_user",
                    json!({ "questions": [{ "question": "Which?" }] }),
                ),
            ]),
            says("I see."),
        ],
    );
    stage.sandbox.link("repo/outside", "/etc");
    let pipe = stage.sandbox.path("repo/pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let ran = stage.talk(&[
        "-p",
        "Try",
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
    ]);
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
    let events: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let results: Vec<_> = events
        .iter()
        .filter(|it| it["type"] == "tool_result")
        .collect();
    assert_eq!(results.len(), 9, "{}", ran.out);
    for (at, result) in results.iter().enumerate() {
        assert_eq!(
            result["tool_id"],
            (at + 1).to_string(),
            "results keep the order of the calls"
        );
        assert_eq!(result["status"], "error", "{result}");
    }
    let last = stage.asked().pop().unwrap();
    assert!(!last.contains("root:x:0"), "{last}");
}

#[test]
fn a_run_that_is_cancelled_ends_at_once_and_can_go_on() {
    everywhere(|wire| {
        let stage = Stage::new(
            wire,
            [
                calls([read("1", "src/lib/pond.rs")]),
                says("Sev").holding_after(1),
                says("Seven."),
            ],
        );
        let mut command = stage.command(&["-p", "How many ducks?"]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        assert!(holds_last_ask(&stage));
        let status = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
        let ran = stage.sandbox.ran(child.wait_with_output().unwrap());
        assert_eq!((ran.code, &*ran.out), (130, ""), "{}", ran.err);
        let ran = stage.talk(&["--resume", "latest", "-p", "Go on."]);
        assert_eq!((ran.code, &*ran.out), (0, "Seven.\n"), "{}", ran.err);
        let last = stage.asked().pop().unwrap();
        assert!(
            last.contains("fn ducks()") && !last.contains("\"Sev\""),
            "{last}"
        );
    });
}

/// Waits until the second answer is held.
fn holds_last_ask(stage: &Stage) -> bool {
    let mut asks = 0;
    for number in 0..20 {
        if !stage.server.has_received(number) {
            return false;
        }
        if matches!(
            stage.server.received()[number].wants(),
            Some((_, Verb::Ask))
        ) {
            asks += 1;
        }
        if asks == 2 {
            return stage.server.holds(number);
        }
    }
    false
}

#[test]
fn a_folder_that_nobody_trusts_has_no_headless_agent() {
    let stage = Stage::new(Wire::Gemini, [says("Hello.")]);
    let denied = stage.sandbox.run(&["trust", "deny", "--yes"]);
    assert_eq!(denied.code, 0, "{}", denied.err);
    let mut command = stage.sandbox.command(&["-p", "Hello", "-m", "a-model"]);
    command
        .envs(variables(&stage.server, Wire::Gemini))
        .stdin(Stdio::null());
    let ran = stage.sandbox.ran(command.output().unwrap());
    assert_eq!((ran.code, &*ran.out), (55, ""), "{}", ran.err);
    assert!(stage.asked().is_empty());
}

#[test]
fn two_agents_in_one_repository_do_not_lose_each_others_work() {
    let edit = |n: usize| {
        let args = json!({ "file_path": "list.txt", "old_string": format!("{n}: \n"), "new_string": format!("{n}: done\n") });
        [calls([say::call("1", "replace", args)]), says("Done.")]
    };
    let first = Stage::new(Wire::Gemini, edit(0));
    let other = ModelServer::start(edit(1));
    first.sandbox.write("repo/list.txt", "0: \n1: \n");
    let spawn = |server: &ModelServer| {
        let mut command = first.command(&["-p", "Do it", "--approval-mode", "auto-edit"]);
        command.envs(variables(server, Wire::Gemini));
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children = [spawn(&first.server), spawn(&other)];
    for child in children {
        let ran = first.sandbox.ran(child.wait_with_output().unwrap());
        assert_eq!((ran.code, &*ran.out), (0, "Done.\n"), "{}", ran.err);
    }
    let list = fs::read_to_string(first.sandbox.path("repo/list.txt")).unwrap();
    assert_eq!(list, "0: done\n1: done\n");
    let sessions = first.sandbox.json(&["session", "list"]);
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_fact_is_remembered_with_consent_and_in_the_next_request() {
    let save = say::call(
        "1",
        "save_memory",
        json!({ "fact": "The user likes herons" }),
    );
    let stage = Stage::new(
        Wire::Gemini,
        [
            calls([save.clone()]),
            says("Noted."),
            calls([save]),
            says("Not noted."),
        ],
    );
    let refused = stage.talk(&["-p", "Remember that I like herons."]);
    assert_eq!(refused.code, 0, "{}", refused.err);
    let memory = stage.sandbox.path("home/.gemini/GEMINI.md");
    assert!(!memory.exists(), "nobody agreed");
    let ran = stage.talk(&["-p", "Remember that I like herons.", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        fs::read_to_string(memory)
            .unwrap()
            .contains("The user likes herons")
    );
    let last = stage.asked().pop().unwrap();
    assert!(
        last.contains("- The user likes herons"),
        "the next request has it: {last}"
    );
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
