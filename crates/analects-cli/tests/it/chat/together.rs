//! Two chats in one repository.

use analects_testkit::ModelServer;

use crate::agent::stage::{Stage, says};
use crate::chat::{WIRE, file, open, ready, say};
use crate::models::variables;
use crate::screen::{Screen, Size};

#[test]
fn memory_that_another_chat_changes_is_told_on_the_next_turn() {
    let stage = Stage::new(WIRE, [says("First."), says("Second.")]);
    let screen = open(&stage);
    say(&screen, "Hello?");
    screen.wait_for("First.");
    ready(&screen);

    let server = ModelServer::start([says("Nobody asks.")]);
    let vars = variables(&server, WIRE);
    let other = Screen::start(
        &stage.sandbox,
        &["--trust", "-m", "a-model"],
        vars,
        Size::USUAL,
    );
    ready(&other);
    say(&other, "/memory add I like tea");
    other.wait_for("Write this?").keys("y");
    ready(&other);
    let memory = file(&stage, "home/.gemini/GEMINI.md").unwrap();
    assert!(memory.contains("I like tea"), "{memory}");

    say(&screen, "And now?");
    screen.wait_for("Second.").wait_for("emory has changed");
    let last = stage.asked().pop().unwrap();
    assert!(last.contains("I like tea"), "{last}");
}

#[test]
fn two_chats_keep_two_records() {
    let stage = Stage::new(WIRE, [says("One."), says("Two.")]);
    let (first, second) = (open(&stage), open(&stage));
    say(&first, "Who is first?");
    first.wait_for("One.");
    say(&second, "Who is second?");
    second.wait_for("Two.");
    ready(&first);
    ready(&second);
    for mut screen in [first, second] {
        screen.keys("Ctrl-D");
        assert_eq!(screen.end().code(), Some(0));
    }
    let listed = stage.sandbox.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2, "{listed}");
}
