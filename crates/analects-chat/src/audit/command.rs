//! The commands that were run in a shell.

use std::borrow::Cow;

use analects_world::model::Call;
use serde_json::Value;

/// What the names of tools that run commands have in them.
const SHELLS: [&str; 7] = [
    "shell", "bash", "exec", "terminal", "command", "zsh", "run_",
];

/// The command of a call, if the tool runs commands. One that is given word by word is joined; of
/// `bash -lc "…"` only what the shell is told counts.
pub(super) fn of_call(call: &Call) -> Option<Cow<'_, str>> {
    let name = call.name.to_ascii_lowercase();
    if !SHELLS.iter().any(|shell| name.contains(shell)) {
        return None;
    }
    let given = ["command", "cmd"].iter().find_map(|key| call.args.get(key));
    match given? {
        Value::String(command) => Some(command.as_str().into()),
        Value::Array(words) => of_words(words),
        _ => None,
    }
}

fn of_words(words: &[Value]) -> Option<Cow<'_, str>> {
    let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
    let words = words?;
    if let [shell, option, script] = words[..]
        && shell.ends_with("sh")
        && option.starts_with('-')
        && option.ends_with('c')
    {
        return Some(script.into());
    }
    Some(words.join(" ").into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn check(name: &str, args: Value, command: Option<&str>) {
        let call = Call {
            id: None,
            name: name.to_owned(),
            args,
            rest: Map::new(),
        };
        assert_eq!(of_call(&call).as_deref(), command, "{name}");
    }

    #[test]
    fn shells_of_all_agents_are_known() {
        check("run_shell_command", json!({ "command": "ls" }), Some("ls"));
        check("Bash", json!({ "command": "ls -a" }), Some("ls -a"));
        check(
            "shell",
            json!({ "command": ["bash", "-lc", "a | b"] }),
            Some("a | b"),
        );
        check(
            "shell",
            json!({ "command": ["git", "log"] }),
            Some("git log"),
        );
        check("exec_command", json!({ "cmd": "make" }), Some("make"));
        check("editor", json!({ "command": "view" }), None);
        check("shell", json!({ "command": [1] }), None);
        check("shell", json!(null), None);
    }
}
