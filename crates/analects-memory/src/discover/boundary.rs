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
    let (names, unsafe_names): (Vec<_>, Vec<_>) =
        markers.iter().cloned().partition(|marker| is_safe(marker));
    let problems = unsafe_names.iter().map(|name| {
        let message = format!("boundary marker `{name}` leads out of its directory");
        Problem::new(&codes::UNSAFE_NAME, message)
    });
    let problems = problems.collect();
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

/// Whether a configured name stays in the directory it is looked for in.
#[must_use]
pub fn is_safe(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('/')
        && !name.contains('\0')
        && !name.contains("..")
        && name.split('/').all(|part| !matches!(part, "" | "."))
}
