//! What installing, linking and uninstalling a skill mean: which files would have to change, all of them or none.

use std::collections::BTreeMap;

use analects_world::AbsPath;
use analects_world::changes::{Change, Trace};
use analects_world::files::{Files, Kind, Pick, Subdirs, Want, Within};

use crate::inbox::Settled;
use crate::offer::Offer;
use crate::resolve::{Resolved, kind_at};
use crate::{Refused, place};

/// Larger files go for good: the journal does not keep them.
const MAX_KEPT_BYTES: usize = 4 * 1024 * 1024;
/// No larger file is removed by us.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// No folder of more bytes, either.
const MAX_ALL_BYTES: usize = 256 * 1024 * 1024;
/// No folder of more things is removed by us.
const MAX_ENTRIES: usize = 2_000;

/// A directory of skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The directory; it need not be there yet.
    pub dir: AbsPath,
    /// Where it must really lie, if it is not the user's own.
    pub within: Option<AbsPath>,
}

/// What becomes of a skill that is in the place of a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// It stays, and the new one is refused.
    Refuse,
    /// It gives way to the new one, with every file that it has.
    Replace,
}

/// What installing a skill changes.
pub fn install(
    files: &dyn Files,
    shelf: &Shelf,
    offer: &Offer,
    over: Over,
) -> Result<Settled, Refused> {
    let within = shelf.within.as_ref();
    let name = &offer.name;
    let (place, mut old) = match over {
        Over::Refuse => (
            place::free(files, &shelf.dir, within, name)?,
            Contents::default(),
        ),
        Over::Replace => {
            let place = place::spot(files, &shelf.dir, within, name)?;
            if let Some(folder) = place::other(files, &place, name) {
                let (name, path) = (name.clone(), shelf.dir.join(&folder));
                return Err(Refused::SkillExists { name, path });
            }
            let old = replaced(files, &place.path)?;
            (place, old)
        }
    };
    let mut settled = Settled {
        changes: Vec::new(),
        emptied: Vec::new(),
        doubts: offer.doubts.clone(),
    };
    for file in &offer.files {
        let path = place.path.join(&file.name);
        let before = old.files.remove(&path);
        if before.as_deref() == Some(file.text.as_bytes()) {
            continue;
        }
        let text = file.text.clone().into_bytes();
        let change = Change::new(&path, before.as_deref(), Some(text));
        settled.changes.push(change.inside(&place.anchor));
    }
    old.remove(&place.anchor, &mut settled);
    Ok(settled)
}

/// The files of a skill that gives way; a link is not replaced, since what it leads to is not ours.
fn replaced(files: &dyn Files, path: &AbsPath) -> Result<Contents, Refused> {
    match kind_at(files, path) {
        None => Ok(Contents::default()),
        Some(Kind::Dir) => Contents::read(files, path),
        Some(_) => Err(Refused::SkillExists {
            name: path.file_name().to_owned(),
            path: path.clone(),
        }),
    }
}

/// What linking a skill changes: there will be a link of that name, which leads to `target`.
pub fn link(
    files: &dyn Files,
    shelf: &Shelf,
    name: &str,
    target: &AbsPath,
) -> Result<Settled, Refused> {
    let within = shelf.within.as_ref();
    let place = place::free(files, &shelf.dir, within, name)?;
    let exists = |path: AbsPath| Refused::SkillExists {
        name: name.to_owned(),
        path,
    };
    // A directory that nothing lies in is in the way of a link, too.
    if kind_at(files, &place.path).is_some() {
        return Err(exists(place.path));
    }
    let shelf = place.path.parent().unwrap_or_else(AbsPath::root);
    if target.is_within(&shelf) {
        return Err(exists(target.clone()));
    }
    let points = match within {
        // A project may be moved, and is elsewhere for others: its links lead from place to place inside it.
        Some(root) if target.is_within(&files.real_or_same(root)) => relative(&place, target),
        Some(_) => {
            return Err(Refused::Outside {
                path: target.clone(),
                why: "links of a project that lead out of it are not followed",
            });
        }
        None => target.to_string(),
    };
    let change = Change::link(&place.path, None, Some(&points)).inside(&place.anchor);
    Ok(Settled {
        changes: vec![change],
        emptied: Vec::new(),
        doubts: vec!["what it says may change at any time, and nobody is asked again".to_owned()],
    })
}

/// The way from the directory of a link to what it leads to.
fn relative(place: &Resolved, target: &AbsPath) -> String {
    let from = place.path.parent().unwrap_or_else(AbsPath::root);
    let shared = from.ancestors().find(|dir| target.is_within(dir));
    let shared = shared.unwrap_or_else(AbsPath::root);
    let up = "../".repeat(from.depth() - shared.depth());
    format!("{up}{}", target.relative_to(&shared).unwrap_or_default())
}

/// What removing a skill changes: all that is in its folder goes. Of one that is linked, the link goes.
pub fn uninstall(files: &dyn Files, folder: &AbsPath) -> Result<Settled, Refused> {
    let mut settled = Settled {
        changes: Vec::new(),
        emptied: Vec::new(),
        doubts: Vec::new(),
    };
    let shelf = folder.parent().unwrap_or_else(AbsPath::root);
    let anchor = files.real_or_same(&shelf);
    let path = anchor.join(folder.file_name());
    match kind_at(files, &path) {
        Some(Kind::Dir) => Contents::read(files, &path)?.remove(&anchor, &mut settled),
        Some(Kind::Link) => {
            let mut link = Contents::default();
            link.take_link(files, path)?;
            link.remove(&anchor, &mut settled);
        }
        None | Some(Kind::File | Kind::Special) => return Err(Refused::Gone(folder.clone())),
    }
    Ok(settled)
}

/// All that is in a folder.
#[derive(Default)]
struct Contents {
    files: BTreeMap<AbsPath, Vec<u8>>,
    /// Links, and where they point.
    links: BTreeMap<AbsPath, String>,
    /// Directories, the outermost first.
    dirs: Vec<AbsPath>,
}

impl Contents {
    fn read(files: &dyn Files, top: &AbsPath) -> Result<Self, Refused> {
        let everything = Pick {
            subdirs: Subdirs::Report,
            ..Pick::ending("")
        };
        let mut contents = Self::default();
        contents.dirs.push(top.clone());
        let mut at = 0;
        while let Some(dir) = contents.dirs.get(at).cloned() {
            at += 1;
            let listing = files
                .list_one(&dir, &everything)
                .map_err(|trouble| by_hand(&dir, &trouble.to_string()))?;
            if !listing.unspeakable.is_empty() {
                return Err(by_hand(&dir, "a name in it is not UTF-8"));
            }
            contents
                .dirs
                .extend(listing.subdirs.iter().map(|name| dir.join(name)));
            for found in &listing.found {
                let path = dir.join(&found.name);
                match found.kind {
                    Kind::File => contents.take_file(files, path)?,
                    Kind::Link => contents.take_link(files, path)?,
                    Kind::Special => return Err(by_hand(&path, "it is not a regular file")),
                    Kind::Dir => {}
                }
            }
            if contents.files.len() + contents.links.len() + contents.dirs.len() > MAX_ENTRIES {
                return Err(by_hand(
                    top,
                    &format!("there are more than {MAX_ENTRIES} things in it"),
                ));
            }
        }
        Ok(contents)
    }

    fn n_bytes(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }

    fn take_file(&mut self, files: &dyn Files, path: AbsPath) -> Result<(), Refused> {
        let want = Want {
            path: &path,
            within: Within::Itself,
            limit_bytes: MAX_BYTES,
        };
        let blob = files
            .read_one(want)
            .map_err(|trouble| by_hand(&path, &trouble.to_string()))?;
        if blob.is_cut() {
            return Err(by_hand(&path, "it is too large"));
        }
        if self.n_bytes() + blob.bytes.len() > MAX_ALL_BYTES {
            return Err(by_hand(&path, "its skill is too large"));
        }
        self.files.insert(path, blob.bytes);
        Ok(())
    }

    fn take_link(&mut self, files: &dyn Files, path: AbsPath) -> Result<(), Refused> {
        let target = files.link(&path).ok().flatten();
        let target = target.ok_or_else(|| by_hand(&path, "it is a link that cannot be read"))?;
        self.links.insert(path, target);
        Ok(())
    }

    /// All of it goes, also the directories.
    fn remove(self, anchor: &AbsPath, settled: &mut Settled) {
        for (path, bytes) in self.files {
            let mut change = Change::new(&path, Some(&bytes), None).inside(anchor);
            if bytes.len() > MAX_KEPT_BYTES {
                change.trace = Trace::Fingerprint;
                let doubt = format!("`{path}` is too large to be kept: this cannot be taken back");
                settled.doubts.push(doubt);
            }
            settled.changes.push(change);
        }
        for (path, target) in self.links {
            let change = Change::link(&path, Some(&target), None).inside(anchor);
            settled.changes.push(change);
        }
        settled.emptied.extend(self.dirs.into_iter().rev());
    }
}

fn by_hand(path: &AbsPath, why: &str) -> Refused {
    Refused::Unreadable {
        path: path.clone(),
        why: format!("{why}; remove it by hand"),
    }
}

#[cfg(test)]
mod tests;
