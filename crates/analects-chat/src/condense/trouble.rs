//! Lines of an output that tell of trouble.

use std::collections::HashSet;

/// An answer longer than this is only looked at line by line.
const MAX_SEARCHED: usize = 64 * 1024;
/// Lines of trouble that are searched for inside the lines of an answer.
const MAX_SEARCHES: usize = 1_000;

const WORDS: [&str; 16] = [
    "error",
    "errors",
    "fatal",
    "panic",
    "panicked",
    "exception",
    "traceback",
    "failed",
    "failure",
    "failures",
    "fails",
    "abort",
    "aborted",
    "warning",
    "warnings",
    "warn",
];
/// Names of errors end like this: `TypeError`, `NullPointerException`, `DeprecationWarning`.
const ENDINGS: [&str; 3] = ["Error", "Exception", "Warning"];

/// The lines of trouble that an answer does not have, each once and in the order of the output.
pub(super) fn dropped<'a>(output: &'a str, answer: &str) -> Vec<&'a str> {
    let told: HashSet<&str> = answer.lines().map(str::trim).collect();
    let mut seen = HashSet::new();
    let mut n_searches = 0;
    let mut dropped = Vec::new();
    for line in output
        .lines()
        .map(str::trim)
        .filter(|line| is_trouble(line))
    {
        if told.contains(line) || !seen.insert(line) {
            continue;
        }
        n_searches += 1;
        let is_searched = answer.len() <= MAX_SEARCHED && n_searches <= MAX_SEARCHES;
        if !(is_searched && answer.contains(line)) {
            dropped.push(line);
        }
    }
    dropped
}

/// Whether a line has a word of trouble that is not said to be absent.
fn is_trouble(line: &str) -> bool {
    let mut before = "";
    for word in line.split(|c: char| !c.is_ascii_alphanumeric()) {
        let is_absent = ["0", "no", "No", "without"].contains(&before);
        if !is_absent && tells_of_trouble(word) {
            return true;
        }
        if !word.is_empty() {
            before = word;
        }
    }
    false
}

fn tells_of_trouble(word: &str) -> bool {
    // No word of ours is shorter or starts with a digit.
    word.len() >= 4
        && (WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
            || ENDINGS.iter().any(|ending| word.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_from_its_absence() {
        for line in [
            "error[E0425]: no such thing",
            "Traceback (most recent call last):",
            "TypeError: x is undefined",
            "warning: unused variable",
            "test a ... FAILED",
            "1 error, 0 warnings",
        ] {
            assert!(is_trouble(line), "{line}");
        }
        for line in [
            "0 errors, 0 warnings",
            "no error",
            "mirrors",
            "terror",
            "ok",
            "",
        ] {
            assert!(!is_trouble(line), "{line}");
        }
    }

    #[test]
    fn each_line_that_was_not_told_is_found_once() {
        let output = "error: a\n error: b\nfine\nerror: a\nerror: c";
        assert_eq!(
            dropped(output, "It said: error: c."),
            ["error: a", "error: b"]
        );
    }
}
