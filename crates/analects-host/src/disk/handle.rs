//! Opening a file once, and finding out what was really opened.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use analects_world::AbsPath;
use analects_world::files::Trouble;
use rustix::fs::OFlags;

use super::trouble;

/// Opens a regular file for reading, and says what it is; never blocks on a pipe, never becomes a controlling terminal.
pub(crate) fn open(path: &AbsPath) -> Result<(File, Metadata), Trouble> {
    let file = without_waiting(Path::new(path.as_str())).map_err(trouble)?;
    let meta = file.metadata().map_err(trouble)?;
    let kind = meta.file_type();
    if kind.is_file() {
        Ok((file, meta))
    } else if kind.is_dir() {
        Err(Trouble::IsDir)
    } else {
        Err(Trouble::Special)
    }
}

/// Opens whatever is there for reading, without waiting for the other end of a pipe. The caller looks at
/// what it got.
pub(crate) fn without_waiting(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

/// Fails if an opened file, or directory, does not really lie in `root` or below it. Answers where it and `root`
/// do.
pub(crate) fn require_within(
    file: &File,
    path: &AbsPath,
    root: &AbsPath,
) -> Result<(PathBuf, PathBuf), Trouble> {
    let real = real_path(file, path)?;
    // No part of a real path is a link. So a root that it begins with is a real path, too, and needs no look.
    if real.starts_with(root.as_str()) {
        return Ok((real, root.as_str().into()));
    }
    let root = fs::canonicalize(root.as_str()).map_err(trouble)?;
    match real.starts_with(&root) {
        true => Ok((real, root)),
        false => Err(Trouble::Outside),
    }
}

/// Fails if an opened file does not really lie where its path says.
pub(crate) fn require_itself(file: &File, path: &AbsPath) -> Result<(), Trouble> {
    match real_path(file, path)? == Path::new(path.as_str()) {
        true => Ok(()),
        false => Err(Trouble::Outside),
    }
}

/// Where an opened file really lies. The kernel is asked about the handle, so a link that changes in
/// the meantime cannot mislead; where it cannot answer, [`by_identity`] does.
fn real_path(file: &File, path: &AbsPath) -> Result<PathBuf, Trouble> {
    by_kernel(file)
        .or_else(|_| by_identity(file, path))
        .map_err(trouble)
}

fn by_kernel(file: &File) -> io::Result<PathBuf> {
    use std::os::fd::AsRawFd;
    let real = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    // A file removed since it was opened has a name that is none ("… (deleted)"), or someone else's.
    if_same(file, real)
}

/// The portable way: resolve the path again and insist that it still leads to the opened file.
fn by_identity(file: &File, path: &AbsPath) -> io::Result<PathBuf> {
    if_same(file, fs::canonicalize(path.as_str())?)
}

/// The path, if it leads to the opened file.
fn if_same(file: &File, path: PathBuf) -> io::Result<PathBuf> {
    let (opened, named) = (file.metadata()?, fs::symlink_metadata(&path)?);
    if (opened.dev(), opened.ino()) == (named.dev(), named.ino()) {
        Ok(path)
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The path as one we can speak of.
pub(crate) fn speakable(path: PathBuf) -> Result<AbsPath, Trouble> {
    let text = path
        .into_os_string()
        .into_string()
        .map_err(|_| Trouble::Unspeakable)?;
    AbsPath::new(&text).map_err(|error| Trouble::Other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_find_the_real_path_agree() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "x").unwrap();
        std::os::unix::fs::symlink("a", dir.path().join("link")).unwrap();
        let path = speakable(dir.path().join("link")).unwrap();
        let (file, _) = open(&path).unwrap();
        let expected = fs::canonicalize(dir.path()).unwrap().join("a");
        assert_eq!(by_kernel(&file).unwrap(), expected);
        assert_eq!(by_identity(&file, &path).unwrap(), expected);
    }

    #[test]
    fn a_file_replaced_after_opening_is_not_mistaken_for_its_successor() {
        let dir = tempfile::tempdir().unwrap();
        let path = speakable(dir.path().join("a")).unwrap();
        fs::write(path.as_str(), "old").unwrap();
        let (file, _) = open(&path).unwrap();
        fs::remove_file(path.as_str()).unwrap();
        fs::write(path.as_str(), "new").unwrap();
        assert!(by_kernel(&file).is_err());
        assert!(by_identity(&file, &path).is_err());
        assert_eq!(real_path(&file, &path), Err(Trouble::Missing));
    }
}
