//! The first minute: nobody to ask yet, and a folder that nobody has decided on.

use crate::agent::stage::{Stage, says};
use crate::chat::{WIRE, all_vars, ready, say};
use crate::sandbox::Sandbox;
use crate::screen::{Screen, Size};

/// How the question ends.
const TRUST: &str = "Your choice (1-3";
const NO_VARS: [(&str, &str); 0] = [];

#[test]
fn without_a_key_and_a_server_one_screen_says_what_to_set_and_what_works_without() {
    let sandbox = Sandbox::new();
    let screen = Screen::start(&sandbox, &["--trust"], NO_VARS, Size::USUAL);
    screen.wait_for("GEMINI_API_KEY").wait_for("memory");
    screen.shows("first-run").pictured("first-run", "analects");
}

#[test]
fn what_needs_no_model_works_without_one() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "Write short sentences.\n");
    let mut screen = Screen::start(&sandbox, &["--trust"], NO_VARS, Size::USUAL);
    ready(&screen);
    say(&screen, "/memory show");
    screen.wait_for("Write short sentences.");
    ready(&screen);
    say(&screen, "/quit");
    assert_eq!(screen.end().code(), Some(0));
}

#[test]
fn a_folder_that_nobody_decided_on_is_asked_about_once() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let start = || {
        let vars = all_vars(&stage, &[]);
        Screen::start(&stage.sandbox, &["-m", "a-model"], vars, Size::USUAL)
    };
    let mut screen = start();
    screen.wait_for(TRUST).shows("trust");
    screen.pictured("trust", "analects");
    screen.type_text("1");
    ready(&screen);
    say(&screen, "Hello?");
    screen.wait_for("Hello.");
    let asked = stage.asked().pop().unwrap();
    assert!(asked.contains("Write short sentences."), "{asked}");
    ready(&screen);
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
    let screen = start();
    ready(&screen);
}

#[test]
fn a_folder_that_is_not_trusted_says_nothing_to_the_model() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let vars = all_vars(&stage, &[]);
    let screen = Screen::start(&stage.sandbox, &["-m", "a-model"], vars, Size::USUAL);
    screen.wait_for(TRUST).type_text("3");
    ready(&screen);
    say(&screen, "Hello?");
    screen.wait_for("Hello.");
    let asked = stage.asked().pop().unwrap();
    assert!(!asked.contains("Write short sentences."), "{asked}");
}
