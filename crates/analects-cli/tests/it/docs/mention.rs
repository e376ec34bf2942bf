//! Commands that are mentioned: in sentences, tables and lists. Each is given to the real parser, with `--help` behind
//! it, so that nothing is done and what is missing is forgiven, but no verb and no flag can be made up.
//!
//! What stands for something else is filled in: `NAME` by a word, `[--flag]` by the flag, `a|b` and `a | b` by each.

use std::collections::BTreeSet;
use std::path::Path;

use super::page::{Page, root};
use crate::sandbox::Sandbox;

/// Nouns that also begin a command where `analects` is left out, if a verb follows.
const NOUNS: [&str; 10] = [
    "config", "doctor", "memory", "remember", "session", "sessions", "setup", "skill", "skills",
    "trust",
];

/// What only a chat knows.
const OF_THE_CHAT: [&str; 1] = ["skills reload"];

/// What stands for something that cannot be any word.
const VALUES: [(&str, &str); 8] = [
    ("ADDR", "127.0.0.1:0"),
    ("EVENT", "session-start"),
    ("FORMAT", "json"),
    ("HOST", "gemini"),
    ("KIND", "stale"),
    ("MODE", "plan"),
    ("N", "1"),
    ("SHELL", "bash"),
];

/// Every command line that a page mentions, with the line it stands on.
pub(crate) fn of(page: &Page) -> Vec<(usize, String)> {
    let spans = page.spans.iter().map(|it| (it.line, it.what.clone()));
    let blocks = page.shown.iter().filter(|it| it.what.0 == "text");
    let rows = blocks.flat_map(|it| {
        let rows = it.what.1.lines().enumerate();
        rows.map(|(nth, row)| {
            // What it does stands behind it, in a column of its own.
            let command = row.split("  ").next().unwrap_or_default();
            (it.line + 1 + nth, command.to_owned())
        })
        .filter(|(_, row)| row.starts_with("analects ") && !row.ends_with(':'))
    });
    let mentioned = spans.filter_map(|(line, span)| Some((line, command(&span)?)));
    let listed = rows.filter_map(|(line, row)| Some((line, command(&row)?)));
    mentioned.chain(listed).collect()
}

/// What follows `analects` in a piece of code that is a command of ours.
fn command(code: &str) -> Option<String> {
    let code = code.split(" < ").next()?.split(" # ").next()?.trim();
    if let Some(rest) = code.strip_prefix("analects ") {
        let is_born = root().join("crates/analects-cli/tests/it/tour.rs").exists();
        return (rest != "tour" || is_born).then(|| rest.to_owned());
    }
    let code = code.strip_prefix('/').unwrap_or(code);
    let (first, rest) = code.split_once(' ')?;
    let is_ours = NOUNS.contains(&first) && !rest.is_empty() && !OF_THE_CHAT.contains(&code);
    is_ours.then(|| code.to_owned())
}

/// Every command that a mention stands for.
pub(crate) fn meant(mention: &str) -> Vec<Vec<String>> {
    let words = words(mention);
    let is_bar = |word: &String| word == "|" || word == "·";
    let mut all = Vec::new();
    let mut noun = Vec::new();
    for part in words.split(is_bar) {
        let mut part = part.to_vec();
        if noun.is_empty() {
            let n_nouns = 1 + usize::from(part.get(1).is_some_and(|word| word == "inbox"));
            noun.extend(part.iter().take(n_nouns).cloned());
        } else {
            part.splice(..0, noun.iter().cloned());
        }
        all.extend(each(&part));
    }
    all
}

/// `a|b` is one after the other.
fn each(words: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for word in words {
        let choices: Vec<_> = match word.contains(' ') {
            true => vec![word.clone()],
            false => word.split('|').filter_map(filled).collect(),
        };
        if choices.is_empty() {
            continue;
        }
        let longer = |before: &Vec<String>| {
            let with = |choice: &String| [&before[..], std::slice::from_ref(choice)].concat();
            choices.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A word as it could be typed; none if it only says that there may be more.
fn filled(word: &str) -> Option<String> {
    let word = word.trim_matches(['[', ']']).trim_end_matches(['…', ',']);
    let word = word.trim_end_matches([']', '[']);
    if word.is_empty() {
        return None;
    }
    let value = VALUES.iter().find(|(name, _)| *name == word);
    Some(value.map_or(word, |(_, value)| value).to_owned())
}

/// Splits as a shell would, as far as quotes go.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// What the parser says against a mention.
pub(crate) fn fault(sandbox: &Sandbox, mention: &str) -> Option<String> {
    meant(mention).into_iter().find_map(|words| {
        let mut words: Vec<_> = words.iter().map(String::as_str).collect();
        if words.last() == Some(&"-p") {
            words.push("TEXT");
        }
        let at = words.iter().position(|word| *word == "--");
        words.insert(at.unwrap_or(words.len()), "--help");
        let ran = sandbox.run(&words);
        let said = ran.err.lines().next().unwrap_or_default();
        (ran.code != 0).then(|| format!("`analects {}`: {said}", words.join(" ")))
    })
}

/// Every flag that any command has.
pub(crate) fn flags(sandbox: &Sandbox) -> BTreeSet<String> {
    let script = sandbox.run(&["completions", "bash"]).out;
    let words = script.split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''));
    let flags = words.filter(|word| word.starts_with("--") && word.len() > 2);
    flags.map(str::to_owned).collect()
}

/// Whether a page speaks of us alone, so that a flag in it is one of ours.
pub(crate) fn is_ours(page: &Page) -> bool {
    let name = Path::new(&page.name);
    page.name == "README.md" || name.starts_with("docs/guide") || name.starts_with("docs/concepts")
}

#[test]
fn a_mention_stands_for_what_could_be_typed() {
    let meant = |mention| {
        let all = meant(mention).into_iter();
        all.map(|words| words.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(
        meant("memory edit|move ENTRY"),
        ["memory edit ENTRY", "memory move ENTRY"]
    );
    assert_eq!(
        meant("session list | show | search WORDS"),
        ["session list", "session show", "session search WORDS"]
    );
    assert_eq!(
        meant("setup HOST | status"),
        ["setup gemini", "setup status"]
    );
    assert_eq!(
        meant("memory inbox list | show"),
        ["memory inbox list", "memory inbox show"]
    );
    assert_eq!(meant("mcp [--http ADDR]"), ["mcp --http 127.0.0.1:0"]);
    assert_eq!(meant("context PATH…"), ["context PATH"]);
    assert_eq!(meant("…"), [""]);
    assert_eq!(command("memory.consent"), None);
    assert_eq!(command("/memory inbox").as_deref(), Some("memory inbox"));
}

#[test]
fn what_is_made_up_is_noticed() {
    let sandbox = Sandbox::new();
    for good in [
        "memory list --json",
        "memory undo [N]",
        "session search -- -x",
        "-p TEXT",
        "setup status",
    ] {
        assert_eq!(fault(&sandbox, good), None);
    }
    for bad in [
        "memroy list",
        "memory lst",
        "memory list --jsn",
        "--color mauve",
        "setup emacs",
    ] {
        assert!(fault(&sandbox, bad).is_some(), "{bad}");
    }
    assert!(flags(&sandbox).contains("--dry-run"));
}
