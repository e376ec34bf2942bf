//! The lock of Gemini CLI: a directory `<file>.lock`, whose holder touches it while it works.
//!
//! It is the protocol of the npm package `proper-lockfile`: whoever makes the directory has the lock; one
//! that was not touched for ten seconds belongs to nobody any more.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use analects_world::desk::{CommitError, Guard};

use super::{abs, refused};
use crate::private_dir::create_private_dir;

/// How long others are waited for.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// Untouched for this long, a lock is stale.
    stale: Duration,
    /// How long we wait for a lock that is alive.
    alive: Duration,
}

/// The protocol's own ten seconds, and twice that for a program that is really at work.
const PATIENCE: Patience = Patience {
    stale: Duration::from_secs(10),
    alive: Duration::from_secs(20),
};
const PAUSE: Duration = Duration::from_millis(20);

/// A lock that is held; dropped, it is free.
#[derive(Debug)]
pub(super) struct Held {
    dir: PathBuf,
    /// Which directory we made: another one in its place is someone else's lock.
    ino: Option<u64>,
}

impl Held {
    /// False if another program removed the lock, or took it over.
    pub(super) fn is_ours(&self) -> bool {
        self.ino.is_some() && inode(&self.dir) == self.ino
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // If someone took it from us, there is nothing to give back.
        if self.is_ours() {
            let _ = fs::remove_dir(&self.dir);
        }
    }
}

/// Takes the locks of all guarded files, in one order for everybody, each as long as `patience` lasts.
pub(super) fn take_all(guards: &[Guard], patience: Duration) -> Result<Vec<Held>, CommitError> {
    let patience = Patience {
        alive: PATIENCE.alive.min(patience),
        ..PATIENCE
    };
    let mut dirs: Vec<_> = guards
        .iter()
        .map(|guard| lock_dir(guard.0.as_str()))
        .collect();
    dirs.sort();
    dirs.dedup();
    dirs.into_iter().map(|dir| take(dir, patience)).collect()
}

/// The lock of a file lies beside what it really is, as the other side resolves links too.
fn lock_dir(file: &str) -> PathBuf {
    let real = fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file));
    let mut name = real.into_os_string();
    name.push(".lock");
    PathBuf::from(name)
}

fn take(dir: PathBuf, patience: Patience) -> Result<Held, CommitError> {
    if let Some(parent) = dir.parent() {
        create_private_dir(parent).map_err(|error| refused(parent, &error))?;
    }
    let since = Instant::now();
    let mut seen: Option<(SystemTime, Instant)> = None;
    loop {
        match fs::create_dir(&dir) {
            Ok(()) => {
                // Its owner must be able to touch it; others need not see it.
                let _ = fs::set_permissions(&dir, fs::Permissions::from_mode(0o700));
                let ino = inode(&dir);
                return Ok(Held { dir, ino });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(refused(&dir, &error)),
        }
        if let Some(touched) = touched(&dir) {
            // A clock that was set back makes a lock look fresh for hours; one that nobody touches
            // while we watch is stale all the same.
            let watched = match seen {
                Some((then, since)) if then == touched => since.elapsed(),
                _ => {
                    seen = Some((touched, Instant::now()));
                    Duration::ZERO
                }
            };
            let age = SystemTime::now()
                .duration_since(touched)
                .unwrap_or_default();
            if age > patience.stale || watched > patience.stale {
                match fs::remove_dir(&dir) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(refused(&dir, &error));
                    }
                    _ => {}
                }
            }
        }
        if since.elapsed() > patience.alive {
            return Err(busy(&dir));
        }
        thread::sleep(PAUSE);
    }
}

fn inode(dir: &Path) -> Option<u64> {
    fs::symlink_metadata(dir).ok().map(|meta| meta.ino())
}

fn touched(dir: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(dir).ok()?.modified().ok()
}

fn busy(dir: &Path) -> CommitError {
    CommitError::Busy {
        lock: abs(dir),
        holder: "another program, perhaps Gemini CLI".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock that was touched at `touched`, and what comes of waiting for it.
    fn wait_for(touched: SystemTime, patience: Patience) -> Result<Held, CommitError> {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("f.lock");
        fs::create_dir(&dir).unwrap();
        fs::File::open(&dir).unwrap().set_modified(touched).unwrap();
        take(dir, patience)
    }

    #[test]
    fn a_lock_from_the_future_is_stale_if_nobody_touches_it() {
        let patience = Patience {
            stale: Duration::from_millis(30),
            alive: Duration::from_secs(10),
        };
        let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
        assert!(wait_for(tomorrow, patience).is_ok());
    }

    #[test]
    fn what_stands_there_and_is_no_lock_is_an_error() {
        let patience = Patience {
            stale: Duration::from_millis(30),
            alive: Duration::from_millis(300),
        };
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::os::unix::fs::symlink("/nowhere/at/all", path("link.lock")).unwrap();
        fs::write(path("file.lock"), "").unwrap();
        fs::create_dir_all(path("full.lock/x")).unwrap();
        for name in ["link.lock", "file.lock", "full.lock"] {
            let refused = take(path(name), patience);
            assert!(refused.is_err(), "{name}: {refused:?}");
        }
    }

    #[test]
    fn a_lock_that_is_alive_is_not_taken() {
        let patience = Patience {
            stale: Duration::from_secs(3600),
            alive: Duration::from_millis(30),
        };
        let busy = wait_for(SystemTime::now(), patience);
        assert!(matches!(busy, Err(CommitError::Busy { .. })), "{busy:?}");
    }
}
