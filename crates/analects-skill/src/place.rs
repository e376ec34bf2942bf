//! Where a skill of some name may go, and what is there already.

use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick, Subdirs, Want, Within};

use crate::resolve::{Resolved, kind_at, resolve};
use crate::{Refused, folder, skill};

/// Where a skill of that name goes in a directory of skills, if nothing is there yet. The directory must lie `within`
/// another one, if that matters.
pub(crate) fn free(
    files: &dyn Files,
    root: &AbsPath,
    within: Option<&AbsPath>,
    name: &str,
) -> Result<Resolved, Refused> {
    let place = spot(files, root, within, name)?;
    let exists = |path: AbsPath| Refused::SkillExists {
        name: name.to_owned(),
        path,
    };
    if is_taken(files, &place.path) {
        return Err(exists(root.join(name)));
    }
    match other(files, &place, name) {
        Some(folder) => Err(exists(root.join(&folder))),
        None => Ok(place),
    }
}

/// Where a skill of that name would lie, whatever is there.
pub(crate) fn spot(
    files: &dyn Files,
    root: &AbsPath,
    within: Option<&AbsPath>,
    name: &str,
) -> Result<Resolved, Refused> {
    let Resolved { anchor, path } = resolve(files, root);
    if within.is_some_and(|within| !path.is_within(&resolve(files, within).path)) {
        return Err(Refused::Outside {
            path: root.clone(),
            why: "a link leads out of the project",
        });
    }
    Ok(Resolved {
        path: path.join(name),
        anchor,
    })
}

/// Another folder beside it that holds a skill of its name.
pub(crate) fn other(files: &dyn Files, place: &Resolved, name: &str) -> Option<String> {
    let root = place.path.parent()?;
    called(files, &root, name).filter(|folder| folder != name)
}

/// Whether anything stands there; a directory that nothing lies in is nothing.
fn is_taken(files: &dyn Files, path: &AbsPath) -> bool {
    match kind_at(files, path) {
        None => false,
        Some(Kind::Dir) => {
            let folder = folder::read(files, path);
            !folder.files.is_empty() || !folder.refusals.is_empty()
        }
        Some(_) => true,
    }
}

/// A skill's fields stand at its beginning; this much of it is read to learn its name.
const HEAD_BYTES: usize = 64 * 1024;

/// The folder of a skill that calls itself so, whatever the folder is called.
fn called(files: &dyn Files, root: &AbsPath, name: &str) -> Option<String> {
    let everything = Pick {
        subdirs: Subdirs::Report,
        ..Pick::ending("")
    };
    let listing = files.list_one(root, &everything).ok()?;
    // Skills that were linked from elsewhere count, too.
    let links = listing.found.iter().map(|found| found.name.clone());
    let folders: Vec<_> = listing.subdirs.iter().cloned().chain(links).collect();
    let paths: Vec<_> = folders
        .iter()
        .map(|folder| root.join(folder).join(skill::FILE))
        .collect();
    let wants: Vec<_> = paths
        .iter()
        .map(|path| Want {
            path,
            within: Within::Anywhere,
            limit_bytes: HEAD_BYTES,
        })
        .collect();
    let read = files.read(&wants).into_iter().zip(folders);
    read.filter_map(|(blob, folder)| Some((blob.ok()?, folder)))
        .find(|(blob, folder)| {
            let text = String::from_utf8_lossy(&blob.bytes);
            skill::read(&text, folder).name == name
        })
        .map(|(_, folder)| folder)
}
