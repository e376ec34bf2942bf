//! Sub-agents as they run in a process: a scripted server on every wire, real files, real records.

use std::fs;

use analects_testkit::say;
use analects_world::models::{Event, Wire};
use serde_json::{Value, json};

use super::stage::*;

const GLOBAL: &str = "home/.gemini/GEMINI.md";

fn invoke(agent: &str, prompt: &str) -> Event {
    let args = json!({ "agent_name": agent, "prompt": prompt });
    say::call("1", "invoke_agent", args)
}

fn completes(result: Value) -> Event {
    say::call("9", "complete_task", json!({ "result": result }))
}

fn kept(response: &str) -> Event {
    completes(json!({ "response": response }))
}

/// Memory is kept by an agent here.
fn with_keeper(stage: Stage) -> Stage {
    let settings = json!({ "experimental": { "memoryManager": true } });
    stage
        .sandbox
        .write("home/.gemini/settings.json", settings.to_string());
    stage.sandbox.write(GLOBAL, "- Likes tea\n");
    stage
}

#[test]
fn an_agent_of_the_users_own_is_sent_and_recorded_beside_its_session() {
    everywhere(|wire| {
        let stage = Stage::new(
            wire,
            [
                calls([invoke("counter", "Count the ducks in src/lib/pond.rs.")]),
                calls([read("2", "src/lib/pond.rs")]),
                calls([completes(json!("There are seven."))]),
                says("Seven ducks."),
            ],
        );
        let agent = "---\nname: counter\ndescription: Counts things.\ntools: [read_file]\n---\nYou count.\n";
        stage.sandbox.write("home/.gemini/agents/counter.md", agent);
        let ran = stage.talk(&["-p", "How many ducks?"]);
        assert_eq!((ran.code, &*ran.out), (0, "Seven ducks.\n"), "{}", ran.err);
        assert!(ran.err.contains("counter › read_file"), "{}", ran.err);
        let asked = stage.asked();
        assert!(!asked[1].contains("How many ducks?"), "{}", asked[1]);
        assert!(asked[3].contains("There are seven."), "{}", asked[3]);
        let listed = stage.sandbox.json(&["session", "list"]);
        let sessions = listed["sessions"].as_array().unwrap();
        assert_eq!(
            sessions.len(),
            1,
            "errands are no sessions of a person: {listed}"
        );
        let id = sessions[0]["id"].as_str().unwrap();
        let chats = stage.sandbox.path("home/.gemini/tmp/repo/chats").join(id);
        let record = fs::read_dir(chats).unwrap().next().unwrap().unwrap();
        let errand = fs::read_to_string(record.path()).unwrap();
        for word in [r#""kind":"subagent""#, "Count the ducks", "complete_task"] {
            assert!(errand.contains(word), "{word}: {errand}");
        }
    });
}

#[test]
fn memory_is_kept_in_many_files_as_one_change_that_can_be_undone() {
    everywhere(|wire| {
        let root = "- Source files: see src/GEMINI.md\n";
        let stage = with_keeper(Stage::new(
            wire,
            [
                calls([invoke("save_memory", "Ponds hold ducks; see the library.")]),
                calls([
                    say::call(
                        "2",
                        "write_file",
                        json!({ "file_path": "src/lib/GEMINI.md", "content": "Library code never prints.\n- A pond holds ducks\n" }),
                    ),
                    say::call(
                        "3",
                        "replace",
                        json!({ "file_path": "GEMINI.md", "old_string": "sentences.\n", "new_string": format!("sentences.\n{root}") }),
                    ),
                ]),
                calls([kept("Filed with the library.")]),
                says("Noted."),
            ],
        ));
        let ran = stage.talk(&["-p", "Remember the ducks.", "--yes"]);
        assert_eq!((ran.code, &*ran.out), (0, "Noted.\n"), "{}", ran.err);
        let text = |path: &str| fs::read_to_string(stage.sandbox.path(path)).unwrap();
        assert!(text("repo/src/lib/GEMINI.md").contains("A pond holds ducks"));
        assert!(text("repo/GEMINI.md").contains(root));
        let log = stage.sandbox.json(&["memory", "log"]);
        assert_eq!(log["changes"][0]["who"], "save_memory", "{log}");
        let undone = stage.sandbox.run(&["memory", "undo", "--yes"]);
        assert_eq!(undone.code, 0, "{}", undone.err);
        assert_eq!(text("repo/GEMINI.md"), "Write short sentences.\n");
        assert_eq!(
            text("repo/src/lib/GEMINI.md"),
            "Library code never prints.\n"
        );
    });
}

#[test]
fn without_consent_nothing_is_written_and_both_models_and_people_are_told() {
    let stage = with_keeper(Stage::new(
        Wire::Gemini,
        [
            calls([invoke("save_memory", "Likes coffee.")]),
            calls([say::call(
                "2",
                "replace",
                json!({ "file_path": "GEMINI.md", "old_string": "short", "new_string": "long" }),
            )]),
            calls([kept("Coffee.")]),
            says("It was not stored."),
        ],
    ));
    let ran = stage.talk(&["-p", "Remember coffee."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = fs::read_to_string(stage.sandbox.path("repo/GEMINI.md")).unwrap();
    assert_eq!(text, "Write short sentences.\n");
    assert!(stage.asked()[3].contains("consent"), "{}", stage.asked()[3]);
}

#[test]
fn an_agent_that_never_ends_is_ended() {
    everywhere(|wire| {
        let again = |at: usize| {
            let args = json!({ "pattern": format!("duck{at}") });
            calls([say::call("2", "grep_search", args)])
        };
        let script: [_; 13] = std::array::from_fn(|at| match at {
            0 => calls([invoke("save_memory", "Go round.")]),
            1..=11 => again(at),
            _ => says("It went round."),
        });
        let stage = with_keeper(Stage::new(wire, script));
        let ran = stage.talk(&["-p", "Remember circles."]);
        assert_eq!(
            (ran.code, &*ran.out),
            (0, "It went round.\n"),
            "{}",
            ran.err
        );
        let asked = stage.asked();
        assert_eq!(asked.len(), 1 + 11 + 1, "ten turns and one of grace");
        assert!(asked[12].contains("MAX_TURNS"), "{}", asked[12]);
    });
}
