//! The tour on a pipe and at a terminal: what it shows, and that it touches nothing of anybody's.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::extract::everything;
use crate::sandbox::Sandbox;
use crate::screen::{Screen, Size, contains};

const PAUSE: &str = "Enter to go on, q to end";

/// Somebody's home with memory, settings and a session in it, and a place for what does not last.
fn home() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("tmp")).unwrap();
    sandbox
        .write("home/.gemini/GEMINI.md", "- I like milk\n")
        .write(
            "home/.gemini/settings.json",
            "{\"model\": {\"name\": \"pro\"}}",
        )
        .write("home/.gemini/.env", "GEMINI_API_KEY=from-a-file\n")
        .write("home/.gemini/tmp/repo/chats/session-1.jsonl", "{}\n")
        .write("repo/GEMINI.md", "- Mine alone\n");
    sandbox
}

fn tour(sandbox: &Sandbox, args: &[&str]) -> Command {
    let args = [&["tour"], args].concat();
    let mut command = sandbox.command(&args);
    command.env("TMPDIR", sandbox.path("tmp"));
    command.env("PATH", "/usr/bin:/bin");
    command
}

fn is_tidy(sandbox: &Sandbox) -> bool {
    fs::read_dir(sandbox.path("tmp")).unwrap().count() == 0
}

/// What stands behind the prompt with this command, up to the next one.
fn after<'a>(out: &'a str, typed: &str) -> &'a str {
    let prompt = format!("  $ {typed}\n");
    let (_, rest) = out.split_once(&prompt).expect(typed);
    rest.split("\n\n  $ ").next().unwrap()
}

#[test]
fn a_stranger_sees_the_whole_life_of_a_memory_and_nothing_of_theirs_is_touched() {
    let sandbox = home();
    let before = everything(&sandbox.path(""));
    // Whoever has keys would be charged: a server waits behind each of them, and nobody comes.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = format!("http://{}", server.local_addr().unwrap());
    let mut command = tour(&sandbox, &[]);
    for key in ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
        command.env(key, "a-key");
    }
    for place in [
        "GOOGLE_GEMINI_BASE_URL",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "OLLAMA_HOST",
    ] {
        command.env(place, &address);
    }
    command.env("ANALECTS_CONTEXT_FILES", "NOTHING.md");
    let ran = sandbox.ran(command.output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let nobody = server.accept().unwrap_err();
    assert_eq!(nobody.kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(everything(&sandbox.path("")), before);
    assert!(is_tidy(&sandbox));
    for mine in ["I like milk", "Mine alone", "a-key", "from-a-file"] {
        assert!(!ran.out.contains(mine), "{mine}");
    }

    let out = &ran.out;
    for n in 1..=13 {
        assert!(out.contains(&format!("\n{n}/13  ")), "{n}: {out}");
    }
    let untrusted = after(out, "analects memory list");
    assert!(untrusted.contains("it is not trusted"), "{untrusted}");
    let jit = after(out, "analects context shop/payments/refund.ts");
    assert!(jit.contains("Refunds go back"), "{jit}");
    let add = "analects memory add \"Orders ship on Thursdays only\"";
    let diff = after(out, &format!("{add} --dry-run"));
    assert!(
        diff.contains("\n  +- Orders ship on Thursdays only\n"),
        "{diff}"
    );
    let undone = after(out, "analects memory undo --yes");
    assert!(
        undone.contains("\n  -- Orders ship on Thursdays only\n"),
        "{undone}"
    );
    let (_, later) = out.split_once("$ analects memory undo").unwrap();
    let gone = after(later, "analects memory search Thursdays");
    assert!(gone.contains("No entry says that."), "{gone}");
    let offered = after(out, "analects prompt");
    assert!(
        offered.contains("lines before this\n  <available_skills>"),
        "{offered}"
    );
    let rule = out.rsplit_once("  $ analects memory show\n").unwrap().1;
    assert!(rule.contains("- Never touch the order history."), "{rule}");

    assert!(!out.contains(PAUSE) && !out.contains('\u{1b}'), "{out}");
    let too_wide: Vec<_> = out.lines().filter(|it| it.chars().count() > 80).collect();
    assert_eq!(too_wide, [""; 0]);
    assert_eq!(out.lines().find(|line| line.ends_with(' ')), None);
}

#[test]
fn a_program_gets_every_command_with_what_it_printed() {
    let sandbox = home();
    let output = tour(&sandbox, &["--json"]).output().unwrap();
    let ran = sandbox.ran(output);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["schemaVersion"], 1);
    assert_eq!(answer["kept"], Value::Null);
    let chapters = answer["chapters"].as_array().unwrap();
    assert_eq!(chapters.len(), 13);
    let commands: Vec<_> = chapters
        .iter()
        .flat_map(|chapter| chapter["commands"].as_array().unwrap())
        .collect();
    let printed = |line: &str| {
        let found = commands.iter().find(|command| command["line"] == line);
        found.expect(line)["stdout"].as_str().unwrap()
    };
    for command in &commands {
        let line = command["line"].as_str().unwrap();
        let code = if line.starts_with("analects remember") {
            42
        } else {
            0
        };
        assert_eq!(command["exitCode"], code, "{command}");
    }
    let compressed = printed("analects session compress latest");
    let (_, counts) = compressed.split_once("compressed: ").unwrap();
    let (before, rest) = counts.split_once(" → ").unwrap();
    let count = |text: &str| text.replace(',', "").parse::<usize>().unwrap();
    let (before, after) = (count(before), count(rest.split_once(' ').unwrap().0));
    assert!(before > 10_000 && after * 5 < before, "{compressed}");
    assert!(compressed.contains("still there:"), "{compressed}");
    let restored = printed("analects session compress latest --undo");
    assert!(restored.contains("restored"), "{restored}");
    let learned = printed("analects skill extract");
    assert!(
        learned.contains("new skill: run-freeze-stock-to-check-prices"),
        "{learned}"
    );
    let shown = printed("analects memory inbox show run-freeze-stock-to-check-prices");
    assert!(
        shown.contains("2. Run `just import-prices <name>`"),
        "{shown}"
    );
    let prompt = printed("analects prompt");
    assert!(
        prompt.contains("<name>run-freeze-stock-to-check-prices</name>"),
        "{prompt}"
    );
    assert!(is_tidy(&sandbox));
}

#[test]
fn a_command_that_fails_ends_the_tour_and_is_named() {
    let sandbox = home();
    let mut command = tour(&sandbox, &[]);
    // The first thing that is typed is not found here.
    command.env("PATH", sandbox.path("nowhere"));
    let ran = sandbox.ran(command.output().unwrap());
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        ran.err
            .starts_with("error: in “Define: memory is text”, `cat ~/.gemini/GEMINI.md` ended with exit code 127, not 0\n"),
        "{}",
        ran.err
    );
    assert!(ran.out.ends_with("(exit code 127)\n"), "{}", ran.out);
    assert!(is_tidy(&sandbox));
}

#[test]
fn whoever_wants_to_look_around_keeps_it() {
    let sandbox = home();
    let ran = sandbox.ran(tour(&sandbox, &["--keep"]).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let kept = ran.err.strip_prefix("kept in /T/").unwrap().trim_end();
    assert!(ran.out.contains(kept), "{}", ran.out);
    let skill = "home/.gemini/skills/run-freeze-stock-to-check-prices/SKILL.md";
    assert!(sandbox.path(kept).join(skill).is_file());
    assert!(sandbox.path(kept).join("home/teahouse/.git/HEAD").is_file());
}

#[test]
fn a_reader_who_goes_away_is_not_mourned() {
    let sandbox = home();
    let mut command = tour(&sandbox, &[]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(is_tidy(&sandbox));
}

#[test]
fn at_a_terminal_it_waits_until_somebody_has_read() {
    for (vars, has_color) in [(("LANG", "C.UTF-8"), true), (("NO_COLOR", "1"), false)] {
        let sandbox = home();
        let mut screen = at_terminal(&sandbox, &[], vars);
        screen.wait_for(PAUSE);
        assert!(screen.text().contains("1/13  Define"), "{}", screen.text());
        assert!(!contains(&screen.raw(), b"2/13"));
        screen.keys("Enter").wait_for("2/13  Trust");
        screen.wait_until("a second pause", |screen| {
            screen.contents().matches(PAUSE).count() == 2
        });
        screen.type_text("q");
        assert_eq!(screen.end().code(), Some(0));
        assert!(!contains(&screen.raw(), b"3/13"));
        assert_eq!(contains(&screen.raw(), b"\x1b[1m"), has_color);
        assert!(is_tidy(&sandbox));
    }
}

#[test]
fn an_interrupt_a_closed_window_and_a_signal_leave_nothing_behind() {
    let sandbox = home();
    let mut screen = at_terminal(&sandbox, &[], ("LANG", "C.UTF-8"));
    screen.wait_for(PAUSE).keys("Ctrl-C");
    assert_eq!(screen.end().code(), Some(130));
    assert!(is_tidy(&sandbox));
    let mut screen = at_terminal(&sandbox, &[], ("LANG", "C.UTF-8"));
    screen.wait_for(PAUSE);
    screen.signal(rustix::process::Signal::TERM);
    assert_eq!(screen.end().code(), Some(143));
    assert!(is_tidy(&sandbox));
    let mut screen = at_terminal(&sandbox, &[], ("LANG", "C.UTF-8"));
    screen.wait_for(PAUSE);
    screen.hang_up();
    screen.end();
    assert!(is_tidy(&sandbox));
}

#[test]
fn whoever_says_yes_is_not_waited_for_and_sees_it_in_colour() {
    let sandbox = home();
    let mut screen = at_terminal(&sandbox, &["--yes"], ("LANG", "C.UTF-8"));
    screen.wait_for("That was all of it");
    assert_eq!(screen.end().code(), Some(0));
    let raw = screen.raw();
    assert!(!contains(&raw, PAUSE.as_bytes()) && contains(&raw, b"\x1b[1m13/13"));
    assert!(is_tidy(&sandbox));
}

fn at_terminal(sandbox: &Sandbox, args: &[&str], var: (&str, &str)) -> Screen {
    let tmp = sandbox.path("tmp").to_str().unwrap().to_owned();
    let args = [&["tour"], args].concat();
    let size = Size {
        columns: 80,
        rows: 50,
    };
    Screen::start(sandbox, &args, [("TMPDIR", tmp.as_str()), var], size)
}
