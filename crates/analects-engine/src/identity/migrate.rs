//! Bringing along what an older Gemini CLI kept under a hash of the project's path.
//!
//! Copied, not moved, as the original does it, and only into a folder that holds nothing but its marker.

use analects_world::AbsPath;
use analects_world::changes::{Change, ContentHash};
use analects_world::files::{Files, Kind, Pick, Want, Within};

/// More than this is left where it is, except the memory in it.
const MAX_BYTES: usize = 64 * 1024 * 1024;
const MAX_FILES: usize = 5_000;

/// The copies that give the folder `slug` what lies under the project's hash.
pub(super) fn migration(
    files: &dyn Files,
    global: &AbsPath,
    project: &AbsPath,
    slug: &str,
) -> Vec<Change> {
    let hash = ContentHash::of(project.as_str().as_bytes()).to_string();
    let mut changes = Vec::new();
    for base in ["tmp", "history"].map(|base| global.join(base)) {
        let (old, new) = (base.join(&hash), base.join(slug));
        if holds_more_than_its_marker(files, &new) {
            continue;
        }
        let all = copies(files, &old, &new, "");
        let copied = all.or_else(|| copies(files, &old, &new, "memory"));
        changes.extend(copied.unwrap_or_default());
    }
    changes
}

fn holds_more_than_its_marker(files: &dyn Files, dir: &AbsPath) -> bool {
    let found = files
        .list_one(dir, &everything())
        .map(|listing| listing.found);
    found.is_ok_and(|found| {
        found
            .iter()
            .any(|found| found.name != super::registry::MARKER)
    })
}

/// Copies of all regular files below `old/part`; `None` if there are too many.
fn copies(files: &dyn Files, old: &AbsPath, new: &AbsPath, part: &str) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    let mut left_bytes = MAX_BYTES;
    let mut todo = vec![old.join(part)];
    while let Some(dir) = todo.pop() {
        let Ok(mut listing) = files.list_one(&dir, &everything()) else {
            continue;
        };
        listing.found.sort();
        for found in listing.found {
            let path = dir.join(&found.name);
            match found.kind {
                Kind::Dir => todo.push(path),
                Kind::File if found.name != super::registry::MARKER => {
                    let text = read(files, &path, left_bytes)?;
                    left_bytes -= text.len();
                    let to = new.join(path.relative_to(old)?);
                    changes.push(copy(to, text));
                }
                // Links are not followed: who knows where they lead by now.
                Kind::File | Kind::Link | Kind::Special => {}
            }
            if changes.len() > MAX_FILES {
                return None;
            }
        }
    }
    Some(changes)
}

fn read(files: &dyn Files, path: &AbsPath, limit_bytes: usize) -> Option<Vec<u8>> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes,
    };
    let blob = files.read_one(want).ok()?;
    (!blob.is_cut()).then_some(blob.bytes)
}

fn copy(path: AbsPath, text: Vec<u8>) -> Change {
    Change::new(&path, None, Some(text)).owner_only()
}

fn everything() -> Pick {
    Pick::ending("")
}
