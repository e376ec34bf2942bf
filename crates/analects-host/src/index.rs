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
use rusqlite::{Connection, ErrorCode};

/// An index in SQLite.
#[derive(Debug)]
pub struct SqliteIndex {
    connection: Mutex<Connection>,
    /// Where it lies, if it is kept.
    path: Option<AbsPath>,
    standing: Standing,
}

impl SqliteIndex {
    /// Opens the index at `path`, or makes one. Where that cannot be, it is one in memory, and
    /// [`Self::standing`] says why.
    #[must_use]
    pub fn open(path: &AbsPath) -> Self {
        match file::open(path) {
            Ok((connection, standing)) => Self {
                connection: Mutex::new(connection),
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
            connection: Mutex::new(file::in_memory()),
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
    fn with<T>(
        &self,
        job: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, IndexError> {
        let mut connection = self.lock();
        job(&mut connection).map_err(|error| match code(&error) {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => IndexError::Busy,
            Some(ErrorCode::ReadOnly) => IndexError::ReadOnly,
            // A table that is gone is as broken as a page that is: no other program writes here.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
                self.begin_anew(&mut connection, &error)
            }
            _ => IndexError::Other(error.to_string()),
        })
    }

    fn begin_anew(&self, connection: &mut Connection, error: &rusqlite::Error) -> IndexError {
        let fresh = match (&self.path, &self.standing) {
            (Some(path), Standing::Kept) => file::begin_anew(path, connection),
            (None, _) => Ok(file::in_memory()),
            _ => Err(error.to_string()),
        };
        match fresh {
            Ok(fresh) => {
                *connection = fresh;
                IndexError::Lost
            }
            Err(message) => IndexError::Other(message),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Whoever panicked had a transaction open at most, and that was rolled back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index for SqliteIndex {
    fn standing(&self) -> Standing {
        self.standing.clone()
    }

    fn known(&self) -> Result<Vec<Known>, IndexError> {
        self.with(|connection| read::known(connection))
    }

    fn put(&self, file: &Entry) -> Result<(), IndexError> {
        self.with(|connection| write::put(connection, file))
    }

    fn forget(&self, paths: &[AbsPath]) -> Result<(), IndexError> {
        self.with(|connection| write::forget(connection, paths))
    }

    fn places(&self, asked: &Asked) -> Result<Places, IndexError> {
        self.with(|connection| read::places(connection, asked))
    }

    fn documents(&self, ids: &[DocId]) -> Result<Vec<Option<Document>>, IndexError> {
        self.with(|connection| read::documents(connection, ids))
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
