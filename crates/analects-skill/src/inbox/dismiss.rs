//! What dismissing means: what waits goes, whatever it is.

use analects_world::AbsPath;
use analects_world::changes::{Change, Trace};
use analects_world::files::{Files, Want, Within};

use super::{Kind, Settled, Waiting};
use crate::resolve::kind_at;
use crate::{Refused, folder};

/// Larger files go for good: the journal does not keep them.
const MAX_KEPT_BYTES: usize = 4 * 1024 * 1024;
/// No file of an inbox is larger than this and removed by us.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// What dismissing something changes.
pub fn dismiss(files: &dyn Files, waiting: &Waiting) -> Result<Settled, Refused> {
    if waiting.stays() {
        return Err(Refused::BadSkill(format!(
            "where it lies is only ever read; remove `{}` by hand",
            waiting.path
        )));
    }
    if kind_at(files, &waiting.path).is_none() {
        return Err(Refused::Gone(waiting.path.clone()));
    }
    let by_hand = || Refused::BadSkill("it is a link; remove it by hand".to_owned());
    let mut settled = Settled {
        changes: Vec::new(),
        emptied: Vec::new(),
        doubts: Vec::new(),
    };
    let paths = match waiting.kind {
        Kind::Skill => {
            let (paths, folder) = folder::plain(files, &waiting.path).ok_or_else(by_hand)?;
            if !folder.refusals.is_empty() {
                let doubt = "links, and what is too much or too deep, stay where they are";
                settled.doubts.push(doubt.to_owned());
            }
            settled.emptied = folder.dirs;
            paths
        }
        Kind::SkillUpdate | Kind::MemoryUpdate(_) => vec![real(files, &waiting.path)],
    };
    for path in paths {
        let want = Want {
            path: &path,
            within: Within::Itself,
            limit_bytes: MAX_BYTES,
        };
        let blob = match files.read_one(want) {
            Ok(blob) if !blob.is_cut() => blob,
            _ => {
                let doubt = format!("`{path}` is a link, too large, or cannot be read: it stays");
                settled.doubts.push(doubt);
                continue;
            }
        };
        let mut change = removed(&path, &blob.bytes);
        if blob.bytes.len() > MAX_KEPT_BYTES {
            change.trace = Trace::Fingerprint;
            let doubt = "it is too large to be kept: this cannot be taken back";
            settled.doubts.push(doubt.to_owned());
        }
        settled.changes.push(change);
    }
    match settled.changes.is_empty() {
        true => Err(by_hand()),
        false => Ok(settled),
    }
}

fn removed(path: &AbsPath, bytes: &[u8]) -> Change {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    Change::new(path, Some(bytes), None).inside(&dir)
}

fn real(files: &dyn Files, path: &AbsPath) -> AbsPath {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    files.real_or_same(&dir).join(path.file_name())
}
