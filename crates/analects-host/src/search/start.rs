//! Where a search begins: opened once, judged by the handle, with the rules that hold there.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use analects_world::files::Trouble;
use analects_world::search::Tree;
use rustix::fs::CWD;

use super::rules::{GIT, Rules};
use crate::disk::{handle, trouble};

/// The beginning of a tree.
pub(super) struct Start {
    /// What is there.
    pub(super) what: What,
    /// Where it really lies.
    pub(super) real: String,
    /// The rules that hold in it.
    pub(super) rules: Rules,
    /// Whether rules say to ignore it, or a directory on the way to it.
    pub(super) is_ignored: bool,
}

/// What a tree begins with.
pub(super) enum What {
    /// A directory.
    Dir(OwnedFd),
    /// A single file is a tree, too.
    File(File),
}

/// Opens the beginning of a tree.
pub(super) fn begin(tree: &Tree<'_>) -> Result<Start, Trouble> {
    let opened = handle::without_waiting(Path::new(tree.at.as_str())).map_err(trouble)?;
    let (real, root) = handle::require_within(&opened, tree.at, tree.within)?;
    let kind = opened.metadata().map_err(trouble)?.file_type();
    let what = match () {
        () if kind.is_dir() => What::Dir(OwnedFd::from(opened)),
        () if kind.is_file() => What::File(opened),
        () => return Err(Trouble::Special),
    };
    let mut rules = Rules::new(tree.ignore, &root);
    let mut is_ignored = false;
    for dir in dirs_between(&root, &real) {
        is_ignored |= dir != root && rules.ignores(&dir, true);
        rules = rules.enter(&dir, CWD, &dir.join(GIT));
    }
    match &what {
        What::Dir(_) if real == root => {}
        What::Dir(_) => {
            is_ignored |= rules.ignores(&real, true);
            rules = rules.enter(&real, CWD, &real.join(GIT));
        }
        What::File(_) => is_ignored |= rules.ignores(&real, false),
    }
    let real = handle::speakable(real)?.to_string();
    Ok(Start {
        what,
        real,
        rules,
        is_ignored,
    })
}

/// The directories from `root` to the one that holds `real`, or `root` alone if that is it.
fn dirs_between(root: &Path, real: &Path) -> Vec<PathBuf> {
    let above = real.ancestors().skip(usize::from(real != root));
    let mut dirs: Vec<_> = above
        .take_while(|dir| dir.starts_with(root))
        .map(Path::to_owned)
        .collect();
    dirs.reverse();
    dirs
}
