//! Staged writes: what an agent has written, overlaid on a disk that does not have it yet.
//!
//! Its own tools see the new texts (`files`, `search`), nobody else does. When it is done, all of them are proposed
//! together (`propose`). Nothing can be removed, and the room for it is bounded.

mod files;
mod grep;
pub(crate) mod noted;
mod propose;
mod search;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use analects_agent::tools::{Planned, Refusal, RefusalKind};
use analects_world::changes::{Base, Change};
use analects_world::files::{FileId, Files, Trouble, Want, Within};
use analects_world::{AbsPath, Search};

use crate::secrets::Guarded;

pub use propose::Pitch;

/// What waits, and the disk below it. It is that disk for whoever wrote it.
pub struct Staged<'a> {
    files: &'a dyn Files,
    search: &'a dyn Search,
    /// Findings that are no secrets.
    allowed: Vec<String>,
    sheets: Mutex<BTreeMap<AbsPath, Sheet>>,
}

/// One file that waits. Its path has no links.
#[derive(Debug, Clone)]
struct Sheet {
    /// What it held when it was first written to; `None` if it was not there.
    base: Option<Vec<u8>>,
    /// What it is to hold.
    text: Vec<u8>,
    /// Who it is as long as it is not there.
    id: FileId,
    /// When it was last written to.
    written_ns: u64,
}

/// More files are not kept in order at once.
const MAX_FILES: usize = 64;
/// All texts together, before and after, are no longer than this.
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// How often a plan is made anew because a file changed while it was made.
const MAX_PLANS: usize = 3;

impl<'a> Staged<'a> {
    /// Nothing waits yet. `allowed` are the fingerprints of findings that are no secrets.
    #[must_use]
    pub fn new(files: &'a dyn Files, search: &'a dyn Search, allowed: Vec<String>) -> Self {
        Self {
            files,
            search,
            allowed,
            sheets: Mutex::default(),
        }
    }

    /// The disk with these texts in the place of what their files hold. All paths are without links.
    #[must_use]
    pub(crate) fn retold(
        files: &'a dyn Files,
        search: &'a dyn Search,
        texts: impl IntoIterator<Item = (AbsPath, String)>,
    ) -> Self {
        let sheet = |(path, text): (AbsPath, String)| {
            let sheet = Sheet {
                base: None,
                text: text.into_bytes(),
                id: id_of(&path),
                written_ns: 0,
            };
            (path, sheet)
        };
        Self {
            sheets: Mutex::new(texts.into_iter().map(sheet).collect()),
            ..Self::new(files, search, Vec::new())
        }
    }

    /// All that waits: where, what the file held, and what it is to hold.
    pub(crate) fn texts(&self) -> Vec<(AbsPath, Option<Vec<u8>>, Vec<u8>)> {
        let sheets = self.sheets();
        let texts = sheets.iter();
        texts
            .map(|(path, sheet)| (path.clone(), sheet.base.clone(), sheet.text.clone()))
            .collect()
    }

    /// The disk as whoever writes here sees it.
    #[must_use]
    pub fn files(&self) -> &dyn Files {
        self
    }

    /// The trees of it.
    #[must_use]
    pub fn search(&self) -> &dyn Search {
        self
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sheets().is_empty()
    }

    /// Puts by what a tool would write. `now_ms` is the time.
    pub fn stage(
        &self,
        now_ms: u64,
        plan: &dyn Fn(&dyn Files) -> Result<Planned, Refusal>,
    ) -> Result<Planned, Refusal> {
        for _ in 0..MAX_PLANS {
            let planned = plan(self)?;
            let mut changes = planned.changes.files.iter();
            let put = changes.try_for_each(|change| self.put(change, now_ms));
            match put {
                Ok(()) => return Ok(planned),
                Err(NotPut::Stale) => {}
                Err(NotPut::Refused(refusal)) => return Err(refusal),
            }
        }
        let message = "Nothing was written: the file keeps changing. Look at it again.";
        Err(Refusal::new(RefusalKind::Unwritable, message))
    }

    fn put(&self, change: &Change, now_ms: u64) -> Result<(), NotPut> {
        let refuse = |kind, message: String| NotPut::Refused(Refusal::new(kind, message));
        let Some(text) = change.text.clone() else {
            let message = "Nothing was written: files cannot be removed here.".to_owned();
            return Err(refuse(RefusalKind::Denied, message));
        };
        let mut sheets = self.sheets();
        let known = sheets.get(&change.path);
        let base = match known {
            Some(sheet) => sheet.base.clone(),
            None => content(self.files, &change.path).map_err(|trouble| {
                let message = format!("Nothing was written: {trouble}.");
                refuse(RefusalKind::Unwritable, message)
            })?,
        };
        let now = known.map_or(base.as_deref(), |sheet| Some(&sheet.text));
        if Base::of(now) != change.base {
            return Err(NotPut::Stale);
        }
        self.check_secrets(now, change).map_err(NotPut::Refused)?;
        let others = sheets.iter().filter(|(path, _)| **path != change.path);
        let n_bytes: usize = others.clone().map(|(_, sheet)| sheet.n_bytes()).sum();
        let n_all = n_bytes + text.len() + base.as_ref().map_or(0, Vec::len);
        if others.count() >= MAX_FILES || n_all > MAX_BYTES {
            let message = format!(
                "Nothing was written: no more than {MAX_FILES} files, and {MAX_BYTES} bytes, are changed in one go. \
                 Finish what was begun."
            );
            return Err(refuse(RefusalKind::TooLarge, message));
        }
        let sheet = Sheet {
            base,
            text,
            id: id_of(&change.path),
            written_ns: now_ms.saturating_mul(1_000_000),
        };
        sheets.insert(change.path.clone(), sheet);
        Ok(())
    }

    /// A secret is refused at once: at the end it would cost everything else.
    fn check_secrets(&self, old: Option<&[u8]>, change: &Change) -> Result<(), Refusal> {
        let guarded = Guarded {
            allowed: &self.allowed,
        };
        let found = guarded.added(old, change);
        if found.is_empty() {
            return Ok(());
        }
        let mut kinds: Vec<_> = found.iter().map(|secret| secret.kind.as_str()).collect();
        kinds.dedup();
        let message = format!(
            "Nothing was written: this looks like a secret ({}), and secrets are not stored. Leave it out.",
            kinds.join(", ")
        );
        Err(Refusal::new(RefusalKind::Denied, message))
    }

    fn sheets(&self) -> MutexGuard<'_, BTreeMap<AbsPath, Sheet>> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What waits for the file that a path leads to.
    fn sheet(&self, path: &AbsPath) -> Option<(AbsPath, Sheet)> {
        if self.is_empty() {
            return None;
        }
        let real = Files::real(self, path).ok()?;
        let sheet = self.sheets().get(&real).cloned()?;
        Some((real, sheet))
    }
}

impl Sheet {
    fn n_bytes(&self) -> usize {
        self.text.len() + self.base.as_ref().map_or(0, Vec::len)
    }
}

/// Why something was not put by.
enum NotPut {
    /// The file is not what the plan was made on.
    Stale,
    Refused(Refusal),
}

/// What a file holds at its own path; `None` if it is not there.
fn content(files: &dyn Files, path: &AbsPath) -> Result<Option<Vec<u8>>, Trouble> {
    let want = Want {
        path,
        within: Within::Itself,
        limit_bytes: MAX_BYTES,
    };
    match files.read_one(want) {
        Ok(blob) if blob.is_cut() => Err(Trouble::Other("it is too large".to_owned())),
        Ok(blob) => Ok(Some(blob.bytes)),
        Err(Trouble::Missing) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

/// An identity for something that has none yet. No disk has such a device.
fn id_of(path: &AbsPath) -> FileId {
    let hash = analects_world::changes::ContentHash::of(path.as_str().as_bytes());
    let ino = u64::from_str_radix(&hash.short(), 16).unwrap_or_default();
    FileId { dev: u64::MAX, ino }
}

#[cfg(test)]
mod tests;
