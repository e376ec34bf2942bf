//! Texts that want to be more than text, and more of them than anybody types.

use analects_testkit::say as model;
use serde_json::json;

use crate::agent::stage::{Stage, calls, says};
use crate::chat::{WIRE, open, open_with, ready, say};
use crate::screen::{Screen, Size, contains};

/// Sets a title, clears the screen, rings, writes over what stands there, and copies something.
const HOSTILE: &str = "\u{1b}]0;PWNED\u{7}\u{1b}[2J\u{1b}[1;1H\u{9b}31mred\u{7}\u{8}\u{1b}]52;c;UFdORUQ=\u{7}\u{202e}end";

/// Nothing of that reached the terminal as what it is.
fn is_clean(screen: &Screen) {
    let raw = screen.raw();
    let text = String::from_utf8_lossy(&raw);
    for bad in [
        "\u{1b}]0;PWNED",
        "\u{1b}]52;",
        "\u{7}",
        "\u{9b}",
        "\u{202e}",
        "\u{1b}[1;1H\u{9b}",
    ] {
        assert!(!contains(&raw, bad.as_bytes()), "{bad:?} in {text:?}");
    }
}

#[test]
fn what_a_model_says_and_thinks_does_not_reach_the_terminal_as_a_command() {
    let said = [
        model::thought(HOSTILE),
        model::text(&format!("Before {HOSTILE}\n\n# {HOSTILE}\n\n")),
        // A sequence in two pieces.
        model::text("half \u{1b}"),
        model::text(&format!(
            "]0;PWNED\u{7}\n\n```{HOSTILE}\n{HOSTILE}\n```\n\n[a]({HOSTILE}) over"
        )),
        model::usage(9, 9),
        model::done(),
    ];
    let stage = Stage::new(WIRE, [analects_testkit::model_server::Reply::say(said)]);
    let screen = open(&stage);
    say(&screen, "Hello?");
    screen.wait_for("over");
    ready(&screen);
    say(&screen, "/thoughts");
    ready(&screen);
    is_clean(&screen);
    assert!(screen.scrollback_text().contains("Before"));
}

#[test]
fn what_tools_find_and_print_does_not_reach_the_terminal_as_a_command() {
    let name = "\u{1b}]0;PWNED\u{7}.txt";
    let script = [
        calls([
            model::call("1", "list_directory", json!({ "dir_path": "." })),
            model::call("2", "read_file", json!({ "file_path": name })),
            model::call(
                "3",
                "run_shell_command",
                json!({ "command": format!("cat '{name}'; echo {HOSTILE}") }),
            ),
            model::call("4", HOSTILE, json!({ HOSTILE: HOSTILE })),
            model::call(
                "5",
                "write_file",
                json!({ "file_path": "b.txt", "content": HOSTILE }),
            ),
        ]),
        says("over"),
    ];
    let stage = Stage::new(WIRE, script);
    stage.sandbox.write(&format!("repo/{name}"), HOSTILE);
    let screen = open(&stage);
    say(&screen, "Look around.");
    screen.wait_for("Run this?").keys("y");
    screen.wait_for("Write this?").keys("y");
    screen.wait_for("over");
    ready(&screen);
    is_clean(&screen);
}

#[test]
fn what_memory_says_does_not_reach_the_terminal_as_a_command() {
    let stage = Stage::new(WIRE, [says("over")]);
    stage.sandbox.write(
        "repo/GEMINI.md",
        format!("# {HOSTILE}\n- {HOSTILE}\n@{HOSTILE}.md\n"),
    );
    stage
        .sandbox
        .write(&format!("repo/src/{HOSTILE}/GEMINI.md"), HOSTILE);
    let screen = open(&stage);
    for command in [
        "/memory show",
        "/memory list",
        "/context",
        "/skills",
        "/memory cost",
        "Hello?",
    ] {
        say(&screen, command);
        screen.wait_until("more lines", |_| true);
        ready(&screen);
    }
    screen.wait_for("over");
    is_clean(&screen);
}

#[test]
fn ten_megabytes_that_are_pasted_are_one_word_in_the_line_and_refused() {
    let stage = Stage::new(WIRE, [says("That is little.")]);
    let screen = open(&stage);
    let line = "A heron stands in the pond, and waits for what comes.\n";
    let much = line.repeat(10 * 1024 * 1024 / line.len());
    screen.paste(&much).wait_for("pasted text 1");
    let n_painted = screen.raw().len();
    assert!(n_painted < 100_000, "{n_painted} bytes were painted");
    // It is refused before anybody is asked, and stands there again.
    screen
        .keys("Enter")
        .wait_for("send less at once")
        .wait_for("pasted text 2");
    assert!(stage.asked().is_empty());
    screen.keys("Ctrl-C");
    ready(&screen);
    say(&screen, "Hello?");
    screen.wait_for("That is little.");
}

#[test]
fn a_paste_of_some_lines_is_sent_as_it_is() {
    let stage = Stage::new(WIRE, [says("Thanks.")]);
    let screen = open(&stage);
    screen.paste("one\n  two\n\tthree\n").wait_for("three");
    assert!(stage.asked().is_empty(), "a paste is not sent by itself");
    screen.keys("Enter").wait_for("Thanks.");
    let asked = stage.asked().pop().unwrap();
    assert!(asked.contains("one\\n  two\\n\\tthree"), "{asked}");
}

#[test]
fn a_window_of_nearly_nothing_is_no_reason_to_fall_over() {
    let stage = Stage::new(
        WIRE,
        [says("A few **words** that need more than one row of it.")],
    );
    let size = Size {
        columns: 12,
        rows: 5,
    };
    let mut screen = open_with(&stage, &[], &[], size);
    say(&screen, "Hello?");
    screen.wait_for("a-model · …");
    ready(&screen);
    let text = screen.scrollback_text();
    assert!(text.contains("words"), "{text}");
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
}
