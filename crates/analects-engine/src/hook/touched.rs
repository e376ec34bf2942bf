//! Which paths a tool touched, by what it was asked to do.

use serde_json::Value;

use super::input::Input;

/// A path, seen from the working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) text: String,
    /// Whether it surely is one; a word of a command only is if something lies there.
    pub(super) is_sure: bool,
}

/// Members of a tool's input that hold a path.
const PATHS: [&str; 8] = [
    "file_path",
    "path",
    "absolute_path",
    "dir_path",
    "notebook_path",
    "directory",
    "workdir",
    "cwd",
];

/// Members that hold several.
const LISTS: [&str; 3] = ["paths", "file_paths", "include"];

/// Members that hold a command line or a patch.
const COMMANDS: [&str; 4] = ["command", "cmd", "input", "patch"];

/// At most this many paths of one call are looked at.
const MAX_PATHS: usize = 16;

/// A command line is read this far.
const MAX_COMMAND_BYTES: usize = 16 * 1024;

/// The paths that the tool of this input touched.
pub(super) fn touched(input: &Input) -> Vec<Touched> {
    let asked = &input.tool_input;
    let member = |name: &&str| asked.get(*name);
    let mut paths = Vec::new();
    for path in PATHS.iter().filter_map(member).filter_map(Value::as_str) {
        paths.push(sure(path));
    }
    for list in LISTS.iter().filter_map(member).filter_map(Value::as_array) {
        paths.extend(list.iter().filter_map(Value::as_str).map(below_pattern));
    }
    let is_glob = (input.tool.as_deref()).is_some_and(|tool| tool.to_lowercase().contains("glob"));
    if let Some(pattern) = asked.get("pattern").and_then(Value::as_str)
        && is_glob
        && paths.is_empty()
    {
        paths.push(below_pattern(pattern));
    }
    for command in COMMANDS.iter().filter_map(member) {
        paths.extend(in_command(&words(command)));
    }
    paths.retain(|path| !path.text.trim().is_empty() && !path.text.contains('\0'));
    paths.dedup();
    paths.truncate(MAX_PATHS);
    paths
}

fn sure(path: &str) -> Touched {
    Touched {
        text: path.to_owned(),
        is_sure: true,
    }
}

/// The directory that a pattern begins in: `src/api` for `src/api/**/*.rs`.
fn below_pattern(pattern: &str) -> Touched {
    let is_plain = |name: &&str| !name.contains(['*', '?', '[', '{']);
    let mut names: Vec<_> = pattern.split('/').take_while(is_plain).collect();
    if pattern.starts_with('/') && names.len() == 1 {
        names.clear();
    }
    sure(&names.join("/"))
}

/// A command as one text, however it is given.
fn words(command: &Value) -> String {
    match command {
        Value::String(text) => text.clone(),
        Value::Array(words) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            words.join(" ")
        }
        _ => String::new(),
    }
}

fn in_command(command: &str) -> Vec<Touched> {
    let end = command.floor_char_boundary(MAX_COMMAND_BYTES);
    let command = command.get(..end).unwrap_or_default();
    if command.contains("*** Begin Patch") {
        return command.lines().filter_map(in_patch).collect();
    }
    let parts = command.split(|c: char| c.is_whitespace() || ";|&()<>`".contains(c));
    let words = parts.map(|word| word.trim_matches(['"', '\'']));
    // Only what plainly is a path: no options, no variables, no patterns, no addresses.
    let is_plain = |word: &&str| {
        !word.starts_with('-') && !word.contains(['$', '*', '?', '{', '[', '=', '\\', ':', '@'])
    };
    let is_path = |word: &&str| word.contains('/') && word.contains(char::is_alphanumeric);
    let paths = words.filter(is_plain).filter(is_path);
    let maybe = |word: &str| Touched {
        text: word.to_owned(),
        is_sure: false,
    };
    paths.map(maybe).collect()
}

/// The file that a line of a patch is about.
fn in_patch(line: &str) -> Option<Touched> {
    let kinds = [
        "*** Add File: ",
        "*** Update File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    let path = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    Some(sure(path.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(tool: &str, tool_input: Value, expected: &[&str]) {
        let input = Input {
            tool: Some(tool.to_owned()),
            tool_input,
            ..Input::default()
        };
        let found: Vec<_> = touched(&input).into_iter().map(|path| path.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_hosts_file_tools_are_understood() {
        check("read_file", json!({"file_path": "/r/a.rs"}), &["/r/a.rs"]);
        check(
            "read_file",
            json!({"absolute_path": "/r/a.rs"}),
            &["/r/a.rs"],
        );
        check("list_directory", json!({"dir_path": "src"}), &["src"]);
        check(
            "replace",
            json!({"file_path": "a", "old_string": "x/y"}),
            &["a"],
        );
        check(
            "read_many_files",
            json!({"include": ["src/**/*.ts", "README.md"]}),
            &["src", "README.md"],
        );
        check(
            "NotebookEdit",
            json!({"notebook_path": "/r/n.ipynb"}),
            &["/r/n.ipynb"],
        );
        check("Grep", json!({"pattern": "a/b", "path": "src"}), &["src"]);
        check("Glob", json!({"pattern": "src/api/**/*.ts"}), &["src/api"]);
        check("Glob", json!({"pattern": "**/*.ts"}), &[]);
        check("Glob", json!({"pattern": "/r/x/*.ts"}), &["/r/x"]);
    }

    #[test]
    fn a_command_counts_where_it_plainly_names_a_path() {
        let shell = |command: &str| json!({ "command": command });
        check(
            "Bash",
            shell("cat '/repo/sub/notes.txt'"),
            &["/repo/sub/notes.txt"],
        );
        check(
            "Bash",
            shell("cd src/api && sed -n 1,20p x/y.rs|head"),
            &["src/api", "x/y.rs"],
        );
        check(
            "Bash",
            shell("cargo test --manifest-path=a/Cargo.toml"),
            &[],
        );
        check(
            "Bash",
            shell("curl https://x.y/z; echo $HOME/x *.md 1/"),
            &["1/"],
        );
        check(
            "shell",
            json!({"command": ["bash", "-lc", "ls src/api"]}),
            &["src/api"],
        );
        check("Bash", json!({"command": 3}), &[]);
    }

    #[test]
    fn a_patch_names_its_files() {
        let patch = "*** Begin Patch\n*** Add File: /r/a/new.txt\n+x/y\n*** Update File: b/c.rs\n\
                     *** Move to: b/d.rs\n*** End Patch";
        check(
            "apply_patch",
            json!({ "command": patch }),
            &["/r/a/new.txt", "b/c.rs", "b/d.rs"],
        );
    }

    #[test]
    fn what_is_no_input_touches_nothing() {
        for odd in [
            json!(null),
            json!([1]),
            json!("x/y"),
            json!({"file_path": ""}),
            json!({"path": ["a"]}),
        ] {
            check("Read", odd, &[]);
        }
    }
}
