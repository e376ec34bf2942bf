//! Our own lock between processes: the system's file lock, which dies with its holder.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use analects_world::desk::CommitError;
use rustix::fs::OFlags;

use super::{abs, refused};
use crate::private_dir::open_private_file;

const PAUSE: Duration = Duration::from_millis(2);

/// A lock that is held; dropped, it is free.
#[derive(Debug)]
pub(super) struct Held {
    file: File,
    path: PathBuf,
}

impl Held {
    /// False if the lock file was removed or replaced: then others can take a lock of the same name.
    pub(super) fn is_ours(&self) -> bool {
        let identity = |meta: Metadata| (meta.dev(), meta.ino());
        let held = self.file.metadata().map(identity);
        let named = fs::symlink_metadata(&self.path).map(identity);
        matches!((held, named), (Ok(held), Ok(named)) if held == named)
    }
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
    let since = Instant::now();
    let mut pause = PAUSE;
    let mut held = open(path)?;
    loop {
        match held.file.try_lock() {
            Ok(()) if held.is_ours() => break,
            // The file was removed or replaced while we waited: a lock on it does not keep others out.
            Ok(()) if since.elapsed() < patience => held = open(path)?,
            Err(TryLockError::WouldBlock) if since.elapsed() < patience => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(8));
            }
            Ok(()) | Err(TryLockError::WouldBlock) => return Err(busy(path, &mut held.file)),
            Err(TryLockError::Error(error)) => return Err(refused(path, &error)),
        }
    }
    // For people only; nothing depends on it.
    let file = &mut held.file;
    let _ = file.set_len(0).and_then(|()| file.rewind());
    let _ = write!(file, "{}", std::process::id());
    Ok(held)
}

fn open(path: &Path) -> Result<Held, CommitError> {
    let mut options = OpenOptions::new();
    // A process that can open it can hold it. A link would lock, and overwrite, another file.
    let options = options.read(true).write(true).create(true).truncate(false);
    let options = options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    let file = open_private_file(options, path).map_err(|error| refused(path, &error))?;
    let path = path.to_owned();
    Ok(Held { file, path })
}

/// Who holds the lock at this moment.
pub(super) fn holder(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    match file.try_lock() {
        // Closing is not enough, as above.
        Ok(()) => drop(file.unlock()),
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

    #[test]
    fn a_lock_file_that_vanishes_or_is_replaced_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let held = take(&path, Duration::ZERO).unwrap();
        assert!(held.is_ours());
        fs::remove_file(&path).unwrap();
        assert!(!held.is_ours());
        let other = take(&path, Duration::ZERO).unwrap();
        assert!(other.is_ours() && !held.is_ours());
        std::os::unix::fs::symlink("lock", dir.path().join("link")).unwrap();
        assert!(take(&dir.path().join("link"), Duration::ZERO).is_err());
    }

    #[test]
    fn a_lock_on_a_file_that_was_replaced_meanwhile_is_not_taken_for_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let first = take(&path, Duration::ZERO).unwrap();
        let waits = std::thread::scope(|scope| {
            let second = scope.spawn(|| take(&path, Duration::from_secs(20)).unwrap());
            // The name changes hands while the second one waits for the file that it has opened.
            fs::remove_file(&path).unwrap();
            let third = take(&path, Duration::ZERO).unwrap();
            drop(first);
            let is_third_alone = third.is_ours();
            drop(third);
            (second.join().unwrap().is_ours(), is_third_alone)
        });
        assert_eq!(waits, (true, true));
    }
}
