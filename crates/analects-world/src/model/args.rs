//! What the arguments of a tool tell: the command it ran, the files it was pointed at.

use std::borrow::Cow;

use serde_json::Value;

/// Arguments nested deeper than this are not searched.
const MAX_DEPTH: usize = 6;

/// The command that a tool was asked to run. One that is given word by word is joined; what a shell is handed
/// as a whole is the command.
#[must_use]
pub fn command(args: &Value) -> Option<Cow<'_, str>> {
    ["command", "cmd", "script"]
        .iter()
        .find_map(|name| one_command(args.get(name)?))
}

fn one_command(value: &Value) -> Option<Cow<'_, str>> {
    let command = match value {
        Value::String(command) => Cow::Borrowed(&**command),
        Value::Array(words) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            match &*words {
                [_, "-c" | "-lc", command] => Cow::Borrowed(*command),
                words => Cow::Owned(words.join(" ")),
            }
        }
        _ => return None,
    };
    (!command.trim().is_empty()).then_some(command)
}

/// Shows `found` every text that stands under a name like `path` or `dir`, until it has seen enough.
pub fn paths<'a>(args: &'a Value, found: &mut dyn FnMut(&'a str) -> Enough) {
    search(args, false, 0, found);
}

/// Whether a search may stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    /// Enough was seen.
    Yes,
    /// It goes on.
    No,
}

fn search<'a>(
    value: &'a Value,
    is_path: bool,
    depth: usize,
    found: &mut dyn FnMut(&'a str) -> Enough,
) -> Enough {
    if depth > MAX_DEPTH {
        return Enough::No;
    }
    let mut go = |value, is_path| search(value, is_path, depth + 1, found) == Enough::Yes;
    let is_enough = match value {
        Value::String(text) if is_path => return found(text),
        Value::Array(items) => items.iter().any(|item| go(item, is_path)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| go(value, names_path(name))),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
    };
    if is_enough { Enough::Yes } else { Enough::No }
}

fn names_path(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["path", "file", "dir", "cwd", "root"]
        .iter()
        .any(|word| name.contains(word))
}
