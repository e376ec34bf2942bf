//! Error lines, as tools reported them.
//!
//! Lines in which a program complains, and exit codes other than zero. A tool that only shows files (reading,
//! searching, listing) prints much that speaks of errors and is none: of it only lines count that begin with
//! a complaint. Where a tool failed without any such line, its last line is what went wrong.

use analects_world::model::Response;
use serde_json::Value;

use super::pieces::MAX_DEPTH;
use super::symbols::{is_word, past_colour, symbols};

/// Something that went wrong.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble<'a> {
    /// A program said so.
    Line(&'a str),
    /// A program said so by its exit code.
    ExitCode(u32),
}

/// What stands before an exit code.
const EXIT_WORDS: [&str; 11] = [
    "exit code ",
    "exit code: ",
    "Exit code ",
    "Exit code: ",
    "Exit Code: ",
    "exit status ",
    "exit status: ",
    "exited with code ",
    "exit_code\":",
    "exitCode\":",
    "exit_code ",
];

/// Words of a complaint, in small letters.
const COMPLAINTS: [&str; 16] = [
    "error",
    "errors",
    "panic",
    "panicked",
    "exception",
    "fail",
    "failed",
    "failure",
    "failures",
    "failing",
    "fatal",
    "traceback",
    "segfault",
    "denied",
    "undefined",
    "unresolved",
];

/// The same in Chinese.
const CHINESE: [&str; 9] = [
    "错误", "失败", "异常", "崩溃", "报错", "出错", "无法", "超时", "拒绝",
];

/// How a line begins that is a complaint whoever prints it.
const BEGINNINGS: [&str; 8] = [
    "error:",
    "error[",
    "Error:",
    "fatal:",
    "panic:",
    "Traceback (",
    "错误：",
    "错误:",
];

/// What a tool that shows files has in its name.
const SHOWS: [&str; 8] = [
    "read", "grep", "search", "glob", "list", "view", "fetch", "ls",
];

/// The ways in which people and programs say an exit code.
pub(super) fn spellings(code: u32) -> impl Iterator<Item = String> {
    let short = ["exit ", "exit: ", "code ", "exit="];
    let words = EXIT_WORDS.into_iter().chain(short);
    words.map(move |words| format!("{words}{code}"))
}

/// Shows `found` everything that went wrong in an answer.
pub(super) fn in_response(response: &Response, found: &mut dyn FnMut(Trouble<'_>)) {
    let name = response.name.to_ascii_lowercase();
    let shows = SHOWS.iter().any(|word| name.contains(word)) && !has_error(&response.response);
    let mut seen = Seen {
        shows,
        has_failed: false,
        has_line: false,
        last: None,
    };
    search(&response.response, 0, &mut seen, found);
    let is_silent = seen.has_failed && !seen.has_line;
    if let Some(last) = seen.last.filter(|_| is_silent) {
        found(Trouble::Line(last));
    }
}

/// Whether an answer is nothing but the message that the tool failed.
fn has_error(response: &Value) -> bool {
    response.get("error").is_some_and(|error| !error.is_null())
}

/// What an answer has shown so far.
struct Seen<'a> {
    shows: bool,
    has_failed: bool,
    has_line: bool,
    last: Option<&'a str>,
}

fn search<'a>(
    value: &'a Value,
    depth: usize,
    seen: &mut Seen<'a>,
    found: &mut dyn FnMut(Trouble<'_>),
) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) => (text.lines()).for_each(|line| look(line, seen, found)),
        Value::Array(items) => {
            (items.iter()).for_each(|item| search(item, depth + 1, seen, found));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                match (
                    &**name,
                    value.as_u64().and_then(|code| u32::try_from(code).ok()),
                ) {
                    ("exit_code", Some(code)) if code != 0 => {
                        seen.has_failed = true;
                        found(Trouble::ExitCode(code));
                    }
                    _ => search(value, depth + 1, seen, found),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn look<'a>(line: &'a str, seen: &mut Seen<'a>, found: &mut dyn FnMut(Trouble<'_>)) {
    let line = line.trim();
    if line.is_empty() {
        return;
    }
    let exit = exit_code(line);
    if let Some(code) = exit.filter(|code| *code != 0 && !seen.shows) {
        seen.has_failed = true;
        found(Trouble::ExitCode(code));
    }
    let complains = match seen.shows {
        true => BEGINNINGS.iter().any(|start| line.starts_with(start)),
        false => complains(line),
    };
    if complains {
        seen.has_line = true;
        found(Trouble::Line(line));
    } else if exit.is_none() {
        seen.last = Some(line);
    }
}

fn exit_code(line: &str) -> Option<u32> {
    // Most lines have no such word; one look tells.
    memchr::memmem::find(line.as_bytes(), b"xit")?;
    let line: Vec<_> = symbols(line).collect();
    EXIT_WORDS.iter().find_map(|words| {
        let words: Vec<_> = symbols(words).collect();
        let at = line.windows(words.len()).position(|at| at == words)?;
        let code = line.get(at + words.len())?;
        // Only as it would be written again.
        let number = code.parse().ok();
        number.filter(|number: &u32| number.to_string() == *code)
    })
}

/// Whether a line says that something went wrong: a word of complaint, unless there were none of it or it is
/// a part of a name.
fn complains(line: &str) -> bool {
    if !line.is_ascii() && CHINESE.iter().any(|word| line.contains(word)) {
        return !["没有错误", "无错误", "0 个错误", "无异常", "0 失败"]
            .iter()
            .any(|word| line.contains(word));
    }
    let mut before = "";
    let mut rest = line;
    while let Some(start) = rest.find(is_word) {
        let (gap, from) = rest.split_at(start);
        if let Some(after) = gap
            .find('\u{1b}')
            .and_then(|at| past_colour(rest.get(at..)?))
        {
            rest = after;
            continue;
        }
        let (word, after) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        if is_complaint(word) && !is_none(before) && !is_name(gap, after) {
            return true;
        }
        (before, rest) = (word, after);
    }
    false
}

fn is_complaint(word: &str) -> bool {
    let mut complaints = COMPLAINTS.iter();
    complaints.any(|complaint| word.eq_ignore_ascii_case(complaint))
        || word.ends_with("Error")
        || word.ends_with("Exception")
}

fn is_none(before: &str) -> bool {
    ["0", "no", "No", "without", "zero"].contains(&before)
}

/// `src/error.rs`, `error-chain`, `is.error`, `error = 0`.
fn is_name(gap: &str, after: &str) -> bool {
    let follows_name = gap.ends_with(['/', '\\', '-']) || (gap == ".");
    let mut next = after.chars();
    let goes_on = match next.next() {
        Some('/' | '\\' | '-' | '(') => true,
        Some('.') => next.next().is_some_and(is_word),
        _ => false,
    };
    let mut none = symbols(after);
    let is_zero = matches!(none.next(), Some(":" | "=")) && none.next() == Some("0");
    follows_name || goes_on || is_zero
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn check(name: &str, response: Value, troubles: &[&str]) {
        let response = Response {
            id: None,
            name: name.to_owned(),
            response,
            parts: Vec::new(),
            rest: Map::new(),
        };
        let mut found = Vec::new();
        in_response(&response, &mut |trouble| {
            found.push(match trouble {
                Trouble::Line(line) => line.to_owned(),
                Trouble::ExitCode(code) => code.to_string(),
            });
        });
        assert_eq!(found, troubles);
    }

    #[test]
    fn complaints_of_programs_are_found_in_both_languages() {
        let output = "Compiling a\nerror[E0425]: cannot find `x`\n  --> src/a.rs:1:2\n\
            \u{1b}[31mTypeError\u{1b}[0m: x is not a function\n编译失败：没有 main\nTraceback (most recent call last):\n\
            thread 'main' panicked at src/b.rs:3:\n\nExit Code: 101\n";
        check(
            "run_shell_command",
            json!({ "output": output }),
            &[
                "error[E0425]: cannot find `x`",
                "\u{1b}[31mTypeError\u{1b}[0m: x is not a function",
                "编译失败：没有 main",
                "Traceback (most recent call last):",
                "thread 'main' panicked at src/b.rs:3:",
                "101",
            ],
        );
    }

    #[test]
    fn what_only_sounds_like_it_does_not_count() {
        let output = "0 errors, no failures\nmodified: src/error.rs\nerror-chain v0.2\nerror_code\n\
            test result: ok. 3 passed; 0 failed; 0 ignored\nerrors: 0\n没有错误\nExit Code: 0";
        check("Bash", json!({ "output": output }), &[]);
        check(
            "read_file",
            json!({ "output": "return Err(error);\n// the error\nerror: real\n" }),
            &["error: real"],
        );
    }

    #[test]
    fn a_silent_failure_is_known_by_its_last_line() {
        check(
            "shell",
            json!({ "output": "a\nno such host\n", "metadata": { "exit_code": 7 } }),
            &["7", "no such host"],
        );
        check(
            "read_file",
            json!({ "error": "File not found: a. failed" }),
            &["File not found: a. failed"],
        );
        check("x", json!("{\"output\":\"bad\",\"exit_code\":2}"), &["2"]);
        check("x", Value::Null, &[]);
    }

    #[test]
    fn every_way_to_find_an_exit_code_is_a_way_to_say_it() {
        for words in EXIT_WORDS {
            assert_eq!(exit_code(&format!("{words}12")), Some(12), "{words}");
        }
        assert_eq!(exit_code("exit code 12th"), None);
    }
}
