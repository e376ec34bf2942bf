//! Claims in memory, and processes that live and die as a test says.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use analects_world::AbsPath;
use analects_world::claim::{ClaimError, Claims, Pulse, Who};
use analects_world::files::{Files, Trouble, Want, Within};

use crate::LiveFiles;

/// The number of the process that a test is.
const OURS: u32 = 4711;

/// Claims on a disk in memory.
#[derive(Debug)]
pub struct FakeClaims {
    disk: Arc<LiveFiles>,
    /// Who is alive, and since when.
    alive: Mutex<BTreeMap<u32, u64>>,
    n_tokens: AtomicU64,
}

impl Default for FakeClaims {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl FakeClaims {
    pub(crate) fn new(disk: Arc<LiveFiles>) -> Self {
        Self {
            disk,
            alive: Mutex::new(BTreeMap::from([(OURS, 1)])),
            n_tokens: AtomicU64::new(0),
        }
    }

    /// From now on there is a process of this number, which began then.
    pub fn bear(&self, pid: u32, born: u64) {
        let mut alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        alive.insert(pid, born);
    }
}

impl Claims for FakeClaims {
    fn who(&self) -> Who {
        let n = self.n_tokens.fetch_add(1, Ordering::Relaxed);
        Who {
            pid: OURS,
            born: Some(1),
            machine: "here".to_owned(),
            token: format!("token-{n}"),
        }
    }

    fn put(&self, path: &AbsPath, text: &[u8]) -> Result<bool, ClaimError> {
        Ok(self.disk.edit(|disk| {
            let is_free = content(disk, path).is_none();
            if is_free {
                disk.write(path, text);
            }
            is_free
        }))
    }

    fn swap(&self, path: &AbsPath, old: &[u8], new: Option<&[u8]>) -> Result<bool, ClaimError> {
        Ok(self.disk.edit(|disk| {
            let is_it = content(disk, path).as_deref() == Some(old);
            match new.filter(|_| is_it) {
                Some(new) => disk.write(path, new),
                None if is_it => disk.remove(path),
                None => {}
            }
            is_it
        }))
    }

    fn pulse(&self, pid: u32) -> Pulse {
        let alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        match alive.get(&pid) {
            Some(&born) => Pulse::Beating { born: Some(born) },
            None => Pulse::Gone,
        }
    }
}

/// What lies there; empty if it is nothing that can be read.
fn content(files: &dyn Files, path: &AbsPath) -> Option<Vec<u8>> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: usize::MAX,
    };
    match files.read_one(want) {
        Ok(blob) => Some(blob.bytes),
        Err(Trouble::Missing) => None,
        Err(_) => Some(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_contract() {
        let disk = Arc::new(LiveFiles::default());
        let claims = FakeClaims::new(Arc::clone(&disk));
        crate::contract::claims(&claims, &*disk, &AbsPath::new("/top").unwrap());
    }
}
