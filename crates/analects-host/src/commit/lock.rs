//! Our own lock between processes: the system's file lock, which dies with its holder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use analects_world::desk::CommitError;

use super::{abs, refused};
use crate::private_dir::open_private_file;

const PAUSE: Duration = Duration::from_millis(2);

/// A lock that is held; dropped, it is free.
#[derive(Debug)]
pub(super) struct Held {
    file: File,
}

impl Drop for Held {
    fn drop(&mut self) {
        // Closing is not enough: a program that is just being started has a copy of the handle, and with it
        // the lock.
        let _ = self.file.unlock();
    }
}

/// Waits for the lock as long as `patience` lasts, and writes our process number into it, for those who want to know.
pub(super) fn take(path: &Path, patience: Duration) -> Result<Held, CommitError> {
    let mut options = OpenOptions::new();
    // A process that can open it can hold it.
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = open_private_file(options, path).map_err(|error| refused(path, &error))?;
    let since = Instant::now();
    let mut pause = PAUSE;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if since.elapsed() < patience => {
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
    Ok(Held { file })
}

/// Who holds the lock at this moment.
pub(super) fn holder(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    match file.try_lock() {
        Ok(()) => drop(Held { file }),
        Err(TryLockError::WouldBlock) => return Some(name(&mut file)),
        Err(TryLockError::Error(_)) => {}
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_being_started_does_not_keep_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let held = take(&path, Duration::ZERO).unwrap();
        let inherited = held.file.try_clone().unwrap();
        assert!(holder(&path).is_some());
        drop(held);
        assert_eq!(holder(&path), None);
        drop(inherited);
    }
}
