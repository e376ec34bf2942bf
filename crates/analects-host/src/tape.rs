//! Records on this machine's disk.
//!
//! A lock on the record itself tells other recorders of ours that it is in use; whoever does not ask for it,
//! as Gemini CLI, may append all the same: both write whole lines at the end of the file.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use analects_world::AbsPath;
use analects_world::tape::{Opening, Tape, TapeError, Tapes};
use rustix::fs::OFlags;

use crate::private_dir::{create_private_dir, open_private_file};

/// Where records are kept: wherever their path says.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskTapes;

impl Tapes for DiskTapes {
    fn open(&self, path: &AbsPath, opening: Opening) -> Result<Box<dyn Tape>, TapeError> {
        let file = open(Path::new(path.as_str()), opening).map_err(error)?;
        let lock = match opening {
            Opening::New | Opening::Further => file.try_lock(),
            // Each appends whole lines in one call; there is nothing to keep others from.
            Opening::Shared => Ok(()),
        };
        match lock {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(TapeError::Busy),
            // A disk without locks: nobody can be kept away.
            Err(TryLockError::Error(_)) => {}
        }
        let is_torn = is_torn(&file).map_err(error)?;
        Ok(Box::new(DiskTape { file, is_torn }))
    }

    fn is_live(&self, path: &AbsPath) -> bool {
        let Ok(file) = File::open(path.as_str()) else {
            return false;
        };
        match file.try_lock_shared() {
            Ok(()) => {
                // A program that is being started inherits the handle; to close it would not be enough.
                let _ = file.unlock();
                false
            }
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(_)) => false,
        }
    }
}

fn open(path: &Path, opening: Opening) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    let is_made = match opening {
        Opening::New => options.create_new(true),
        // A log of our own is no link: nobody leads our lines into another file.
        Opening::Shared => options
            .create(true)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed()),
        Opening::Further => return options.open(path),
    };
    if let Some(dir) = path.parent() {
        create_private_dir(dir)?;
    }
    // A session is private.
    open_private_file(is_made, path)
}

/// Whether the last line has no end.
fn is_torn(mut file: &File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

struct DiskTape {
    file: File,
    /// Whether the next line has to begin with the end of another.
    is_torn: bool,
}

impl Tape for DiskTape {
    fn append(&mut self, lines: &[u8]) -> Result<(), TapeError> {
        let whole = if self.is_torn {
            [b"\n", lines].concat()
        } else {
            lines.to_vec()
        };
        // All in one call: what others append at the same time does not come in between.
        let written = self.file.write_all(&whole);
        self.is_torn = written.is_err();
        written.map_err(error)
    }

    fn annotate(&mut self, lines: &[u8]) -> Result<(), TapeError> {
        let before = self.file.metadata().map_err(error)?;
        let n_added = lines.len() as u64 + u64::from(self.is_torn);
        self.append(lines)?;
        let is_ours_alone = |after: &Metadata| after.len() == before.len().saturating_add(n_added);
        let after = self.file.metadata();
        // If somebody else wrote meanwhile, that is news. A disk that keeps no times has none to put back.
        if let (Ok(true), Ok(written)) = (after.as_ref().map(is_ours_alone), before.modified()) {
            let _ = self.file.set_modified(written);
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), TapeError> {
        self.file.sync_data().map_err(error)
    }
}

impl Drop for DiskTape {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

fn error(error: io::Error) -> TapeError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => TapeError::Exists,
        io::ErrorKind::NotFound => TapeError::Missing,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => TapeError::Full,
        _ => TapeError::Refused(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn place() -> (tempfile::TempDir, AbsPath) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("chats/session.jsonl");
        let path = AbsPath::new(path.to_str().unwrap()).unwrap();
        (dir, path)
    }

    fn text(path: &AbsPath) -> String {
        fs::read_to_string(path.as_str()).unwrap()
    }

    #[test]
    fn a_record_grows_and_is_kept_from_others_meanwhile() {
        let (_dir, path) = place();
        assert_eq!(
            DiskTapes.open(&path, Opening::Further).err(),
            Some(TapeError::Missing)
        );
        let mut tape = DiskTapes.open(&path, Opening::New).unwrap();
        tape.append(b"one\n").unwrap();
        assert!(DiskTapes.is_live(&path));
        assert_eq!(
            DiskTapes.open(&path, Opening::Further).err(),
            Some(TapeError::Busy)
        );
        drop(tape);
        assert!(!DiskTapes.is_live(&path));
        assert_eq!(
            DiskTapes.open(&path, Opening::New).err(),
            Some(TapeError::Exists)
        );
        let mut tape = DiskTapes.open(&path, Opening::Further).unwrap();
        tape.append(b"two\n").unwrap();
        tape.settle().unwrap();
        assert_eq!(text(&path), "one\ntwo\n");
    }

    #[test]
    fn a_torn_line_stays_and_harms_no_other() {
        let (_dir, path) = place();
        drop(DiskTapes.open(&path, Opening::New).unwrap());
        fs::write(path.as_str(), "one\n{\"to").unwrap();
        let mut tape = DiskTapes.open(&path, Opening::Further).unwrap();
        tape.append(b"two\n").unwrap();
        tape.append(b"three\n").unwrap();
        assert_eq!(text(&path), "one\n{\"to\ntwo\nthree\n");
    }

    #[test]
    fn what_is_said_about_a_record_leaves_its_time_alone() {
        let (_dir, path) = place();
        drop(DiskTapes.open(&path, Opening::New).unwrap());
        fs::write(path.as_str(), "one\n{\"to").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(77);
        let written = || fs::metadata(path.as_str()).unwrap().modified().unwrap();
        let mut tape = DiskTapes.open(&path, Opening::Further).unwrap();
        let file = File::options().append(true).open(path.as_str()).unwrap();
        file.set_modified(long_ago).unwrap();
        tape.annotate(b"two\n").unwrap();
        assert_eq!(
            (text(&path).as_str(), written()),
            ("one\n{\"to\ntwo\n", long_ago)
        );
        tape.append(b"three\n").unwrap();
        assert!(written() > long_ago);
    }

    #[test]
    fn a_shared_record_is_written_by_many_at_once() {
        use std::os::unix::fs::PermissionsExt;
        let (_dir, path) = place();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let mut tape = DiskTapes.open(&path, Opening::Shared).unwrap();
                        tape.append(b"a whole line\n").unwrap();
                    }
                });
            }
        });
        // Who sees another's line before its end takes it for a torn one and ends it: a blank line harms nobody.
        let text = text(&path);
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["a whole line"; 400]);
        let mode = fs::metadata(path.as_str()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!DiskTapes.is_live(&path));
    }

    #[test]
    fn a_shared_tape_is_never_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let other = dir.path().join("other");
        fs::write(&other, "mine\n").unwrap();
        let link = dir.path().join("log");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let path = AbsPath::new(link.to_str().unwrap()).unwrap();
        assert!(DiskTapes.open(&path, Opening::Shared).is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine\n");
    }

    #[test]
    fn a_full_disk_says_so() {
        let full = AbsPath::new("/dev/full").unwrap();
        if let Ok(mut tape) = DiskTapes.open(&full, Opening::Further) {
            assert_eq!(tape.append(b"one\n"), Err(TapeError::Full));
        }
    }
}
