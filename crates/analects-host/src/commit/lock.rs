//! Our own lock between processes: the system's file lock, which dies with its holder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use analects_world::desk::CommitError;

use super::{abs, refused};

/// A commit takes milliseconds; whoever holds the lock longer is stuck.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(2);

/// A lock that is held; dropped, it is free.
#[derive(Debug)]
pub(super) struct Held {
    _file: File,
}

/// Waits for the lock and writes our process number into it, for those who want to know.
pub(super) fn take(path: &Path) -> Result<Held, CommitError> {
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(|error| refused(path, &error))?;
    let since = Instant::now();
    let mut pause = PAUSE;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(8));
            }
            Err(TryLockError::WouldBlock) => return Err(busy(path, &mut file)),
            Err(TryLockError::Error(error)) => return Err(refused(path, &error)),
        }
    }
    // For people only; nothing depends on it.
    let _ = file.set_len(0).and_then(|()| file.rewind());
    let _ = write!(file, "{}", std::process::id());
    Ok(Held { _file: file })
}

/// Who holds the lock at this moment.
pub(super) fn holder(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Some(name(&mut file)),
        _ => None,
    }
}

fn name(file: &mut File) -> String {
    let mut pid = String::new();
    let _ = file.read_to_string(&mut pid);
    match pid.trim() {
        "" => "another process".to_owned(),
        pid => format!("process {pid}"),
    }
}

fn busy(path: &Path, file: &mut File) -> CommitError {
    CommitError::Busy {
        lock: abs(path),
        holder: name(file),
    }
}
