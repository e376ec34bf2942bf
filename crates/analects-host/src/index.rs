//! The index over conversations: an SQLite database that can be thrown away at any time.
//!
//! One file of the user's is one transaction; readers do not wait for writers. A broken database, or one
//! of an older version, is removed and begun anew; one of a newer version is left alone.

mod file;
mod lazy;
mod number;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::sync::{Mutex, MutexGuard, PoisonError};

use analects_world::AbsPath;
use analects_world::index::{
    Asked, DocId, Document, Entry, Index, IndexError, Known, Places, Standing, Why,
};
pub use lazy::LazyIndex;
use read::CommonWords;
use rusqlite::{Connection, ErrorCode};

/// An index in SQLite.
#[derive(Debug)]
pub struct SqliteIndex {
    open: Mutex<Open>,
    /// Where it lies, if it is kept.
    path: Option<AbsPath>,
    standing: Standing,
}

/// An open database.
#[derive(Debug)]
struct Open {
    connection: Connection,
    common: CommonWords,
}

impl Open {
    fn new(connection: Connection) -> Mutex<Self> {
        Mutex::new(Self {
            connection,
            common: CommonWords::new(),
        })
    }
}

impl SqliteIndex {
    /// Opens the index at `path`, or makes one. Where that cannot be, it is one in memory, and
    /// [`Self::standing`] says why.
    #[must_use]
    pub fn open(path: &AbsPath) -> Self {
        match file::open(path) {
            Ok((connection, standing)) => Self {
                open: Open::new(connection),
                path: Some(path.clone()),
                standing,
            },
            Err(why) => Self::passing(why),
        }
    }

    /// An index that is gone with the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::passing(Why::Wished)
    }

    fn passing(why: Why) -> Self {
        Self {
            open: Open::new(file::in_memory()),
            path: None,
            standing: Standing::Passing(why),
        }
    }

    /// Where it lives.
    #[must_use]
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Runs `job`; if it finds the database broken, throws that away and begins anew.
    fn with<T>(&self, job: impl FnOnce(&mut Open) -> rusqlite::Result<T>) -> Result<T, IndexError> {
        let mut open = self.lock();
        job(&mut open).map_err(|error| match code(&error) {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => IndexError::Busy,
            Some(ErrorCode::ReadOnly) => IndexError::ReadOnly,
            // A table that is gone is as broken as a page that is: no other program writes here.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
                self.begin_anew(&mut open, &error)
            }
            _ => IndexError::Other(error.to_string()),
        })
    }

    fn begin_anew(&self, open: &mut Open, error: &rusqlite::Error) -> IndexError {
        let fresh = match (&self.path, &self.standing) {
            (Some(path), Standing::Kept) => file::begin_anew(path, &mut open.connection),
            (None, _) => Ok(file::in_memory()),
            _ => Err(error.to_string()),
        };
        match fresh {
            Ok(fresh) => {
                open.connection = fresh;
                open.common.clear();
                IndexError::Lost
            }
            Err(message) => IndexError::Other(message),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // Whoever panicked had a transaction open at most, and that was rolled back.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index for SqliteIndex {
    fn standing(&self) -> Standing {
        self.standing.clone()
    }

    fn known(&self) -> Result<Vec<Known>, IndexError> {
        self.with(|open| read::known(&open.connection))
    }

    fn put(&self, file: &Entry) -> Result<(), IndexError> {
        self.with(|open| write::put(&mut open.connection, file))
    }

    fn forget(&self, paths: &[AbsPath]) -> Result<(), IndexError> {
        self.with(|open| write::forget(&mut open.connection, paths))
    }

    fn purge(&self) -> Result<(), IndexError> {
        self.with(|open| write::purge(&mut open.connection))
    }

    fn places(&self, asked: &Asked) -> Result<Places, IndexError> {
        self.with(|open| read::places(&mut open.connection, asked, &mut open.common))
    }

    fn documents(&self, ids: &[DocId]) -> Result<Vec<Option<Document>>, IndexError> {
        self.with(|open| read::documents(&open.connection, ids))
    }
}

fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    match error {
        rusqlite::Error::SqliteFailure(error, _) => Some(error.code),
        // A value of another kind than we wrote.
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::QueryReturnedNoRows => Some(ErrorCode::DatabaseCorrupt),
        rusqlite::Error::SqlInputError { error, .. } => Some(error.code),
        _ => None,
    }
}
