//! An index that is opened when it is first asked: most commands never do.

use std::sync::OnceLock;

use analects_world::AbsPath;
use analects_world::index::{
    Asked, DocId, Document, Entry, Index, IndexError, Known, Places, Standing,
};

use super::SqliteIndex;

/// The index at a path, not opened yet.
#[derive(Debug)]
pub struct LazyIndex {
    path: AbsPath,
    opened: OnceLock<SqliteIndex>,
}

impl LazyIndex {
    /// The index that lies at `path`, or will.
    #[must_use]
    pub fn new(path: AbsPath) -> Self {
        Self {
            path,
            opened: OnceLock::new(),
        }
    }

    fn opened(&self) -> &SqliteIndex {
        self.opened.get_or_init(|| SqliteIndex::open(&self.path))
    }
}

impl Index for LazyIndex {
    fn standing(&self) -> Standing {
        Index::standing(self.opened())
    }

    fn known(&self) -> Result<Vec<Known>, IndexError> {
        self.opened().known()
    }

    fn put(&self, file: &Entry) -> Result<(), IndexError> {
        self.opened().put(file)
    }

    fn forget(&self, paths: &[AbsPath]) -> Result<(), IndexError> {
        self.opened().forget(paths)
    }

    fn purge(&self) -> Result<(), IndexError> {
        self.opened().purge()
    }

    fn places(&self, asked: &Asked) -> Result<Places, IndexError> {
        self.opened().places(asked)
    }

    fn documents(&self, ids: &[DocId]) -> Result<Vec<Option<Document>>, IndexError> {
        self.opened().documents(ids)
    }
}
