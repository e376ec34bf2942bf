//! Where the project begins: by its markers, below home, and no higher than the trust in it reaches.

use analects_memory::discover::{self, Trust};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::ownership::TrustedOwners;

use super::owners;
use crate::trust::{Decision, Reason, Rules};
use crate::{World, codes};

/// True if `dir` is the user's home or lies above it, links resolved. Such a directory is never a project: everything
/// that the user has would be inside.
pub(crate) fn holds_home(world: &World<'_>, dir: &AbsPath) -> bool {
    let dir = world.files.real_or_same(dir);
    // `--home` moves `~/.gemini` elsewhere, and the user's keys stay where they are.
    let usual = world.around.var("HOME").map(AbsPath::new);
    let usual = usual.and_then(Result::ok);
    let mut homes = [Some(world.around.home.clone()), usual]
        .into_iter()
        .flatten();
    homes.any(|home| world.files.real_or_same(&home).is_within(&dir))
}

/// Finds the root by its markers. One that is home or lies above it is refused, and the working directory is the root.
pub(super) fn marked_root(world: &World<'_>, markers: &[String]) -> (AbsPath, Option<Problem>) {
    let cwd = &world.around.cwd;
    // What is wrong with a marker is told when memory is looked for.
    let (root, _) = discover::project_root(world.files, cwd, markers, None);
    let root = root.unwrap_or_else(|| cwd.clone());
    let is_home = world.files.real_or_same(&root) == world.files.real_or_same(&world.around.home);
    if !holds_home(world, &root) || (root == *cwd && is_home) {
        return (root, None);
    }
    let message = if root == *cwd {
        "this directory holds your home, so it is not a project; nothing of it is loaded"
    } else {
        "a home directory is never a project; the working directory is the root instead"
    };
    let problem = Problem::new(&codes::ROOT_REFUSED, message).in_file(&root);
    (cwd.clone(), Some(problem))
}

/// Refuses a root that strangers own or may write, or whose marker is theirs: the working directory is the root then.
/// Whoever can put a `.git` into a shared folder must not decide what belongs to the project below it.
pub(super) fn owned_root(
    world: &World<'_>,
    owners: &TrustedOwners,
    markers: &[String],
    marked: AbsPath,
) -> (AbsPath, Option<Problem>) {
    let cwd = &world.around.cwd;
    if marked == *cwd {
        return (marked, None);
    }
    let dirs = owners::instructing_directories(&marked, markers);
    let Some(foreign) = owners::foreign_directory(world, owners, &dirs) else {
        return (marked, None);
    };
    let message = "others own or may write this, so it is not part of the project \
                   (`security.trustedOwners`)";
    let problem = Problem::new(&codes::FOREIGN_FOLDER, message).in_file(&foreign);
    (cwd.clone(), Some(problem))
}

/// Lowers the root to the outermost directory that is trusted: trust in a part of a repository says nothing about the
/// rest of it. What is said for this run (`--trust`) is about the whole project.
pub(super) fn trusted_root(
    world: &World<'_>,
    rules: &Rules,
    decision: &Decision,
    marked: &AbsPath,
) -> AbsPath {
    let is_by_rule = matches!(decision.reason, Reason::Rule(_));
    if decision.trust != Trust::Trusted || !is_by_rule {
        return marked.clone();
    }
    let cwd = &world.around.cwd;
    let inside = cwd.ancestors().take_while(|dir| dir.is_within(marked));
    let is_trusted = |dir: &AbsPath| rules.decide_by_rules(world, dir).trust == Trust::Trusted;
    let outermost = inside.filter(is_trusted).last();
    outermost.unwrap_or_else(|| cwd.clone())
}
