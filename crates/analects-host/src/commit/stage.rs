//! Staging: the new contents, durable, beside the files they will replace.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use analects_world::AbsPath;
use analects_world::changes::{Access, Base, Change, Changes, ContentHash, Form, Trace};
use analects_world::desk::CommitError;

use super::attributes::copy_attributes;
use super::spot::Spot;
use super::swap::{FileSwap, FileVersion};
use super::{CommitDesk, refused};
use crate::private_dir::open_private_file;

/// A change that waits to be put in place.
#[derive(Debug)]
pub(super) struct Staged {
    /// The file, and how it is reached.
    pub(super) spot: Spot,
    /// The name beside it where the new version waits, and then the old one.
    pub(super) aside: PathBuf,
    /// False if the file is to be removed.
    pub(super) has_new: bool,
    /// What the file holds now.
    pub(super) old: Option<Vec<u8>>,
    /// The fingerprint of what it will hold.
    pub(super) after: Option<ContentHash>,
    /// The new content, if it is synced together with the journal.
    pub(super) unsynced: Option<File>,
}

/// Every staged file has this in its name, so that a left-over can be told from a user's file.
const MARK: &str = ".analects-";

impl Staged {
    /// Where the new content waits; `None` if the file is to be removed.
    pub(super) fn file(&self) -> Option<&Path> {
        self.has_new.then_some(&*self.aside)
    }

    /// The two versions that change places.
    pub(super) fn swap(&self) -> FileSwap<'_> {
        FileSwap {
            spot: &self.spot,
            aside: &self.aside,
            old: FileVersion::of(self.old.as_deref()),
            new: FileVersion::of_hash(self.after),
        }
    }
}

/// What staging came to.
pub(super) enum Stage {
    /// Everything waits in its place.
    Ready(Vec<Staged>),
    /// This file is not what its change was planned on; nothing was staged.
    Overtaken(AbsPath),
}

/// Stages all changes; if one fails, none is left.
pub(super) fn stage(
    desk: &CommitDesk<'_>,
    id: &str,
    changes: &Changes,
) -> Result<Stage, CommitError> {
    let places: Result<Vec<_>, _> = changes
        .files
        .iter()
        .enumerate()
        .map(|(at, change)| place(desk, id, at, change))
        .collect();
    let mut places = places?;
    // The disk is slow, and so is a fingerprint of a large content: both at the same time.
    let old_bytes = |place: &Staged| place.old.as_ref().map_or(0, Vec::len);
    let new_bytes = |change: &Change| change.text.as_ref().map_or(0, Vec::len);
    let n_bytes = places.iter().map(old_bytes).sum::<usize>()
        + changes.files.iter().map(new_bytes).sum::<usize>();
    let (staged, prints) = if n_bytes > LARGE_BYTES {
        thread::scope(|scope| {
            let prints = scope.spawn(|| fingerprints(changes, &places));
            let staged = stage_all(desk, id, changes, &places, Syncing::Now);
            (
                staged,
                prints.join().unwrap_or_else(|panic| resume_unwind(panic)),
            )
        })
    } else {
        let staged = stage_all(desk, id, changes, &places, Syncing::WithJournal);
        (staged, fingerprints(changes, &places))
    };
    if staged.is_err() || prints.is_err() {
        withdraw(desk, &places);
    }
    let unsynced = staged?;
    match prints {
        Err(path) => Ok(Stage::Overtaken(path)),
        Ok(prints) => {
            for (place, print) in places.iter_mut().zip(prints) {
                place.after = print;
            }
            if let [only] = places.as_mut_slice() {
                only.unsynced = unsynced;
            }
            Ok(Stage::Ready(places))
        }
    }
}

/// From here on a second thread is worth its start.
const LARGE_BYTES: usize = 128 * 1024;

/// The fingerprints of all new contents; the first file whose old one is not what was planned on, if any.
fn fingerprints(changes: &Changes, places: &[Staged]) -> Result<Vec<Option<ContentHash>>, AbsPath> {
    let print = |(change, place): (&Change, &Staged)| {
        if Base::of(place.old.as_deref()) != change.base {
            return Err(change.path.clone());
        }
        Ok(change.text.as_deref().map(ContentHash::of))
    };
    changes.files.iter().zip(places).map(print).collect()
}

/// When a content that is alone is made durable. Several are, before anything speaks of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syncing {
    /// At once, while its fingerprint is computed.
    Now,
    /// Together with the record that speaks of it, which spares the disk one of two rounds.
    WithJournal,
}

/// Writes all new contents and syncs them; the one that is to be synced later is returned.
fn stage_all(
    desk: &CommitDesk<'_>,
    id: &str,
    changes: &Changes,
    places: &[Staged],
    sync: Syncing,
) -> Result<Option<File>, CommitError> {
    let is_alone = places.len() == 1;
    write_list(desk, id, places).map_err(|error| refused(&desk.state, &error))?;
    let mut unsynced = None;
    for (change, staged) in changes.files.iter().zip(places) {
        let refuse = |error: &io::Error| refused(&staged.spot.path, error);
        let file = stage_one(desk, change, staged).map_err(|error| refuse(&error))?;
        match file {
            Some(file) if !is_alone || sync == Syncing::Now => {
                file.sync_all().map_err(|error| refuse(&error))?;
            }
            file => unsynced = file,
        }
    }
    // A single file has no others to be torn from: should its staged name or content be lost, it is
    // withdrawn, and nobody was told that it is there.
    if changes.leave_no_trace() || is_alone {
        return Ok(unsynced);
    }
    // The record that follows must not outlive the names of what it speaks of.
    let staged = places.iter().filter(|place| place.has_new);
    for (dir, spot) in directories(staged.map(|place| &place.spot)) {
        let synced = desk
            .step("sync staged names", dir)
            .and_then(|()| spot.sync_directory());
        synced.map_err(|error| refused(dir, &error))?;
    }
    Ok(None)
}

/// The directories of files, each with one of those that lie in it.
pub(super) fn directories<'a>(
    spots: impl Iterator<Item = &'a Spot>,
) -> BTreeMap<&'a Path, &'a Spot> {
    spots.map(|spot| (spot.parent(), spot)).collect()
}

/// Removes what was staged for a commit that did not happen.
pub(super) fn withdraw(desk: &CommitDesk<'_>, staged: &[Staged]) {
    remove_staged(staged);
    forget_list(desk);
}

/// Removes staged files, and leaves the list of them alone.
pub(super) fn remove_staged(staged: &[Staged]) {
    for place in staged {
        let _ = place.file().map(|file| place.spot.remove(file));
    }
}

fn place(
    desk: &CommitDesk<'_>,
    id: &str,
    at: usize,
    change: &Change,
) -> Result<Staged, CommitError> {
    let given = Path::new(change.path.as_str());
    let refuse = |error: &io::Error| refused(given, error);
    let spot = match &change.within {
        Some(root) => Spot::below(Path::new(root.as_str()), given.to_owned(), change.form),
        None => Spot::anywhere(given, change.form),
    };
    let spot = spot.map_err(|error| refuse(&error))?;
    if spot.path.to_str().is_none() {
        // The journal could not name it.
        return Err(refuse(&io::Error::other("a path that is not UTF-8")));
    }
    let meta = spot.metadata();
    // A rename would replace it all the same, but its owner said that it must not be written.
    if meta
        .as_ref()
        .is_some_and(|meta| meta.permissions().readonly())
    {
        return Err(refuse(&io::Error::other("the file is read-only")));
    }
    // A rename would separate its names, a write in place would change the others unasked: a backup, another project.
    // Only its owner knows which is meant. Our own state is not shared on purpose.
    let n_links = meta.as_ref().map_or(1, MetadataExt::nlink);
    if n_links > 1 && change.text.is_some() && !spot.path.starts_with(&desk.state) {
        let message = format!(
            "it has {n_links} hard links; make the others symbolic links, or replace it by a copy"
        );
        return Err(refuse(&io::Error::other(message)));
    }
    let old = spot.content().map_err(|error| refuse(&error))?;
    Ok(Staged {
        aside: spot.path.with_file_name(format!("{MARK}{id}-{at}")),
        has_new: change.text.is_some(),
        spot,
        old,
        after: None,
        unsynced: None,
    })
}

/// Writes one new content, and answers the file if it has to be synced.
fn stage_one(desk: &CommitDesk<'_>, change: &Change, staged: &Staged) -> io::Result<Option<File>> {
    let spot = &staged.spot;
    let (Some(file), Some(text)) = (staged.file(), &change.text) else {
        if staged.old.is_some() {
            // Nothing is staged that would tell: once it is committed, nobody could write before it is gone.
            desk.step("see that it may go", &spot.path)?;
            spot.may_be_removed()?;
        }
        return Ok(None);
    };
    desk.step("make directory", spot.parent())?;
    let is_private = change.access == Access::OwnerOnly || desk.is_private(&spot.path);
    spot.make_directory(is_private)?;
    if change.form == Form::Link {
        desk.step("create staged link", file)?;
        spot.create_link(file, text)?;
        return Ok(None);
    }
    let old = spot.open_existing()?;
    desk.step("create staged file", file)?;
    // Closed to others until it has the rights of the file it will replace.
    let mut handle = spot.create(file)?;
    desk.step("write staged file", file)?;
    handle.write_all(text)?;
    desk.step("set rights of staged file", file)?;
    let access = match (&old, is_private) {
        (None, true) => Access::OwnerOnly,
        _ => change.access,
    };
    copy_attributes(&handle, old.as_ref(), access)?;
    if change.trace == Trace::Nothing {
        return Ok(None);
    }
    desk.step("sync staged file", file)?;
    Ok(Some(handle))
}

/// Puts each staged file in its place, without asking whether the disk has it for good.
pub(super) fn put_in_place(desk: &CommitDesk<'_>, staged: &[Staged]) -> Result<(), CommitError> {
    for place in staged {
        let placed = put_one_in_place(desk, place);
        placed.map_err(|error| refused(&place.spot.path, &error))?;
    }
    Ok(())
}

fn put_one_in_place(desk: &CommitDesk<'_>, staged: &Staged) -> io::Result<()> {
    let spot = &staged.spot;
    if let Some(file) = staged.file() {
        desk.step("rename staged file", &spot.path)?;
        return spot.rename(file);
    }
    desk.step("remove file", &spot.path)?;
    spot.remove(&spot.path)
}

/// Notes what is about to be staged, so that the next writer can clean up after a crash.
fn write_list(desk: &CommitDesk<'_>, id: &str, staged: &[Staged]) -> io::Result<()> {
    let files = staged.iter().filter_map(Staged::file);
    let list: Vec<_> = files
        .map(|file| file.to_string_lossy().into_owned())
        .collect();
    desk.step("list staged files", &desk.state)?;
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true);
    let mut file = open_private_file(options, &list_path(desk))?;
    file.write_all(&serde_json::to_vec(&(id, list))?)
}

/// What a crashed writer had staged: the commit's name and its files.
pub(super) fn read_list(desk: &CommitDesk<'_>) -> Option<(String, Vec<String>)> {
    let bytes = fs::read(list_path(desk)).ok()?;
    let (id, files): (String, Vec<String>) = serde_json::from_slice(&bytes).ok()?;
    // Only what we named ourselves may be removed.
    let is_ours = |file: &String| {
        let name = Path::new(file).file_name().unwrap_or_default();
        name.to_string_lossy().starts_with(&format!("{MARK}{id}-"))
    };
    Some((id.clone(), files.into_iter().filter(is_ours).collect()))
}

/// Nothing is staged any more.
pub(super) fn forget_list(desk: &CommitDesk<'_>) {
    let _ = fs::remove_file(list_path(desk));
}

fn list_path(desk: &CommitDesk<'_>) -> PathBuf {
    desk.state.join("staging.json")
}
