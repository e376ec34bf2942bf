//! What the arguments of a tool tell: the command it ran, the files it was pointed at.

use serde_json::Value;

/// The tool that runs commands.
pub(crate) const SHELL: &str = "run_shell_command";

/// Arguments nested deeper than this are not searched.
const MAX_DEPTH: usize = 6;

/// The command that a tool was asked to run.
pub(crate) fn command(args: &Value) -> Option<&str> {
    ["command", "cmd", "script"].iter().find_map(|name| {
        let command = args.get(name)?.as_str()?;
        (!analects_text::trim::trim(command).is_empty()).then_some(command)
    })
}

/// Shows `found` every text that stands under a name like `path` or `dir`, until it has seen enough.
pub(crate) fn paths<'a>(args: &'a Value, found: &mut dyn FnMut(&'a str) -> Enough) {
    search(args, false, 0, found);
}

/// Whether a search may stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enough {
    Yes,
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

/// Whether a text looks like a path: short, on one line, with a slash, a leading dot or an extension.
pub(crate) fn is_path_like(text: &str) -> bool {
    let is_one_line = !text.is_empty() && !text.contains('\n');
    is_one_line
        && text.encode_utf16().count() <= 240
        && (text.contains(['/', '\\']) || text.starts_with('.') || has_extension(text))
}

fn has_extension(name: &str) -> bool {
    // A dot alone in front is no extension; one at the end is, to the original.
    name.rfind('.').is_some_and(|at| at > 0) && name != ".."
}
