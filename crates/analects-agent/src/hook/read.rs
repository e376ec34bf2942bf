//! Reads the hooks of one settings file.

use std::collections::BTreeMap;

use analects_text::problem::Problem;
use analects_text::{sanitize, truncate};
use serde_json::{Map, Value};

use super::matcher::Matcher;
use super::{Event, Hook, Source, TIMEOUT_MS, codes};
use crate::policy::pattern::Purse;

/// A file may name this many hooks.
const MAX_HOOKS: usize = 256;
/// A command line may be this long; a shell takes no longer one.
const MAX_COMMAND_BYTES: usize = 100_000;
/// A hook may take this long: a day.
const MAX_TIMEOUT_MS: u64 = 86_400_000;
/// A hook may have this many variables of its own.
const MAX_VARIABLES: usize = 64;
/// Keys that once stood beside the events.
const SWITCHES: [&str; 3] = ["enabled", "disabled", "notifications"];

/// Which file is read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Whose hooks they are.
    pub source: Source,
    /// The file, as it is shown.
    pub file: &'a str,
}

/// Reads what a settings file has under `hooks`.
#[must_use]
pub fn read(hooks: &Value, reading: &Reading<'_>) -> (Vec<Hook>, Vec<Problem>) {
    let mut file = File {
        reading,
        purse: Purse::default(),
        hooks: Vec::new(),
        problems: Vec::new(),
    };
    match hooks {
        Value::Null => {}
        Value::Object(events) => file.events(events),
        _ => file.wrong("hooks", "is no object"),
    }
    (file.hooks, file.problems)
}

struct File<'a> {
    reading: &'a Reading<'a>,
    purse: Purse,
    hooks: Vec<Hook>,
    problems: Vec<Problem>,
}

/// What the hooks of one definition have in common.
struct Common {
    event: Event,
    matcher: Matcher,
    is_sequential: bool,
}

impl File<'_> {
    fn events(&mut self, events: &Map<String, Value>) {
        for (name, definitions) in events {
            if SWITCHES.contains(&name.as_str()) {
                continue;
            }
            let place = format!("hooks.{}", shown(name));
            let Some(event) = Event::named(name) else {
                self.wrong(&place, "there is no such event");
                continue;
            };
            let Value::Array(definitions) = definitions else {
                self.wrong(&place, "is no list");
                continue;
            };
            for (at, definition) in definitions.iter().enumerate() {
                self.definition(event, definition, &format!("{place}[{at}]"));
            }
        }
    }

    fn definition(&mut self, event: Event, definition: &Value, place: &str) {
        let Some(Value::Array(hooks)) = definition.get("hooks") else {
            return self.wrong(place, "has no list `hooks`");
        };
        let matcher = match definition.get("matcher") {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text,
            Some(_) => return self.wrong(place, "`matcher` is no text"),
        };
        let is_sequential = match definition.get("sequential") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(is_sequential)) => *is_sequential,
            Some(_) => {
                self.wrong(
                    place,
                    "`sequential` is neither true nor false; it counts as false",
                );
                false
            }
        };
        let (matcher, why) = Matcher::new(event, matcher, &mut self.purse);
        if let Some(why) = why {
            let why = format!(
                "`matcher` is compared as a word, because it is no pattern: {}",
                shown(&why)
            );
            self.wrong(place, &why);
        }
        let common = Common {
            event,
            matcher,
            is_sequential,
        };
        for (at, hook) in hooks.iter().enumerate() {
            self.hook(&common, hook, &format!("{place}.hooks[{at}]"));
        }
    }

    fn hook(&mut self, common: &Common, hook: &Value, place: &str) {
        if self.hooks.len() >= MAX_HOOKS {
            let why = format!("is left out: a file names {MAX_HOOKS} hooks at most");
            return self.wrong(place, &why);
        }
        if hook.get("type").and_then(Value::as_str) != Some("command") {
            return self.wrong(place, "`type` is not `command`");
        }
        let command = hook.get("command").and_then(Value::as_str);
        let command = command.filter(|command| !command.trim().is_empty());
        let Some(command) = command else {
            return self.wrong(place, "has no `command`");
        };
        if command.len() > MAX_COMMAND_BYTES || command.contains('\0') {
            return self.wrong(place, "`command` is no line that a shell takes");
        }
        let hook = Hook {
            event: common.event,
            source: self.reading.source,
            file: self.reading.file.to_owned(),
            name: self.name(hook, place),
            command: command.to_owned(),
            timeout_ms: self.timeout(hook, place),
            env: self.env(hook, place),
            matcher: common.matcher.clone(),
            is_sequential: common.is_sequential,
        };
        self.hooks.push(hook);
    }

    fn name(&mut self, hook: &Value, place: &str) -> Option<String> {
        match hook.get("name") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.clone()).filter(|name| !name.is_empty()),
            Some(_) => {
                self.wrong(place, "`name` is no text; it counts as not said");
                None
            }
        }
    }

    fn timeout(&mut self, hook: &Value, place: &str) -> u64 {
        let said = match hook.get("timeout") {
            None | Some(Value::Null) => return TIMEOUT_MS,
            Some(said) => said.as_f64().filter(|ms| *ms >= 1.0),
        };
        let Some(ms) = said else {
            self.wrong(
                place,
                "`timeout` is no number of milliseconds; the usual one counts",
            );
            return TIMEOUT_MS;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number from 1 on; `as` ends at the most"
        )]
        let ms = ms as u64;
        ms.min(MAX_TIMEOUT_MS)
    }

    fn env(&mut self, hook: &Value, place: &str) -> BTreeMap<String, String> {
        let mut env = BTreeMap::new();
        let variables = match hook.get("env") {
            None | Some(Value::Null) => return env,
            Some(Value::Object(variables)) => variables,
            Some(_) => {
                self.wrong(place, "`env` is no object; it counts as not said");
                return env;
            }
        };
        for (name, value) in variables.iter().take(MAX_VARIABLES) {
            let is_name = !name.is_empty() && !name.contains(['=', '\0']);
            match value
                .as_str()
                .filter(|value| is_name && !value.contains('\0'))
            {
                Some(value) => {
                    env.insert(name.clone(), value.to_owned());
                }
                None => {
                    let why = format!("`env.{}` can be no variable, and is left out", shown(name));
                    self.wrong(place, &why);
                }
            }
        }
        if variables.len() > MAX_VARIABLES {
            let why =
                format!("`env` has more than {MAX_VARIABLES} variables; the others are left out");
            self.wrong(place, &why);
        }
        env
    }

    fn wrong(&mut self, place: &str, why: &str) {
        // One too many is told, the next thousand are not.
        if self.problems.len() > MAX_HOOKS {
            return;
        }
        let problem = Problem::new(&codes::BAD_HOOK, format!("`{place}` {why}"));
        self.problems.push(problem.in_file(self.reading.file));
    }
}

/// A word of somebody else's in a message of ours.
fn shown(word: &str) -> String {
    sanitize::one_line(truncate::head_bytes(word, 80)).into_owned()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(hooks: &Value, expected: Expect) {
        let reading = Reading {
            source: Source::User,
            file: "/h/settings.json",
        };
        let (hooks, problems) = read(hooks, &reading);
        let mut told = String::new();
        for hook in &hooks {
            let words = [
                hook.event.as_str().to_owned(),
                hook.key(),
                format!("{}ms", hook.timeout_ms),
                format!("{:?}", hook.env),
            ];
            told += &(words.join(" ") + "\n");
        }
        let problems = problems.iter().map(|problem| format!("! {problem}\n"));
        told.extend(problems);
        expected.assert_eq(&told);
    }

    #[test]
    fn every_field_counts() {
        let hook = json!({"type": "command", "command": "./a", "name": "a", "description": "d", "timeout": 5, "env": {"X": "1"}});
        check(
            &json!({
                "enabled": true, "disabled": [], "notifications": false,
                "BeforeTool": [{"matcher": "x", "sequential": true, "hooks": [hook, {"type": "command", "command": "b"}]}],
                "PostCompress": [{"hooks": [{"type": "command", "command": "c", "timeout": 1e300, "name": ""}]}],
            }),
            expect![[r#"
                BeforeTool a:./a 5ms {"X": "1"}
                BeforeTool :b 60000ms {}
                PostCompress :c 86400000ms {}
            "#]],
        );
        check(&Value::Null, expect![""]);
    }

    #[test]
    fn what_makes_no_sense_is_left_out_and_told() {
        let fine = json!({"type": "command", "command": "fine"});
        check(
            &json!({
                "BeforeLunch\u{1b}": [],
                "BeforeTool": {"hooks": []},
                "AfterTool": [
                    null, 7, {"hooks": {}}, {"matcher": 5, "hooks": [fine]}, {"sequential": "no", "hooks": [fine]},
                    {"matcher": "a(", "hooks": [fine]},
                ],
                "AfterAgent": [{"hooks": [
                    null, "x", {"type": "plugin"}, {"type": "command"}, {"type": "command", "command": "  "},
                    {"type": "command", "command": 5}, {"type": "command", "command": "a\u{0}b"},
                    {"type": "command", "command": "odd", "name": 5, "timeout": "1s", "env": []},
                    {"type": "command", "command": "odder", "timeout": 0, "env": {"A=B": "x", "C": 5, "D": "d"}},
                ]}],
            }),
            expect![[r#"
                AfterTool :fine 60000ms {}
                AfterTool :fine 60000ms {}
                AfterAgent :odd 60000ms {}
                AfterAgent :odder 60000ms {"D": "d"}
                ! /h/settings.json: `hooks.BeforeLunch\u{1b}` there is no such event
                ! /h/settings.json: `hooks.BeforeTool` is no list
                ! /h/settings.json: `hooks.AfterTool[0]` has no list `hooks`
                ! /h/settings.json: `hooks.AfterTool[1]` has no list `hooks`
                ! /h/settings.json: `hooks.AfterTool[2]` has no list `hooks`
                ! /h/settings.json: `hooks.AfterTool[3]` `matcher` is no text
                ! /h/settings.json: `hooks.AfterTool[4]` `sequential` is neither true nor false; it counts as false
                ! /h/settings.json: `hooks.AfterTool[5]` `matcher` is compared as a word, because it is no pattern: unclosed group
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[0]` `type` is not `command`
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[1]` `type` is not `command`
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[2]` `type` is not `command`
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[3]` has no `command`
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[4]` has no `command`
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[5]` has no `command`
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[6]` `command` is no line that a shell takes
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[7]` `name` is no text; it counts as not said
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[7]` `timeout` is no number of milliseconds; the usual one counts
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[7]` `env` is no object; it counts as not said
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[8]` `timeout` is no number of milliseconds; the usual one counts
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[8]` `env.A=B` can be no variable, and is left out
                ! /h/settings.json: `hooks.AfterAgent[0].hooks[8]` `env.C` can be no variable, and is left out
            "#]],
        );
        check(
            &json!([1]),
            expect![[r#"
            ! /h/settings.json: `hooks` is no object
        "#]],
        );
    }

    #[test]
    fn there_is_an_end_to_hooks_and_to_what_is_told_of_them() {
        let many: Vec<_> = (0..5_000)
            .map(|n| json!({"type": "command", "command": format!("c{n}")}))
            .collect();
        let hooks = json!({"BeforeTool": [{"hooks": many}]});
        let reading = Reading {
            source: Source::Project,
            file: "f",
        };
        let (hooks, problems) = read(&hooks, &reading);
        assert_eq!((hooks.len(), problems.len()), (MAX_HOOKS, MAX_HOOKS + 1));
    }
}
