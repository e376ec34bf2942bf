//! What a person is asked before something is done, and what comes of each answer.

use analects_testkit::say as model;
use serde_json::json;

use crate::agent::stage::{Stage, calls, read, says};
use crate::chat::{WIRE, file, open, ready, say};

const POND: &str = "repo/src/lib/pond.rs";

/// Reads a file, and wants to write another text into it.
fn writes() -> Stage {
    let args = json!({
        "file_path": "src/lib/pond.rs",
        "content": "fn ducks() -> u32 {\n    8\n}\n\nfn teals() -> u32 {\n    6\n}\n",
    });
    let script = [
        calls([read("1", "src/lib/pond.rs")]),
        calls([model::call("2", "write_file", args)]),
        says("As you wish."),
    ];
    Stage::new(WIRE, script)
}

#[test]
fn a_file_is_written_as_the_person_saw_it() {
    let stage = writes();
    let screen = open(&stage);
    say(&screen, "One more duck.");
    screen.wait_for("Write this?").wait_for("+    8");
    screen.shows("consent").pictured("consent", "analects");
    assert!(file(&stage, POND).unwrap().contains('7'));
    screen.keys("y").wait_for("As you wish.");
    ready(&screen);
    assert!(file(&stage, POND).unwrap().contains("teals"));
}

#[test]
fn who_says_no_is_obeyed_and_the_model_is_told() {
    let stage = writes();
    let screen = open(&stage);
    say(&screen, "One more duck.");
    screen
        .wait_for("Write this?")
        .keys("n")
        .wait_for("As you wish.");
    ready(&screen);
    assert!(file(&stage, POND).unwrap().contains('7'));
    let last = stage.asked().pop().unwrap();
    assert!(last.contains("declined"), "{last}");
}

#[test]
fn what_was_typed_ahead_is_no_answer() {
    let stage = writes();
    let screen = open(&stage);
    say(&screen, "One more duck.");
    // These come before the question, and mean something else.
    screen.type_text("yes, and then");
    screen
        .wait_for("Write this?")
        .keys("n")
        .wait_for("As you wish.");
    screen.wait_for("> yes, and then");
    assert!(file(&stage, POND).unwrap().contains('7'));
}

#[test]
fn ctrl_c_at_a_question_writes_nothing_and_cancels_the_turn() {
    let stage = writes();
    let screen = open(&stage);
    say(&screen, "One more duck.");
    screen.wait_for("Write this?").keys("Ctrl-C");
    ready(&screen);
    assert!(file(&stage, POND).unwrap().contains('7'));
    assert_eq!(stage.asked().len(), 2, "nobody asks on");
}

#[test]
fn a_fact_is_remembered_once_the_person_agrees() {
    let args = json!({ "fact": "I like tea" });
    let script = [
        calls([model::call("1", "save_memory", args)]),
        says("I will remember."),
    ];
    let stage = Stage::new(WIRE, script);
    let screen = open(&stage);
    say(&screen, "Remember that I like tea.");
    screen.wait_for("+- I like tea").wait_for("Write this?");
    screen
        .shows("consent-memory")
        .pictured("consent-memory", "analects");
    screen.keys("y").wait_for("I will remember.");
    ready(&screen);
    let memory = file(&stage, "home/.gemini/GEMINI.md").unwrap();
    assert!(memory.ends_with("- I like tea\n"), "{memory}");
}

#[test]
fn a_command_is_shown_before_it_is_run() {
    let run = |id: &str| model::call(id, "run_shell_command", json!({ "command": "touch made" }));
    let script = [
        calls([run("1")]),
        says("No."),
        calls([run("2")]),
        says("Made."),
    ];
    let stage = Stage::new(WIRE, script);
    let screen = open(&stage);
    say(&screen, "Make it.");
    screen
        .wait_for("touch made")
        .wait_for("Run this?")
        .keys("n")
        .wait_for("No.");
    ready(&screen);
    assert_eq!(file(&stage, "repo/made"), None);
    say(&screen, "Do make it.");
    screen.wait_until("a second question", |screen| {
        screen.contents().matches("Run this?").count() == 2
    });
    screen.keys("y").wait_for("Made.");
    assert!(file(&stage, "repo/made").is_some());
}
