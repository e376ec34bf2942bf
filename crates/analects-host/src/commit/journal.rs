//! The journal: one line a commit, which is also its intent log.
//!
//! A line is durable before any file is touched; a second, short line says that all files are in place.
//! Lines carry hashes of both sides and the splice that leads back.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use analects_world::changes::{Base, Changes};
use serde::{Deserialize, Serialize};

use super::CommitDesk;
use super::stage::Staged;

/// The version of the format. A reader of a newer one reads all older ones.
const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    v: u32,
    pub(super) id: String,
    /// Milliseconds since 1970.
    at: u64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) done: bool,
    /// Set beside `done` if the commit was taken back instead of finished.
    #[serde(default, skip_serializing_if = "is_false")]
    withdrawn: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    who: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    why: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<Entry>,
}

/// One file of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// As the user calls it.
    pub(super) path: String,
    /// What it really is.
    pub(super) target: String,
    /// Where the new content waits; none if the file is removed.
    pub(super) staged: Option<String>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    undo: Undo,
}

/// What leads back from the new content to the old one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Undo {
    /// There was no file.
    Remove,
    /// Replace `len` bytes at `at` by this text.
    Splice { at: usize, len: usize, text: String },
    /// The same for what is not UTF-8, in hexadecimal.
    SpliceHex { at: usize, len: usize, hex: String },
}

impl Record {
    pub(super) fn intent(id: &str, changes: &Changes, staged: &[Staged]) -> Self {
        let files = changes
            .files
            .iter()
            .zip(staged)
            .map(|(change, staged)| Entry {
                path: change.path.to_string(),
                target: staged.target.to_string_lossy().into_owned(),
                staged: staged
                    .file
                    .as_ref()
                    .map(|file| file.to_string_lossy().into_owned()),
                before: match change.base {
                    Base::Absent => None,
                    Base::Had(hash) => Some(hash.to_string()),
                },
                after: staged.after.map(|hash| hash.to_string()),
                undo: undo(
                    staged.old.as_deref(),
                    change.text.as_deref().unwrap_or_default(),
                ),
            });
        Self {
            v: VERSION,
            id: id.to_owned(),
            at: now_ms(),
            done: false,
            withdrawn: false,
            who: changes.who.clone(),
            why: changes.why.clone(),
            files: files.collect(),
        }
    }

    fn done(id: &str) -> Self {
        Self {
            v: VERSION,
            id: id.to_owned(),
            at: now_ms(),
            done: true,
            withdrawn: false,
            who: String::new(),
            why: String::new(),
            files: Vec::new(),
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// What the two contents do not share, from the old one's side.
fn undo(old: Option<&[u8]>, new: &[u8]) -> Undo {
    let Some(old) = old else { return Undo::Remove };
    let at = shared(old.chunks(BLOCK), new.chunks(BLOCK), |a, b| {
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    });
    let rest = (
        old.get(at..).unwrap_or_default(),
        new.get(at..).unwrap_or_default(),
    );
    let tail = shared(rest.0.rchunks(BLOCK), rest.1.rchunks(BLOCK), |a, b| {
        let pairs = a.iter().rev().zip(b.iter().rev());
        pairs.take_while(|(a, b)| a == b).count()
    });
    let gone = rest.0.get(..rest.0.len() - tail).unwrap_or_default();
    let len = rest.1.len() - tail;
    match std::str::from_utf8(gone) {
        Ok(text) => Undo::Splice {
            at,
            len,
            text: text.to_owned(),
        },
        Err(_) => Undo::SpliceHex {
            at,
            len,
            hex: gone.iter().map(|byte| format!("{byte:02x}")).collect(),
        },
    }
}

/// No record comes near this: not even one that undoes a file of the largest size.
const MAX_RECORD_BYTES: u64 = 1024 * 1024 * 1024;

/// Compared at once: equal blocks are passed over at the speed of memory.
const BLOCK: usize = 4096;

/// How many bytes two contents share from one end on, given their blocks from there.
fn shared<'a>(
    a: impl Iterator<Item = &'a [u8]>,
    b: impl Iterator<Item = &'a [u8]>,
    count: impl Fn(&[u8], &[u8]) -> usize,
) -> usize {
    let mut n_shared = 0;
    for (a, b) in a.zip(b) {
        if a == b {
            n_shared += a.len();
        } else {
            return n_shared + count(a, b);
        }
    }
    n_shared
}

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
        let options = options.read(true).append(true).create(true).mode(0o600);
        let file = options.open(path)?;
        Ok(Self {
            file,
            is_new,
            is_stuck: false,
        })
    }

    /// The name of the last commit, if it is not known to be done; changes nothing.
    pub(super) fn look(state: &Path) -> io::Result<Option<String>> {
        let file = File::open(state.join("journal.jsonl"))?;
        let mut journal = Self {
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
        let before = self.file.metadata()?.len();
        let written = self.write(desk, record).and_then(|()| {
            desk.step("sync journal", &desk.state)?;
            self.file.sync_all()?;
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
        let line = serde_json::to_vec(record)?.len() as u64 + 1;
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
        let record = Record {
            withdrawn: true,
            ..Record::done(id)
        };
        self.append(desk, &record)
    }

    fn write(&mut self, desk: &CommitDesk<'_>, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
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
    fn last_line(&mut self) -> io::Result<(Option<Vec<u8>>, u64)> {
        let len = self.file.metadata()?.len();
        let mut window = 64 * 1024_u64;
        loop {
            let start = len.saturating_sub(window);
            let mut tail = Vec::new();
            self.file.seek(SeekFrom::Start(start))?;
            Read::by_ref(&mut self.file)
                .take(len - start)
                .read_to_end(&mut tail)?;
            let end = tail.iter().rposition(|&byte| byte == b'\n');
            let line = end.and_then(|end| tail.get(..end));
            let begin = line.and_then(|line| line.iter().rposition(|&byte| byte == b'\n'));
            if begin.is_none() && start > 0 {
                window *= 8;
                if window > MAX_RECORD_BYTES {
                    return Err(io::Error::other("the journal has no line ends"));
                }
                continue;
            }
            let (Some(line), Some(end)) = (line, end) else {
                return Ok((None, 0));
            };
            let line = line.get(begin.map_or(0, |at| at + 1)..).unwrap_or_default();
            return Ok((Some(line.to_vec()), start + end as u64 + 1));
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

/// The commit that a line tells of, if it may be unfinished. A line that makes no sense is left for people
/// to look at; it commits nothing.
fn open_record(line: &[u8]) -> Option<Record> {
    let record = serde_json::from_slice::<Record>(line).ok()?;
    (!record.done && record.v <= VERSION).then_some(record)
}

fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_is_the_part_that_differs() {
        let splice = |at, len, text: &str| Undo::Splice {
            at,
            len,
            text: text.to_owned(),
        };
        assert_eq!(undo(None, b"x"), Undo::Remove);
        assert_eq!(undo(Some(b"a b c"), b"a X c"), splice(2, 1, "b"));
        assert_eq!(undo(Some(b"aa"), b"aaa"), splice(2, 1, ""));
        assert_eq!(undo(Some(b"abc"), b""), splice(0, 0, "abc"));
        assert_eq!(
            undo(Some("é".as_bytes()), "è".as_bytes()),
            Undo::SpliceHex {
                at: 1,
                len: 1,
                hex: "a9".to_owned()
            }
        );
    }

    #[test]
    fn a_record_of_the_first_version_is_read() {
        let line = r#"{"v":1,"id":"a","at":5,"who":"w","why":"y","files":[{"path":"/p","target":"/p","staged":"/.p","before":null,"after":"00","undo":"remove"}]}"#;
        let record: Record = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
    }
}
