//! The journal: one line per commit, which is also its intent log.
//!
//! A line is durable before any file is touched; a second, short line says that all files are in place.
//! Lines carry hashes of both sides, the splice that leads back, and a checksum of themselves.

mod backwards;
mod record;

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use analects_world::desk::{JournalDamage, MAX_DAMAGED_LINES};
use analects_world::log::Logged;
use serde::Deserialize;

use super::CommitDesk;
use crate::private_dir::open_private_file;
use backwards::Backwards;
pub(super) use record::{Entry, Record};
use record::{VERSION, now_ms};

/// The journal, opened under the lock.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    is_new: bool,
    /// A record that failed to become durable could not be taken back either.
    is_stuck: bool,
}

impl Journal {
    pub(super) fn open(state: &Path) -> io::Result<Self> {
        let path = state.join("journal.jsonl");
        let is_new = !path.exists();
        // It tells what was in files that others may not read.
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let file = open_private_file(options, &path)?;
        Ok(Self {
            file,
            is_new,
            is_stuck: false,
        })
    }

    /// The name of the last commit, if it is not known to be done; changes nothing.
    pub(super) fn look(state: &Path) -> io::Result<Option<String>> {
        let file = File::open(state.join("journal.jsonl"))?;
        let journal = Self {
            file,
            is_new: false,
            is_stuck: false,
        };
        let (line, _) = journal.last_line()?;
        Ok(line
            .and_then(|line| open_record(&line))
            .map(|record| record.id))
    }

    /// A name that no other commit of this home has: time, process, and length of the journal.
    pub(super) fn new_id(&self) -> String {
        let len = self.file.metadata().map_or(0, |meta| meta.len());
        format!("{:x}-{:x}-{len:x}", now_ms(), std::process::id())
    }

    /// Makes a record durable. If that fails, it is taken back.
    pub(super) fn append(&mut self, desk: &CommitDesk<'_>, record: &Record) -> io::Result<()> {
        self.append_with(desk, record, None)
    }

    /// Makes a record durable, and the staged content it speaks of at the same time: file systems do both
    /// in one go. A record without its content is withdrawn by whoever finds it.
    pub(super) fn append_with(
        &mut self,
        desk: &CommitDesk<'_>,
        record: &Record,
        staged: Option<&File>,
    ) -> io::Result<()> {
        let before = self.file.metadata()?.len();
        let written = self.write(desk, record).and_then(|()| {
            desk.step("sync journal", &desk.state)?;
            sync_both(&self.file, staged)?;
            if self.is_new {
                desk.step("sync state directory", &desk.state)?;
                File::open(&desk.state)?.sync_all()?;
                self.is_new = false;
            }
            Ok(())
        });
        if written.is_err() {
            // A record that may or may not be durable must not be found by the next writer.
            let taken_back = self
                .file
                .set_len(before)
                .and_then(|()| self.file.sync_all());
            self.is_stuck = taken_back.is_err();
        }
        written
    }

    pub(super) fn is_stuck(&self) -> bool {
        self.is_stuck
    }

    /// Takes back the record appended last, before anything was done about it.
    pub(super) fn take_back(&mut self, desk: &CommitDesk<'_>, record: &Record) -> io::Result<()> {
        desk.step("take back from journal", &desk.state)?;
        let line = record.line()?.len() as u64;
        let len = self.file.metadata()?.len();
        self.file.set_len(len.saturating_sub(line))?;
        self.file.sync_all()
    }

    /// Notes that all files of a commit are in place; nothing depends on its durability.
    pub(super) fn append_done(&mut self, desk: &CommitDesk<'_>, id: &str) -> io::Result<()> {
        self.write(desk, &Record::done(id))
    }

    /// Notes, durably, that a commit was taken back: its files are as they were.
    pub(super) fn append_withdrawn(&mut self, desk: &CommitDesk<'_>, id: &str) -> io::Result<()> {
        self.append(desk, &Record::withdrawn(id))
    }

    fn write(&mut self, desk: &CommitDesk<'_>, record: &Record) -> io::Result<()> {
        let line = record.line()?;
        desk.step("append to journal", &desk.state)?;
        self.file.write_all(&line)
    }

    /// The last commit, if it is not known to be done. A torn last line never was a commit: it is cut.
    pub(super) fn unfinished(&mut self) -> io::Result<Option<Record>> {
        let (last, end) = self.last_line()?;
        if end < self.file.metadata()?.len() {
            self.file.set_len(end)?;
        }
        if let Some(newer) = last.as_deref().filter(|line| is_newer(line)) {
            let n_bytes = newer.len();
            let message = format!("its last record ({n_bytes} bytes) is of a newer version");
            return Err(io::Error::other(message));
        }
        Ok(last.and_then(|line| open_record(&line)))
    }

    /// The last whole line, and where it ends.
    fn last_line(&self) -> io::Result<(Option<Vec<u8>>, u64)> {
        let mut pieces = Backwards::new(&self.file)?;
        let torn = pieces.piece()?.map_or(0, |piece| piece.len() as u64);
        let end = self.file.metadata()?.len().saturating_sub(torn);
        let line = pieces.piece()?;
        let end = if line.is_some() { end } else { 0 };
        Ok((line, end))
    }
}

fn sync_both(journal: &File, staged: Option<&File>) -> io::Result<()> {
    let Some(staged) = staged else {
        return journal.sync_all();
    };
    thread::scope(|scope| {
        let content = scope.spawn(|| staged.sync_all());
        let record = journal.sync_all();
        let content = content.join().unwrap_or_else(|panic| resume_unwind(panic));
        record.and(content)
    })
}

/// Tells of every commit in the journal, the newest first, until `visit` answers false. Changes nothing.
pub(super) fn read(state: &Path, visit: &mut dyn FnMut(Logged) -> bool) -> io::Result<()> {
    let file = match File::open(state.join("journal.jsonl")) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut pieces = Backwards::new(&file)?;
    let mut withdrawn = HashSet::new();
    // What stands after the last line end was never a commit.
    pieces.piece()?;
    while let Some(line) = pieces.piece()? {
        let goes_on = match JournalLine::parse(&line) {
            JournalLine::Other => true,
            JournalLine::Unreadable => visit(Logged::unreadable()),
            JournalLine::Whole(record) | JournalLine::Altered(record) if record.withdrawn => {
                withdrawn.insert(record.id);
                true
            }
            JournalLine::Whole(record) | JournalLine::Altered(record) if record.done => true,
            JournalLine::Whole(record) => withdrawn.remove(&record.id) || visit(record.logged()),
            JournalLine::Altered(record) => {
                withdrawn.remove(&record.id) || visit(record.logged_as_altered())
            }
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Reads all lines and counts those that are damaged. Changes nothing.
pub(super) fn check(state: &Path) -> io::Result<JournalDamage> {
    let mut damage = JournalDamage::default();
    let file = match File::open(state.join("journal.jsonl")) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(damage),
        Err(error) => return Err(error),
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let Some(whole) = line.strip_suffix(b"\n") else {
            damage.is_torn = true;
            break;
        };
        let is_damaged = match JournalLine::parse(whole) {
            JournalLine::Other => false,
            JournalLine::Unreadable | JournalLine::Altered(_) => true,
            JournalLine::Whole(record) => record.logged().damage.is_some(),
        };
        damage.n_damaged += usize::from(is_damaged);
        if is_damaged && damage.lines.len() < MAX_DAMAGED_LINES {
            damage.lines.push(number);
        }
    }
    Ok(damage)
}

/// What a line of the journal is.
enum JournalLine {
    /// A record as it was written, as far as its checksum says; lines of older versions have none.
    Whole(Record),
    /// A record whose checksum does not fit.
    Altered(Record),
    /// No record.
    Unreadable,
    /// Nothing for this version: an empty line, or a record of a newer version.
    Other,
}

impl JournalLine {
    fn parse(line: &[u8]) -> Self {
        if line.is_empty() || is_newer(line) {
            return Self::Other;
        }
        match serde_json::from_slice::<Record>(line) {
            Err(_) => Self::Unreadable,
            Ok(record) if record::has_wrong_sum(line) => Self::Altered(record),
            Ok(record) => Self::Whole(record),
        }
    }
}

/// Whether a later version wrote this line: only it knows how to finish what it began.
fn is_newer(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    serde_json::from_slice::<Version>(line).is_ok_and(|line| line.v > VERSION)
}

/// The commit that a line records, if it may be unfinished. A damaged line commits nothing.
fn open_record(line: &[u8]) -> Option<Record> {
    match JournalLine::parse(line) {
        JournalLine::Whole(record) if !record.done => Some(record),
        _ => None,
    }
}
