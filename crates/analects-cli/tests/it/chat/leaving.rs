//! Every way to leave: by a word, by a key, by a signal, by a window that closes. What was said is kept.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use analects_testkit::say as model;
use rustix::process::{Pid, Signal, test_kill_process};
use serde_json::json;

use crate::agent::stage::{Stage, calls, read, says};
use crate::chat::{WIRE, goes_on, open, open_with, ready, say};
use crate::screen::{Screen, Size};

/// The terminal is as it was: lines and echo, a cursor, no pastes that are marked, the screen with what was said.
fn is_restored(screen: &Screen) {
    screen.wait_until("a terminal as it was", |screen| {
        !screen.hide_cursor() && !screen.bracketed_paste() && !screen.alternate_screen()
    });
}

#[test]
fn one_leaves_by_a_word_or_by_the_end_of_input() {
    for leave in ["/quit", "/exit", "Ctrl-D"] {
        let stage = Stage::new(WIRE, [says("Hello.")]);
        let mut screen = open(&stage);
        say(&screen, "Hello?");
        screen.wait_for("Hello.");
        ready(&screen);
        match leave {
            "Ctrl-D" => screen.keys(leave),
            word => screen.type_text(word).keys("Enter"),
        };
        assert_eq!(screen.end().code(), Some(0), "{leave}");
        is_restored(&screen);
    }
}

#[test]
fn ctrl_c_twice_leaves() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let mut screen = open(&stage);
    screen.keys("Ctrl-C").wait_for("again");
    ready(&screen);
    screen.keys("Ctrl-C");
    let status = screen.end();
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
    is_restored(&screen);
}

#[test]
fn ctrl_c_twice_leaves_after_a_turn_that_was_cancelled() {
    let stage = Stage::new(WIRE, [says("Sev").holding_after(1), says("Eight.")]);
    let mut screen = open(&stage);
    say(&screen, "How many ducks?");
    let held = stage.server.held();
    screen.wait_for("Sev").keys("Ctrl-C").wait_for("cancelled");
    ready(&screen);
    screen.keys("Ctrl-C");
    let status = screen.end();
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
    assert!(held.hung_up());
    is_restored(&screen);
    goes_on(&stage, &["How many ducks?"]);
}

#[test]
fn ctrl_c_takes_a_line_back() {
    let stage = Stage::new(WIRE, [says("Hello.")]);
    let screen = open(&stage);
    screen
        .type_text("a long question")
        .wait_for("> a long question");
    screen.keys("Ctrl-C");
    screen.wait_for("what you typed is one key up");
    ready(&screen);
    screen.keys("Up").wait_for("> a long question");
}

/// By this signal, or by a code that says so.
fn ended_by(status: ExitStatus, signal: Signal) -> bool {
    status.signal() == Some(signal.as_raw()) || status.code() == Some(128 + signal.as_raw())
}

#[test]
fn a_signal_ends_a_chat_in_order_whatever_it_does() {
    for is_busy in [false, true] {
        let script = [
            calls([read("1", "src/lib/pond.rs")]),
            says("Sev").holding_after(1),
            says("Eight."),
        ];
        let stage = Stage::new(WIRE, script);
        let mut screen = open(&stage);
        say(&screen, "How many ducks?");
        let held = stage.server.held();
        screen.wait_for("Sev");
        if is_busy {
            screen.signal(Signal::TERM);
        } else {
            held.release();
            ready(&screen);
            screen.signal(Signal::TERM);
        }
        let status = screen.end();
        assert!(ended_by(status, Signal::TERM), "{status}");
        is_restored(&screen);
        goes_on(&stage, &["How many ducks?", "fn ducks()"]);
    }
}

#[test]
fn a_window_that_closes_during_a_tool_call_leaves_a_record_that_goes_on() {
    let command = "echo \"<$$>\"; exec tail -f /dev/null";
    let run = model::call("1", "run_shell_command", json!({ "command": command }));
    let stage = Stage::new(WIRE, [calls([run]), says("Where were we?")]);
    let mut screen = open_with(&stage, &["--approval-mode", "yolo"], &[], Size::USUAL);
    say(&screen, "Wait for it.");
    screen.wait_until("what it prints", |screen| pid(&screen.contents()).is_some());
    let pid = pid(&screen.text()).unwrap();
    screen.hang_up();
    screen.end();
    assert!(test_kill_process(pid).is_err(), "the tool is still there");
    goes_on(&stage, &["Wait for it.", "run_shell_command"]);
}

/// The number that a command printed.
fn pid(text: &str) -> Option<Pid> {
    let number = text.rsplit_once('<')?.1.split_once('>')?.0;
    number.parse().ok().and_then(Pid::from_raw)
}

#[test]
fn a_window_that_closes_during_an_answer_or_a_question_leaves_a_record_that_goes_on() {
    let args = json!({ "file_path": "new.txt", "content": "new\n" });
    for is_question in [false, true] {
        let second = match is_question {
            true => calls([model::call("2", "write_file", args.clone())]),
            false => says("Sev").holding_after(1),
        };
        let script = [
            calls([read("1", "src/lib/pond.rs")]),
            second,
            says("Eight."),
        ];
        let stage = Stage::new(WIRE, script);
        let mut screen = open(&stage);
        say(&screen, "How many ducks?");
        screen.wait_for(if is_question { "Write this?" } else { "Sev" });
        screen.hang_up();
        screen.end();
        assert_eq!(super::file(&stage, "repo/new.txt"), None);
        goes_on(&stage, &["How many ducks?", "fn ducks()"]);
    }
}

#[test]
fn a_window_that_closes_while_a_line_is_typed_ends_the_chat() {
    for typed in ["", "half a quest"] {
        let stage = Stage::new(WIRE, [says("Seven."), says("Eight.")]);
        let mut screen = open(&stage);
        say(&screen, "How many ducks?");
        screen.wait_for("Seven.");
        ready(&screen);
        screen.type_text(typed).wait_for(&format!("> {typed}"));
        screen.hang_up();
        let status = screen.end();
        assert!(ended_by(status, Signal::HUP), "{status}");
        goes_on(&stage, &["How many ducks?"]);
    }
}
