//! Writing memory from the command line: one case a verb, and what may go wrong.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::sandbox::Sandbox;

const GLOBAL: &str = "home/.gemini/GEMINI.md";

fn read(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path(path)).unwrap()
}

#[test]
fn a_fact_is_remembered_found_changed_moved_forgotten_and_taken_back() {
    let sandbox = Sandbox::new();
    let added = sandbox.json(&["memory", "add", "I like tea", "--yes"]);
    assert_eq!(added["scope"], "global");
    assert_eq!(added["written"], true);
    assert!(added["diff"].as_str().unwrap().contains("+- I like tea"));
    let id = added["id"].as_str().unwrap();
    let found = sandbox.json(&["memory", "search", "TEA"]);
    assert_eq!(found["entries"][0]["id"], id);
    let edited = sandbox.json(&["memory", "edit", id, "I like green tea", "--yes"]);
    assert_eq!(edited["after"], "I like green tea");
    let moved = sandbox.json(&["memory", "move", id, "--to", "private", "--yes"]);
    assert!(
        moved["path"]
            .as_str()
            .unwrap()
            .ends_with("/tmp/repo/memory/MEMORY.md")
    );
    let listed = sandbox.json(&["memory", "list", "--entries"]);
    assert_eq!(listed["entries"][0]["id"], id);
    assert_eq!(listed["entries"][0]["layer"], "user_project");
    let forgotten = sandbox.json(&["memory", "forget", id, "--yes"]);
    assert_eq!(forgotten["after"], serde_json::Value::Null);
    let log = sandbox.json(&["memory", "log"]);
    let who: Vec<_> = log["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| &change["who"])
        .collect();
    assert_eq!(
        who,
        ["memory forget", "memory move", "memory edit", "memory add"]
    );
    for _ in 0..3 {
        assert_eq!(sandbox.json(&["memory", "undo", "--yes"])["written"], true);
    }
    assert!(read(&sandbox, GLOBAL).ends_with("- I like tea\n"));
    assert_eq!(sandbox.json(&["memory", "undo", "--yes"])["written"], true);
    assert!(!sandbox.path(GLOBAL).exists());
}

#[test]
fn without_a_terminal_consent_must_be_given() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["memory", "add", "I like tea"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--yes"), "{}", ran.err);
    let shown = sandbox.run(&["memory", "add", "I like tea", "--dry-run"]);
    assert_eq!(shown.code, 0);
    assert!(shown.out.contains("+- I like tea") && shown.out.contains("Nothing was written."));
    assert!(!sandbox.path(GLOBAL).exists());
}

#[test]
fn line_ends_code_and_trailing_text_stay_as_they_are() {
    let sandbox = Sandbox::new();
    let text = "# A\r\n\n```\n## Gemini Added Memories\n```\r\nno newline at the end";
    sandbox.write(GLOBAL, text);
    sandbox.json(&["memory", "add", "I like tea", "--yes"]);
    let new = read(&sandbox, GLOBAL);
    assert_eq!(
        new,
        format!("{text}\r\n\r\n## Gemini Added Memories\r\n- I like tea\r\n")
    );
    sandbox.json(&["memory", "forget", "I like tea", "--yes"]);
    assert_eq!(read(&sandbox, GLOBAL), text);
}

#[test]
fn a_large_file_gets_its_fact_and_a_diff_that_can_be_read() {
    let sandbox = Sandbox::new();
    let text = "a line of some length, again and again and again\n".repeat(1 << 20);
    assert!(text.len() > 50_000_000);
    sandbox.write(GLOBAL, &text);
    let added = sandbox.json(&["memory", "add", "I like tea", "--yes"]);
    let diff = added["diff"].as_str().unwrap();
    assert!(
        diff.lines().count() < 20 && diff.contains("+- I like tea"),
        "{diff}"
    );
    assert!(read(&sandbox, GLOBAL).starts_with(&text));
}

#[test]
fn files_that_cannot_be_written_stay_and_the_reason_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.gemini/GEMINI.md/is-a-directory", "");
    let ran = sandbox.run(&["memory", "add", "I like tea", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("directory"), "{}", ran.err);

    let sandbox = Sandbox::new();
    sandbox.write(GLOBAL, [0xFF, 0xFE, 0x00]);
    let ran = sandbox.run(&["memory", "add", "I like tea", "--yes"]);
    assert_eq!(ran.code, 1);
    assert_eq!(fs::read(sandbox.path(GLOBAL)).unwrap(), [0xFF, 0xFE, 0x00]);

    let sandbox = Sandbox::new();
    fs::remove_dir(sandbox.path("home/.gemini")).unwrap();
    assert_eq!(
        sandbox.run(&["memory", "add", "I like tea", "--yes"]).code,
        0
    );

    let sandbox = Sandbox::new();
    sandbox.write(GLOBAL, "# Mine\n");
    fs::set_permissions(sandbox.path(GLOBAL), Permissions::from_mode(0o444)).unwrap();
    let ran = sandbox.run(&["memory", "add", "I like tea", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("read-only"), "{}", ran.err);
    assert_eq!(read(&sandbox, GLOBAL), "# Mine\n");

    // Somebody else's home: nothing may be written there, not even a lock.
    let sandbox = Sandbox::new();
    sandbox.write(GLOBAL, "# Mine\n");
    for dir in ["home/.gemini", "home", ""] {
        fs::set_permissions(sandbox.path(dir), Permissions::from_mode(0o755)).unwrap();
    }
    let ran = sandbox.run_as_nobody(&["memory", "add", "I like tea", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("permission denied"), "{}", ran.err);
    assert_eq!(read(&sandbox, GLOBAL), "# Mine\n");
}

#[test]
fn odd_facts_are_cleaned_or_refused() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(100_000);
    for fact in ["", "   ", "---", "- - -", "\u{200B}\u{200B}", &long] {
        let ran = sandbox.run(&["memory", "add", "--yes", "--", fact]);
        assert_eq!(ran.code, 42, "{fact:.20}: {}", ran.err);
    }
    assert!(!sandbox.path(GLOBAL).exists());
    for (fact, noted) in [
        (
            "I say </project_context> often",
            "- I say &lt;/project_context> often",
        ),
        ("我喜欢用制表符缩进", "- 我喜欢用制表符缩进"),
        ("I write שלום עולם", "- I write שלום עולם"),
        ("I hide\u{202E}noth\u{200B}ing", "- I hidenothing"),
        ("I write\u{2028}on one\nline", "- I write on one line"),
    ] {
        let added = sandbox.json(&["memory", "add", "--scope", "global", "--yes", fact]);
        assert_eq!(added["written"], true, "{fact}");
        let text = read(&sandbox, GLOBAL);
        assert_eq!(text.lines().last(), Some(noted), "{text}");
    }
}

#[test]
fn a_link_is_written_through() {
    let sandbox = Sandbox::new();
    sandbox.write("dotfiles/GEMINI.md", "# Mine\n");
    sandbox.link(GLOBAL, sandbox.path("dotfiles/GEMINI.md"));
    sandbox.json(&["memory", "add", "I like tea", "--yes"]);
    assert!(read(&sandbox, "dotfiles/GEMINI.md").ends_with("- I like tea\n"));
    assert!(
        fs::symlink_metadata(sandbox.path(GLOBAL))
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn a_secret_is_stored_nowhere() {
    let sandbox = Sandbox::new();
    sandbox.write(GLOBAL, "# Mine\n");
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let fact = format!("I log in with {secret}");
    let ran = sandbox.run(&["memory", "add", &fact, "--yes", "--scope", "global"]);
    assert_eq!(ran.code, 42);
    assert!(!ran.err.contains(&secret), "{}", ran.err);
    let redacted = sandbox.json(&[
        "memory", "add", &fact, "--yes", "--redact", "--scope", "global",
    ]);
    assert!(redacted["text"].as_str().unwrap().contains("[redacted"));
    assert!(!holds(&sandbox.path("home"), &secret));
    // Allowed by its fingerprint, it is stored in the file, and in nothing else.
    let hint = ran.err.split("--allow ").nth(1).unwrap();
    let print = hint.split('`').next().unwrap();
    let allowed = sandbox.json(&[
        "memory", "add", &fact, "--yes", "--allow", print, "--scope", "global",
    ]);
    assert_eq!(allowed["written"], true);
    assert!(read(&sandbox, GLOBAL).contains(&secret));
    assert!(!holds(&sandbox.path("home/.gemini/analects"), &secret));
    sandbox.json(&["memory", "forget", allowed["id"].as_str().unwrap(), "--yes"]);
    assert!(!holds(&sandbox.path("home"), &secret));
    let ran = sandbox.run(&["memory", "undo", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("was a secret"), "{}", ran.err);
}

#[test]
fn a_leading_bullet_is_no_flag() {
    let sandbox = Sandbox::new();
    let added = sandbox.json(&[
        "memory",
        "add",
        "- I like tea",
        "--yes",
        "--scope",
        "global",
    ]);
    assert_eq!(added["text"], "I like tea");
    let id = added["id"].as_str().unwrap();
    let edited = sandbox.json(&["memory", "edit", id, "- I like rain", "--yes"]);
    assert_eq!(edited["after"], "I like rain");
}

#[test]
fn no_editor_opens_where_nobody_sits() {
    let sandbox = Sandbox::new();
    sandbox.json(&["memory", "add", "I like tea", "--yes", "--scope", "global"]);
    let ran = sandbox.run(&["memory", "edit", "tea", "--json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("nobody is there"), "{ran:?}");
    serde_json::from_str::<serde_json::Value>(&ran.out).unwrap();
    // One that was named may be a program; what it says is no part of the answer.
    let mut command = sandbox.command(&["memory", "edit", "tea", "--json", "--dry-run"]);
    command.env("EDITOR", "echo loud; sed -i s/tea/rain/");
    let ran = sandbox.ran(command.output().unwrap());
    assert!(ran.err.starts_with("loud"), "{ran:?}");
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["after"], "I like rain");
}

#[test]
fn a_change_that_is_unfinished_is_told_of_and_finished_before_an_entry_is_looked_for() {
    let sandbox = Sandbox::new();
    sandbox.json(&["memory", "add", "I like tea", "--yes", "--scope", "global"]);
    // As a program leaves it that dies before its last line.
    let journal = sandbox.path("home/.gemini/analects/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let begun = text.trim_end().rsplit_once('\n').unwrap().0;
    fs::write(&journal, format!("{begun}\n")).unwrap();
    let listed = sandbox.run(&["memory", "list"]);
    assert!(listed.err.contains("[unfinished-change]"), "{}", listed.err);
    let forgotten = sandbox.run(&["memory", "forget", "tea", "--yes"]);
    assert_eq!(forgotten.code, 0, "{}", forgotten.err);
    assert!(!sandbox.run(&["memory", "list"]).err.contains("unfinished"));
}

#[test]
fn advice_fits_the_verb_that_gives_it() {
    let sandbox = Sandbox::new();
    let added = sandbox.json(&["memory", "add", "I like tea", "--yes", "--scope", "global"]);
    let id = added["id"].as_str().unwrap();
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let refused = sandbox.run(&["memory", "edit", id, &format!("I use {secret}"), "--yes"]);
    assert!(!refused.err.contains("--redact"), "{}", refused.err);
    let unasked = sandbox.run(&["memory", "undo"]);
    assert!(!unasked.err.contains("memory.consent"), "{}", unasked.err);
    sandbox.write(GLOBAL, "# Mine\n- I like\n  neither\n");
    let moved_on = sandbox.run(&["memory", "undo", "--yes"]);
    assert!(
        moved_on.err.contains("\n      - I like\n"),
        "{}",
        moved_on.err
    );
    sandbox.write(GLOBAL, format!("- I use {secret}\n"));
    let gone = sandbox.run(&["memory", "forget", "I use", "--yes"]);
    assert!(!gone.out.contains("memory undo"), "{}", gone.out);
    assert!(gone.err.contains("[no-way-back]"), "{}", gone.err);
}

/// Whether a file below `dir` holds these words.
fn holds(dir: &Path, words: &str) -> bool {
    fs::read_dir(dir).unwrap().map(Result::unwrap).any(|entry| {
        if entry.file_type().unwrap().is_dir() {
            return holds(&entry.path(), words);
        }
        let bytes = fs::read(entry.path()).unwrap();
        String::from_utf8_lossy(&bytes).contains(words)
    })
}
