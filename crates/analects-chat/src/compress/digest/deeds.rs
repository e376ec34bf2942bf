//! What a tool did: which files it touched, which command it ran, and how that ended.
//!
//! Tools are known by what they are called and asked, not by a list: every agent has other names for the
//! same few things.

use std::borrow::Cow;
use std::collections::HashMap;

use analects_world::Profile;
use analects_world::model::args::{self, Enough};
use analects_world::model::{Call, Content, Response};
use serde_json::Value;

use crate::said::said;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Touch {
    Read,
    Created,
    Modified,
    Deleted,
}

impl Touch {
    pub(super) const ALL: [Self; 4] = [Self::Modified, Self::Created, Self::Deleted, Self::Read];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "READ",
            Self::Created => "CREATED",
            Self::Modified => "MODIFIED",
            Self::Deleted => "DELETED",
        }
    }
}

/// How something ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Fine,
    /// With this exit code, where there was one.
    Failed(Option<i64>),
    Unknown,
}

/// Something that a tool did.
#[derive(Debug)]
pub(super) struct Deed<'a> {
    /// The turn of the call.
    pub(super) turn: usize,
    pub(super) touches: Vec<(Touch, Cow<'a, str>)>,
    pub(super) command: Option<Cow<'a, str>>,
    /// Whether the command did nothing but what is told about files.
    pub(super) is_only_touch: bool,
    /// Steps of a plan, the status first.
    pub(super) steps: Vec<(Mark, &'a str)>,
    /// What it was for, in the words of the caller.
    pub(super) purpose: Option<&'a str>,
    pub(super) output: Cow<'a, str>,
    pub(super) outcome: Outcome,
}

/// How far a step of a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Done,
    InProgress,
    Todo,
}

impl Mark {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Done => "[DONE]",
            Self::InProgress => "[IN PROGRESS]",
            Self::Todo => "[TODO]",
        }
    }
}

/// A call names few files; a list of thousands is no news.
const MAX_PATHS: usize = 40;

/// Everything that tools did in a history, in order.
pub(super) fn deeds(history: &[Content]) -> Vec<Deed<'_>> {
    let mut answers: HashMap<&str, &Response> = HashMap::new();
    let responses = history.iter().flat_map(Content::responses);
    for response in responses {
        if let Some(id) = &response.id {
            answers.insert(id, response);
        }
    }
    let mut deeds = Vec::new();
    for (turn, content) in history.iter().enumerate() {
        for (nth, call) in content.calls().enumerate() {
            // What a skill says is rendered anew for every request, never told in other words.
            if call.name == "activate_skill" {
                continue;
            }
            let named = call.id.as_deref().and_then(|id| answers.get(id).copied());
            let answer = named.or_else(|| history.get(turn + 1)?.responses().nth(nth));
            deeds.push(deed(turn, call, answer));
        }
    }
    deeds
}

fn deed<'a>(turn: usize, call: &'a Call, answer: Option<&'a Response>) -> Deed<'a> {
    let output = answer.map_or(Cow::Borrowed(""), |answer| {
        said(&answer.response, Profile::Analects).text
    });
    let command = args::command(&call.args);
    let output = without_rules(output);
    let printed = command.as_ref().map(|_| &*output);
    let outcome = outcome(answer.map(|answer| &answer.response), printed);
    let text = |name: &str| call.args.get(name).and_then(Value::as_str);
    let purpose = ["instruction", "description", "explanation", "reason"];
    Deed {
        turn,
        touches: touches(call, command.as_deref(), &output),
        steps: steps(&call.args),
        is_only_touch: command.as_deref().is_some_and(is_only_touch) && outcome == Outcome::Fine,
        purpose: purpose.iter().find_map(|name| text(name)),
        command,
        outcome,
        output,
    }
}

/// What a tool printed, without the rules that came along with it: those are memory, and come along again.
fn without_rules(output: Cow<'_, str>) -> Cow<'_, str> {
    let end = match output.trim_end().ends_with(RULES_END) {
        true => output.rfind(RULES),
        false => None,
    };
    match (end, output) {
        (Some(end), Cow::Borrowed(output)) => Cow::Borrowed(output.get(..end).unwrap_or(output)),
        (Some(end), Cow::Owned(mut output)) => {
            output.truncate(end);
            Cow::Owned(output)
        }
        (None, output) => output,
    }
}

/// The rulers around rules that come along, in Gemini CLI as with us.
const RULES: &str = "--- Newly Discovered Project Context ---";
const RULES_END: &str = "--- End Project Context ---";

/// How a tool ended. What a command printed may tell, too: a file that is read, or a page, can talk of any code.
fn outcome(response: Option<&Value>, printed: Option<&str>) -> Outcome {
    let Some(response) = response else {
        return Outcome::Unknown;
    };
    let code = response
        .get("exit_code")
        .or_else(|| response.get("exitCode"))
        .or_else(|| response.get("metadata")?.get("exit_code"))
        .and_then(Value::as_i64)
        .or_else(|| printed.and_then(exit_code));
    let is_error = response.get("error").is_some_and(|error| !error.is_null())
        || response.get("is_error").and_then(Value::as_bool) == Some(true);
    match code.filter(|code| *code != 0) {
        Some(code) => Outcome::Failed(Some(code)),
        None if is_error => Outcome::Failed(None),
        None => Outcome::Fine,
    }
}

/// How far into an output, and from its end, an exit code is looked for.
const CODE_LINES: usize = 12;

/// The code that a shell's tool tells: behind what was printed, or in a head before it.
fn exit_code(output: &str) -> Option<i64> {
    let last = output.lines().rev().take(CODE_LINES);
    let head = output.lines().take(CODE_LINES);
    let head = head.take_while(|line| !line.starts_with("Output:"));
    last.chain(head).find_map(code_in)
}

/// The code that a line tells, and nothing else: programs talk of codes within their sentences.
fn code_in(line: &str) -> Option<i64> {
    let line = line
        .trim()
        .get(..line.trim().floor_char_boundary(80))?
        .to_ascii_lowercase();
    let after = [
        "exit code",
        "exit_code",
        "\"exit_code\"",
        "process exited with code",
        "command exited with code",
        "exit status",
    ]
    .iter()
    .find_map(|words| line.strip_prefix(words))?;
    let code = after.trim_start_matches([':', '=', ' ']);
    code.trim_end_matches([',', '.', ' ']).parse().ok()
}

fn touches<'a>(call: &'a Call, command: Option<&str>, output: &str) -> Vec<(Touch, Cow<'a, str>)> {
    if let Some(command) = command {
        return of_command(command);
    }
    let patched = patched(&call.args);
    if !patched.is_empty() {
        return patched;
    }
    let Some(touch) = touch_of(&call.name, output) else {
        return Vec::new();
    };
    let mut paths = Vec::new();
    args::paths(&call.args, &mut |path| {
        if is_path(path) {
            paths.push((touch, Cow::Borrowed(path)));
        }
        if paths.len() < MAX_PATHS {
            Enough::No
        } else {
            Enough::Yes
        }
    });
    paths
}

/// What a tool of this name does to the files it is given; none if it only looks around.
fn touch_of(name: &str, output: &str) -> Option<Touch> {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["delete", "remove", "unlink"]) {
        Some(Touch::Deleted)
    } else if has(&["write", "create"]) {
        let start = output
            .get(..output.floor_char_boundary(200))
            .unwrap_or_default();
        let start = start.to_ascii_lowercase();
        let is_old = ["overw", "updated", "modified"]
            .iter()
            .any(|word| start.contains(word));
        Some(if is_old {
            Touch::Modified
        } else {
            Touch::Created
        })
    } else if has(&[
        "replace", "edit", "patch", "update", "insert", "rename", "move",
    ]) {
        Some(Touch::Modified)
    } else if has(&["read", "view", "open", "cat"]) {
        Some(Touch::Read)
    } else {
        None
    }
}

fn is_path(text: &str) -> bool {
    !text.is_empty() && text.len() <= 400 && !text.contains('\n')
}

/// The files of a patch in the form that Codex writes.
fn patched(args: &Value) -> Vec<(Touch, Cow<'_, str>)> {
    let text = ["input", "patch"]
        .iter()
        .find_map(|name| args.get(name)?.as_str());
    let lines = text.or_else(|| args.as_str()).unwrap_or_default().lines();
    let mut found: Vec<_> = lines.filter_map(patch_line).take(MAX_PATHS).collect();
    found.dedup();
    found
}

fn patch_line(line: &str) -> Option<(Touch, Cow<'_, str>)> {
    [
        ("*** Add File: ", Touch::Created),
        ("*** Update File: ", Touch::Modified),
        ("*** Delete File: ", Touch::Deleted),
        ("*** Move to: ", Touch::Created),
    ]
    .into_iter()
    .find_map(|(start, touch)| Some((touch, Cow::Borrowed(line.strip_prefix(start)?.trim()))))
}

/// Whether a command is one that only makes or removes files, and nothing a shell would expand.
fn is_only_touch(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_one = matches!(first, "rm" | "rmdir" | "unlink" | "mv" | "touch" | "mkdir")
        || (first == "git" && matches!(words.next(), Some("rm" | "mv")));
    is_one && command.split_whitespace().all(is_plain) && !command.contains(['&', '|', ';'])
}

/// The files that a command plainly makes or removes. What a shell would expand is left alone.
fn of_command<'a>(command: &str) -> Vec<(Touch, Cow<'a, str>)> {
    let mut found = patched_text(command);
    for simple in command.split(['\n', ';', '&', '|']) {
        let (simple, target) = simple.split_once('>').unwrap_or((simple, ""));
        let mut words = simple.split_whitespace();
        let first = words.next().unwrap_or_default();
        let words = words.filter(|word| !word.starts_with('-') && is_plain(word));
        let named: Vec<_> = words.map(|word| word.trim_matches(['"', '\''])).collect();
        match (first, &*named) {
            ("rm" | "unlink" | "rmdir", all) => put(&mut found, Touch::Deleted, all),
            ("git", ["rm", all @ ..]) => put(&mut found, Touch::Deleted, all),
            ("git", ["mv", from, to]) | ("mv", [from, to]) => {
                put(&mut found, Touch::Deleted, &[from]);
                put(&mut found, Touch::Created, &[to]);
            }
            ("cp", [_, to]) => put(&mut found, Touch::Created, &[to]),
            ("touch" | "mkdir", all) => put(&mut found, Touch::Created, all),
            _ => {}
        }
        let target = target.trim_start_matches('>').split_whitespace().next();
        let target = target.filter(|it| is_plain(it) && !it.starts_with("/dev/"));
        put(&mut found, Touch::Created, target.as_slice());
    }
    found.truncate(MAX_PATHS);
    found
}

fn patched_text<'a>(command: &str) -> Vec<(Touch, Cow<'a, str>)> {
    let found = command.lines().filter_map(patch_line).take(MAX_PATHS);
    found
        .map(|(touch, path)| (touch, Cow::Owned(path.into_owned())))
        .collect()
}

fn put(found: &mut Vec<(Touch, Cow<'_, str>)>, touch: Touch, paths: &[&str]) {
    let room = MAX_PATHS.saturating_sub(found.len());
    found.extend(
        paths
            .iter()
            .take(room)
            .map(|path| (touch, Cow::Owned((*path).to_owned()))),
    );
}

fn is_plain(word: &str) -> bool {
    is_path(word) && !word.contains(['$', '*', '?', '`', '(', ')', '{', '}', '<', '>', '='])
}

/// The steps of a plan that a tool was handed: texts with a status beside them.
fn steps(args: &Value) -> Vec<(Mark, &str)> {
    let Some(fields) = args.as_object() else {
        return Vec::new();
    };
    let lists = fields.values().filter_map(Value::as_array);
    lists.flatten().filter_map(step).take(MAX_PATHS).collect()
}

fn step(item: &Value) -> Option<(Mark, &str)> {
    let status = item.get("status")?.as_str()?;
    let names = ["content", "step", "description", "text", "title", "task"];
    let text = names.iter().find_map(|name| item.get(name)?.as_str())?;
    let mark = match status {
        "completed" | "done" | "complete" => Mark::Done,
        "in_progress" | "in-progress" | "doing" | "active" => Mark::InProgress,
        _ => Mark::Todo,
    };
    Some((mark, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::model::{Part, Role};
    use expect_test::{Expect, expect};
    use serde_json::json;

    fn check(name: &str, args: Value, response: Value, expect: Expect) {
        let content = |id: &str, role, part| Content {
            id: id.to_owned(),
            role,
            parts: vec![part],
        };
        let history = [
            content("a", Role::Model, Part::call("1", name, args)),
            content("b", Role::User, Part::response("1", name, response)),
        ];
        let deeds = deeds(&history);
        let shown = deeds.iter().map(|deed| {
            let touches: Vec<_> = deed
                .touches
                .iter()
                .map(|(touch, path)| format!("{} {path}", touch.as_str()))
                .collect();
            let steps: Vec<_> = deed
                .steps
                .iter()
                .map(|(mark, text)| format!("{} {text}", mark.as_str()))
                .collect();
            format!(
                "{touches:?} {:?} {steps:?} {:?}",
                deed.command, deed.outcome
            )
        });
        expect.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn tools_are_known_by_what_they_do() {
        check(
            "write_file",
            json!({ "file_path": "/r/a.rs", "content": "x" }),
            json!({ "output": "Successfully overwrote file" }),
            expect![[r#"["MODIFIED /r/a.rs"] None [] Fine"#]],
        );
        check(
            "Edit",
            json!({ "file_path": "/r/a.rs" }),
            json!({ "error": "no match" }),
            expect![[r#"["MODIFIED /r/a.rs"] None [] Failed(None)"#]],
        );
        check(
            "apply_patch",
            json!({ "input": "*** Begin Patch\n*** Add File: b.rs\n+x\n*** Delete File: c.rs\n" }),
            json!("ok"),
            expect![[r#"["CREATED b.rs", "DELETED c.rs"] None [] Fine"#]],
        );
        check(
            "shell",
            json!({ "command": ["bash", "-lc", "rm -f old.txt && mv a b > log 2>&1"] }),
            json!("Exit code: 2\n"),
            expect![[
                r#"["DELETED old.txt", "DELETED a", "CREATED b", "CREATED log"] Some("rm -f old.txt && mv a b > log 2>&1") [] Failed(Some(2))"#
            ]],
        );
        check(
            "update_plan",
            json!({ "plan": [{ "step": "lex", "status": "completed" }, { "step": "parse", "status": "pending" }] }),
            json!("ok"),
            expect![[r#"[] None ["[DONE] lex", "[TODO] parse"] Fine"#]],
        );
        check(
            "list_directory",
            json!({ "dir_path": "/r" }),
            Value::Null,
            expect!["[] None [] Fine"],
        );
    }

    #[test]
    fn only_what_a_shell_says_about_itself_is_how_a_command_ended() {
        let cases = [
            (
                "Output: src/a.rs: exit code 2 means usage\nx: exit code 3\nExit Code: 0",
                "Fine",
            ),
            (
                "Output: # Exit codes\n\n- exit code 42: bad input\n",
                "Fine",
            ),
            ("exit code 42: bad input", "Fine"),
            (
                "process exited with code 0x1f\nExit Code: 2",
                "Failed(Some(2))",
            ),
            ("Exit Code: 3\nOutput:\nExit code: 1\n", "Failed(Some(1))"),
            (
                "Chunk ID: a\nProcess exited with code 4\nOutput:\nx",
                "Failed(Some(4))",
            ),
        ];
        for (output, outcome) in cases {
            for (name, args, outcome) in [
                ("shell", json!({ "command": "x" }), outcome),
                ("read_file", json!({ "file_path": "x" }), "Fine"),
            ] {
                let (calls, answers) = (Part::call("1", name, args), json!({ "output": output }));
                let answers = Part::response("1", name, answers);
                let turn = |role, part| Content {
                    id: "a".to_owned(),
                    role,
                    parts: vec![part],
                };
                let history = [turn(Role::Model, calls), turn(Role::User, answers)];
                let found = deeds(&history);
                assert_eq!(
                    format!("{:?}", found[0].outcome),
                    outcome,
                    "{name}: {output}"
                );
            }
        }
        check(
            "run_shell_command",
            json!({ "command": "npm test" }),
            json!({ "error": "exit status 0\nError: 5 tests failed" }),
            expect![[r#"[] Some("npm test") [] Failed(None)"#]],
        );
    }

    #[test]
    fn rules_that_came_along_are_no_output() {
        let rules = format!("{RULES}\nNever print.\n{RULES_END}");
        for (output, left) in [
            (format!("x\n\n{rules}"), "x\n\n"),
            (format!("{RULES}\nx"), &*format!("{RULES}\nx")),
            ("x".to_owned(), "x"),
        ] {
            assert_eq!(without_rules(Cow::Borrowed(&output)), left);
            assert_eq!(without_rules(Cow::Owned(output)), left);
        }
    }
}
