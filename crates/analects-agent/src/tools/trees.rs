//! What the tools that look through trees share: which rules they heed, how they show what they found, and what
//! they say if they could not look.
//!
//! Names and lines come from anyone who can write a file. None of them can break a line of ours, drive a terminal or
//! pass for a note of ours.

use std::fmt::Display;

use analects_text::sanitize::one_line;
use analects_world::AbsPath;
use analects_world::files::Trouble;
use analects_world::search::{Case, Ignore};
use globset::Glob;

use super::look::harmless;
use super::workspace::named;
use super::{Bench, For, Place, Refusal, RefusalKind};

/// Directories that tools like this pass over unless they are named: what package managers and other systems than
/// git fill them with is nobody's to read.
pub(super) const FOREIGN: [&str; 4] = ["node_modules", "bower_components", ".svn", ".hg"];

/// Longer patterns are no patterns.
const MAX_PATTERN_BYTES: usize = 4000;

/// Where a directory or file lies that a model named, or the working directory.
pub(super) fn place(bench: &Bench<'_>, path: Option<&str>) -> Result<Place, Refusal> {
    let path = path.filter(|path| !path.trim().is_empty()).unwrap_or(".");
    bench.workspace.locate(bench.files, path, For::Listing)
}

/// Which rules are heeded: what the model says, or else what holds for everyone.
pub(super) fn ignore<'a>(bench: &Bench<'a>, git: Option<bool>, gemini: Option<bool>) -> Ignore<'a> {
    Ignore {
        git: git.unwrap_or(bench.heeds_git),
        files: match gemini.unwrap_or(true) {
            true => bench.ignore_files,
            false => &[],
        },
    }
}

/// The globs of directories that are passed over, but for those that a pattern asks for.
pub(super) fn foreign(pattern: &str) -> Vec<String> {
    let unasked = FOREIGN.iter().filter(|name| !pattern.contains(**name));
    unasked.map(|name| format!("**/{name}/**")).collect()
}

/// Whether upper and lower case differ, if a model says so.
pub(super) fn case(is_sensitive: Option<bool>) -> Case {
    match is_sensitive {
        Some(true) => Case::Sensitive,
        Some(false) | None => Case::Insensitive,
    }
}

/// Fails if a glob makes no sense. `parameter` is where it came from.
pub(super) fn check_glob(parameter: &str, glob: &str) -> Result<(), Refusal> {
    check_length(parameter, glob)?;
    let refuse = |why: &dyn Display, what_to_do: &str| {
        let message = format!(
            "`{parameter}` cannot be used: {} {why}. {what_to_do}",
            named(glob)
        );
        Err(Refusal::new(RefusalKind::BadPattern, message))
    };
    if glob.split('/').any(|name| name == "..") {
        return refuse(
            &"leads upwards",
            "Say in `dir_path` where to look, and give a pattern from there.",
        );
    }
    match Glob::new(glob) {
        Ok(_) => Ok(()),
        Err(error) => refuse(
            &format_args!("is no glob ({})", error.kind()),
            "Known are `*`, `?`, `**`, `{a,b}` and `[ab]`; write `[[]` for a bracket.",
        ),
    }
}

/// Fails if a pattern is empty or too long to be one.
pub(super) fn check_length(parameter: &str, pattern: &str) -> Result<(), Refusal> {
    let message = match pattern.len() {
        0 => format!("`{parameter}` is empty. Say what is to be found."),
        1..=MAX_PATTERN_BYTES => return Ok(()),
        n_bytes => format!(
            "`{parameter}` has {n_bytes} bytes, more than {MAX_PATTERN_BYTES}. Give a shorter one."
        ),
    };
    Err(Refusal::new(RefusalKind::BadPattern, message))
}

/// A path or a name, harmless and in one line.
pub(super) fn shown(bench: &Bench<'_>, path: &AbsPath) -> String {
    harmless(&bench.workspace.shown(path)).into_owned()
}

/// A name of a file, harmless and in one line.
pub(super) fn name(name: &str) -> String {
    harmless(&one_line(name)).into_owned()
}

/// The words of a line, harmless. Tabs stay: they belong to code.
pub(super) fn line(text: &str) -> String {
    let pieces: Vec<_> = text.trim_end().split('\t').map(one_line).collect();
    harmless(&pieces.join("\t")).into_owned()
}

/// What a model gave, quoted.
pub(super) fn quoted(text: &str) -> String {
    harmless(&named(text)).into_owned()
}

/// The number of them, in words.
pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// A note about what could not be read, if there is any.
pub(super) fn unread(n_unread: usize) -> Option<String> {
    let what = count(n_unread, "file or directory", "files or directories");
    (n_unread > 0).then(|| format!("({what} could not be read, or not to the end.)"))
}

/// Fails if somebody cancelled the search: what it answered is not whole.
pub(super) fn check_cancel(bench: &Bench<'_>) -> Result<(), Refusal> {
    match bench.cancel.is_cancelled() {
        true => Err(Refusal::new(
            RefusalKind::Cancelled,
            "The search was cancelled before it was done.",
        )),
        false => Ok(()),
    }
}

/// What is said if a tree could not be looked through.
pub(super) fn refusal(bench: &Bench<'_>, path: &AbsPath, trouble: &Trouble) -> Refusal {
    let (kind, what) = match trouble {
        Trouble::Missing => (
            RefusalKind::NotFound,
            "does not exist. Use `list_directory` or `glob` to see what is there",
        ),
        Trouble::NotDir => (
            RefusalKind::NotDirectory,
            "is not a directory. Name the one it lies in, or use `read_file`",
        ),
        Trouble::Special => (
            RefusalKind::NotAFile,
            "is a pipe, a socket or a device, and those are never opened. Name a file or a directory",
        ),
        Trouble::Outside => (
            RefusalKind::OutsideWorkspace,
            "leads out of the workspace. Name something inside of it",
        ),
        Trouble::Denied => (
            RefusalKind::Unreadable,
            "may not be read by this user. Look elsewhere, or ask the user to change that",
        ),
        other => {
            let message = format!("`{}` cannot be looked at: {other}.", shown(bench, path));
            return Refusal::new(RefusalKind::Unreadable, message);
        }
    };
    Refusal::new(kind, format!("`{}` {what}.", shown(bench, path)))
}

#[cfg(test)]
pub(super) mod fixture;
