//! Finds where a project begins.

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Files, Pick};

use crate::codes;

/// The nearest directory, `dir` or above it, that holds one of `markers`. Neither `ceiling` nor anything around it
/// counts, however it is reached: a dotfiles repository must not turn a whole home directory into a project.
///
/// A marker may be a directory or a file, so that submodules and worktrees count. `None` means that no
/// marker was found.
#[must_use]
pub fn project_root(
    files: &dyn Files,
    dir: &AbsPath,
    markers: &[String],
    ceiling: Option<&AbsPath>,
) -> (Option<AbsPath>, Vec<Problem>) {
    let (mut names, mut problems) = (Vec::new(), Vec::new());
    for marker in markers {
        // The original skips a marker with two dots anywhere, and a root that is found by less would not be its root.
        match plain(marker).filter(|name| !name.contains("..")) {
            Some(name) => names.push(name),
            None => {
                let message = format!("boundary marker `{marker}` leads out of its directory");
                problems.push(Problem::new(&codes::UNSAFE_NAME, message));
            }
        }
    }
    if names.is_empty() {
        return (None, problems);
    }
    let dirs: Vec<_> = dir.ancestors().collect();
    let pick = Pick::names(names);
    // One question for the whole way up: an unreadable directory does not end the search.
    let listings = files.list(&dirs, &pick);
    let marked = listings
        .iter()
        .position(|l| l.as_ref().is_ok_and(|l| !l.found.is_empty()));
    let root = marked.and_then(|at| dirs.get(at).cloned());
    (
        root.filter(|root| !ceiling.is_some_and(|top| holds(files, root, top))),
        problems,
    )
}

/// Whether `root` is `dir` or lies above it, links resolved.
fn holds(files: &dyn Files, root: &AbsPath, dir: &AbsPath) -> bool {
    files.real_or_same(dir).is_within(&files.real_or_same(root))
}

/// Endings of files that people write for people.
const TEXT_ENDINGS: [&str; 4] = [".md", ".markdown", ".mdc", ".txt"];

/// True if a file of this name is meant to be read by people.
pub(crate) fn is_text_name(name: &str) -> bool {
    let name = name.to_lowercase();
    TEXT_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// A configured name as a door knows it: nothing in it that leads nowhere. `None` if it does not stay in the directory it is
/// looked for in.
#[must_use]
pub fn plain(name: &str) -> Option<String> {
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<_> = parts.collect();
    let leads_out = name.starts_with('/') || name.contains('\0') || parts.contains(&"..");
    (!leads_out && !parts.is_empty()).then(|| parts.join("/"))
}
