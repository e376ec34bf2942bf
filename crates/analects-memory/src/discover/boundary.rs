//! Finds where a project begins.

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::{Files, Pick};

use crate::codes;

/// The nearest directory, `dir` or above it, that holds one of `markers`; if `dir` lies in `ceiling`,
/// however that is reached, neither `ceiling` nor anything around it counts.
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
        root.filter(|root| !ceiling.is_some_and(|top| is_between(files, top, dir, root))),
        problems,
    )
}

/// Whether the way from `dir` up to `root` leads through `top`, links resolved: home may be one.
fn is_between(files: &dyn Files, top: &AbsPath, dir: &AbsPath, root: &AbsPath) -> bool {
    let top = files.real_or_same(top);
    files.real_or_same(dir).is_within(&top) && top.is_within(&files.real_or_same(root))
}

/// Home itself is never a project, and neither is anything around it: a dotfiles repository must not
/// turn the whole home directory into one. The original knows no such stop.
pub(super) fn ceiling(home: &AbsPath, profile: Profile) -> Option<&AbsPath> {
    (profile != Profile::Head).then_some(home)
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
