//! Opening the database file, and beginning it anew.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use analects_world::AbsPath;
use analects_world::index::{Standing, Why};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{code, schema};
use crate::private_dir::{open_private_file, secure_private_dir};

/// A writer holds the database for milliseconds; whoever holds it longer is stuck.
const PATIENCE: Duration = Duration::from_secs(10);
/// Kept of the database between two questions, in KiB.
const CACHE_KIB: i64 = 32 * 1024;

/// Opens the database, makes it, or makes it anew; reads it where it cannot be written.
pub(super) fn open(path: &AbsPath) -> Result<(Connection, Standing), Why> {
    // Held only while it is opened: nobody must open a file of which a part is being removed.
    let _lock = match lock(path) {
        Ok(lock) => lock,
        Err(error) => return read_only(path, &error.to_string()),
    };
    match open_kept(path) {
        Ok(opened) => Ok(opened),
        Err(Trouble::Newer(version)) => Err(Why::Newer { version }),
        Err(Trouble::Broken) => {
            remove(path).map_err(|error| Why::Refused(error.to_string()))?;
            open_kept(path).map_err(|trouble| trouble.why())
        }
        Err(Trouble::Other(message)) => read_only(path, &message),
    }
}

/// Throws the database away that `old` has open, and makes a new one.
pub(super) fn begin_anew(path: &AbsPath, old: &mut Connection) -> Result<Connection, String> {
    let _lock = lock(path).map_err(|error| error.to_string())?;
    // Closed first: what it has not written yet must not get into the new file.
    *old = in_memory();
    remove(path).map_err(|error| error.to_string())?;
    match open_kept(path) {
        Ok((connection, _)) => Ok(connection),
        Err(trouble) => Err(trouble.why().to_string()),
    }
}

/// A database without a file.
pub(super) fn in_memory() -> Connection {
    let mut connection =
        Connection::open_in_memory().expect("invariant: a database in memory needs no disk");
    schema::create(&mut connection).expect("invariant: the tables are well formed");
    schema::look(&connection).expect("invariant: the tables are there");
    connection
}

/// Why a database cannot be used as it is.
enum Trouble {
    Newer(u32),
    /// Older, not ours, or damaged.
    Broken,
    Other(String),
}

impl Trouble {
    fn why(self) -> Why {
        match self {
            Self::Newer(version) => Why::Newer { version },
            Self::Broken => Why::Refused("the index breaks as soon as it is made".to_owned()),
            Self::Other(message) => Why::Refused(message),
        }
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        match code(&error) {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Broken,
            _ => Self::Other(error.to_string()),
        }
    }
}

fn open_kept(path: &AbsPath) -> Result<(Connection, Standing), Trouble> {
    // What was said in conversations is nobody else's business; SQLite gives its other files the same mode.
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(false);
    let made = open_private_file(options, Path::new(path.as_str()));
    if let Err(error) = made {
        return Err(Trouble::Other(error.to_string()));
    }
    let mut connection = Connection::open_with_flags(
        path.as_str(),
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(PATIENCE)?;
    match schema::version(&connection)? {
        version if version > schema::VERSION => return Err(Trouble::Newer(version)),
        schema::VERSION => {}
        _ if is_empty(&connection)? => {}
        _ => return Err(Trouble::Broken),
    }
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    // After a power cut the last sessions may be missing; they are put in again from their files.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    // What is deleted is overwritten, not only let go.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    connection.pragma_update(None, "cell_size_check", true)?;
    if schema::version(&connection)? == 0 {
        schema::create(&mut connection)?;
    }
    schema::look(&connection).map_err(|error| match code(&error) {
        // Tables that are missing in a database of our version.
        Some(ErrorCode::Unknown) => Trouble::Broken,
        _ => error.into(),
    })?;
    let standing = match connection.is_readonly("main")? {
        true => Standing::ReadOnly,
        false => Standing::Kept,
    };
    Ok((connection, standing))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM sqlite_schema";
    connection.query_one(sql, [], |row| Ok(row.get::<_, i64>(0)? == 0))
}

/// Opens the database where nothing can be written; `message` is why.
pub(super) fn read_only(path: &AbsPath, message: &str) -> Result<(Connection, Standing), Why> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let uri = uri(path);
    // Beside a database that was in use lie files that even a reader wants to write. Where it cannot,
    // nobody can, and so nothing changes.
    for tail in ["?mode=ro", "?immutable=1"] {
        let opened = Connection::open_with_flags(format!("{uri}{tail}"), flags);
        let Ok(connection) = opened else { continue };
        match schema::version(&connection) {
            Ok(version) if version > schema::VERSION => return Err(Why::Newer { version }),
            Ok(schema::VERSION) if schema::look(&connection).is_ok() => {
                return Ok((connection, Standing::ReadOnly));
            }
            _ => {}
        }
    }
    Err(Why::Refused(message.to_owned()))
}

fn uri(path: &AbsPath) -> String {
    let mut uri = String::from("file:");
    for c in path.as_str().chars() {
        match c {
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            '%' => uri.push_str("%25"),
            _ => uri.push(c),
        }
    }
    uri
}

/// A lock that is held while the file is opened or removed.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // A program that is just being started has a copy of the handle, and with it the lock.
        let _ = self.0.unlock();
    }
}

fn lock(path: &AbsPath) -> io::Result<Lock> {
    if let Some(dir) = path.parent() {
        secure_private_dir(Path::new(dir.as_str()))?;
    }
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(false);
    let file = open_private_file(options, Path::new(&format!("{path}.lock")))?;
    file.lock()?;
    Ok(Lock(file))
}

fn remove(path: &AbsPath) -> io::Result<()> {
    for tail in ["-wal", "-shm", "-journal", ""] {
        let name = format!("{path}{tail}");
        match fs::remove_file(Path::new(&name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
