//! A person at a terminal: a real one, with the binary behind it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Child, Stdio};

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::screen::{Screen, Size, contains};

/// The binary behind a terminal.
struct Terminal {
    screen: File,
    child: Child,
    seen: String,
    /// How much of that was waited for.
    at: usize,
}

impl Terminal {
    fn start(sandbox: &Sandbox, args: &[&str], vars: &[(&str, &str)]) -> Self {
        let pty = Pty::open();
        let mut command = sandbox.command(args);
        command.envs(vars.iter().copied());
        command.env("PATH", "/usr/bin:/bin");
        command.stdin(pty.other_end()).stderr(pty.other_end());
        let child = command.stdout(Stdio::piped()).spawn().unwrap();
        // Only the child holds the other end from here on: when it ends, so does what can be read.
        drop(command);
        Self {
            screen: File::from(pty.master),
            child,
            seen: String::new(),
            at: 0,
        }
    }

    /// Reads on until `words` are seen that were not seen before.
    fn wait_for(&mut self, words: &str) -> &mut Self {
        let mut buffer = [0; 4096];
        loop {
            let found = self.seen.get(self.at..).unwrap().find(words);
            if let Some(found) = found {
                self.at += found + words.len();
                return self;
            }
            let n_read = self.screen.read(&mut buffer).unwrap_or(0);
            assert!(n_read > 0, "never saw {words:?} in {:?}", self.seen);
            self.seen
                .push_str(&String::from_utf8_lossy(&buffer[..n_read]));
        }
    }

    fn say(&mut self, line: &str) -> &mut Self {
        self.screen.write_all(line.as_bytes()).unwrap();
        self.screen.write_all(b"\n").unwrap();
        self
    }

    /// What the binary answered, and everything the person saw.
    fn end(self) -> (String, String) {
        let (code, answer, seen) = self.end_with_code();
        assert_eq!(code, Some(0), "{seen}");
        (answer, seen)
    }

    fn end_with_code(mut self) -> (Option<i32>, String, String) {
        let mut rest = Vec::new();
        // The end of the terminal is an error on Linux.
        let _ = self.screen.read_to_end(&mut rest);
        self.seen.push_str(&String::from_utf8_lossy(&rest));
        let output = self.child.wait_with_output().unwrap();
        let answer = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), answer, self.seen)
    }
}

const ASK: &str = "Write this?";

fn global(sandbox: &Sandbox) -> Option<String> {
    fs::read_to_string(sandbox.path("home/.gemini/GEMINI.md")).ok()
}

#[test]
fn a_person_who_asks_nothing_is_shown_what_can_be_asked() {
    let sandbox = Sandbox::new();
    let (code, answer, seen) = Terminal::start(&sandbox, &[], &[]).end_with_code();
    assert_eq!((code, &*answer), (Some(2), ""));
    assert!(
        seen.contains("Usage: analects") && seen.contains("--prompt"),
        "{seen}"
    );
    let (code, answer, seen) = Terminal::start(&sandbox, &["--yolo"], &[]).end_with_code();
    assert_eq!((code, &*answer), (Some(42), ""));
    assert!(seen.starts_with("error: nothing is asked"), "{seen}");
}

#[test]
fn a_person_sees_the_change_and_agrees() {
    let sandbox = Sandbox::new();
    let mut terminal = Terminal::start(&sandbox, &["memory", "add", "I like tea"], &[]);
    terminal.wait_for(ASK).say("perhaps").wait_for(ASK).say("y");
    let (answer, seen) = terminal.end();
    assert!(
        answer.starts_with("Remembered in ~/.gemini/GEMINI.md"),
        "{answer}"
    );
    assert!(seen.contains("+- I like tea"), "{seen}");
    assert_eq!(
        global(&sandbox).as_deref(),
        Some("## Gemini Added Memories\n- I like tea\n")
    );
}

#[test]
fn a_change_is_asked_for_in_colours_that_say_nothing_new() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.gemini/GEMINI.md", "# Me\n\n- I live in Berlin\n");
    let size = Size {
        columns: 80,
        rows: 16,
    };
    for vars in [("LANG", "C.UTF-8"), ("NO_COLOR", "1")] {
        let args = ["memory", "add", "I like tea"];
        let mut screen = Screen::start(&sandbox, &args, [vars], size);
        screen.shows("memory-add");
        if vars.0 == "NO_COLOR" {
            assert!(!contains(&screen.raw(), b"\x1b["));
        } else {
            screen.pictured("memory-add", "analects memory add \"I like tea\"");
        }
        screen.type_text("n\r");
        assert_eq!(screen.end().code(), Some(0));
    }
}

#[test]
fn a_window_that_closes_before_an_answer_writes_nothing() {
    let sandbox = Sandbox::new();
    let no_vars: [(&str, &str); 0] = [];
    let args = ["memory", "add", "I like tea"];
    let mut screen = Screen::start(&sandbox, &args, no_vars, Size::USUAL);
    screen.wait_for(ASK);
    screen.hang_up();
    screen.end();
    assert_eq!(global(&sandbox), None);
}

#[test]
fn a_person_says_no_or_hangs_up() {
    let sandbox = Sandbox::new();
    let mut terminal = Terminal::start(&sandbox, &["remember", "I like tea"], &[]);
    terminal.wait_for("+- I like tea").wait_for(ASK).say("n");
    // The change was seen when it was asked for, and is not shown once more.
    assert_eq!(terminal.end().0, "Nothing was written.\n");
    let mut terminal = Terminal::start(&sandbox, &["remember", "I like tea"], &[]);
    // The end of input, as Ctrl-D sends it.
    terminal.wait_for(ASK).screen.write_all(b"\x04").unwrap();
    assert_eq!(terminal.end().0, "Nothing was written.\n");
    assert_eq!(global(&sandbox), None);
}

#[test]
fn a_person_changes_the_words_in_an_editor() {
    let sandbox = Sandbox::new();
    let editor = ("EDITOR", "sed -i 's/tea/green tea/'");
    let mut terminal = Terminal::start(&sandbox, &["remember", "I like tea"], &[editor]);
    terminal.wait_for(ASK).say("e").wait_for(ASK).say("yes");
    terminal.end();
    let text = global(&sandbox).unwrap();
    assert!(text.ends_with("- I like green tea\n"), "{text}");
}

#[test]
fn what_an_editor_saves_between_preview_and_consent_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.gemini/GEMINI.md", "# Me\n");
    let mut terminal = Terminal::start(&sandbox, &["remember", "I like tea"], &[]);
    terminal.wait_for(ASK);
    sandbox.write("home/.gemini/GEMINI.md", "# Me\n\nWritten meanwhile.\n");
    terminal
        .say("y")
        .wait_for("changed meanwhile")
        .wait_for(ASK);
    terminal.say("y");
    terminal.end();
    assert_eq!(
        global(&sandbox).as_deref(),
        Some("# Me\n\nWritten meanwhile.\n\n## Gemini Added Memories\n- I like tea\n")
    );
}

#[test]
fn a_person_is_asked_once_where_a_fact_should_hold() {
    let sandbox = Sandbox::new();
    let manager = r#"{"memory": {"writer": "manager"}}"#;
    sandbox.write("home/.gemini/analects.json", manager);
    let args = ["--trust", "memory", "add", "Use conventional commits"];
    let mut terminal = Terminal::start(&sandbox, &args, &[]);
    terminal
        .wait_for("Where should this hold?")
        .wait_for("1. this project")
        .wait_for("2. all projects")
        .wait_for("Your choice (1-2): ")
        .say("")
        .wait_for("Your choice")
        .say("2")
        .wait_for(ASK)
        .say("y");
    let answer = terminal.end().0;
    assert!(
        answer.starts_with("Remembered in ~/.gemini/GEMINI.md, for all projects: you said so"),
        "{answer}"
    );
    let mut terminal = Terminal::start(&sandbox, &["--trust", "remember", "Never squash"], &[]);
    // The end of input: nobody can be asked, so the narrower place is shown; and then there is nobody to agree.
    terminal
        .wait_for("Your choice")
        .screen
        .write_all(b"\x04")
        .unwrap();
    terminal.wait_for("GEMINI.md").wait_for(ASK);
    terminal.screen.write_all(b"\x04").unwrap();
    assert_eq!(terminal.end().0, "Nothing was written.\n");
}

const TAKE: &str = "Take this?";

/// Global memory with three things to tidy.
fn untidy() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = "# Me\n- I like tea\n- i like tea.\n- I like coffee\n- I like coffee\n- I like milk\n- I like milk!\n";
    sandbox.write("home/.gemini/GEMINI.md", text);
    sandbox
}

#[test]
fn a_person_takes_some_steps_and_leaves_the_others() {
    let sandbox = untidy();
    let mut terminal = Terminal::start(&sandbox, &["memory", "tidy"], &[]);
    terminal
        .wait_for("3 changes")
        .wait_for("1 of 3")
        .wait_for("-- i like tea.");
    terminal
        .wait_for(TAKE)
        .say("?")
        .wait_for("take this change and all");
    terminal.wait_for(TAKE).say("y").wait_for("2 of 3");
    terminal.wait_for(TAKE).say("n").wait_for("3 of 3");
    terminal.wait_for(TAKE).say("a");
    let (answer, _) = terminal.end();
    assert!(answer.contains("2 of 3 steps taken."), "{answer}");
    let left = "# Me\n- I like tea\n- I like coffee\n- I like coffee\n- I like milk\n";
    assert_eq!(global(&sandbox).as_deref(), Some(left));
    sandbox.json(&["memory", "undo", "--yes"]);
    assert_eq!(global(&sandbox), global(&untidy()));
}

#[test]
fn a_person_who_goes_away_while_choosing_has_chosen_nothing() {
    let sandbox = untidy();
    let mut terminal = Terminal::start(&sandbox, &["memory", "tidy"], &[]);
    terminal.wait_for(TAKE).say("y").wait_for(TAKE);
    terminal.screen.write_all(b"\x04").unwrap();
    let (code, answer, _) = terminal.end_with_code();
    assert_eq!(code, Some(1));
    assert!(answer.contains("nobody was there to choose"), "{answer}");
    assert_eq!(global(&sandbox), global(&untidy()));
    let mut terminal = Terminal::start(&sandbox, &["memory", "tidy"], &[]);
    terminal.wait_for(TAKE).say("q");
    assert_eq!(terminal.end().0, "Nothing was written.\n");
    assert_eq!(global(&sandbox), global(&untidy()));
}

#[test]
fn what_an_editor_saves_while_a_person_chooses_is_kept() {
    let sandbox = untidy();
    let mut terminal = Terminal::start(&sandbox, &["memory", "tidy"], &[]);
    terminal.wait_for(TAKE);
    sandbox.write(
        "home/.gemini/GEMINI.md",
        "# Me\n- I like milk\n- I like milk!\nWritten meanwhile.\n",
    );
    terminal.say("a");
    let (_, seen) = terminal.end();
    assert!(seen.contains("has changed meanwhile"), "{seen}");
    let expected = "# Me\n- I like milk\n- I like milk!\nWritten meanwhile.\n";
    assert_eq!(
        global(&sandbox).as_deref(),
        Some(expected),
        "a line that goes on is no plain item"
    );
}
