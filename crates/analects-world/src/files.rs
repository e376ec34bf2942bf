//! Reading: listing directories and opening files. There is no way to write through this door.

use std::fmt;

use crate::AbsPath;
use crate::ownership::Ownership;

/// The read side of a disk.
///
/// The door owns threads and handles; the room that asks owns order, caps and rules. Answers stand in
/// the order of the questions, so nothing depends on which thread was faster.
pub trait Files: Sync {
    /// Lists many directories at once: the names wanted by `pick`, in no particular order.
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>>;

    /// Reads many files at once.
    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>>;

    /// The path with every link resolved; fails if it does not exist.
    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble>;

    /// Where the link at this path points, as it is written in it; `None` if something else stands there.
    ///
    /// Views in which no link is ever changed need not answer.
    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        Err(Trouble::Other(format!("links are not read here: {path}")))
    }

    /// Which file or directory a path leads to, whatever it is called and wherever it was moved.
    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble>;

    /// Whose many files or directories are, links resolved, without opening them.
    fn ownership(&self, paths: &[AbsPath]) -> Vec<Result<Ownership, Trouble>>;

    /// How long many files are, and when they were written, without opening them.
    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>>;

    /// At most this many bytes of a file, from `start` on; fewer where it ends before.
    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble>;
}

impl dyn Files + '_ {
    /// Lists a single directory.
    pub fn list_one(&self, dir: &AbsPath, pick: &Pick) -> Result<Listing, Trouble> {
        self.list(std::slice::from_ref(dir), pick)
            .pop()
            .unwrap_or(Err(Trouble::Missing))
    }

    /// Reads a single file.
    pub fn read_one(&self, want: Want<'_>) -> Result<Blob, Trouble> {
        self.read(&[want]).pop().unwrap_or(Err(Trouble::Missing))
    }

    /// Fails with the reason if this is not a directory that can be listed.
    pub fn require_dir(&self, dir: &AbsPath) -> Result<(), Trouble> {
        self.list_one(dir, &Pick::names(Vec::new())).map(|_| ())
    }

    /// The path with links resolved, or as it is where that fails.
    pub fn real_or_same(&self, path: &AbsPath) -> AbsPath {
        self.real(path).unwrap_or_else(|_| path.clone())
    }
}

/// Which entries of a directory the caller wants to hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// Names to look for; one may lie deeper, as in `.gemini/GEMINI.md`.
    pub names: Vec<String>,
    /// All names that end like this are wanted too.
    pub suffix: Option<String>,
    /// Whether to report sub-directories.
    pub subdirs: Subdirs,
}

impl Pick {
    /// These names and nothing else.
    #[must_use]
    pub fn names(names: Vec<String>) -> Self {
        Self {
            names,
            suffix: None,
            subdirs: Subdirs::Skip,
        }
    }

    /// Every name that ends like this; an empty ending wants them all.
    #[must_use]
    pub fn ending(suffix: &str) -> Self {
        Self {
            suffix: Some(suffix.to_owned()),
            ..Self::names(Vec::new())
        }
    }

    /// All sub-directories and nothing else.
    #[must_use]
    pub fn subdirs() -> Self {
        Self {
            subdirs: Subdirs::Report,
            ..Self::names(Vec::new())
        }
    }
}

/// Whether a listing reports sub-directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subdirs {
    /// All real ones; a link to a directory is not a sub-directory.
    Report,
    /// None: the door may look the names up without reading the whole directory.
    Skip,
}

/// What a directory holds of the things asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The wanted names that exist.
    pub found: Vec<Found>,
    /// Names of real sub-directories.
    pub subdirs: Vec<String>,
    /// What was wanted but has a name that is not UTF-8, made readable: sub-directories that cannot be entered, and
    /// entries with the wanted ending that cannot be opened.
    pub unspeakable: Vec<String>,
}

/// One wanted name that exists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The name as it was asked for.
    pub name: String,
    /// What stands under that name.
    pub kind: Kind,
}

/// What kind of thing a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, to anything or nothing.
    Link,
    /// A pipe, socket or device: opening one could block or do harm.
    Special,
}

/// A file to read, and how far to trust the way there.
#[derive(Debug, Clone, Copy)]
pub struct Want<'a> {
    /// The file.
    pub path: &'a AbsPath,
    /// Where the opened file must really lie.
    pub within: Within<'a>,
    /// At most this many bytes are read.
    pub limit_bytes: usize,
}

/// Where an opened file must lie once every link is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within<'a> {
    /// Anywhere: the user's own files may be links into a dotfiles repository.
    Anywhere,
    /// In this directory or below it, judged by the opened handle and not by the path.
    Root(&'a AbsPath),
    /// At its own path and nowhere else, judged by the opened handle: no link leads there.
    Itself,
}

/// What was read of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Which file this really was.
    pub id: FileId,
    /// Its first bytes, up to the limit.
    pub bytes: Vec<u8>,
    /// How long the whole file is.
    pub len: u64,
    /// Whether nobody but its owner may read or write it.
    pub is_private: bool,
    /// Whose it is, as the opened file says.
    pub ownership: Ownership,
}

impl Blob {
    /// Whether the limit cut something off.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.len > self.bytes.len() as u64
    }
}

/// A file's identity on its disk, whatever path led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId {
    /// The device.
    pub dev: u64,
    /// The inode on it.
    pub ino: u64,
}

/// What makes a file the one it is for as long as it exists, and no other afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Where it lies on its disk. Numbers are given again once a file is gone.
    pub id: FileId,
    /// When it was made, in nanoseconds since 1970, where the disk knows; tells a successor apart.
    pub born: Option<u128>,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.id, self.born.unwrap_or(0))
    }
}

/// A file from outside. Two that are the same hold the same, as far as can be told without reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Measure {
    /// Which file it is.
    pub id: FileId,
    /// How many bytes it has.
    pub len: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub written_ns: u64,
}

impl Measure {
    /// When it was last written, in milliseconds since 1970.
    #[must_use]
    pub fn written_ms(&self) -> u64 {
        self.written_ns / 1_000_000
    }
}

/// Why something could not be listed or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It does not exist, or no longer.
    #[error("not found")]
    Missing,
    /// This user may not read it.
    #[error("permission denied")]
    Denied,
    /// A directory stands where a file was asked for.
    #[error("a directory, not a file")]
    IsDir,
    /// A file stands where a directory was asked for.
    #[error("not a directory")]
    NotDir,
    /// A pipe, socket or device stands there.
    #[error("not a regular file")]
    Special,
    /// Links lead out of the directory the caller named.
    #[error("a link that leads outside")]
    Outside,
    /// It belongs to another user, or others may write it, so its text does not count.
    #[error("belongs to another user or can be written by others (`security.trustedOwners`)")]
    Foreign,
    /// Links lead in a circle, or too far.
    #[error("a loop of links")]
    Loop,
    /// A name is longer than the disk allows.
    #[error("name too long")]
    TooLong,
    /// The path leads through a name that is not UTF-8.
    #[error("a name that is not UTF-8")]
    Unspeakable,
    /// The disk said something else.
    #[error("{0}")]
    Other(String),
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.dev, self.ino)
    }
}
