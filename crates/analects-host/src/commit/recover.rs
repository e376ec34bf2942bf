//! Cleaning up after a writer that did not finish.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use analects_world::changes::ContentHash;
use analects_world::desk::{CommitError, Outcome, Repaired};

use super::journal::{Entry, Journal, Record};
use super::{CommitDesk, abs, content, refused, stage, unfinished};

/// Finishes a commit that reached its commit point, withdraws one that did not.
pub(super) fn recover(
    desk: &CommitDesk<'_>,
    journal: &mut Journal,
) -> Result<Vec<Repaired>, CommitError> {
    let pending = journal
        .unfinished()
        .map_err(|error| refused(&desk.state, &error))?;
    let mut repaired = Vec::new();
    let committed = pending.as_ref().map(|record| record.id.clone());
    if let Some(record) = pending {
        repaired.extend(finish(desk, journal, record)?);
    }
    if let Some((id, files)) = stage::read_list(desk) {
        if committed.as_ref() != Some(&id) {
            let n_left = files
                .iter()
                .filter(|file| fs::remove_file(file).is_ok())
                .count();
            if n_left > 0 {
                repaired.push(Repaired {
                    id,
                    outcome: Outcome::Withdrawn,
                });
            }
        }
        stage::forget_list(desk);
    }
    Ok(repaired)
}

/// Finishes a committed record; or, if none of its files is in place yet and one of them was changed by
/// someone else since, withdraws it whole: all old is as good as all new.
fn finish(
    desk: &CommitDesk<'_>,
    journal: &mut Journal,
    record: Record,
) -> Result<Option<Repaired>, CommitError> {
    let is_begun = record.files.iter().any(is_in_place);
    let was_open = !record.files.iter().all(is_in_place);
    if !is_begun && !record.files.iter().all(is_untouched) {
        let staged = record
            .files
            .iter()
            .filter_map(|entry| entry.staged.as_ref());
        staged.for_each(|file| drop(fs::remove_file(file)));
        let noted = journal.append_withdrawn(desk, &record.id);
        noted.map_err(|error| refused(&desk.state, &error))?;
        let outcome = Outcome::Withdrawn;
        return Ok(Some(Repaired {
            id: record.id,
            outcome,
        }));
    }
    let conflicts = roll_forward(desk, &record)?;
    let _ = journal.append_done(desk, &record.id);
    let outcome = if conflicts.is_empty() {
        Outcome::Finished
    } else {
        Outcome::Conflicts(conflicts.iter().map(|path| abs(path)).collect())
    };
    let is_news = was_open || outcome != Outcome::Finished;
    Ok(is_news.then_some(Repaired {
        id: record.id,
        outcome,
    }))
}

/// Whether a file is as it was before the commit, and its new content waits, whole.
fn is_untouched(entry: &Entry) -> bool {
    let waits = |staged: &String| hash(Path::new(staged)).is_ok_and(|held| held == entry.after);
    let is_old = hash(Path::new(&entry.target)).is_ok_and(|now| now == entry.before);
    is_old && entry.staged.as_ref().is_none_or(waits)
}

/// Puts every file of a committed record in place. Files that someone else has changed since are left
/// as they are: these are returned.
pub(super) fn roll_forward(
    desk: &CommitDesk<'_>,
    record: &Record,
) -> Result<Vec<PathBuf>, CommitError> {
    let mut conflicts = Vec::new();
    for entry in &record.files {
        let target = PathBuf::from(&entry.target);
        match settle(desk, entry, &target) {
            Ok(true) => {}
            Ok(false) => conflicts.push(target),
            Err(error) => return Err(unfinished(&target, &error)),
        }
    }
    sync_directories(desk, record)?;
    Ok(conflicts)
}

/// The same for a record whose files were just seen to be as they were.
pub(super) fn put_all_in_place(desk: &CommitDesk<'_>, record: &Record) -> Result<(), CommitError> {
    for entry in &record.files {
        let target = Path::new(&entry.target);
        put_in_place(desk, entry, target).map_err(|error| unfinished(target, &error))?;
    }
    sync_directories(desk, record)
}

fn sync_directories(desk: &CommitDesk<'_>, record: &Record) -> Result<(), CommitError> {
    let targets = record.files.iter().map(|entry| Path::new(&entry.target));
    let dirs: BTreeSet<_> = targets.filter_map(Path::parent).collect();
    for dir in dirs {
        let synced = desk
            .step("sync directory", dir)
            .and_then(|()| File::open(dir)?.sync_all());
        match synced {
            // A directory that is gone has nothing left to lose.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            synced => synced.map_err(|error| unfinished(dir, &error))?,
        }
    }
    Ok(())
}

/// True if the file now has, or already had, its new content; false if it cannot get it any more.
fn settle(desk: &CommitDesk<'_>, entry: &Entry, target: &Path) -> io::Result<bool> {
    // Something that is no readable file stands there by now: someone else's work.
    let Ok(now) = hash(target) else {
        return Ok(false);
    };
    if now == entry.after {
        if let Some(staged) = &entry.staged {
            let _ = fs::remove_file(staged);
        }
        return Ok(true);
    }
    if now != entry.before {
        return Ok(false);
    }
    match put_in_place(desk, entry, target) {
        // It was in place, and someone has put the old content back since.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        placed => placed.map(|()| true),
    }
}

fn put_in_place(desk: &CommitDesk<'_>, entry: &Entry, target: &Path) -> io::Result<()> {
    match &entry.staged {
        Some(staged) => {
            desk.step("rename staged file", target)?;
            fs::rename(staged, target)
        }
        None => {
            desk.step("remove file", target)?;
            fs::remove_file(target)
        }
    }
}

fn is_in_place(entry: &Entry) -> bool {
    hash(Path::new(&entry.target)).is_ok_and(|now| now == entry.after)
}

fn hash(path: &Path) -> io::Result<Option<String>> {
    Ok(content(path)?.map(|bytes| ContentHash::of(&bytes).to_string()))
}
