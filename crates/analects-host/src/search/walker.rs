//! Walking a tree from handle to handle.
//!
//! No path is resolved twice: each directory is opened in the one above it, and never through a link. So nobody
//! can lead a walk out of its tree, not even by putting a link where a directory was. In each directory the order is
//! that of the names, which is the order of the paths, and so a walk can end as soon as enough is found.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

use analects_world::files::Kind;
use analects_world::search::Sieve;
use analects_world::{AbsPath, Cancel};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};

use super::globs::Globs;
use super::rules::{GIT, Rules};

/// Every directory on the way is open: deeper trees would use up what a process may have open.
const MAX_DEPTH: usize = 128;
/// Names of one directory are sorted in memory; nobody has more of them in one place by good will.
const MAX_NAMES: usize = 500_000;
/// How many names are read between two looks at whether somebody wants to stop.
const NAMES_A_LOOK: usize = 1024;
/// What git keeps for itself.
const DOT_GIT: &str = ".git";

/// A walk that goes on as long as somebody asks for the next file.
pub(super) struct Walker<'a> {
    which: Which<'a>,
    cancel: &'a Cancel,
    on_the_way: Vec<Frame>,
    /// What was passed over so far.
    pub(super) n_ignored: usize,
    /// What could not be looked at so far.
    pub(super) n_unread: usize,
}

/// Which files are walked to.
#[derive(Clone, Copy)]
pub(super) struct Which<'a> {
    /// Those that are wanted.
    pub(super) globs: &'a Globs,
    /// Those that may be looked at.
    pub(super) sieve: Option<&'a dyn Sieve>,
}

/// A directory, and what of it is still to be seen.
struct Frame {
    dir: Arc<OwnedFd>,
    /// Its path below the beginning; empty there.
    below: String,
    /// Where it really lies, for rules.
    real: String,
    rules: Rules,
    names: std::vec::IntoIter<(String, FileType)>,
}

/// A file of the tree.
pub(super) struct Item {
    /// Its path below the beginning.
    pub(super) below: String,
    dir: Arc<OwnedFd>,
    name: String,
}

impl<'a> Walker<'a> {
    /// Walks the tree below a directory that was opened and judged; `rules` hold in it.
    pub(super) fn new(
        dir: OwnedFd,
        real: &str,
        rules: Rules,
        which: Which<'a>,
        cancel: &'a Cancel,
    ) -> Self {
        let mut walker = Self {
            which,
            cancel,
            on_the_way: Vec::new(),
            n_ignored: 0,
            n_unread: 0,
        };
        let names = names(&dir, cancel);
        walker.count_unread(names.n_unread);
        walker.on_the_way.push(Frame {
            dir: Arc::new(dir),
            below: String::new(),
            real: real.trim_end_matches('/').to_owned(),
            rules,
            names: names.names.into_iter(),
        });
        walker
    }

    /// The next file that is wanted.
    pub(super) fn next(&mut self) -> Option<Item> {
        while !self.cancel.is_cancelled() {
            let frame = self.on_the_way.last_mut()?;
            let Some((name, kind)) = frame.names.next() else {
                self.on_the_way.pop();
                continue;
            };
            match kind {
                FileType::Directory => self.enter(name),
                FileType::RegularFile => {
                    if let Some(item) = self.take(name) {
                        return Some(item);
                    }
                }
                // Links lead elsewhere, and nobody knows what a pipe or a device does when it is opened.
                _ => {}
            }
        }
        None
    }

    fn take(&mut self, name: String) -> Option<Item> {
        let frame = self.on_the_way.last()?;
        let below = join(&frame.below, &name);
        let passes = |sieve: &dyn Sieve| sieve.tells(&frame.path(&name), Kind::File);
        if !self.which.globs.takes(&below) || !self.which.sieve.is_none_or(passes) {
            return None;
        }
        if frame.ignores(&name, false) {
            self.n_ignored += 1;
            return None;
        }
        Some(Item {
            below,
            dir: Arc::clone(&frame.dir),
            name,
        })
    }

    fn enter(&mut self, name: String) {
        let Some(frame) = self.on_the_way.last() else {
            return;
        };
        let below = join(&frame.below, &name);
        let Which { globs, sieve } = self.which;
        let passes = |sieve: &dyn Sieve| sieve.enters(&frame.path(&name));
        if !globs.reaches(&below) || globs.shuns(&below) || !sieve.is_none_or(passes) {
            return;
        }
        if frame.ignores(&name, true) {
            self.n_ignored += 1;
            return;
        }
        let inner = match self.on_the_way.len() < MAX_DEPTH {
            true => frame.enter(&name, below, self.cancel),
            false => None,
        };
        match inner {
            Some((inner, n_unread)) => {
                self.count_unread(n_unread);
                self.on_the_way.push(inner);
            }
            None => self.n_unread += 1,
        }
    }

    /// Counts names that cannot be read; behind a sieve, nobody was given what has no name.
    fn count_unread(&mut self, n_unread: usize) {
        if self.which.sieve.is_none() {
            self.n_unread += n_unread;
        }
    }
}

impl Frame {
    /// Where a name in it really lies.
    fn path(&self, name: &str) -> AbsPath {
        AbsPath::root().join(&self.real).join(name)
    }

    fn ignores(&self, name: &str, is_dir: bool) -> bool {
        let path = format!("{}/{name}", self.real);
        self.rules.ignores(Path::new(&path), is_dir)
    }

    /// The directory of that name in this one, and how many names in it are none.
    fn enter(&self, name: &str, below: String, cancel: &Cancel) -> Option<(Self, usize)> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = openat(&self.dir, name, flags | OFlags::RDONLY, Mode::empty()).ok()?;
        let names = names(&dir, cancel);
        let real = format!("{}/{name}", self.real);
        let rules = match names.has_rules {
            true => self.rules.enter(Path::new(&real), &dir, Path::new(GIT)),
            false => self.rules.clone(),
        };
        let inner = Self {
            dir: Arc::new(dir),
            below,
            real,
            rules,
            names: names.names.into_iter(),
        };
        Some((inner, names.n_unread))
    }
}

impl Item {
    /// Opens the file, if it still is one.
    pub(super) fn open(&self) -> io::Result<File> {
        open_file(&self.dir, Path::new(&self.name))
    }

    /// When it was last written, in nanoseconds since 1970.
    pub(super) fn written_ns(&self) -> Option<u64> {
        let stat = statat(&self.dir, self.name.as_str(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let secs = u64::try_from(stat.st_mtime).unwrap_or(0);
        let nanos = secs.saturating_mul(1_000_000_000);
        Some(nanos.saturating_add(stat.st_mtime_nsec))
    }
}

/// Opens a regular file, never through a link as its last name, and without waiting.
pub(super) fn open_file(place: impl AsFd, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(place, path, flags | OFlags::RDONLY, Mode::empty())?;
    let file = File::from(file);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// The names in a directory.
pub(super) struct Names {
    /// Sorted, without git's own.
    pub(super) names: Vec<(String, FileType)>,
    /// How many are not UTF-8, or could not be read.
    pub(super) n_unread: usize,
    has_rules: bool,
}

/// Reads the names in a directory.
pub(super) fn names(dir: &OwnedFd, cancel: &Cancel) -> Names {
    let mut all = Names {
        names: Vec::new(),
        n_unread: 0,
        has_rules: false,
    };
    let Ok(entries) = Dir::read_from(dir) else {
        all.n_unread += 1;
        return all;
    };
    for (at, entry) in entries.enumerate() {
        if at % NAMES_A_LOOK == 0 && cancel.is_cancelled() {
            break;
        }
        let Ok(entry) = entry else {
            all.n_unread += 1;
            break;
        };
        let Ok(name) = entry.file_name().to_str() else {
            all.n_unread += 1;
            continue;
        };
        if matches!(name, "." | ".." | DOT_GIT) {
            continue;
        }
        if all.names.len() == MAX_NAMES {
            all.n_unread += 1;
            break;
        }
        let kind = kind(dir, entry.file_name(), entry.file_type());
        all.has_rules |= name == GIT && kind == FileType::RegularFile;
        all.names.push((name.to_owned(), kind));
    }
    all.names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    all
}

/// What an entry is: most file systems say so in the listing.
fn kind(dir: &OwnedFd, name: &CStr, listed: FileType) -> FileType {
    match listed {
        FileType::Unknown => statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
            .map_or(listed, |stat| FileType::from_raw_mode(stat.st_mode)),
        known => known,
    }
}

fn join(dir: &str, name: &str) -> String {
    match dir {
        "" => name.to_owned(),
        dir => format!("{dir}/{name}"),
    }
}
