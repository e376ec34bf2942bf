//! The first minute: nobody to ask yet, and a folder that nobody has decided on.

use crate::agent::stage::{Stage, says};
use crate::chat::{WIRE, all_vars, open, ready, say};
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
fn a_chat_without_a_model_has_everything_but_answers() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "Write short sentences.\n");
    let mut screen = Screen::start(&sandbox, &["--trust"], NO_VARS, Size::USUAL);
    ready(&screen);
    for (line, shown) in [
        ("/context", "The window holds"),
        ("/tools", "read_file"),
        ("/stats", "No model was asked yet."),
        ("/pin never touch main", "it will be pinned to this session"),
        ("/pin", "never touch main"),
        ("/compress", "nothing was said yet in this session"),
        ("/rewind", "nothing was said yet in this session"),
        ("/setup", "gemini"),
        ("/clear", "a new session"),
        ("/model", "no model is set up"),
    ] {
        say(&screen, line);
        screen.wait_for(shown);
        ready(&screen);
    }
    // Nothing but what was typed comes back.
    say(&screen, "/init");
    screen.wait_until("the answer, then the line as it was typed", |screen| {
        // One answer is that to `/model`.
        let n_answers = screen.contents().matches("no model is set up").count();
        let row = screen.cursor_position().0;
        let row = screen.rows(0, screen.size().1).nth(usize::from(row));
        n_answers == 2 && row.is_some_and(|row| row.trim_end() == "> /init")
    });
    screen.keys("Ctrl-C").wait_for("Ctrl-C again leaves");
    ready(&screen);
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
}

#[test]
fn what_is_pinned_before_the_first_prompt_is_kept_for_the_session_that_begins() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    say(&screen, "/pin never touch main");
    screen.wait_for("it will be pinned");
    ready(&screen);
    say(&screen, "Hello?");
    screen.wait_for("Pinned to");
    ready(&screen);
    let pinned = stage
        .sandbox
        .json(&["session", "pin", "latest", "--list", "--trust"]);
    assert_eq!(pinned["pins"][0]["text"], "never touch main");
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
