//! What a chat does about its window: /context, /compress, /rewind, /resume, and the inbox.

use analects_testkit::model_server::{Received, Script};

use crate::agent::stage::{Stage, says};
use crate::chat::{WIRE, file, open, open_with, ready, reeds, say};
use crate::inbox;
use crate::screen::Size;

/// Whether tools are offered: questions of our own have none.
fn is_chat(it: &Received) -> bool {
    it.json.get("tools").is_some()
}

#[test]
fn a_conversation_is_made_short_and_long_again() {
    let mut script = Script::new();
    for n in 0..6 {
        script = script.turn_when(
            is_chat,
            says(&format!("{}\n\nEnd of answer {n}.", reeds(90, n))),
        );
    }
    let script = script
        .turn_when(is_chat, says("Still seven."))
        .otherwise(|_| {
            says("<state_snapshot><overall_goal>Count ducks.</overall_goal></state_snapshot>")
        });
    let stage = Stage::new(WIRE, script).window(32_000);
    let screen = open(&stage);
    for n in 0..6 {
        say(&screen, &format!("Question {n}?"));
        screen.wait_for(&format!("End of answer {n}."));
        ready(&screen);
    }
    say(&screen, "/compress the ducks");
    screen.wait_for("tokens");
    ready(&screen);
    screen.shows("compress");
    say(&screen, "How many?");
    screen.wait_for("Still seven.");
    ready(&screen);
    let is_ask = |text: &String| text.contains("How many?");
    let short = stage.asked().into_iter().rfind(is_ask).unwrap();
    assert!(short.len() < stage.asked()[5].len());
    say(&screen, "/compress undo");
    ready(&screen);
}

#[test]
fn the_inbox_is_shown_and_left() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    say(&screen, "/inbox");
    screen.wait_for("nbox").shows("inbox-empty");
    ready(&screen);
}

#[test]
fn what_waits_is_looked_through_and_accepted_on_a_screen_of_its_own() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    inbox::fill(&stage.sandbox);
    let screen = open(&stage);
    say(&screen, "/inbox");
    screen.wait_for("Deploys it.").wait_for("accept");
    screen.shows("inbox").pictured("inbox", "analects");
    // The change of memory: it is written, and waits no more.
    screen
        .keys("Down")
        .wait_for("The port is 8443")
        .type_text("a");
    screen.wait_until("one thing less", |screen| {
        !screen.contents().contains("extraction")
    });
    screen.type_text("d");
    ready(&screen);
    let index = "home/.gemini/tmp/repo/memory/MEMORY.md";
    let text = file(&stage, index).unwrap();
    assert!(text.contains("- The port is 8443"), "{text}");
    let skill = "home/.gemini/tmp/repo/memory/skills/deploy/SKILL.md";
    assert_eq!(file(&stage, skill), None);
}

#[test]
fn what_nobody_has_seen_is_told_at_the_start_and_once() {
    let stage = Stage::new(WIRE, [says("Hello."), says("Hello again.")]);
    inbox::fill(&stage.sandbox);
    let screen = open(&stage);
    screen.wait_for("2 new things wait for your yes: /inbox");
    say(&screen, "Hello?");
    screen.wait_for("Hello.").wait_for("inbox 2, 2 new");
    ready(&screen);
    say(&screen, "/inbox");
    screen.wait_for("Deploys it.").wait_for("new");
    screen.keys("Esc");
    ready(&screen);
    say(&screen, "Hello?");
    screen.wait_for("Hello again.").wait_for("inbox 2 ·");
    let listed = stage.sandbox.json(&["memory", "inbox", "list"]);
    assert_eq!(listed["items"][0]["new"], false);
}

#[test]
fn what_waits_is_edited_and_the_change_is_shown_before_it_is_written() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    inbox::fill(&stage.sandbox);
    let vars = [("VISUAL", "sed -i 's/Do it/Do it well/'")];
    let screen = open_with(&stage, &[], &vars, Size::USUAL);
    say(&screen, "/inbox");
    screen.wait_for("Deploys it.").type_text("e");
    screen.wait_for("+Do it well.").type_text("y");
    screen.wait_for("edit: done").keys("Esc");
    ready(&screen);
    let skill = "home/.gemini/tmp/repo/memory/skills/deploy/SKILL.md";
    assert!(file(&stage, skill).unwrap().contains("Do it well."));
}

#[test]
fn another_session_is_found_by_its_words_and_goes_on() {
    let answers = [
        says("Seven ducks."),
        says("One heron."),
        says("As I said: seven."),
    ];
    let stage = Stage::new(WIRE, answers);
    assert_eq!(stage.talk(&["-p", "How many ducks?"]).code, 0);
    let screen = open(&stage);
    say(&screen, "Any herons?");
    screen.wait_for("One heron.");
    ready(&screen);
    say(&screen, "/resume");
    screen.wait_for("go on with it");
    screen.type_text("/ducks").wait_for("Seven ducks.");
    screen
        .keys("Enter")
        .keys("Enter")
        .wait_for("going on with session");
    ready(&screen);
    say(&screen, "How many again?");
    screen.wait_for("As I said: seven.");
    let last = stage.asked().pop().unwrap();
    assert!(
        last.contains("How many ducks?") && !last.contains("Any herons?"),
        "{last}"
    );
}

#[test]
fn a_picture_of_the_window_names_what_takes_part_of_it() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    say(&screen, "/context");
    screen.wait_for("free");
    ready(&screen);
    screen.shows("context").pictured("context", "analects");
}

#[test]
fn a_command_that_is_not_there_suggests_one_that_is() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    say(&screen, "/memroy show");
    screen.wait_for("/memory");
    ready(&screen);
    assert!(stage.asked().is_empty());
}

#[test]
fn help_fits_the_window() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    say(&screen, "/help");
    screen.wait_for("/quit");
    ready(&screen);
    let text = screen.scrollback_text();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_name_is_completed() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    screen
        .type_text("/compr")
        .wait_for("/compr")
        .keys("Tab")
        .wait_for("/compress");
}
