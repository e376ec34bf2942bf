//! How the files of hosts were before we wired them: `~/.gemini/analects/setup.json`.
//!
//! Of each file it keeps what stood where it was changed, and nothing of what stood between: that may be
//! somebody's secret. Fingerprints of before and after tell whether the file is still as we left it; then
//! it can become what it was, to the byte.

mod entry;

use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::Files;

use crate::World;
use crate::json_edit::{Draft, Json, Step};
use crate::jsonc::{Bad, Item};
use crate::verbs::Failure;
use crate::write;
pub(super) use entry::Entry;

/// The version of the file. Entries may get more members; what is there keeps its meaning.
const VERSION: u64 = 1;

/// The file, read and about to be written.
#[derive(Debug)]
pub(super) struct Record {
    path: AbsPath,
    old: Option<String>,
    draft: Draft,
}

impl Record {
    pub(super) fn path(world: &World<'_>) -> AbsPath {
        world.around.state_dir().join("setup.json")
    }

    /// Reads the file. One that cannot be understood is not overwritten.
    pub(super) fn read(files: &dyn Files, path: &AbsPath) -> Result<Self, Failure> {
        let old = write::text_of(files, path)?;
        let draft = Draft::new(old.as_deref().unwrap_or("\n"));
        let record = Self {
            path: path.clone(),
            draft: draft.map_err(|bad| broken(path, &bad))?,
            old,
        };
        let root = record.draft.root().map_err(|bad| broken(path, &bad))?;
        match root.get("version") {
            Some(version) if !Json::Number(VERSION).is_said_by(version) => {
                let message = format!("`{path}` was written by a newer version of Analects");
                Err(Failure::failed(message).hint("update this one; nothing was changed"))
            }
            _ => Ok(record),
        }
    }

    pub(super) fn entry(&self, file: &AbsPath) -> Option<Entry> {
        let root = self.draft.root().ok()?;
        Entry::read(root.get("files")?.get(file.as_str())?)
    }

    /// Remembers a file, or forgets it.
    pub(super) fn set(&mut self, file: &AbsPath, entry: Option<&Entry>) -> Result<(), Failure> {
        let way = [Step::Key("files"), Step::Key(file.as_str())];
        let done = match entry {
            Some(entry) => self
                .draft
                .set(&[Step::Key("version")], &Json::Number(VERSION))
                .and_then(|()| self.draft.set(&way, &entry.write())),
            None => self.draft.remove(&way),
        };
        done.map_err(|bad| broken(&self.path, &bad))
    }

    /// The file as it should be now, if that is something else. With nothing to remember it goes.
    pub(super) fn into_change(self) -> Option<Change> {
        let root = self.draft.root().ok()?;
        let files = root.get("files").and_then(Item::object);
        let is_needed = files.is_some_and(|files| !files.is_empty());
        let new = is_needed.then(|| self.draft.into_text());
        let old = self.old.as_deref().map(str::as_bytes);
        (new.as_deref().map(str::as_bytes) != old)
            .then(|| Change::new(&self.path, old, new.map(String::into_bytes)).owner_only())
    }
}

fn broken(path: &AbsPath, bad: &Bad) -> Failure {
    Failure::failed(format!("cannot read `{path}`: {}", bad.message))
        .hint("repair it, or move it away: entries are then removed one by one")
}
