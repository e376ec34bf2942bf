//! Ties writes in a project to its root, so that no link in a repository redirects them elsewhere.

use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::Files;

use crate::World;
use crate::verbs::Failure;

/// The same changes. A file of the project is reached from the project's `root` by handles and by no link, from now until
/// it is written; one that a link leads elsewhere is refused. The user's own files may be links to anywhere.
pub(crate) fn hold(
    world: &World<'_>,
    files: &dyn Files,
    root: &AbsPath,
    changes: Vec<Change>,
) -> Result<Vec<Change>, Failure> {
    let held = Held {
        root: files.real_or_same(root),
        called: root,
        own: world.around.global_dir(),
    };
    let mut changes = changes.into_iter();
    changes.try_fold(Vec::new(), |mut all, change| {
        all.push(held.hold(files, change)?);
        Ok(all)
    })
}

struct Held<'a> {
    /// The root, links resolved.
    root: AbsPath,
    /// The same, as it is called.
    called: &'a AbsPath,
    own: AbsPath,
}

impl Held<'_> {
    fn hold(&self, files: &dyn Files, change: Change) -> Result<Change, Failure> {
        let is_called = |dir: &AbsPath| change.path.is_within(dir);
        let is_projects = is_called(self.called) || is_called(&self.root);
        if !is_projects || is_called(&self.own) || change.within.is_some() {
            return Ok(change);
        }
        let path = resolve(files, &change.path);
        if !path.is_within(&self.root) {
            let message = format!("`{}` is a link that leads out of the project", change.path);
            return Err(Failure::failed(message)
                .hint(format!("it leads to `{path}`; nothing was written there"))
                .hint("put a file of its own in its place, or write it elsewhere with `--to`"));
        }
        Ok(Change { path, ..change }.inside(&self.root))
    }
}

/// Where a path really leads, also where its end does not exist yet. What is held by handles later finds a link there that
/// leads nowhere.
fn resolve(files: &dyn Files, path: &AbsPath) -> AbsPath {
    for dir in path.ancestors() {
        if let Ok(real) = files.real(&dir) {
            return match path.relative_to(&dir) {
                None | Some("") => real,
                Some(rest) => real.join(rest),
            };
        }
    }
    path.clone()
}
