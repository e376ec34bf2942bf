//! The harness itself, on programs that everybody knows.

use std::os::unix::process::ExitStatusExt;

use rustix::process::{Pid, Signal, test_kill_process};

use super::{Screen, Size, contains};
use crate::sandbox::Sandbox;

const NO_VARS: [(&str, &str); 0] = [];

/// A script behind a terminal.
fn script(sandbox: &Sandbox, script: &str) -> Screen {
    Screen::run(sandbox, &["sh", "-c", script], NO_VARS, Size::USUAL)
}

/// A script that does something when a signal comes. It has its hands full: one that waits could have begun to
/// just after the signal.
fn trapped(signal: &str, action: &str) -> String {
    format!("trap '{action}' {signal}; echo up; while :; do :; done")
}

#[test]
fn a_terminal_has_the_size_it_was_given() {
    let sandbox = Sandbox::new();
    let size = Size {
        columns: 91,
        rows: 17,
    };
    let mut screen = Screen::run(&sandbox, &["stty", "-a"], NO_VARS, size);
    screen.wait_for("rows 17; columns 91;").wait_for("iutf8");
    assert_eq!(screen.end().code(), Some(0));
}

#[test]
fn a_new_size_is_told_to_the_program() {
    let sandbox = Sandbox::new();
    let mut screen = script(&sandbox, &trapped("WINCH", "stty size; exit 3"));
    let size = Size {
        columns: 40,
        rows: 10,
    };
    screen.wait_for("up").resize(size).wait_for("10 40");
    assert_eq!(screen.end().code(), Some(3));
    assert_eq!(screen.text(), "up\n10 40\n");
}

#[test]
fn ctrl_c_reaches_what_runs_in_the_foreground() {
    let sandbox = Sandbox::new();
    let mut screen = script(&sandbox, &trapped("INT", "echo caught; exit 3"));
    screen.wait_for("up").keys("Ctrl-C").wait_for("caught");
    assert_eq!(screen.end().code(), Some(3));
    let mut screen = script(&sandbox, "echo up; exec cat");
    screen.wait_for("up").keys("Ctrl-C");
    assert_eq!(screen.end().signal(), Some(Signal::INT.as_raw()));
}

#[test]
fn ctrl_d_ends_the_input() {
    let sandbox = Sandbox::new();
    let mut screen = Screen::run(&sandbox, &["cat"], NO_VARS, Size::USUAL);
    screen.type_text("tea").keys("Enter").wait_for("tea\ntea");
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0));
}

#[test]
fn ctrl_z_stops_what_a_shell_runs_and_it_comes_back() {
    let sandbox = Sandbox::new();
    let mut screen = Screen::shell(&sandbox, NO_VARS, Size::USUAL);
    screen.type_text("cat\r");
    screen.type_text("one\r").wait_for("one\none");
    screen
        .keys("Ctrl-Z")
        .wait_for("Stopped")
        .wait_until("a second prompt", |screen| {
            screen.contents().matches("ready>").count() == 2
        });
    screen.type_text("fg\r").wait_for("fg\ncat");
    screen.type_text("two\r").wait_for("two\ntwo");
    screen.keys("Ctrl-D").type_text("exit 7\r");
    assert_eq!(screen.end().code(), Some(7));
}

#[test]
fn a_hang_up_ends_it() {
    let sandbox = Sandbox::new();
    // It reads nothing: who reads may see the end of input before the signal.
    let mut screen = script(&sandbox, "echo up; exec sleep 600");
    screen.wait_for("up").wait_for_raw("up\r\n");
    screen.hang_up();
    assert_eq!(screen.end().signal(), Some(Signal::HUP.as_raw()));
    assert_eq!(screen.text(), "up\n");
}

#[test]
fn a_signal_reaches_what_runs_in_the_foreground() {
    let sandbox = Sandbox::new();
    let mut screen = script(&sandbox, "echo up; exec cat");
    screen.wait_for("up").signal(Signal::TERM);
    assert_eq!(screen.end().signal(), Some(Signal::TERM.as_raw()));
}

#[test]
fn whoever_asks_where_the_cursor_is_and_who_the_terminal_is_gets_an_answer() {
    let sandbox = Sandbox::new();
    let ask = "stty raw -echo; printf 'abc\\033[6n\\033[c\\033[?u'; \
               dd bs=1 count=20 2>/dev/null | od -An -c | tr -d ' \\n'; stty sane; echo; echo over";
    let mut screen = script(&sandbox, ask);
    screen.wait_for("over");
    assert_eq!(screen.end().code(), Some(0));
    assert_eq!(
        screen.text(),
        "abc033[1;4R033[?62;22c033[?0u\nover\n",
        "{:?}",
        String::from_utf8_lossy(&screen.raw())
    );
}

#[test]
fn keys_are_told_as_the_program_asked_for() {
    let sandbox = Sandbox::new();
    let shown = |ask: &str, n_bytes: usize| {
        let read = format!(
            "stty raw -echo; printf '{ask}up'; dd bs=1 count={n_bytes} 2>/dev/null | od -An -c | tr -d ' \\n'"
        );
        let mut screen = script(&sandbox, &read);
        screen.wait_for("up").keys("Esc Ctrl-C Up Tab");
        assert_eq!(screen.end().code(), Some(0));
        screen.text()
    };
    assert_eq!(shown("", 6), "up033003033[A\\t\n");
    assert_eq!(shown("\\033[>1u", 16), "up033[27u033[99;5u033[A\\t\n");
    assert_eq!(shown("\\033[>1u\\033[<u", 6), "up033003033[A\\t\n");
}

#[test]
fn a_paste_is_marked_for_those_who_asked_for_it() {
    let sandbox = Sandbox::new();
    let shown = |ask: &str, n_bytes: usize| {
        let read = format!(
            "stty raw -echo; printf '{ask}up'; dd bs=1 count={n_bytes} 2>/dev/null | od -An -c | tr -d ' \\n'"
        );
        let mut screen = script(&sandbox, &read);
        screen.wait_for("up").paste("a\n\x1b[201~b");
        assert_eq!(screen.end().code(), Some(0));
        screen.text()
    };
    assert_eq!(shown("", 9), "upa\\r033[201~b\n");
    assert_eq!(shown("\\033[?2004h", 15), "up033[200~a\\rb033[201~\n");
}

#[test]
fn much_is_typed_while_much_is_written() {
    let sandbox = Sandbox::new();
    let mut screen = script(&sandbox, "stty raw -echo; printf up; exec head -c 3000000");
    let much = "0123456789".repeat(300_000);
    screen.wait_for("up").type_text(&much);
    assert_eq!(screen.end().code(), Some(0));
    assert!(contains(&screen.raw(), much.as_bytes()));
}

#[test]
fn what_left_the_screen_can_be_read() {
    let sandbox = Sandbox::new();
    let mut screen = script(&sandbox, "seq 100");
    assert_eq!(screen.end().code(), Some(0));
    assert!(screen.text().starts_with("78\n"), "{}", screen.text());
    let all: String = (1..=100).map(|n| format!("{n}\n")).collect();
    assert_eq!(screen.scrollback_text(), all);
}

#[test]
fn nothing_outlives_a_test_whatever_session_it_is_in() {
    let sandbox = Sandbox::new();
    let screen = script(
        &sandbox,
        "trap '' HUP TERM; setsid sh -c 'echo \"<$$>\"; trap \"\" HUP TERM; tail -f /dev/null; :' & wait",
    );
    screen.wait_for(">");
    let text = screen.text();
    let pid = text.trim().trim_matches(['<', '>']).parse().unwrap();
    let pid = Pid::from_raw(pid).unwrap();
    test_kill_process(pid).unwrap();
    drop(screen);
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let is_gone = state.is_err() || state.is_ok_and(|state| state.contains(") Z "));
    assert!(is_gone, "{pid:?} is still there");
}

#[test]
fn a_screen_is_kept_as_text() {
    let sandbox = Sandbox::new();
    let mut screen = script(
        &sandbox,
        "printf 'plain \\033[1;32mgreen\\033[0m\\n'; echo \"$HOME\"; read line",
    );
    screen.shows("harness");
    screen.keys("Enter");
    assert_eq!(screen.end().code(), Some(0));
}
