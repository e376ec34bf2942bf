//! Puts a staged version in the place of a file without losing a save that comes in between.
//!
//! An editor ignores our locks. It may save a file after our last look at it and before our rename. So the staged
//! version and the file change places in one step of the kernel, and the version that came out is compared with the
//! one the change was planned on. If they differ, both change places again and the change is planned anew. The old
//! version keeps its place beside the file until all files of a commit are in place.
//!
//! A file system that cannot exchange two names gets a last look and a plain rename.

use std::io;
use std::path::Path;

use analects_world::changes::ContentHash;
use rustix::io::Errno;

use super::CommitDesk;
use super::spot::Spot;

/// One version of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum FileVersion<'a> {
    /// There is no file.
    Absent,
    /// A file with this content.
    Bytes(&'a [u8]),
    /// A file whose content has this fingerprint.
    Hash(ContentHash),
    /// A file whose fingerprint is damaged: no content is this version.
    Unknown,
}

/// One file, and the two versions that change places.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileSwap<'a> {
    /// The file.
    pub(super) spot: &'a Spot,
    /// The name beside it where the new version waits, and then the old one.
    pub(super) aside: &'a Path,
    pub(super) old: FileVersion<'a>,
    pub(super) new: FileVersion<'a>,
}

/// What putting a version in place came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SwapOutcome {
    /// The file has its new version; the old one waits beside it.
    InPlace,
    /// The file was not what the change was planned on. It is as the other program left it.
    Overtaken,
}

/// Several programs that save one file at once come to rest long before this.
const MAX_EXCHANGES: usize = 100;

impl<'a> FileVersion<'a> {
    /// The version with this content; `None` means that there is no file.
    pub(super) fn of(content: Option<&'a [u8]>) -> Self {
        content.map_or(Self::Absent, FileVersion::Bytes)
    }

    /// The version with this fingerprint; `None` means that there is no file.
    pub(super) fn of_hash(hash: Option<ContentHash>) -> Self {
        hash.map_or(Self::Absent, FileVersion::Hash)
    }

    fn is_absent(self) -> bool {
        matches!(self, Self::Absent)
    }

    /// True if this is the version that was read. What cannot be read is no version of ours.
    fn is(self, read: &io::Result<Option<Vec<u8>>>) -> bool {
        match (self, read) {
            (Self::Absent, Ok(None)) => true,
            (Self::Bytes(bytes), Ok(Some(read))) => bytes == read,
            (Self::Hash(hash), Ok(Some(read))) => ContentHash::of(read) == hash,
            _ => false,
        }
    }
}

impl FileSwap<'_> {
    /// Puts the new version in place, unless the file changed since the change was planned.
    pub(super) fn put(&self, desk: &CommitDesk<'_>) -> io::Result<SwapOutcome> {
        match (self.old.is_absent(), self.new.is_absent()) {
            (true, true) => Ok(SwapOutcome::InPlace),
            (true, false) => self.create(desk),
            (false, true) => self.remove(desk),
            (false, false) => self.replace(desk),
        }
    }

    /// Removes the old version for good.
    pub(super) fn remove_old(&self, desk: &CommitDesk<'_>) -> io::Result<()> {
        if self.old.is_absent() {
            return Ok(());
        }
        desk.step("remove old version", self.aside)?;
        was_found(self.spot.remove(self.aside)).map(drop)
    }

    /// Gives the file its old version again. A save that came after ours stays.
    pub(super) fn put_back(&self, desk: &CommitDesk<'_>) -> io::Result<()> {
        desk.step("put back old version", &self.spot.path)?;
        match (self.old.is_absent(), self.new.is_absent()) {
            (true, true) => Ok(()),
            (true, false) => {
                let is_there = was_found(self.spot.move_aside(self.aside))?;
                if is_there && !self.new.is(&self.spot.content_of(self.aside)) {
                    return self.restore();
                }
                Ok(())
            }
            (false, true) => self.restore(),
            (false, false) => self.exchange_back(),
        }
    }

    /// True if the version beside the file is neither the old nor the new one: a save of another program.
    pub(super) fn holds_foreign_save(&self) -> bool {
        let aside = self.spot.content_of(self.aside);
        !FileVersion::Absent.is(&aside) && !self.old.is(&aside) && !self.new.is(&aside)
    }

    fn replace(&self, desk: &CommitDesk<'_>) -> io::Result<SwapOutcome> {
        let exchanged = desk
            .step("rename staged file", &self.spot.path)
            .and_then(|()| self.spot.exchange(self.aside));
        match exchanged {
            Err(error) if is_unsupported(&error) => return self.replace_after_last_look(desk),
            // The other program removed the file.
            Err(error) if is_missing(&error) && self.is_gone() => {
                return Ok(SwapOutcome::Overtaken);
            }
            exchanged => exchanged?,
        }
        if self.old.is(&self.spot.content_of(self.aside)) {
            return Ok(SwapOutcome::InPlace);
        }
        self.put_back(desk)?;
        Ok(SwapOutcome::Overtaken)
    }

    /// The portable way: a save between this look and the rename is lost.
    fn replace_after_last_look(&self, desk: &CommitDesk<'_>) -> io::Result<SwapOutcome> {
        desk.step("replace file", &self.spot.path)?;
        if !self.old.is(&self.spot.content()) {
            return Ok(SwapOutcome::Overtaken);
        }
        self.spot.rename(self.aside)?;
        Ok(SwapOutcome::InPlace)
    }

    fn create(&self, desk: &CommitDesk<'_>) -> io::Result<SwapOutcome> {
        let created = desk
            .step("rename staged file", &self.spot.path)
            .and_then(|()| self.spot.rename_new(self.aside));
        let created = match created {
            // A hard link is refused where a file is already, too.
            Err(error) if is_unsupported(&error) => desk
                .step("replace file", &self.spot.path)
                .and_then(|()| self.spot.link_new(self.aside)),
            created => created,
        };
        match created {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(SwapOutcome::Overtaken)
            }
            created => created.map(|()| SwapOutcome::InPlace),
        }
    }

    fn remove(&self, desk: &CommitDesk<'_>) -> io::Result<SwapOutcome> {
        desk.step("remove file", &self.spot.path)?;
        if !was_found(self.spot.move_aside(self.aside))? {
            return Ok(SwapOutcome::Overtaken);
        }
        if self.old.is(&self.spot.content_of(self.aside)) {
            return Ok(SwapOutcome::InPlace);
        }
        self.put_back(desk)?;
        Ok(SwapOutcome::Overtaken)
    }

    /// Exchanges both versions until the one that comes out is the one that went in last: no save came in between.
    fn exchange_back(&self) -> io::Result<()> {
        let mut expected = None;
        for _ in 0..MAX_EXCHANGES {
            let going_in = hash_of(&self.spot.content_of(self.aside));
            match self.spot.exchange(self.aside) {
                // The other program removed our version: the one beside it is all there is.
                Err(error) if is_missing(&error) && self.is_gone() => return self.restore(),
                exchanged => exchanged?,
            }
            let out = self.spot.content_of(self.aside);
            let is_expected = match expected {
                None => self.new.is(&out),
                Some(expected) => hash_of(&out) == expected,
            };
            if is_expected {
                break;
            }
            expected = Some(going_in);
        }
        if self.holds_foreign_save() {
            return Err(kept_error(self.aside));
        }
        Ok(())
    }

    /// Gives the version beside the file its name back, unless the name is taken again.
    fn restore(&self) -> io::Result<()> {
        let restored = match self.spot.rename_new(self.aside) {
            Err(error) if is_unsupported(&error) => self.spot.link_new(self.aside),
            restored => restored,
        };
        match restored {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(kept_error(self.aside))
            }
            restored => restored,
        }
    }

    fn is_gone(&self) -> bool {
        FileVersion::Absent.is(&self.spot.content())
    }
}

/// The fingerprint of what was read, as far as it could be.
fn hash_of(read: &io::Result<Option<Vec<u8>>>) -> Option<ContentHash> {
    let bytes = read.as_ref().ok()?.as_deref()?;
    Some(ContentHash::of(bytes))
}

/// False if there was nothing to do it to.
fn was_found(done: io::Result<()>) -> io::Result<bool> {
    match done {
        Err(error) if is_missing(&error) => Ok(false),
        done => done.map(|()| true),
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// True if the file system or the kernel does not know the call.
fn is_unsupported(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    let is_named = [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP];
    errno.is_some_and(|errno| is_named.contains(&errno))
}

fn kept_error(aside: &Path) -> io::Error {
    let name = aside.file_name().unwrap_or_default().to_string_lossy();
    io::Error::other(format!(
        "another program saved it twice meanwhile; one version is kept as `{name}`"
    ))
}
