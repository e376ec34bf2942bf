//! Paths: those that tools were given, and those that stand in a text.
//!
//! In running text only what can hardly be anything else counts: something with a slash and an extension,
//! something that begins like a path, or a bare file name with an extension that we know. Paths in Chinese
//! characters are seen in arguments and commands only.

use analects_text::script::is_ideograph;
use serde_json::Value;

use super::pieces::MAX_DEPTH;
use super::symbols::{after_escape, is_word};

const MAX_CHARS: usize = 240;

/// Extensions by which a bare file name is known.
const EXTENSIONS: [&str; 48] = [
    "bat", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "go", "gradle", "h", "hpp", "html",
    "ini", "ipynb", "java", "js", "json", "jsonl", "jsx", "kt", "lock", "log", "lua", "md", "mjs",
    "php", "proto", "ps1", "py", "rb", "rs", "scala", "scss", "sh", "sql", "svelte", "swift",
    "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig",
];

/// How a patch names the files that it changes.
const PATCH_LINES: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Shows `found` every path in the arguments of a tool: under names like `path` or `dir`, and in patches.
pub(super) fn in_args(args: &Value, found: &mut dyn FnMut(&str)) {
    search(args, false, 0, found);
}

fn search(value: &Value, is_path: bool, depth: usize, found: &mut dyn FnMut(&str)) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) if is_path => {
            if let Some(path) = given(text) {
                found(path);
            }
        }
        Value::String(text) if text.starts_with("*** Begin Patch") => {
            let named = text
                .lines()
                .filter_map(|line| PATCH_LINES.iter().find_map(|name| line.strip_prefix(name)));
            named.filter_map(given).for_each(found);
        }
        Value::Array(items) => {
            (items.iter()).for_each(|item| search(item, is_path, depth + 1, found));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                search(value, names_path(name), depth + 1, found);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn names_path(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["path", "file", "dir", "folder", "cwd", "root"];
    words.iter().any(|word| name.contains(word)) && !name.contains("profile")
}

/// A path as it was given, without what says nothing.
fn given(text: &str) -> Option<&str> {
    let mut path = text.trim();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    let path = path.trim_end_matches(['/', '\\']);
    let is_one_line = !path.contains('\n') && path.chars().nth(MAX_CHARS).is_none();
    let says_something = path.chars().any(char::is_alphanumeric);
    (is_one_line && says_something && path.len() > 1).then_some(path)
}

/// Shows `found` everything in a text that can hardly be anything but a path.
pub(super) fn in_text(text: &str, found: &mut dyn FnMut(&str)) {
    in_runs(text, &is_inside, found);
}

/// The same in a command, where Chinese names stand between blanks like others.
pub(super) fn in_command(command: &str, found: &mut dyn FnMut(&str)) {
    in_runs(command, &|c| is_inside(c) || is_ideograph(c), found);
}

fn is_inside(c: char) -> bool {
    is_word(c) || matches!(c, '/' | '\\' | '.' | '-' | '~' | '@' | '+')
}

fn in_runs(text: &str, is_inside: &dyn Fn(char) -> bool, found: &mut dyn FnMut(&str)) {
    let mut pieces = text.split('\u{1b}');
    let first = pieces.next();
    let coloured = pieces.map(|piece| after_escape(piece).unwrap_or(piece));
    let pieces = first.into_iter().chain(coloured);
    for run in pieces.flat_map(|piece| piece.split(|c| !is_inside(c))) {
        let run = run.trim_start_matches(['@', '-', '+']);
        let run = run.trim_end_matches(['.', '-', '+', '@', '~']);
        if is_path(run)
            && let Some(path) = given(run)
        {
            found(path);
        }
    }
}

fn is_path(run: &str) -> bool {
    // What is left of an address on the web begins so.
    if run.starts_with("//") || run.contains("...") {
        return false;
    }
    let mut segments = run
        .rsplit(['/', '\\'])
        .filter(|segment| !segment.is_empty());
    let Some(last) = segments.next() else {
        return false;
    };
    let extension = extension(last);
    if !run.contains(['/', '\\']) {
        return extension.is_some_and(|extension| EXTENSIONS.contains(&extension));
    }
    let begins_so = ["/", "./", "../", "~/"]
        .iter()
        .any(|start| run.starts_with(start));
    let is_deep = segments.any(|segment| segment.chars().any(char::is_alphabetic));
    // After a Chinese name, the rest of a path looks like one from the root.
    if run.starts_with('/') && !is_deep {
        return false;
    }
    extension.is_some() || (begins_so && is_deep && last.chars().any(char::is_alphabetic))
}

/// The extension of a file name: short, and it begins with a letter.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_short = (1..=8).contains(&extension.len());
    let is_plain = extension.chars().all(|c| c.is_ascii_alphanumeric());
    let begins_well = extension.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_named = stem.is_empty() || stem.chars().any(char::is_alphanumeric);
    (is_short && is_plain && begins_well && is_named).then_some(extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check_text(text: &str, paths: &[&str]) {
        let mut found = Vec::new();
        in_text(text, &mut |path| found.push(path.to_owned()));
        assert_eq!(found, paths, "{text}");
    }

    #[test]
    fn a_text_names_what_can_hardly_be_anything_else() {
        check_text(
            "Look at @src/a.rs:12, (./b/c.toml) and Cargo.toml.",
            &["src/a.rs", "b/c.toml", "Cargo.toml"],
        );
        check_text(
            "把src/记/a.rs改成~/x/y，别动/etc/hosts。",
            &["~/x/y", "/etc/hosts"],
        );
        check_text("C:\\me\\a.txt", &["\\me\\a.txt"]);
    }

    #[test]
    fn a_text_says_other_things_with_slashes_and_dots() {
        check_text(
            "and/or, 24/7, e.g. this, https://a.org/b/c.html, 1.2/3.4, /compress, self.foo, v1.2",
            &[],
        );
    }

    #[test]
    fn a_command_may_name_a_file_in_chinese() {
        let mut found = Vec::new();
        in_command("sed -n '1,9p' 文档/设计.md", &mut |path| {
            found.push(path.to_owned());
        });
        assert_eq!(found, ["文档/设计.md"]);
    }

    #[test]
    fn arguments_name_paths_by_their_keys() {
        let mut found = Vec::new();
        let args = json!({
            "file_path": "./src/a.rs", "paths": ["b/", "Makefile"], "dir_path": ".",
            "profile": "x/y.rs", "edits": [{ "file": "文档/设计.md", "text": "c/d.rs" }],
            "input": "*** Begin Patch\n*** Add File: e.rs\n+x\n*** Update File: f.rs\n*** Move to: g.rs\n",
        });
        in_args(&args, &mut |path| found.push(path.to_owned()));
        assert_eq!(
            found,
            [
                "src/a.rs",
                "Makefile",
                "文档/设计.md",
                "e.rs",
                "f.rs",
                "g.rs"
            ]
        );
    }
}
