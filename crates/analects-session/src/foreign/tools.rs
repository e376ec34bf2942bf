//! What tools are asked, as people read it.

use serde::Deserialize;

use super::clip::{Clip, clip};
use super::json::Raw;
use crate::transcript::is_shell;

/// No call names more files than this, nor longer ones.
const MAX_PATHS: usize = 50;

/// The arguments of which agents' tools are made, as far as we know them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    command: Raw<'a>,
    #[serde(borrow)]
    cmd: Raw<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    file_path: Raw<'a>,
    #[serde(borrow)]
    notebook_path: Raw<'a>,
    #[serde(borrow)]
    path: Raw<'a>,
    #[serde(borrow)]
    paths: Raw<'a>,
}

/// The command of a shell, else the arguments as they are written.
pub(super) fn input(name: &str, arguments: Raw<'_>, limit_bytes: usize) -> String {
    let command = is_shell(name).then(|| {
        let Arguments { command, cmd, .. } = arguments.fields();
        shell_line(command, limit_bytes).or_else(|| shell_line(cmd, limit_bytes))
    });
    let written = || clip(arguments.source().unwrap_or_default(), limit_bytes);
    command.flatten().unwrap_or_else(written)
}

/// A command, or its words. Of `bash -lc LINE` only the line.
pub(super) fn shell_line(command: Raw<'_>, limit_bytes: usize) -> Option<String> {
    if command.is_string() {
        return command.text(limit_bytes);
    }
    let (mut line, mut n_words, mut is_wrapped) = (Clip::new(limit_bytes), 0, false);
    command.each(|word| {
        let is_flag = n_words == 1 && matches!(word.word().as_deref(), Some("-lc" | "-c"));
        if is_flag {
            is_wrapped = true;
            line = Clip::new(limit_bytes);
        } else {
            if !line.is_empty() {
                line.push(" ");
            }
            word.pour(&mut line);
        }
        n_words += 1;
    });
    (n_words > 0 && !line.is_empty()).then(|| line.finish())
}

/// The files that the arguments name.
pub(super) fn paths(arguments: Raw<'_>) -> Vec<String> {
    let Arguments {
        input,
        file_path,
        notebook_path,
        path,
        paths,
        ..
    } = arguments.fields();
    let mut found = Vec::new();
    let mut add = |raw: Raw<'_>| add_path(&mut found, raw.word().as_deref().unwrap_or_default());
    [file_path, notebook_path, path]
        .into_iter()
        .for_each(&mut add);
    paths.each(add);
    patched(input, &mut found);
    found
}

/// The files that a patch in Codex' own format changes.
pub(super) fn patched(patch: Raw<'_>, found: &mut Vec<String>) {
    let Some(text) = patch.text(MAX_PATCH_BYTES) else {
        return;
    };
    let marks = [
        "*** Add File: ",
        "*** Update File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    for line in text.lines() {
        if let Some(path) = marks.iter().find_map(|mark| line.strip_prefix(mark)) {
            add_path(found, path.trim());
        }
    }
}

/// How much of a patch is searched for names.
const MAX_PATCH_BYTES: usize = 1024 * 1024;

/// Adds a path that is new.
pub(super) fn add_path(found: &mut Vec<String>, path: &str) {
    if !path.is_empty() && found.len() < MAX_PATHS && !found.iter().any(|known| known == path) {
        found.push(path.to_owned());
    }
}
