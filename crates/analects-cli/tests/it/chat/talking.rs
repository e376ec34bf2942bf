//! A turn: words as they come, a turn that is stopped, and what is typed meanwhile.

use analects_testkit::model_server::Reply;
use analects_testkit::say as model;
use analects_world::models::Finish;

use crate::agent::stage::{Stage, calls, read, says};
use crate::chat::{WIRE, goes_on, open, open_with, ready, say};
use crate::screen::Size;

const MARKDOWN: [&str; 6] = [
    "# Ducks\n\nThere are **seven** ducks",
    " in the *pond*:\n\n- one mall",
    "ard\n- six teals\n\n```rust\nfn ducks",
    "() -> u32 {\n    7\n}\n```\n\n| bird | n |\n|---|---|\n| du",
    "ck | 7 |\n| heron | 1 |\n\nSee [the map](https://example.org/map)",
    " and `pond.rs`.",
];

fn markdown() -> Reply {
    let pieces = MARKDOWN.map(model::text).into_iter();
    Reply::say(pieces.chain([model::usage(900, 120), model::done()]))
}

#[test]
fn markdown_is_painted_while_it_comes_and_stands_there_in_the_end() {
    let stage = Stage::new(WIRE, [markdown().holding_after(2).holding_after(4)]);
    let screen = open(&stage);
    say(&screen, "How many ducks?");
    let held = stage.server.held();
    screen
        .wait_for("There are seven ducks")
        .wait_for("one mall");
    assert!(!screen.text().contains("**"), "{}", screen.text());
    held.release();
    let held = stage.server.held();
    screen.wait_for("six teals").wait_for("fn ducks() -> u32 {");
    held.release();
    screen.wait_for("pond.rs");
    ready(&screen);
    screen.shows("streaming").pictured("streaming", "analects");
}

#[test]
fn what_is_typed_is_what_is_sent() {
    let lines = [
        "What do !! and !$ and !0 mean?",
        "/home/me/app.py:12: TypeError",
        "// what is this?",
        " /help",
    ];
    let stage = Stage::new(WIRE, lines.map(|_| says("Heard.")));
    let screen = open(&stage);
    for (at, line) in lines.into_iter().enumerate() {
        say(&screen, line);
        screen.wait_until("an answer to each", |screen| {
            screen.contents().matches("Heard.").count() > at
        });
        ready(&screen);
        let last = stage.asked().pop().unwrap();
        assert!(last.contains(line), "{line}: {last}");
    }
    // No history is brought back: it is no command at all.
    say(&screen, "!");
    screen.wait_for("! runs a command");
    ready(&screen);
    say(&screen, "/hlep");
    screen.wait_for("with a blank before it, a line is sent as it is");
}

#[test]
fn an_answer_that_was_cut_off_is_told_of() {
    let half = [model::text("It all beg"), model::finish(Finish::Length)];
    let stage = Stage::new(WIRE, [Reply::say(half)]);
    let screen = open(&stage);
    say(&screen, "Tell me everything.");
    screen.wait_for("the answer is cut off");
    ready(&screen);
}

#[test]
fn a_kilobyte_that_is_streamed_is_not_painted_many_times() {
    const N_PIECES: usize = 400;
    let word = |n: usize| model::text(&format!("Sentence {n} speaks of herons and of ponds. "));
    let pieces: Vec<_> = (0..N_PIECES).map(word).collect();
    let n_said: usize = (0..N_PIECES)
        .map(|n| format!("Sentence {n} speaks of herons and of ponds. ").len())
        .sum();
    let all = pieces
        .into_iter()
        .chain([model::usage(900, 900), model::done()]);
    let stage = Stage::new(WIRE, [Reply::say(all)]);
    let screen = open(&stage);
    let n_before = screen.raw().len();
    say(&screen, "Tell me.");
    screen.wait_for("Sentence 399");
    ready(&screen);
    let n_written = screen.raw().len() - n_before;
    assert!(
        n_written < 3 * n_said + 8_000,
        "{n_written} bytes were written for {n_said}"
    );
}

#[test]
fn ctrl_c_cancels_a_turn_and_the_session_goes_on() {
    let script = [
        calls([read("1", "src/lib/pond.rs")]),
        says("Sev").holding_after(1),
        says("Eight by now."),
        says("Nine."),
    ];
    let stage = Stage::new(WIRE, script);
    let mut screen = open(&stage);
    say(&screen, "How many ducks?");
    let held = stage.server.held();
    screen.wait_for("Sev").keys("Ctrl-C");
    assert!(held.hung_up());
    ready(&screen);
    screen.shows("cancelled");
    say(&screen, "And now?");
    screen.wait_for("Eight by now.");
    ready(&screen);
    let last = stage.asked().pop().unwrap();
    for words in ["How many ducks?", "fn ducks()", "And now?"] {
        assert!(last.contains(words), "{words}: {last}");
    }
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
    goes_on(&stage, &["How many ducks?", "And now?", "Eight by now."]);
}

#[test]
fn an_answer_that_never_comes_can_be_cancelled() {
    let stage = Stage::new(WIRE, [Reply::silence(), says("Here.")]);
    let screen = open(&stage);
    say(&screen, "Hello?");
    let held = stage.server.held();
    // A spinner says for how long.
    screen.wait_for("asking").keys("Ctrl-C");
    assert!(held.hung_up());
    ready(&screen);
    say(&screen, "Anybody?");
    screen.wait_for("Here.");
}

#[test]
fn what_is_typed_during_a_turn_stands_in_the_line_after_it() {
    let script = [says("Seven.").holding_after(1), says("Because.")];
    let stage = Stage::new(WIRE, script);
    let screen = open(&stage);
    say(&screen, "How many ducks?");
    let held = stage.server.held();
    screen.wait_for("Seven.").type_text("But why?");
    held.release();
    screen
        .wait_for("> But why?")
        .keys("Enter")
        .wait_for("Because.");
    ready(&screen);
    assert!(stage.asked().pop().unwrap().contains("But why?"));
}

#[test]
fn a_window_that_changes_its_size_during_a_turn_shows_the_turn() {
    let stage = Stage::new(WIRE, [markdown().holding_after(3), says("Yes.")]);
    let screen = open(&stage);
    say(&screen, "How many ducks?");
    let held = stage.server.held();
    screen.wait_for("six teals");
    screen.resize(Size {
        columns: 44,
        rows: 18,
    });
    held.release();
    screen.wait_for("pond.rs");
    ready(&screen);
    say(&screen, "Still there?");
    screen.wait_for("Yes.");
    ready(&screen);
    // What was painted before is the terminal's to wrap; nothing is painted twice.
    assert_eq!(screen.scrollback_text().matches("six teals").count(), 1);
}

#[test]
fn without_colour_nothing_is_coloured_and_nothing_is_missing() {
    let stage = Stage::new(WIRE, [markdown()]);
    let screen = open_with(&stage, &[], &[("NO_COLOR", "1")], Size::USUAL);
    say(&screen, "How many ducks?");
    screen.wait_for("pond.rs");
    ready(&screen);
    screen.shows("no-color");
    let coloured = screen.raw();
    let text = String::from_utf8_lossy(&coloured);
    for sequence in text.split("\x1b[").skip(1) {
        let numbers: String = sequence
            .chars()
            .take_while(|c| !c.is_alphabetic())
            .collect();
        let letter = sequence.chars().find(|c| c.is_alphabetic());
        let is_colour = |n: &str| matches!(n.parse(), Ok(30..=49 | 90..=107));
        let has_colour = letter == Some('m') && numbers.split(';').any(is_colour);
        assert!(!has_colour, "{numbers}");
    }
}

#[test]
fn a_dumb_terminal_gets_lines_and_nothing_else() {
    let stage = Stage::new(WIRE, [markdown(), says("Yes.")]);
    let mut screen = open_with(&stage, &[], &[("TERM", "dumb")], Size::USUAL);
    say(&screen, "How many ducks?");
    screen.wait_for("pond.rs");
    ready(&screen);
    screen.shows("dumb");
    say(&screen, "Sure?");
    screen.wait_for("Yes.");
    ready(&screen);
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
    let raw = screen.raw();
    let text = String::from_utf8_lossy(&raw);
    assert!(!text.contains('\x1b'), "{text}");
    // Ctrl-D may be taken back by the terminal itself.
    let backs = raw.iter().filter(|byte| **byte == 0x08).count();
    assert!(backs <= 2, "{backs}");
}
