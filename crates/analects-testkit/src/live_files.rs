//! A disk in memory that changes while someone holds it, as real ones do.

use std::sync::{PoisonError, RwLock};

use analects_world::files::{Blob, Files, Identity, Listing, Measure, Pick, Trouble, Want};
use analects_world::search::{Grepped, Listed, NoGrep, Search, Seek, Tree, Walked};
use analects_world::{AbsPath, Cancel};

use crate::{FakeFiles, FakeSearch};

/// A [`FakeFiles`] that can be edited behind the back of its readers.
#[derive(Debug, Default)]
pub struct LiveFiles(RwLock<FakeFiles>);

impl LiveFiles {
    /// Lets `disk` change.
    #[must_use]
    pub fn new(disk: FakeFiles) -> Self {
        Self(RwLock::new(disk))
    }

    /// Changes the disk between two reads.
    pub fn edit<T>(&self, change: impl FnOnce(&mut FakeFiles) -> T) -> T {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }

    fn look<T>(&self, look: impl FnOnce(&FakeFiles) -> T) -> T {
        look(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Files for LiveFiles {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        self.look(|disk| disk.list(dirs, pick))
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        self.look(|disk| disk.read(wants))
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        self.look(|disk| disk.real(path))
    }

    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        self.look(|disk| disk.link(path))
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        self.look(|disk| disk.identify(path))
    }

    fn ownership(
        &self,
        paths: &[AbsPath],
    ) -> Vec<Result<analects_world::ownership::Ownership, Trouble>> {
        self.look(|disk| disk.ownership(paths))
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        self.look(|disk| disk.measure(paths))
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        self.look(|disk| disk.piece(path, start, limit_bytes))
    }
}

impl Search for LiveFiles {
    fn list(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Listed, Trouble> {
        FakeSearch::new(self).list(tree, cancel)
    }

    fn walk(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Walked, Trouble> {
        FakeSearch::new(self).walk(tree, cancel)
    }

    fn grep(&self, tree: &Tree<'_>, seek: &Seek<'_>, cancel: &Cancel) -> Result<Grepped, NoGrep> {
        FakeSearch::new(self).grep(tree, seek, cancel)
    }
}
