//! Records in memory, on a disk that can be full.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};
use analects_world::tape::{Opening, Tape, TapeError, Tapes};

use crate::LiveFiles;

/// Records on a disk in memory.
#[derive(Debug, Default)]
pub struct FakeTapes {
    disk: Arc<LiveFiles>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    live: BTreeSet<AbsPath>,
    /// How many bytes still fit.
    room: Option<usize>,
}

impl FakeTapes {
    pub(crate) fn new(disk: Arc<LiveFiles>) -> Self {
        Self {
            disk,
            shared: Arc::default(),
        }
    }

    /// From now on only this many bytes fit on the disk.
    pub fn leave_room(&self, bytes: usize) {
        lock(&self.shared).room = Some(bytes);
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tapes for FakeTapes {
    fn open(&self, path: &AbsPath, opening: Opening) -> Result<Box<dyn Tape>, TapeError> {
        let there = content(&self.disk, path);
        match (opening, &there) {
            (Opening::New, Some(_)) => return Err(TapeError::Exists),
            (Opening::Further, None) => return Err(TapeError::Missing),
            _ => {}
        }
        let is_alone = opening != Opening::Shared;
        if is_alone && !lock(&self.shared).live.insert(path.clone()) {
            return Err(TapeError::Busy);
        }
        self.disk
            .edit(|disk| disk.write(path, &there.unwrap_or_default()));
        Ok(Box::new(FakeTape {
            path: path.clone(),
            is_alone,
            disk: Arc::clone(&self.disk),
            shared: Arc::clone(&self.shared),
        }))
    }

    fn is_live(&self, path: &AbsPath) -> bool {
        lock(&self.shared).live.contains(path)
    }
}

struct FakeTape {
    path: AbsPath,
    /// Whether others are kept away.
    is_alone: bool,
    disk: Arc<LiveFiles>,
    shared: Arc<Mutex<Shared>>,
}

impl Tape for FakeTape {
    fn append(&mut self, lines: &[u8]) -> Result<(), TapeError> {
        let mut bytes = content(&self.disk, &self.path).unwrap_or_default();
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        let mut shared = lock(&self.shared);
        let fits = shared
            .room
            .map_or(lines.len(), |room| room.min(lines.len()));
        bytes.extend(lines.iter().take(fits));
        shared.room = shared.room.map(|room| room - fits);
        drop(shared);
        self.disk.edit(|disk| disk.write(&self.path, &bytes));
        match fits == lines.len() {
            true => Ok(()),
            false => Err(TapeError::Full),
        }
    }

    fn annotate(&mut self, lines: &[u8]) -> Result<(), TapeError> {
        // A file in memory keeps its time anyway.
        self.append(lines)
    }

    fn settle(&mut self) -> Result<(), TapeError> {
        Ok(())
    }
}

impl Drop for FakeTape {
    fn drop(&mut self) {
        if self.is_alone {
            lock(&self.shared).live.remove(&self.path);
        }
    }
}

fn content(disk: &LiveFiles, path: &AbsPath) -> Option<Vec<u8>> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: usize::MAX,
    };
    let files: &dyn Files = disk;
    files.read_one(want).ok().map(|blob| blob.bytes)
}
