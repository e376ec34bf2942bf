//! Where a path really leads, also where its end does not exist yet.

use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick};

/// A path with every link resolved.
pub(crate) struct Resolved {
    /// The part of it that exists.
    pub(crate) anchor: AbsPath,
    /// All of it.
    pub(crate) path: AbsPath,
}

/// Resolves the deepest directory that exists, and sees the rest from there.
pub(crate) fn resolve(files: &dyn Files, path: &AbsPath) -> Resolved {
    for dir in path.ancestors() {
        if let Ok(anchor) = files.real(&dir) {
            let rest = path.relative_to(&dir).unwrap_or_default();
            let path = match rest {
                "" => anchor.clone(),
                rest => anchor.join(rest),
            };
            return Resolved { anchor, path };
        }
    }
    Resolved {
        anchor: AbsPath::root(),
        path: path.clone(),
    }
}

/// What stands at a path, without following a link in the end.
pub(crate) fn kind_at(files: &dyn Files, path: &AbsPath) -> Option<Kind> {
    let dir = path.parent()?;
    let name = Pick::names(vec![path.file_name().to_owned()]);
    let listing = files.list_one(&dir, &name).ok()?;
    listing.found.first().map(|found| found.kind)
}
