//! The arguments of a call as rules match them: JSON with sorted keys, each pair at the top between two NULs.
//!
//! NULs cannot come from the arguments, where they are escaped. So a pattern that wants one on both sides means an
//! argument and not a text that looks like one.

use std::cell::OnceCell;

use serde_json::Value;

use super::command::Part;
use super::tool::is_telling;
use super::{Asked, Places};

/// Arguments that are paths.
const PATHS: [&str; 4] = ["file_path", "dir_path", "path", "absolute_path"];

/// The arguments of a call, written down once they are needed.
pub(super) struct Seen<'a> {
    asked: &'a Asked<'a>,
    places: &'a Places,
    sure: OnceCell<Vec<String>>,
    possible: OnceCell<Vec<String>>,
}

/// How paths among the arguments are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    /// As the model said them.
    Said,
    /// As they really are.
    Absolute,
    /// The same, as seen from the project.
    Relative,
}

impl<'a> Seen<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, places: &'a Places) -> Self {
        Self {
            asked,
            places,
            sure: OnceCell::new(),
            possible: OnceCell::new(),
        }
    }

    /// What a rule that allows sees: only what says what is done and where, with paths as they really are.
    pub(super) fn surely(&self, part: &Part<'_>) -> Vec<String> {
        let write = |command| {
            let as_it_is = [As::Absolute, As::Relative];
            let texts = as_it_is.map(|how| self.telling(how, command));
            texts.into_iter().flatten().collect()
        };
        match part {
            Part::Other => self.sure.get_or_init(|| write(None)).clone(),
            Part::Simple { command, .. } => write(Some(command.source.as_str())),
            Part::Unsure => Vec::new(),
        }
    }

    /// Whether anything that a rule which denies or asks sees is what it looks for: all that was said, and what it
    /// really means.
    pub(super) fn possibly(&self, part: &Part<'_>, fits: impl Fn(&str) -> bool) -> bool {
        let all = self.possible.get_or_init(|| {
            let ways: &[As] = match self.paths().is_empty() {
                true => &[As::Said],
                false => &[As::Said, As::Absolute, As::Relative],
            };
            ways.iter().filter_map(|how| self.all(*how)).collect()
        });
        all.iter().any(|text| fits(text))
            || match part {
                Part::Simple { command, .. } => {
                    let texts = self.telling(As::Absolute, Some(&command.source));
                    texts.is_some_and(|text| fits(&text))
                }
                Part::Other | Part::Unsure => false,
            }
    }

    fn telling(&self, how: As, command: Option<&str>) -> Option<String> {
        let members = self.asked.args.as_object()?;
        let paths = self.paths();
        // Paths that nobody resolved say nothing about where they lead. Those of other tools nobody can resolve.
        let are_known = paths.len() <= self.asked.paths.len() || self.asked.mcp_server.is_some();
        let mut pairs = Vec::new();
        for (name, value) in members {
            let is_path = PATHS.contains(&name.as_str());
            if !is_telling(self.asked, name) || (is_path && !are_known) {
                continue;
            }
            let told = match (name.as_str(), command) {
                ("command", Some(command)) => Value::from(command),
                _ => self.placed(name, how)?.unwrap_or_else(|| value.clone()),
            };
            pairs.push((name.as_str(), told));
        }
        Some(top(pairs))
    }

    fn all(&self, how: As) -> Option<String> {
        let Some(members) = self.asked.args.as_object() else {
            let mut text = String::new();
            stable(self.asked.args, &mut text);
            return (how == As::Said).then_some(text);
        };
        let mut pairs = Vec::new();
        for (name, value) in members {
            let told = self.placed(name, how)?;
            pairs.push((name.as_str(), told.unwrap_or_else(|| value.clone())));
        }
        Some(top(pairs))
    }

    /// The names of the arguments that are paths, in the order in which they were resolved.
    fn paths(&self) -> Vec<&'static str> {
        let args = self.asked.args;
        let is_given = |name: &&str| args.get(*name).is_some_and(Value::is_string);
        PATHS.into_iter().filter(is_given).collect()
    }

    /// What an argument is if it is a path; nothing at all if it cannot be written like this.
    #[expect(
        clippy::option_option,
        reason = "no path is not a path that cannot be written"
    )]
    fn placed(&self, name: &str, how: As) -> Option<Option<Value>> {
        let at = self.paths().iter().position(|path| *path == name);
        let path = at.and_then(|at| self.asked.paths.get(at));
        match (path, how) {
            (None, _) | (_, As::Said) => Some(None),
            (Some(path), As::Absolute) => Some(Some(Value::from(path.as_str()))),
            (Some(path), As::Relative) => {
                let told = path.relative_to(&self.places.project)?;
                Some(Some(Value::from(told)))
            }
        }
    }
}

fn top(mut pairs: Vec<(&str, Value)>) -> String {
    pairs.sort_by(|a, b| a.0.cmp(b.0));
    let mut text = String::from("{");
    for (at, (name, value)) in pairs.iter().enumerate() {
        text.push_str(if at == 0 { "\0" } else { ",\0" });
        text.push_str(&Value::from(*name).to_string());
        text.push(':');
        stable(value, &mut text);
        text.push('\0');
    }
    text.push('}');
    text
}

/// JSON with sorted keys. As deep as the parser lets arguments be, which is bounded.
fn stable(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                stable(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                stable(item, text);
            }
            text.push(']');
        }
        // JavaScript has one kind of numbers and writes 1.0 as 1.
        Value::Number(number) => {
            let number = number.to_string();
            text.push_str(number.strip_suffix(".0").unwrap_or(&number));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}
