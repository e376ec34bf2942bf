//! Commands that are not run here: each with the reason, and with what shows instead that it holds.
//!
//! Nothing else is left out. A row that no page needs any more is a fault.

use std::fs;

use super::page::root;

/// A command that is not run here.
pub(crate) struct Exempt {
    /// How the command begins, in whole words; with `.` at its end it is the whole command.
    pub(crate) begins: &'static str,
    /// Why it is not run.
    pub(crate) why: &'static str,
    /// What is looked at in its place.
    pub(crate) check: Check,
}

/// What is looked at in place of running a command.
#[derive(Clone, Copy)]
pub(crate) enum Check {
    /// The chore is one of xtask's.
    Chore,
    /// The package, test, bench or example is there.
    Package,
    /// Our own parser takes what follows these words.
    Parsed(&'static str),
    /// The verb is there if this test of it is, and only then.
    Verb(&'static str),
    /// This file is there, and shows it.
    File(&'static str),
}

const fn row(begins: &'static str, check: Check, why: &'static str) -> Exempt {
    Exempt { begins, why, check }
}

/// All of them.
pub(crate) const EXEMPT: &[Exempt] = &[
    row(
        "analects .",
        Check::File("crates/analects-cli/tests/it/chat.rs"),
        "a chat: `it/chat` holds many",
    ),
    row(
        "analects tour",
        Check::Verb("crates/analects-cli/tests/it/tour.rs"),
        "long, and a test of its own: `it/tour.rs`",
    ),
    row(
        "cargo bench",
        Check::Package,
        "`cargo xtask ci` runs every bench",
    ),
    row(
        "cargo install --path",
        Check::Package,
        "builds for minutes; `cargo xtask dist` builds the same package",
    ),
    row(
        "cargo run --release -- ",
        Check::Parsed(" -- "),
        "builds for minutes; `cargo xtask ci` runs it and reads the answer",
    ),
    row(
        "cargo run --release -p",
        Check::Package,
        "builds for minutes; `cargo clippy --all-targets` compiles it",
    ),
    row(
        "cargo test",
        Check::Package,
        "`cargo xtask ci` runs every test",
    ),
    row(
        "cargo xtask",
        Check::Chore,
        "a chore of this repository, not of the binary",
    ),
    row(
        "claude",
        Check::File("xtask/src/hosts.rs"),
        "another program: `cargo xtask hosts` runs it, wired by us",
    ),
    row(
        "codex",
        Check::File("xtask/src/hosts.rs"),
        "another program: `cargo xtask hosts` runs it, wired by us",
    ),
    row(
        "gemini",
        Check::File("xtask/src/hosts.rs"),
        "another program: `cargo xtask hosts` runs it, wired by us",
    ),
    row(
        "target/peers/small-model/bin/python",
        Check::File("xtask/lab/llama.py"),
        "needs what `cargo xtask small-model` installs",
    ),
];

/// The row that a command falls under.
pub(crate) fn find(command: &str) -> Option<usize> {
    // What a variable is set to for one command is no part of it.
    let command = command
        .split_once(" #")
        .map_or(command, |(command, _)| command);
    let command = format!("{} ", command.trim());
    EXEMPT
        .iter()
        .position(|row| match row.begins.strip_suffix('.') {
            Some(whole) => command == whole,
            None => command.starts_with(&format!("{} ", row.begins.trim())),
        })
}

impl Exempt {
    /// What is wrong with a command that is not run.
    pub(crate) fn fault(
        &self,
        command: &str,
        parse: impl Fn(&str) -> Option<String>,
    ) -> Option<String> {
        match self.check {
            Check::Chore => {
                let chore = command.split_whitespace().nth(2)?;
                let is_there = chores().iter().any(|known| known == chore);
                (!is_there).then(|| format!("there is no chore `{chore}`"))
            }
            Check::Package => missing(command),
            Check::Parsed(behind) => {
                let (_, rest) = command.split_once(behind)?;
                parse(rest)
            }
            Check::Verb(path) => {
                let (_, verb) = command.split_once("analects ")?;
                let is_known = parse(verb).is_none();
                let is_shown = root().join(path).is_file();
                (is_known != is_shown)
                    .then(|| format!("the verb without {path}, or that without it"))
            }
            Check::File(path) => {
                let is_there = root().join(path).is_file();
                (!is_there).then(|| format!("nothing shows it: {path} is gone"))
            }
        }
    }
}

/// The chores, as they are typed.
fn chores() -> Vec<String> {
    let main = fs::read_to_string(root().join("xtask/src/main.rs")).unwrap();
    let (_, body) = main.split_once("enum Chore {\n").unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let rows = body.lines().filter_map(|row| row.strip_prefix("    "));
    let is_variant = |row: &&str| row.starts_with(|letter: char| letter.is_ascii_uppercase());
    rows.filter(is_variant)
        .map(|row| {
            let name = row.split(|letter: char| !letter.is_alphanumeric()).next();
            let mut typed = String::new();
            for letter in name.unwrap().chars() {
                if letter.is_ascii_uppercase() && !typed.is_empty() {
                    typed.push('-');
                }
                typed.push(letter.to_ascii_lowercase());
            }
            typed
        })
        .collect()
}

/// What a line of cargo names and is not there.
fn missing(command: &str) -> Option<String> {
    let words: Vec<_> = command.split_whitespace().collect();
    let after = |flags: [&str; 2]| {
        let at = words.iter().position(|word| flags.contains(word))?;
        words.get(at + 1).copied()
    };
    let package = match after(["--path", "--path"]) {
        Some(path) => path.to_owned(),
        None => match after(["-p", "--package"])? {
            "analects-fuzz" => "fuzz".to_owned(),
            name => format!("crates/{name}"),
        },
    };
    let mut wanted = vec![format!("{package}/Cargo.toml")];
    for (flag, dir) in [("--bench", "benches"), ("--example", "examples")] {
        wanted.extend(after([flag, flag]).map(|name| format!("{package}/{dir}/{name}.rs")));
    }
    wanted.extend(after(["--test", "--test"]).map(|name| format!("{package}/tests/{name}")));
    let gone = wanted.into_iter().find(|path| !root().join(path).exists());
    gone.map(|path| format!("there is no {path}"))
}

#[test]
fn a_row_is_about_whole_words() {
    let begins = |command| find(command).map(|at| EXEMPT[at].begins);
    assert_eq!(begins("analects"), Some("analects ."));
    assert_eq!(begins("analects   # a chat"), Some("analects ."));
    assert_eq!(begins("analects memory list"), None);
    assert_eq!(begins("geminis"), None);
    assert_eq!(begins("cargo xtask ci"), Some("cargo xtask"));
    assert!(chores().iter().any(|chore| chore == "extract-peer"));
    let xtask = &EXEMPT[find("cargo xtask frobnicate").unwrap()];
    assert!(xtask.fault("cargo xtask frobnicate", |_| None).is_some());
    assert!(missing("cargo test -p analects-nothing").is_some());
}
