//! What stands in a directory, entry by entry.
//!
//! A tree of thousands of directories is walked at every start, so that Linux is asked without the standard library
//! between: nothing is allocated for an entry that nobody wants. Other systems are asked the portable way.

use std::fs::FileType;
use std::path::Path;

use analects_world::files::{Kind, Trouble};

use super::trouble;

/// Tells name and kind of every entry of a directory, in the order of the disk, until `tell` fails.
pub(super) fn entries(
    dir: &Path,
    tell: impl FnMut(&[u8], Kind) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    #[cfg(target_os = "linux")]
    return linux::entries(dir, tell);
    #[cfg(not(target_os = "linux"))]
    return portable::entries(dir, tell);
}

#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    use super::{Kind, Path, Trouble, kind_of, trouble};

    pub(super) fn entries(
        dir: &Path,
        mut tell: impl FnMut(&[u8], Kind) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        for entry in fs::read_dir(dir).map_err(trouble)? {
            let entry = entry.map_err(trouble)?;
            // Gone since it was listed.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            tell(entry.file_name().as_bytes(), kind_of(kind))?;
        }
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, RawDirEntry};
    use rustix::io::Errno;

    use super::{Kind, Path, Trouble, trouble};

    /// Room for the entries of most directories at once, and for the longest name in any case.
    const BUFFER_BYTES: usize = 16 << 10;

    pub(super) fn entries(
        dir: &Path,
        mut tell: impl FnMut(&[u8], Kind) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let how = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = rustix::fs::openat(CWD, dir, how, Mode::empty()).map_err(failed)?;
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let mut entries = RawDir::new(&dir, &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                // The directory was removed while it was open: it has no more entries.
                Err(Errno::NOENT) => break,
                Err(errno) => return Err(failed(errno)),
            };
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            if let Some(kind) = kind(&dir, &entry) {
                tell(name, kind)?;
            }
        }
        Ok(())
    }

    /// The kind comes with the entry on every usual file system, which spares a call for each. `None` if the entry is
    /// gone since it was listed.
    fn kind(dir: &OwnedFd, entry: &RawDirEntry<'_>) -> Option<Kind> {
        let kind = match entry.file_type() {
            FileType::Unknown => {
                let flags = AtFlags::SYMLINK_NOFOLLOW;
                let stat = rustix::fs::statat(dir, entry.file_name(), flags).ok()?;
                FileType::from_raw_mode(stat.st_mode)
            }
            known => known,
        };
        Some(match kind {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Dir,
            FileType::Symlink => Kind::Link,
            _ => Kind::Special,
        })
    }

    fn failed(errno: Errno) -> Trouble {
        trouble(io::Error::from(errno))
    }
}

/// What kind of thing a file type is.
pub(super) fn kind_of(kind: FileType) -> Kind {
    if kind.is_file() {
        Kind::File
    } else if kind.is_dir() {
        Kind::Dir
    } else if kind.is_symlink() {
        Kind::Link
    } else {
        Kind::Special
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    type All = Vec<(Vec<u8>, Kind)>;

    fn both(dir: &Path) -> [Result<All, Trouble>; 2] {
        let (mut ours, mut theirs) = (All::new(), All::new());
        let push = |all: &mut All, name: &[u8], kind| {
            all.push((name.to_vec(), kind));
            Ok(())
        };
        let told = [
            entries(dir, |name, kind| push(&mut ours, name, kind)),
            portable::entries(dir, |name, kind| push(&mut theirs, name, kind)),
        ];
        ours.sort();
        theirs.sort();
        let [first, second] = told;
        [first.map(|()| ours), second.map(|()| theirs)]
    }

    #[test]
    fn both_ways_to_list_a_directory_agree() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        fs::create_dir(dir.join("dir")).unwrap();
        symlink("nowhere", dir.join("link")).unwrap();
        let _socket = UnixListener::bind(dir.join("socket")).unwrap();
        // Far more than fits into one answer of the system.
        for i in 0..2_000 {
            fs::write(dir.join(format!("{i:04}{}", "n".repeat(200))), "").unwrap();
        }
        let [ours, theirs] = both(dir);
        assert_eq!(ours.as_ref().map(Vec::len), Ok(2_003));
        assert_eq!(ours, theirs);
        for missing in ["nowhere", "socket", "0000"] {
            let [ours, theirs] = both(&dir.join(missing));
            assert!(ours.is_err());
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn a_failure_of_the_listener_ends_the_list() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        fs::write(dir.path().join("b"), "").unwrap();
        let mut n_told = 0;
        let told = entries(dir.path(), |_, _| {
            n_told += 1;
            Err(Trouble::Denied)
        });
        assert_eq!((told, n_told), (Err(Trouble::Denied), 1));
    }
}
