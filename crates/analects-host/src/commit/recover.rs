//! Cleaning up after a writer that did not finish.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use analects_world::changes::{ContentHash, Form};
use analects_world::desk::{CommitError, Outcome, Repaired};

use super::journal::{Entry, Journal, Record};
use super::spot::Spot;
use super::stage::Staged;
use super::swap::{FileSwap, FileVersion, SwapOutcome};
use super::{CommitDesk, abs, refused, stage, unfinished};

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
    let was_open = !record.files.iter().all(is_in_place);
    record
        .files
        .iter()
        .try_for_each(|entry| return_foreign_save(desk, entry))?;
    let is_begun = record.files.iter().any(is_in_place);
    if !is_begun && !record.files.iter().all(is_untouched) {
        let kept = record.files.iter().filter(|entry| !forget(entry));
        let kept: Vec<_> = kept.map(|entry| abs(Path::new(&entry.target))).collect();
        let noted = journal.append_withdrawn(desk, &record.id);
        noted.map_err(|error| refused(&desk.state, &error))?;
        let outcome = if kept.is_empty() {
            Outcome::Withdrawn
        } else {
            Outcome::Conflicts(kept)
        };
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
    let Ok(spot) = reach(entry) else {
        return false;
    };
    let is_old = hash(&spot, &spot.path).is_ok_and(|now| now == entry.before);
    let waits =
        |staged: &String| hash(&spot, Path::new(staged)).is_ok_and(|held| held == entry.after);
    is_old && entry.staged.as_ref().is_none_or(waits)
}

/// Puts every file of a committed record in place. Files that someone else has changed since, or that lead
/// elsewhere by now, are left as they are: these are returned.
pub(super) fn roll_forward(
    desk: &CommitDesk<'_>,
    record: &Record,
) -> Result<Vec<PathBuf>, CommitError> {
    let mut conflicts = Vec::new();
    let mut spots = Vec::new();
    for entry in &record.files {
        let target = PathBuf::from(&entry.target);
        let Ok(spot) = reach(entry) else {
            conflicts.push(target);
            continue;
        };
        match settle(desk, entry, &spot) {
            Ok(true) => {}
            Ok(false) => conflicts.push(target),
            Err(error) => return Err(unfinished(&target, &error)),
        }
        spots.push(spot);
    }
    sync_directories(desk, spots.iter())?;
    Ok(conflicts)
}

/// Puts all staged files in place and removes the old versions. If another program saved one of them meanwhile, all
/// are put back, and its index is returned.
pub(super) fn put_all_in_place(
    desk: &CommitDesk<'_>,
    staged: &[Staged],
) -> Result<Option<usize>, CommitError> {
    let failed = |staged: &Staged, error: &io::Error| unfinished(&staged.spot.path, error);
    let spots = || staged.iter().map(|staged| &staged.spot);
    for (at, one) in staged.iter().enumerate() {
        let placed = one.swap().put(desk).map_err(|error| failed(one, &error))?;
        if placed == SwapOutcome::InPlace {
            continue;
        }
        for earlier in staged.iter().take(at).rev() {
            let back = earlier.swap().put_back(desk);
            back.map_err(|error| failed(earlier, &error))?;
        }
        // The record must not be gone while one of its files is still exchanged.
        sync_directories(desk, spots())?;
        return Ok(Some(at));
    }
    for one in staged {
        let removed = one.swap().remove_old(desk);
        removed.map_err(|error| failed(one, &error))?;
    }
    sync_directories(desk, spots())?;
    Ok(None)
}

fn sync_directories<'a>(
    desk: &CommitDesk<'_>,
    spots: impl Iterator<Item = &'a Spot>,
) -> Result<(), CommitError> {
    for (dir, spot) in stage::directories(spots) {
        let synced = desk
            .step("sync directory", dir)
            .and_then(|()| spot.sync_directory());
        match synced {
            // A directory that is gone has nothing left to lose.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            synced => synced.map_err(|error| unfinished(dir, &error))?,
        }
    }
    Ok(())
}

/// True if the file now has, or already had, its new content; false if it cannot get it any more.
fn settle(desk: &CommitDesk<'_>, entry: &Entry, spot: &Spot) -> io::Result<bool> {
    // Something that cannot be read as a file is there by now: another program's work.
    let Ok(now) = hash(spot, &spot.path) else {
        return Ok(false);
    };
    let Some(aside) = aside(entry) else {
        // A version before this one removed files without keeping them.
        return remove_without_aside(desk, entry, spot, now.as_ref());
    };
    let swap = swap(entry, spot, aside);
    if now == entry.after {
        let _ = spot.remove(aside);
        return Ok(true);
    }
    if now != entry.before {
        return Ok(false);
    }
    match swap.put(desk) {
        // It was in place, and someone has put the old content back since.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Ok(SwapOutcome::InPlace) => swap.remove_old(desk).map(|()| true),
        placed => placed.map(|_| false),
    }
}

fn remove_without_aside(
    desk: &CommitDesk<'_>,
    entry: &Entry,
    spot: &Spot,
    now: Option<&String>,
) -> io::Result<bool> {
    if now == entry.after.as_ref() || now != entry.before.as_ref() {
        return Ok(now == entry.after.as_ref());
    }
    desk.step("remove file", &spot.path)?;
    spot.remove(&spot.path).map(|()| true)
}

/// Gives a file back the save of another program that came between a dead writer's last look and its exchange.
fn return_foreign_save(desk: &CommitDesk<'_>, entry: &Entry) -> Result<(), CommitError> {
    let (Ok(spot), Some(aside)) = (reach(entry), aside(entry)) else {
        return Ok(());
    };
    let swap = swap(entry, &spot, aside);
    if !is_in_place(entry) || !swap.holds_foreign_save() {
        return Ok(());
    }
    let back = swap.put_back(desk);
    back.map_err(|error| unfinished(&spot.path, &error))
}

/// Removes what waits for a file, if it can still be reached. A version that may be another program's is kept; then
/// this returns false.
fn forget(entry: &Entry) -> bool {
    let (Ok(spot), Some(aside)) = (reach(entry), aside(entry)) else {
        return true;
    };
    // While the file is as it was before, nothing was exchanged: what waits is ours, even if it is torn.
    let is_untouched = hash(&spot, &spot.path).is_ok_and(|now| now == entry.before);
    if !is_untouched && swap(entry, &spot, aside).holds_foreign_save() {
        return false;
    }
    let _ = spot.remove(aside);
    true
}

/// Where the new version waits, and then the old one.
fn aside(entry: &Entry) -> Option<&Path> {
    let aside = entry.staged.as_ref().or(entry.aside.as_ref());
    aside.map(Path::new)
}

fn swap<'a>(entry: &Entry, spot: &'a Spot, aside: &'a Path) -> FileSwap<'a> {
    let version = |hex: &Option<String>| match hex {
        Some(hex) => ContentHash::parse(hex).map_or(FileVersion::Unknown, FileVersion::Hash),
        None => FileVersion::Absent,
    };
    FileSwap {
        spot,
        aside,
        old: version(&entry.before),
        new: version(&entry.after),
    }
}

fn reach(entry: &Entry) -> io::Result<Spot> {
    let form = match entry.link {
        true => Form::Link,
        false => Form::File,
    };
    Spot::again(entry.within.as_deref(), &entry.target, form)
}

fn is_in_place(entry: &Entry) -> bool {
    reach(entry)
        .and_then(|spot| hash(&spot, &spot.path))
        .is_ok_and(|now| now == entry.after)
}

fn hash(spot: &Spot, beside: &Path) -> io::Result<Option<String>> {
    let bytes = spot.content_of(beside)?;
    Ok(bytes.map(|bytes| ContentHash::of(&bytes).to_string()))
}
