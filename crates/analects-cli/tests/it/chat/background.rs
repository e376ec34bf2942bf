//! What a chat does behind the back of a line that is typed: the session before gets its headline, and what was done often
//! becomes a skill that waits.

use analects_testkit::model_server::{Received, Script, Verb};

use crate::agent::stage::{Stage, says};
use crate::chat::{WIRE, file, open, open_with, ready, say};
use crate::extract::past;
use crate::screen::Size;

/// Whether tools are offered: questions of our own have none.
fn is_chat(it: &Received) -> bool {
    it.json.get("tools").is_some()
}

fn is_ours(it: &Received) -> bool {
    !is_chat(it) && matches!(it.wants(), Some((_, Verb::Ask)))
}

/// A session of two prompts, held before.
fn stage(script: Script) -> Stage {
    let stage = Stage::new(WIRE, script);
    assert_eq!(stage.talk(&["-p", "How many ducks?"]).code, 0);
    let again = ["--resume", "latest", "-p", "And herons?"];
    assert_eq!(stage.talk(&again).code, 0);
    stage
}

fn answers() -> Script {
    let ducks = Script::new().turn_when(is_chat, says("Seven ducks."));
    ducks.turn_when(is_chat, says("One heron."))
}

fn titles(stage: &Stage) -> Vec<String> {
    let listed = stage.sandbox.json(&["session", "list"]);
    let sessions = listed["sessions"].as_array().unwrap();
    let title = |session: &serde_json::Value| session["title"].as_str().unwrap().to_owned();
    sessions.iter().map(title).collect()
}

#[test]
fn the_session_before_gets_its_headline_from_a_model_and_nobody_waits_for_it() {
    let stage = stage(answers().turn_when(is_ours, says("\"Count birds on the pond.\"")));
    assert_eq!(titles(&stage), ["How many ducks?"]);
    let screen = open(&stage);
    let is_named = |_: &usize| {
        say(&screen, "/session list");
        ready(&screen);
        screen.text().contains("Count birds on the pond")
    };
    assert!((0..5_000).find(is_named).is_some(), "{}", screen.text());
    let asked = stage.requests();
    assert_eq!(asked.len(), 3);
    assert!(
        asked[2].model().contains("flash-lite"),
        "{}",
        asked[2].model()
    );
    let text = asked[2].json.to_string();
    assert!(text.contains("User: And herons?"), "{text}");
    assert_eq!(titles(&stage), ["Count birds on the pond"]);
}

#[test]
fn a_model_that_is_slow_to_name_it_keeps_nobody_from_talking_or_from_leaving() {
    let stage = stage(
        answers()
            .turn_when(is_ours, says("Too late").holding_head())
            .turn_when(is_chat, says("Hello.")),
    );
    let mut screen = open(&stage);
    let held = stage.server.held();
    say(&screen, "Hello?");
    screen.wait_for("Hello.");
    ready(&screen);
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
    assert!(held.hung_up());
    assert!(!titles(&stage).contains(&"Too late".to_owned()));
}

#[test]
fn who_wants_no_memory_or_no_model_behind_their_back_gets_none() {
    for (args, settings) in [
        (&["--no-memory"][..], "{}"),
        (&[][..], r#"{"model": {"backgroundDailyTokens": 0}}"#),
    ] {
        let stage = stage(answers().turn_when(is_chat, says("Hello.")));
        stage.sandbox.write("home/.gemini/analects.json", settings);
        let mut screen = open_with(&stage, args, &[], Size::USUAL);
        say(&screen, "Hello?");
        screen.wait_for("Hello.");
        ready(&screen);
        screen.keys("Ctrl-D");
        assert_eq!(screen.end().code(), Some(0));
        assert_eq!(stage.requests().len(), 3, "{args:?} {settings}");
    }
}

/// What past sessions teach waits, and that is told before the next prompt.
#[test]
fn what_was_done_often_is_found_while_somebody_types() {
    let stage = Stage::new(WIRE, Script::new());
    let nothing = r#"{"model": {"backgroundDailyTokens": 0}}"#;
    stage.sandbox.write("home/.gemini/analects.json", nothing);
    past(&stage.sandbox);
    let mut screen = open(&stage);
    let is_told = |_: &usize| {
        say(&screen, "/help");
        ready(&screen);
        screen.text().contains("wait: /memory inbox")
            || screen.text().contains("waits: /memory inbox")
    };
    assert!((0..5_000).find(is_told).is_some(), "{}", screen.text());
    let state = "home/.gemini/tmp/repo/memory/.extraction-state.json";
    assert!(file(&stage, state).unwrap().contains("\"LOCAL\""));
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
    // No model was asked for it.
    assert!(stage.requests().is_empty());
}

#[test]
fn a_headless_talk_learns_nothing() {
    let stage = Stage::new(WIRE, answers());
    past(&stage.sandbox);
    assert_eq!(stage.talk(&["-p", "How many ducks?"]).code, 0);
    let memory = "home/.gemini/tmp/repo/memory";
    assert!(!stage.sandbox.path(memory).exists());
}
