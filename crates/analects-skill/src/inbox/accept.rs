//! What accepting means: which files would have to change, all of them or none.

use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::{Files, Trouble, Want, Within};

use super::{Kind, Layer, Settled, Shelf, Waiting, patch_text};
use crate::offer::is_history;
use crate::patch::{self, Edit, Spot};
use crate::resolve::{Resolved, kind_at, resolve};
use crate::{Refused, folder, place, quarantine, skill};

/// Whose skill a new one becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// The user's, everywhere.
    User,
    /// The project's.
    Project,
}

/// What accepting something changes; what waits goes in the same change.
pub fn accept(
    files: &dyn Files,
    shelf: &Shelf,
    waiting: &Waiting,
    to: To,
) -> Result<Settled, Refused> {
    match shelf.allowed(waiting.kind) {
        None => moved(files, shelf, waiting, to),
        Some(allowed) => {
            let text = patch_text(files, &waiting.path)?;
            let mut edits = patch::read(&text)?.dry_run(files, &allowed)?;
            if waiting.kind == Kind::MemoryUpdate(Layer::Private) {
                edits = with_pointers(files, shelf, edits)?;
            }
            let mut changes: Vec<_> = edits.iter().map(changed).collect();
            changes.push(gone(files, &waiting.path, text.as_bytes()));
            Ok(Settled {
                changes,
                emptied: Vec::new(),
                doubts: doubt(waiting, "").into_iter().collect(),
            })
        }
    }
}

/// The removal of a file that waits, wherever links lead by then.
pub(super) fn gone(files: &dyn Files, path: &AbsPath, bytes: &[u8]) -> Change {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    let dir = files.real_or_same(&dir);
    Change::new(&dir.join(path.file_name()), Some(bytes), None).inside(&dir)
}

fn changed(edit: &Edit) -> Change {
    let old = edit.old.as_deref().map(str::as_bytes);
    let change = Change::new(&edit.spot.path, old, Some(edit.new.clone().into_bytes()));
    match &edit.spot.within {
        Some(root) => change.inside(root),
        None => change,
    }
}

/// The notes that Gemini CLI loads; it finds others only where this one names them.
const INDEX: &str = "MEMORY.md";

/// New notes beside the index are named in it, as Gemini CLI does: otherwise nobody would ever read them.
fn with_pointers(
    files: &dyn Files,
    shelf: &Shelf,
    mut edits: Vec<Edit>,
) -> Result<Vec<Edit>, Refused> {
    let dir = resolve(files, &shelf.memory).path;
    let index = dir.join(INDEX);
    let is_unnamed = |edit: &&Edit| edit.old.is_none() && edit.spot.path != index;
    let new: Vec<_> = edits
        .iter()
        .filter(is_unnamed)
        .map(|edit| edit.spot.path.clone())
        .collect();
    if new.is_empty() {
        return Ok(edits);
    }
    let at = edits.iter().position(|edit| edit.spot.path == index);
    let at = match at {
        Some(at) => at,
        None => {
            let old = note_text(files, &index)?;
            edits.push(Edit {
                spot: Spot {
                    path: index,
                    within: Some(dir),
                },
                new: old
                    .clone()
                    .unwrap_or_else(|| "# Project Memory\n".to_owned()),
                old,
            });
            edits.len() - 1
        }
    };
    if let Some(edit) = edits.get_mut(at) {
        for path in &new {
            if !edit.new.contains(path.file_name()) {
                point(&mut edit.new, path);
            }
        }
    }
    edits.retain(|edit| edit.old.as_deref() != Some(edit.new.as_str()));
    Ok(edits)
}

/// Names a file at the end of the index.
fn point(index: &mut String, path: &AbsPath) {
    let ends = match index.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    if !index.is_empty() && !index.ends_with('\n') {
        index.push_str(ends);
    }
    let stem = path.file_name().trim_end_matches(".md");
    let words = stem.replace(['-', '_'], " ");
    index.push_str(&["- Notes on ", &words, ": ", path.as_str(), ends].concat());
}

fn note_text(files: &dyn Files, path: &AbsPath) -> Result<Option<String>, Refused> {
    let unreadable = |why: String| Refused::Unreadable {
        path: path.clone(),
        why,
    };
    let want = Want {
        path,
        within: Within::Itself,
        limit_bytes: patch::MAX_TARGET_BYTES,
    };
    match files.read_one(want) {
        Ok(blob) if !blob.is_cut() => {
            let text = String::from_utf8(blob.bytes);
            text.map(Some)
                .map_err(|_| unreadable("it is not UTF-8".to_owned()))
        }
        Ok(_) => Err(unreadable("it is too long".to_owned())),
        Err(Trouble::Missing) => Ok(None),
        Err(trouble) => Err(unreadable(trouble.to_string())),
    }
}

/// A new skill, from where it waits to where it is used.
fn moved(files: &dyn Files, shelf: &Shelf, waiting: &Waiting, to: To) -> Result<Settled, Refused> {
    let name = waiting.path.file_name();
    if kind_at(files, &waiting.path).is_none() {
        return Err(Refused::Gone(waiting.path.clone()));
    }
    let folder = folder::read(files, &waiting.path);
    if let Some(why) = folder.refusals.first() {
        return Err(Refused::BadSkill(why.clone()));
    }
    let manifest = folder.files.first().filter(|file| file.name == skill::FILE);
    let manifest = manifest.ok_or_else(|| Refused::Gone(waiting.path.clone()))?;
    if let Some(fault) = skill::read(&manifest.text, name).faults.first() {
        let why = format!("{}:{}: {}", skill::FILE, fault.line, fault.why);
        return Err(Refused::BadSkill(why));
    }
    if let Some(refused) = history(&folder.files) {
        return Err(refused);
    }
    let place = free(files, shelf, name, to)?;
    let mut changes = Vec::new();
    for file in &folder.files {
        let path = place.path.join(&file.name);
        let text = file.text.clone().into_bytes();
        changes.push(Change::new(&path, None, Some(text)).inside(&place.anchor));
    }
    let spent = folder.files.iter().filter(|_| !waiting.stays());
    for file in spent {
        changes.push(gone(files, &file.path, file.text.as_bytes()));
    }
    Ok(Settled {
        changes,
        emptied: match waiting.stays() {
            true => Vec::new(),
            false => folder.dirs,
        },
        doubts: doubt(waiting, &manifest.text).into_iter().collect(),
    })
}

/// Why files are not taken that would make a skill a repository.
pub(super) fn history(files: &[folder::File]) -> Option<Refused> {
    let file = files.iter().find(|file| is_history(&file.name))?;
    let why = format!(
        "`{}` would make it a repository, which runs what it says",
        file.name
    );
    Some(Refused::BadSkill(why))
}

/// What is said of something in quarantine before anybody agrees to it.
fn doubt(waiting: &Waiting, manifest: &str) -> Option<String> {
    waiting.is_quarantined.then(|| {
        let origin = quarantine::origin(manifest);
        let why = origin.unwrap_or_else(|| quarantine::UNKNOWN.to_owned());
        format!("it lies in quarantine ({why}): nobody here ever asked for what it says")
    })
}

/// Where a skill of that name goes, if nothing is there yet.
pub(super) fn free(
    files: &dyn Files,
    shelf: &Shelf,
    name: &str,
    to: To,
) -> Result<Resolved, Refused> {
    let root = match to {
        To::User => shelf.user_skills.clone(),
        To::Project if shelf.is_trusted => shelf.project_skills(),
        To::Project => return Err(Refused::Untrusted),
    };
    let within = (to == To::Project).then_some(&shelf.root);
    place::free(files, &root, within, name)
}
