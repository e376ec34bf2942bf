//! What tools print: code, logs, tests, listings, JSON. All of it idle.
//!
//! No line ends or begins with a bare word, so that words of two lines never look like neighbours, and no
//! number has five digits.

use std::fmt::Write;

use super::words::{Words, capitalised};

/// What a tool prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A file with code.
    Source,
    /// A log with times.
    Log,
    /// Tests that pass.
    Tests,
    /// A compiler at work.
    Build,
    /// Values as JSON.
    Json,
    /// A change as a diff.
    Diff,
}

/// This many characters of this sort, and one line more.
pub(crate) fn print(sort: Sort, n_chars: usize, words: &mut Words, files: &[String]) -> String {
    let style = words.dice.below(3);
    let mut text = String::new();
    while text.len() < n_chars {
        let lines = match sort {
            Sort::Source => function(style, words),
            Sort::Log => log_line(words),
            Sort::Tests => format!("test {}::{} ... ok", words.identifier(), words.identifier()),
            Sort::Build => build_line(words),
            Sort::Json => json_lines(words),
            Sort::Diff => hunk(words, files),
        };
        text.push_str(&lines);
        text.push('\n');
    }
    match sort {
        Sort::Json => format!("[\n{text}]"),
        Sort::Tests => {
            let n = words.dice.between(20, 900);
            format!("{text}\ntest result: ok. {n} passed; 0 failed; 0 ignored; finished in 1.42s")
        }
        Sort::Source | Sort::Log | Sort::Build | Sort::Diff => text,
    }
}

/// Places where a name stands, as a search prints them.
pub(crate) fn matches(name: &str, n_chars: usize, words: &mut Words, files: &[String]) -> String {
    let mut text = format!("Found matches for \"{name}\":\n---\n");
    while text.len() < n_chars {
        let file = &files[words.dice.below(files.len())];
        let (n, call) = (words.dice.between(3, 900), call(words));
        let _ = writeln!(text, "{file}:{n}: let {name} = {call};");
    }
    text
}

/// A directory.
pub(crate) fn listing(dir: &str, n_chars: usize, words: &mut Words) -> String {
    let mut text = format!("Directory listing for {dir}:\n");
    while text.len() < n_chars {
        let name = words.identifier();
        let line = match words.dice.below(4) {
            0 => format!("[DIR] {name}/\n"),
            1 => format!("{name}.rs ({} bytes)\n", words.dice.between(90, 9_900)),
            2 => format!("{name}.md ({} bytes)\n", words.dice.between(90, 9_900)),
            _ => format!("{name}.test.ts ({} bytes)\n", words.dice.between(90, 9_900)),
        };
        text.push_str(&line);
    }
    text
}

/// A line of a log.
pub(crate) fn log_line(words: &mut Words) -> String {
    let level = match words.dice.below(40) {
        0 => "ERROR",
        1..=3 => "WARN ",
        4..=12 => "DEBUG",
        _ => "INFO ",
    };
    let (minute, second) = (words.dice.between(10, 59), words.dice.between(10, 59));
    let ms = words.dice.between(101, 989);
    let n_words = words.dice.between(2, 5);
    let said = words.phrase(n_words);
    let module = words.identifier();
    let key = words.common();
    let value = words.dice.between(1, 9_000);
    format!("2026-03-14T10:{minute}:{second}.{ms}Z {level} {module}: {said}; {key}={value}")
}

/// A line of a compiler at work.
pub(crate) fn build_line(words: &mut Words) -> String {
    let name = words.identifier();
    let (minor, patch) = (words.dice.below(20), words.dice.below(20));
    match words.dice.below(12) {
        0 => format!("warning: unused variable: `{name}`"),
        1 => format!("   Checking {name} v0.{minor}.{patch}"),
        _ => format!("   Compiling {name} v0.{minor}.{patch}"),
    }
}

/// A call as code.
pub(crate) fn call(words: &mut Words) -> String {
    let (function, argument) = (words.identifier(), words.identifier());
    match words.dice.below(4) {
        0 => format!("{function}({argument})"),
        1 => format!("{function}(&{argument}, {})", words.dice.between(0, 64)),
        2 => format!("self.{function}.{argument}()"),
        _ => format!("{function}::new({argument})"),
    }
}

fn function(style: usize, words: &mut Words) -> String {
    let n_words = words.dice.between(4, 9);
    let about = match words.dice.chance(18) {
        true => words.chinese_phrase(n_words),
        false => capitalised(&words.phrase(n_words)),
    };
    let (name, argument) = (words.identifier(), words.identifier());
    let n_lines = words.dice.between(2, 9);
    let mut body = String::new();
    for _ in 0..n_lines {
        body.push_str(&statement(style, words));
    }
    let result = words.identifier();
    match style {
        0 => format!(
            "/// {about}.\npub fn {name}({argument}: &str) -> Option<{result}> {{\n{body}    Some({argument})\n}}\n"
        ),
        1 => format!(
            "def {name}({argument}):\n    \"\"\"{about}.\"\"\"\n{body}    return {argument}\n"
        ),
        _ => format!(
            "/** {about}. */\nexport function {name}({argument}: string): {result} {{\n{body}  return {argument};\n}}\n"
        ),
    }
}

fn statement(style: usize, words: &mut Words) -> String {
    let (target, value) = (words.identifier(), call(words));
    let (condition, other) = (words.identifier(), call(words));
    let n = words.dice.between(0, 900);
    match (style, words.dice.below(4)) {
        (0, 0) => format!("    if {condition} > {n} {{\n        return None;\n    }}\n"),
        (0, 1) => format!("    let {target} = {value}?;\n"),
        (0, _) => format!("    let {target} = {value}.unwrap_or({other});\n"),
        (1, 0) => format!("    if {condition} > {n}:\n        raise ValueError({condition})\n"),
        (1, _) => format!("    {target} = {value}\n"),
        (_, 0) => {
            format!("  if ({condition} > {n}) {{\n    throw new Error('{condition}');\n  }}\n")
        }
        (_, _) => format!("  const {target} = await {value};\n"),
    }
}

fn json_lines(words: &mut Words) -> String {
    let (id, name, kind) = (words.hash(8), words.identifier(), words.identifier());
    let n_words = words.dice.between(2, 6);
    let (text, n) = (words.phrase(n_words), words.dice.between(1, 9_000));
    format!(
        "  {{\n    \"id\": \"{id}\",\n    \"name\": \"{name}\",\n    \"kind\": \"{kind}\",\n    \"text\": \"{text}.\",\n    \"count\": {n}\n  }},"
    )
}

fn hunk(words: &mut Words, files: &[String]) -> String {
    let file = &files[words.dice.below(files.len())];
    let (from, to) = (words.dice.between(1, 900), words.dice.between(1, 900));
    let mut text = format!(
        "diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -{from},7 +{to},7 @@\n"
    );
    for _ in 0..words.dice.between(3, 8) {
        let mark = words.dice.pick(&[" ", " ", "-", "+"]);
        let (target, value) = (words.identifier(), call(words));
        let _ = writeln!(text, "{mark}    let {target} = {value};");
    }
    text
}
