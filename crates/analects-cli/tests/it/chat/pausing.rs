//! Ctrl-Z and back, in a shell as people have it.

use crate::agent::stage::{Stage, says};
use crate::chat::{WIRE, all_vars, ready, say};
use crate::screen::{Screen, Size};

/// A shell, and the chat in it.
fn in_a_shell(stage: &Stage) -> Screen {
    let screen = Screen::shell(&stage.sandbox, all_vars(stage, &[]), Size::USUAL);
    say(&screen, "analects --trust -m a-model");
    ready(&screen);
    screen
}

/// Stops what runs, and waits for the shell.
fn pause(screen: &Screen) {
    screen
        .keys("Ctrl-Z")
        .wait_for("Stopped")
        .wait_until("a prompt of the shell", |screen| {
            screen.contents().matches("ready>").count() == 2
        });
}

/// Leaves the chat and the shell.
fn leave(screen: &mut Screen) {
    ready(screen);
    screen
        .keys("Ctrl-D")
        .wait_until("the shell again", |screen| {
            let (row, _) = screen.cursor_position();
            let row = screen.rows(0, screen.size().1).nth(usize::from(row));
            row.is_some_and(|row| row.trim_end() == "ready>")
        });
    say(screen, "exit 7");
    assert_eq!(screen.end().code(), Some(7));
}

#[test]
fn a_chat_that_waits_for_a_line_is_paused_and_comes_back_with_it() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let mut screen = in_a_shell(&stage);
    screen.type_text("half a line").wait_for("> half a line");
    pause(&screen);
    // The shell has a terminal that shows what is typed.
    say(&screen, "echo $((40+2))");
    screen.wait_for("echo $((40+2))").wait_for("\n42");
    say(&screen, "fg");
    screen.wait_until("the line again", |screen| {
        let (row, _) = screen.cursor_position();
        let row = screen.rows(0, screen.size().1).nth(usize::from(row));
        row.is_some_and(|row| row.contains("> half a line"))
    });
    screen
        .type_text(" and the rest")
        .keys("Enter")
        .wait_for("Hello.");
    assert!(
        stage
            .asked()
            .pop()
            .unwrap()
            .contains("half a line and the rest")
    );
    leave(&mut screen);
}

#[test]
fn a_turn_is_paused_and_goes_on() {
    let stage = Stage::new(WIRE, [says("Seven ducks.").holding_after(1), says("Yes.")]);
    let mut screen = in_a_shell(&stage);
    say(&screen, "How many ducks?");
    let held = stage.server.held();
    screen.wait_for("Seven ducks.");
    pause(&screen);
    say(&screen, "fg");
    held.release();
    ready(&screen);
    say(&screen, "Sure?");
    screen.wait_for("Yes.");
    leave(&mut screen);
}
