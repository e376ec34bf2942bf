//! The one commit point: everything that is written, is written here.
//!
//! 1. Take our lock, then the locks of the guarded files.
//! 2. Finish or withdraw what a crashed writer left.
//! 3. Plan; compare every base with the disk.
//! 4. Stage each new content beside its target and sync it; one alone is synced in the next step.
//! 5. Append one record to the journal and sync it: this is the commit point.
//! 6. Exchange each staged file with its target, compare what came out with what was planned on, remove the old
//!    versions, sync the directories, append that it is done. If another program saved a file meanwhile, all go back.
//!
//! Before step 5 a failure leaves every file as it was; after it, whoever takes the lock next rolls
//! forward. A file that must lie inside a directory is reached from there by handles, and by no link.

mod attributes;
mod gate;
mod journal;
mod lock;
mod mkdir_lock;
mod recover;
mod spot;
mod stage;
mod swap;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use analects_world::AbsPath;
use analects_world::changes::Changes;
use analects_world::desk::{
    CommitError, Desk, Guard, JournalDamage, Plan, Receipt, Repaired, Status,
};
use analects_world::log::Logged;

use crate::Disk;
use crate::private_dir::secure_private_dir;
pub use gate::{Gate, OpenGate};
use journal::{Journal, Record};
use stage::Staged;

/// How often a plan is made anew because a file changed under it.
const MAX_PLANS: usize = 10;

/// How often locks are taken again because another program removed one.
const MAX_LOCKS: usize = 3;

/// A commit takes milliseconds; whoever holds the lock longer is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// No file of ours or of the user's memory comes near this.
const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// The commit point of one home: its state lies in `~/.gemini/analects/`.
pub struct CommitDesk<'a> {
    state: PathBuf,
    gate: &'a dyn Gate,
    patience: Duration,
}

impl<'a> CommitDesk<'a> {
    /// A desk that keeps its lock and journal in `state`.
    ///
    /// The directory above it (`~/.gemini`) is the user's own: what is created in there is for its owner only.
    #[must_use]
    pub fn new(state: &AbsPath, gate: &'a dyn Gate) -> Self {
        Self {
            state: PathBuf::from(state.as_str()),
            gate,
            patience: PATIENCE,
        }
    }

    /// The same desk, which waits so long for others and then says that it is busy.
    #[must_use]
    pub fn patient_for(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// True if a path is in the user's own directory.
    fn is_private(&self, path: &Path) -> bool {
        self.state.parent().is_some_and(|own| path.starts_with(own))
    }

    fn step(&self, name: &str, path: &Path) -> io::Result<()> {
        self.gate.pass(name, path)
    }

    /// Takes our lock and cleans up after whoever held it last.
    fn enter(&self) -> Result<(lock::Held, Journal, Vec<Repaired>), CommitError> {
        let refused = |error: &io::Error| refused(&self.state, error);
        self.step("make state directory", &self.state)
            .and_then(|()| secure_private_dir(&self.state))
            .map_err(|error| refused(&error))?;
        let held = lock::take(&self.state.join("lock"), self.patience)?;
        self.step("open journal", &self.state)
            .map_err(|error| refused(&error))?;
        let mut journal = Journal::open(&self.state).map_err(|error| refused(&error))?;
        let repaired = recover::recover(self, &mut journal)?;
        Ok((held, journal, repaired))
    }

    fn write(
        &self,
        changes: &Changes,
        journal: &mut Journal,
        locks: &HeldLocks,
    ) -> Result<Written, CommitError> {
        let id = journal.new_id();
        let staged = match stage::stage(self, &id, changes)? {
            stage::Stage::Ready(staged) => staged,
            stage::Stage::Overtaken(path) => return Ok(Written::Overtaken(path)),
        };
        if !locks.are_ours() {
            // Another writer may be at work by now, and the list of staged files may be its own.
            stage::remove_staged(&staged);
            return Ok(Written::LockLost);
        }
        if changes.leave_no_trace() {
            return self.write_lightly(changes, &staged, id);
        }
        let record = Record::intent(&id, changes, &staged);
        let unsynced = staged.first().and_then(|staged| staged.unsynced.as_ref());
        if let Err(error) = journal.append_with(self, &record, unsynced) {
            if journal.is_stuck() {
                // The record could not be taken back: it stands, and so must what it speaks of.
                return Err(unfinished(&self.state, &error));
            }
            stage::withdraw(self, &staged);
            let path = staged
                .first()
                .map_or(&self.state, |staged| &staged.spot.path);
            return Err(refused(path, &error));
        }
        let overtaken = match overtaken(changes, &staged) {
            Ok(None) => recover::put_all_in_place(self, &staged)?.map_or(Ok(None), |at| {
                let file = changes.files.get(at);
                Ok(file.map(|file| file.path.clone()))
            }),
            overtaken => overtaken,
        };
        if !matches!(overtaken, Ok(None)) {
            // Another program was faster, and nothing is in place: the record is taken back.
            let taken_back = journal.take_back(self, &record);
            taken_back.map_err(|error| unfinished(&self.state, &error))?;
            stage::withdraw(self, &staged);
            return overtaken.map(|path| Written::Overtaken(path.unwrap_or_else(AbsPath::root)));
        }
        // Only spares the next writer a look: if this is lost, it finds everything in place.
        let _ = journal.append_done(self, &id);
        stage::forget_list(self);
        Ok(Written::As(id))
    }
}

impl CommitDesk<'_> {
    /// Puts staged files in place, one by one, without a line in the journal.
    fn write_lightly(
        &self,
        changes: &Changes,
        staged: &[Staged],
        id: String,
    ) -> Result<Written, CommitError> {
        let written = overtaken(changes, staged).and_then(|overtaken| match overtaken {
            Some(path) => Ok(Written::Overtaken(path)),
            None => {
                stage::put_in_place(self, staged)?;
                Ok(Written::As(id))
            }
        });
        // What is in place by now is no longer staged.
        stage::withdraw(self, staged);
        written
    }
}

/// What became of changes that were about to be written.
enum Written {
    /// They are in place, under this name.
    As(String),
    /// This file was changed by someone else in the meantime; nothing happened.
    Overtaken(AbsPath),
    /// A lock that we held was removed or replaced; nothing happened.
    LockLost,
}

/// The locks that are held during a commit.
struct HeldLocks {
    own: lock::Held,
    foreign: Vec<mkdir_lock::Held>,
}

impl HeldLocks {
    /// False if one of them was removed or replaced, so that others may be writing too.
    fn are_ours(&self) -> bool {
        self.own.is_ours() && self.foreign.iter().all(mkdir_lock::Held::is_ours)
    }
}

impl Desk for CommitDesk<'_> {
    fn commit(&self, guards: &[Guard], plan: &mut Plan<'_>) -> Result<Receipt, CommitError> {
        for _ in 0..MAX_LOCKS {
            if let Some(receipt) = self.commit_under_locks(guards, plan)? {
                return Ok(receipt);
            }
        }
        Err(refused(
            &self.state.join("lock"),
            &io::Error::other("another program keeps removing the lock"),
        ))
    }

    fn repair(&self) -> Result<Vec<Repaired>, CommitError> {
        if !self.state.exists() {
            return Ok(Vec::new());
        }
        self.enter().map(|(_, _, repaired)| repaired)
    }

    fn status(&self) -> Status {
        let holder = lock::holder(&self.state.join("lock"));
        let journal = Journal::look(&self.state).ok().flatten();
        let staged = stage::read_list(self).map(|(id, _)| id);
        Status {
            unfinished: journal.or(staged).filter(|_| holder.is_none()),
            holder,
        }
    }

    fn log(&self, visit: &mut dyn FnMut(Logged) -> bool) -> Result<(), CommitError> {
        journal::read(&self.state, visit).map_err(|error| refused(&self.state, &error))
    }

    fn check_journal(&self) -> Result<JournalDamage, CommitError> {
        journal::check(&self.state).map_err(|error| refused(&self.state, &error))
    }
}

impl CommitDesk<'_> {
    /// Takes all locks and commits; `None` if a lock was lost before the commit point.
    fn commit_under_locks(
        &self,
        guards: &[Guard],
        plan: &mut Plan<'_>,
    ) -> Result<Option<Receipt>, CommitError> {
        let (own, mut journal, repaired) = self.enter()?;
        let foreign = mkdir_lock::take_all(guards, self.patience)?;
        let locks = HeldLocks { own, foreign };
        let mut restless = None;
        for _ in 0..MAX_PLANS {
            let Some(changes) = plan(&Disk) else {
                return Err(CommitError::Abandoned);
            };
            let files: Vec<_> = changes.files.iter().map(|file| file.path.clone()).collect();
            if files.is_empty() {
                return Ok(Some(Receipt {
                    id: None,
                    files,
                    repaired,
                }));
            }
            match self.write(&changes, &mut journal, &locks)? {
                Written::As(id) => {
                    for dir in &changes.emptied {
                        // One that is not empty, or not ours to remove, stays.
                        let _ = fs::remove_dir(dir.as_str());
                    }
                    return Ok(Some(Receipt {
                        id: Some(id),
                        files,
                        repaired,
                    }));
                }
                Written::LockLost => return Ok(None),
                Written::Overtaken(path) => restless = Some(path),
            }
        }
        Err(CommitError::Restless(
            restless.unwrap_or_else(AbsPath::root),
        ))
    }
}

/// The first file that no longer holds what it held when it was staged.
fn overtaken(changes: &Changes, staged: &[Staged]) -> Result<Option<AbsPath>, CommitError> {
    for (change, staged) in changes.files.iter().zip(staged) {
        let spot = &staged.spot;
        let now = spot.insist().and_then(|()| spot.content());
        if now.map_err(|error| refused(&spot.path, &error))? != staged.old {
            return Ok(Some(change.path.clone()));
        }
    }
    Ok(None)
}

fn refused(path: &Path, error: &io::Error) -> CommitError {
    CommitError::Refused {
        path: abs(path),
        message: plain(error),
    }
}

fn unfinished(path: &Path, error: &io::Error) -> CommitError {
    CommitError::Unfinished {
        path: abs(path),
        message: plain(error),
    }
}

fn abs(path: &Path) -> AbsPath {
    AbsPath::root().join(&path.to_string_lossy())
}

/// What the system said, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text.get(..end).unwrap_or(&text).to_lowercase()
}

#[cfg(test)]
mod tests;
