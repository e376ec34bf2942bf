//! Claims on this machine's disk.
//!
//! A claim is written aside and linked into place, so that it is never seen half. One is taken away by renaming it
//! aside first: of two that try, one gets it, and can see whether it is the one it meant. Among our own processes a
//! lock on the directory makes each step one; others, as Gemini CLI, need not know of it.

mod process;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use analects_world::AbsPath;
use analects_world::claim::{ClaimError, Claims, MAX_CLAIM_BYTES, Pulse, Who};
use rustix::fs::OFlags;

use crate::private_dir::{create_private_dir, open_private_file};

/// Claims, wherever their path says.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskClaims;

impl Claims for DiskClaims {
    fn who(&self) -> Who {
        let pid = std::process::id();
        Who {
            pid,
            born: process::born(pid),
            machine: process::machine(),
            token: unique(),
        }
    }

    fn put(&self, path: &AbsPath, text: &[u8]) -> Result<bool, ClaimError> {
        put(Path::new(path.as_str()), text).map_err(|error| refused(path, &error))
    }

    fn swap(&self, path: &AbsPath, old: &[u8], new: Option<&[u8]>) -> Result<bool, ClaimError> {
        let at = Path::new(path.as_str());
        let swapped = match new {
            Some(new) => replace(at, old, new),
            None => take_away(at, old),
        };
        swapped.map_err(|error| refused(path, &error))
    }

    fn pulse(&self, pid: u32) -> Pulse {
        process::pulse(pid)
    }
}

fn put(path: &Path, text: &[u8]) -> io::Result<bool> {
    if let Some(dir) = path.parent() {
        create_private_dir(dir)?;
    }
    let _turn = Turn::take(path);
    let aside = write_aside(path, text)?;
    let linked = match fs::hard_link(&aside.0, path) {
        Err(error) if !is_taken(&error) => place_without_links(path, text, error),
        linked => linked,
    };
    match linked {
        Ok(()) => Ok(true),
        Err(error) if is_taken(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// A disk that knows no hard links still makes a file for one only. It may be seen before it says anything: whoever
/// reads it then gives it a while.
fn place_without_links(path: &Path, text: &[u8], why: io::Error) -> io::Result<()> {
    if !matches!(
        why.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
    ) {
        return Err(why);
    }
    create(path)?.write_all(text)
}

fn replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<bool> {
    let _turn = Turn::take(path);
    if read(path)?.as_deref() != Some(old) {
        return Ok(false);
    }
    let aside = write_aside(path, new)?;
    fs::rename(&aside.0, path)?;
    Ok(true)
}

fn take_away(path: &Path, old: &[u8]) -> io::Result<bool> {
    let _turn = Turn::take(path);
    if read(path)?.as_deref() != Some(old) {
        return Ok(false);
    }
    // Somebody who knows nothing of our turns may have put another there since.
    let aside = Aside::beside(path);
    match fs::rename(path, &aside.0) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        renamed => renamed?,
    }
    let is_it = read(&aside.0)?.as_deref() == Some(old);
    if !is_it {
        // If a third is there by now, the one we hold has lost it, and will see that.
        let _ = fs::hard_link(&aside.0, path);
    }
    Ok(is_it)
}

/// Our processes go one after the other. Where a disk has no locks, or somebody holds on to one, it is not waited for:
/// each step is safe by itself as far as the disk allows.
struct Turn(Option<File>);

const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

impl Turn {
    fn take(path: &Path) -> Self {
        let dir = path.parent().and_then(|dir| File::open(dir).ok());
        let Some(dir) = dir else { return Self(None) };
        let since = Instant::now();
        loop {
            match dir.try_lock() {
                Ok(()) => {
                    sweep(path);
                    return Self(Some(dir));
                }
                Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(_) => return Self(None),
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // A program that is just being started has a copy of the handle: to close it is not enough.
        if let Some(dir) = &self.0 {
            let _ = dir.unlock();
        }
    }
}

/// Removes what lies beside a claim because its process was ended in the middle. Only who has the turn may: nobody of
/// ours is in the middle of anything then, and whoever did not wait for it is alive.
fn sweep(path: &Path) {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    let name = format!("{}.", name.to_string_lossy());
    let is_left = |file: &str| {
        let word = file.strip_prefix(&name)?.strip_suffix(".tmp")?;
        let pid = word.split('-').next()?.parse().ok()?;
        Some(process::pulse(pid) == Pulse::Gone)
    };
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if is_left(&entry.file_name().to_string_lossy()) == Some(true) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file beside a claim that goes with this value.
struct Aside(PathBuf);

impl Aside {
    fn beside(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.tmp", unique()));
        Self(PathBuf::from(name))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn write_aside(path: &Path, text: &[u8]) -> io::Result<Aside> {
    let aside = Aside::beside(path);
    create(&aside.0)?.write_all(text)?;
    Ok(aside)
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_private_file(options.write(true).create_new(true), path)
}

/// What a claim says; `None` if there is none. A link is no claim, and a pipe is not waited for.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut options = OpenOptions::new();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = match file {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut text = Vec::new();
    file.take(MAX_CLAIM_BYTES as u64).read_to_end(&mut text)?;
    Ok(Some(text))
}

fn is_taken(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AlreadyExists
}

/// A word that nobody else says.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    let (pid, n) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    format!("{pid}-{nanos}-{n}")
}

fn refused(path: &AbsPath, error: &io::Error) -> ClaimError {
    ClaimError {
        path: path.clone(),
        message: error.to_string(),
    }
}

#[cfg(test)]
mod tests;
