//! A file as a commit reaches it: by its path, or below a directory that is held open.
//!
//! What must lie inside a directory is reached from there name by name, and no link is followed on the way.
//! The directory that it comes to stays open until the commit is over, and everything is done relative to it:
//! whoever puts a link in its place meanwhile leads nobody outside.
//!
//! A link can be what is changed, too. Then its content is where it points, and nothing ever follows it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{
    Access, AtFlags, CWD, Mode, OFlags, RenameFlags, access, accessat, chmodat, linkat, mkdirat,
    open, openat, readlinkat, renameat, renameat_with, symlinkat, unlinkat,
};
use rustix::io::Errno;

use analects_world::changes::Form;

use super::MAX_FILE_BYTES;
use crate::disk::handle;
use crate::private_dir::create_private_dir;

/// A file, there or not yet, and how it is reached.
#[derive(Debug)]
pub(super) struct Spot {
    /// The file as it is without links: what the journal calls it.
    pub(super) path: PathBuf,
    /// Whether it is a file, or a link itself.
    form: Form,
    held: Option<Held>,
}

/// Where a file must lie, and its own directory once that is there.
#[derive(Debug)]
struct Held {
    root: PathBuf,
    dir: OnceLock<OwnedFd>,
}

const OUTSIDE: &str = "it leads out of the directory that it must lie in";
const IN_THE_WAY: &str = "a link or a file stands where a directory on its way should be";
const MOVED: &str = "its directory was moved or replaced meanwhile";

impl Spot {
    /// The file that a path leads to, wherever that is; a link is what stands there.
    pub(super) fn anywhere(given: &Path, form: Form) -> io::Result<Self> {
        let path = match form {
            Form::File => behind_links(given)?,
            Form::Link => given.to_owned(),
        };
        let held = None;
        Ok(Self { path, form, held })
    }

    /// A file below a directory, both of them paths without links; that the file's has none is made sure of.
    pub(super) fn below(root: &Path, path: PathBuf, form: Form) -> io::Result<Self> {
        let below = path
            .strip_prefix(root)
            .ok()
            .filter(|below| is_plain(below) && below.file_name().is_some());
        let dir = OnceLock::new();
        match walk(root, parent(below.ok_or_else(outside)?), Missing::Fail) {
            Ok(found) => drop(dir.set(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let root = root.to_owned();
        let held = Some(Held { root, dir });
        Ok(Self { path, form, held })
    }

    /// A file that an earlier commit reached without links.
    pub(super) fn again(root: Option<&str>, path: &str, form: Form) -> io::Result<Self> {
        match root {
            Some(root) => Self::below(Path::new(root), path.into(), form),
            None => Ok(Self {
                path: path.into(),
                form,
                held: None,
            }),
        }
    }

    /// The directory that it must lie in.
    pub(super) fn root(&self) -> Option<&Path> {
        self.held.as_ref().map(|held| &*held.root)
    }

    /// The directory that it lies in.
    pub(super) fn parent(&self) -> &Path {
        parent(&self.path)
    }

    /// What it holds; `None` if it is not there. Never waits for a pipe.
    pub(super) fn content(&self) -> io::Result<Option<Vec<u8>>> {
        self.content_of(&self.path)
    }

    /// What a file beside it holds.
    pub(super) fn content_of(&self, beside: &Path) -> io::Result<Option<Vec<u8>>> {
        if self.form == Form::Link {
            return self.pointed_to(beside);
        }
        let mut file = match self.open(beside) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        if meta.len() > MAX_FILE_BYTES {
            return Err(io::Error::other("too large to be changed here"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Where a link beside it points.
    fn pointed_to(&self, beside: &Path) -> io::Result<Option<Vec<u8>>> {
        let read = match &self.held {
            Some(held) => held.dir().and_then(|dir| {
                let target = readlinkat(dir, name(beside), Vec::new())?;
                Ok(target.into_bytes())
            }),
            None => fs::read_link(beside).map(|target| target.into_os_string().into_vec()),
        };
        match read {
            Ok(target) => Ok(Some(target)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(io::Error::other(
                "something that is no link stands in its place",
            )),
            Err(error) => Err(error),
        }
    }

    /// What is known of it from outside, if it is there. A link has no rights of its own.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        if self.form == Form::Link {
            return None;
        }
        match &self.held {
            Some(_) => self.open(&self.path).ok()?.metadata().ok(),
            None => fs::metadata(&self.path).ok(),
        }
    }

    /// The file itself, open for reading; `None` if it is not there.
    pub(super) fn open_existing(&self) -> io::Result<Option<File>> {
        match self.open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Makes the directories that it needs, for their owner only if they are private.
    pub(super) fn make_directory(&self, is_private: bool) -> io::Result<()> {
        let missing = if is_private {
            Missing::MakePrivate
        } else {
            Missing::Make
        };
        let Some(held) = &self.held else {
            return match missing {
                Missing::MakePrivate => create_private_dir(self.parent()),
                _ => fs::create_dir_all(self.parent()),
            };
        };
        if held.dir.get().is_none() {
            let made = walk(&held.root, self.below_root()?, missing)?;
            let _ = held.dir.set(made);
        }
        Ok(())
    }

    /// Makes a new file beside it that only its owner may read.
    pub(super) fn create(&self, beside: &Path) -> io::Result<File> {
        match &self.held {
            Some(held) => {
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
                let mode = Mode::RUSR | Mode::WUSR;
                let file = openat(held.dir()?, name(beside), flags | OFlags::CLOEXEC, mode)?;
                Ok(file.into())
            }
            None => OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(beside),
        }
    }

    /// Makes a new link beside it.
    pub(super) fn create_link(&self, beside: &Path, target: &[u8]) -> io::Result<()> {
        let target = OsString::from_vec(target.to_vec());
        match &self.held {
            Some(held) => Ok(symlinkat(target, held.dir()?, name(beside))?),
            None => std::os::unix::fs::symlink(target, beside),
        }
    }

    /// Puts a file beside it in its place, whatever is there.
    pub(super) fn rename(&self, beside: &Path) -> io::Result<()> {
        match &self.held {
            Some(held) => {
                let dir = held.dir()?;
                Ok(renameat(dir, name(beside), dir, name(&self.path))?)
            }
            None => fs::rename(beside, &self.path),
        }
    }

    /// Gives a file beside it its name; fails with [`io::ErrorKind::AlreadyExists`] if that is taken.
    pub(super) fn rename_new(&self, beside: &Path) -> io::Result<()> {
        self.rename_with(beside, RenameFlags::NOREPLACE)
    }

    /// Exchanges a file beside it with itself, in one step.
    pub(super) fn exchange(&self, beside: &Path) -> io::Result<()> {
        self.rename_with(beside, RenameFlags::EXCHANGE)
    }

    fn rename_with(&self, beside: &Path, flags: RenameFlags) -> io::Result<()> {
        match &self.held {
            Some(held) => {
                let dir = held.dir()?;
                Ok(renameat_with(
                    dir,
                    name(beside),
                    dir,
                    name(&self.path),
                    flags,
                )?)
            }
            None => Ok(renameat_with(CWD, beside, CWD, &self.path, flags)?),
        }
    }

    /// Like `rename_new`, for file systems that cannot: by a hard link, or after a look where there are none.
    pub(super) fn link_new(&self, beside: &Path) -> io::Result<()> {
        let linked = match &self.held {
            Some(held) => {
                let dir = held.dir()?;
                linkat(dir, name(beside), dir, name(&self.path), AtFlags::empty())
            }
            None => linkat(CWD, beside, CWD, &self.path, AtFlags::empty()),
        };
        match linked {
            Ok(()) => self.remove(beside),
            Err(Errno::EXIST | Errno::NOENT) => Ok(linked?),
            Err(_) if self.content()?.is_none() => self.rename(beside),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// Gives it another name beside.
    pub(super) fn move_aside(&self, beside: &Path) -> io::Result<()> {
        match &self.held {
            Some(held) => {
                let dir = held.dir()?;
                Ok(renameat(dir, name(&self.path), dir, name(beside))?)
            }
            None => fs::rename(&self.path, beside),
        }
    }

    /// Fails if names in its directory may not be changed.
    pub(super) fn may_be_removed(&self) -> io::Result<()> {
        let wanted = Access::WRITE_OK | Access::EXEC_OK;
        match &self.held {
            Some(held) => Ok(accessat(held.dir()?, ".", wanted, AtFlags::empty())?),
            None => Ok(access(self.parent(), wanted)?),
        }
    }

    /// Removes a file beside it, or itself.
    pub(super) fn remove(&self, beside: &Path) -> io::Result<()> {
        match &self.held {
            Some(held) => Ok(unlinkat(held.dir()?, name(beside), AtFlags::empty())?),
            None => fs::remove_file(beside),
        }
    }

    /// Makes the names in its directory durable.
    pub(super) fn sync_directory(&self) -> io::Result<()> {
        match &self.held {
            Some(held) => Ok(rustix::fs::fsync(held.dir()?)?),
            None => File::open(self.parent())?.sync_all(),
        }
    }

    /// Fails if the directory that is held open is not the one that its path leads to any more.
    pub(super) fn insist(&self) -> io::Result<()> {
        let Some(held) = &self.held else {
            return Ok(());
        };
        let Some(dir) = held.dir.get() else {
            return Ok(());
        };
        let now = walk(&held.root, self.below_root()?, Missing::Fail);
        let now = File::from(now.map_err(|_| io::Error::other(MOVED))?).metadata()?;
        let then = File::from(dir.try_clone()?).metadata()?;
        match (now.dev(), now.ino()) == (then.dev(), then.ino()) {
            true => Ok(()),
            false => Err(io::Error::other(MOVED)),
        }
    }

    fn open(&self, beside: &Path) -> io::Result<File> {
        let Some(held) = &self.held else {
            return handle::without_waiting(beside);
        };
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = openat(
            held.dir()?,
            name(beside),
            flags | OFlags::NOFOLLOW,
            Mode::empty(),
        );
        match opened {
            Err(Errno::LOOP) => Err(io::Error::other("a link stands in its place")),
            opened => Ok(opened?.into()),
        }
    }

    /// Its directory, seen from the one that it must lie in.
    fn below_root(&self) -> io::Result<&Path> {
        let root = self.root().unwrap_or(Path::new("/"));
        self.parent().strip_prefix(root).map_err(|_| outside())
    }
}

impl Held {
    fn dir(&self) -> io::Result<&OwnedFd> {
        self.dir.get().ok_or(io::ErrorKind::NotFound.into())
    }
}

/// What becomes of a directory that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    MakePrivate,
    Fail,
}

/// Opens the directory `below` a root, following no link.
fn walk(root: &Path, below: &Path, missing: Missing) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let plain = |errno| match errno {
        Errno::LOOP | Errno::NOTDIR => io::Error::other(IN_THE_WAY),
        errno => errno.into(),
    };
    let mut dir = open(root, flags, Mode::empty()).map_err(plain)?;
    for name in below.iter() {
        let mut next = openat(&dir, name, flags, Mode::empty());
        if matches!(next, Err(Errno::NOENT)) && missing != Missing::Fail {
            make_dir_at(&dir, name, missing)?;
            next = openat(&dir, name, flags, Mode::empty());
        }
        dir = next.map_err(plain)?;
    }
    Ok(dir)
}

fn make_dir_at(dir: &OwnedFd, name: &OsStr, missing: Missing) -> io::Result<()> {
    let is_private = missing == Missing::MakePrivate;
    let mode = if is_private {
        Mode::RWXU
    } else {
        Mode::RWXU | Mode::RWXG | Mode::RWXO
    };
    match mkdirat(dir, name, mode) {
        // A umask takes rights away from the owner, too.
        Ok(()) if is_private => Ok(chmodat(dir, name, mode, AtFlags::empty())?),
        // Another program made it: it is treated like any other.
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// The file that a path leads to, also where nothing is there yet.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(link) => path = parent(&path).join(link),
            Err(_) => {
                // Not a link. Its directory may lie behind links; renames follow those by themselves.
                return Ok(path);
            }
        }
    }
    Err(io::Error::other("a loop of links"))
}

fn is_plain(path: &Path) -> bool {
    let mut names = path.components();
    names.all(|name| matches!(name, Component::Normal(_)))
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

fn name(path: &Path) -> &OsStr {
    path.file_name().unwrap_or_default()
}

fn outside() -> io::Error {
    io::Error::other(OUTSIDE)
}
