//! One line of the journal, and what it says to others.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use analects_world::AbsPath;
use analects_world::changes::{Changes, ContentHash, Form};
use analects_world::log::{LineDamage, Logged, LoggedFile, Piece};
use serde::{Deserialize, Serialize};

use crate::commit::stage::Staged;

/// The newest version of the format. A reader of a newer one reads all older ones: 1 had no `put`, no `undoes`,
/// and withheld nothing; 2 had no `within`, 3 no `link`.
pub(super) const VERSION: u32 = 4;
/// What a record is that changes no links.
const LINKLESS_VERSION: u32 = 3;
/// What a record is that says nothing new: older readers may finish it.
const PLAIN_VERSION: u32 = 2;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(super) v: u32,
    pub(crate) id: String,
    /// Milliseconds since 1970.
    at: u64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) done: bool,
    /// Set beside `done` if the commit was taken back instead of finished.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) withdrawn: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    who: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    why: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<Entry>,
}

/// One file of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// As the user calls it.
    path: String,
    /// What it really is.
    pub(crate) target: String,
    /// The directory that it must lie in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) within: Option<String>,
    /// Whether it is a link itself, and its content where that points.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) link: bool,
    /// Where the new content waits; none if the file is removed.
    pub(crate) staged: Option<String>,
    /// Where the old content of a file that is removed waits until that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) aside: Option<String>,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    undo: Undo,
    /// What stands there since, where it may be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    put: Option<Put>,
    /// The fingerprint of the line above what was taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    below: Option<String>,
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
    /// There was a secret: `was` bytes with this fingerprint. There is no way back.
    Withheld {
        at: usize,
        len: usize,
        was: usize,
        hash: String,
    },
}

/// What was put in the place of the old.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Put {
    Text(String),
    Hex(String),
    /// Too long, or a secret: its length and fingerprint.
    Withheld {
        len: usize,
        hash: String,
    },
}

impl Record {
    pub(crate) fn intent(id: &str, changes: &Changes, staged: &[Staged]) -> Self {
        let entry = |(change, staged): (_, &Staged)| {
            let logged = LoggedFile::of(change, staged.old.as_deref(), staged.after);
            Entry {
                path: logged.path.to_string(),
                target: said(&staged.spot.path),
                within: staged.spot.root().map(said),
                link: logged.form == Form::Link,
                staged: staged.file().map(said),
                aside: (!staged.has_new).then(|| said(&staged.aside)),
                before: logged.before.map(|hash| hash.to_string()),
                after: logged.after.map(|hash| hash.to_string()),
                undo: undo(&logged),
                put: Some(put(&logged.new)),
                below: logged.below.map(|hash| hash.to_string()),
            }
        };
        let files: Vec<_> = changes.files.iter().zip(staged).map(entry).collect();
        let v = if files.iter().any(|entry| entry.link) {
            VERSION
        } else if files.iter().any(|entry| entry.within.is_some()) {
            LINKLESS_VERSION
        } else {
            PLAIN_VERSION
        };
        Self {
            v,
            done: false,
            who: changes.who.clone(),
            why: changes.why.clone(),
            undoes: changes.undoes.clone(),
            files,
            ..Self::done(id)
        }
    }

    pub(super) fn done(id: &str) -> Self {
        Self {
            v: PLAIN_VERSION,
            id: id.to_owned(),
            at: now_ms(),
            done: true,
            withdrawn: false,
            who: String::new(),
            why: String::new(),
            undoes: None,
            files: Vec::new(),
        }
    }

    pub(super) fn withdrawn(id: &str) -> Self {
        Self {
            withdrawn: true,
            ..Self::done(id)
        }
    }

    /// The line that is written: the record with a checksum at its end.
    pub(super) fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.pop();
        let sum = ContentHash::of(&line).short();
        line.extend_from_slice(SUM_KEY);
        line.extend_from_slice(sum.as_bytes());
        line.extend_from_slice(b"\"}\n");
        Ok(line)
    }

    /// The commit as others may read it. Files that make no sense are left out, and the commit is damaged.
    pub(super) fn logged(self) -> Logged {
        let n_files = self.files.len();
        let files: Vec<_> = self.files.into_iter().filter_map(Entry::logged).collect();
        Logged {
            damage: (files.len() < n_files).then_some(LineDamage::Altered),
            files,
            id: self.id,
            at_ms: self.at,
            who: self.who,
            why: self.why,
            undoes: self.undoes,
        }
    }

    /// The commit of a line whose checksum does not fit.
    pub(super) fn logged_as_altered(self) -> Logged {
        Logged {
            damage: Some(LineDamage::Altered),
            ..self.logged()
        }
    }
}

/// What is between a record and its checksum.
const SUM_KEY: &[u8] = b",\"sum\":\"";
/// How long a checksum is.
const SUM_LEN: usize = 16;

/// True if a line ends in a checksum that is not its own. Lines of older versions have none.
pub(super) fn has_wrong_sum(line: &[u8]) -> bool {
    let Some(rest) = line.strip_suffix(b"\"}") else {
        return false;
    };
    let Some((rest, sum)) = rest.split_at_checked(rest.len().saturating_sub(SUM_LEN)) else {
        return false;
    };
    let record = rest.strip_suffix(SUM_KEY);
    record.is_some_and(|record| ContentHash::of(record).short().as_bytes() != sum)
}

impl Entry {
    fn logged(self) -> Option<LoggedFile> {
        let hash = |hex: Option<String>| match hex {
            Some(hex) => ContentHash::parse(&hex).map(Some),
            None => Some(None),
        };
        // There was no file, and so nothing to put back; or there was one, and its removal is no way back.
        if matches!(self.undo, Undo::Remove) != self.before.is_none() {
            return None;
        }
        let (at, len, old) = match self.undo {
            Undo::Remove => (0, 0, Piece::Bytes(Vec::new())),
            Undo::Splice { at, len, text } => (at, len, Piece::Bytes(text.into_bytes())),
            Undo::SpliceHex { at, len, hex } => (at, len, Piece::Bytes(from_hex(&hex)?)),
            Undo::Withheld { at, len, was, hash } => {
                let hash = ContentHash::parse(&hash);
                (at, len, Piece::Withheld { len: was, hash })
            }
        };
        let new = match self.put {
            Some(Put::Text(text)) => Piece::Bytes(text.into_bytes()),
            Some(Put::Hex(hex)) => Piece::Bytes(from_hex(&hex)?),
            Some(Put::Withheld { len, hash }) => {
                let hash = ContentHash::parse(&hash);
                Piece::Withheld { len, hash }
            }
            None => Piece::Withheld { len, hash: None },
        };
        Some(LoggedFile {
            path: AbsPath::new(&self.path).ok()?,
            form: match self.link {
                true => Form::Link,
                false => Form::File,
            },
            within: self.within.and_then(|root| AbsPath::new(&root).ok()),
            before: hash(self.before)?,
            after: hash(self.after)?,
            at,
            old,
            new,
            below: hash(self.below)?,
        })
    }
}

fn said(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn undo(logged: &LoggedFile) -> Undo {
    let (at, len) = (logged.at, logged.new.len());
    match &logged.old {
        _ if logged.before.is_none() => Undo::Remove,
        Piece::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Undo::Splice {
                at,
                len,
                text: text.to_owned(),
            },
            Err(_) => Undo::SpliceHex {
                at,
                len,
                hex: to_hex(bytes),
            },
        },
        Piece::Withheld { len: was, hash } => Undo::Withheld {
            at,
            len,
            was: *was,
            hash: hash.map(|hash| hash.to_string()).unwrap_or_default(),
        },
    }
}

fn put(new: &Piece) -> Put {
    match new {
        Piece::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Put::Text(text.to_owned()),
            Err(_) => Put::Hex(to_hex(bytes)),
        },
        Piece::Withheld { len, hash } => Put::Withheld {
            len: *len,
            hash: hash.map(|hash| hash.to_string()).unwrap_or_default(),
        },
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes = pairs.iter().map(byte).collect();
    rest.is_empty().then_some(bytes)?
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_the_first_version_is_read() {
        let hash = ContentHash::of(b"x");
        let line = format!(
            r#"{{"v":1,"id":"a","at":5,"who":"w","why":"y","files":[{{"path":"/p","target":"/p","staged":"/.p","before":null,"after":"{hash}","undo":"remove"}}]}}"#
        );
        let record: Record = serde_json::from_str(&line).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
        let logged = record.logged();
        assert_eq!(logged.files.len(), 1);
        assert_eq!(logged.files[0].new, Piece::Withheld { len: 0, hash: None });
    }

    #[test]
    fn a_record_of_the_second_version_is_read() {
        let hash = ContentHash::of(b"x");
        let line = format!(
            r#"{{"v":2,"id":"a","at":5,"who":"w","why":"y","undoes":"b","files":[{{"path":"/p","target":"/p","staged":"/.p","before":"{hash}","after":"{hash}","undo":{{"withheld":{{"at":1,"len":2,"was":3,"hash":"{hash}"}}}},"put":{{"text":"é"}}}},{{"path":"/q","target":"/q","staged":null,"before":"{hash}","after":null,"undo":{{"spliceHex":{{"at":0,"len":0,"hex":"ff00"}}}},"put":{{"withheld":{{"len":0,"hash":""}}}}}}]}}"#
        );
        let record: Record = serde_json::from_str(&line).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
        let logged = record.logged();
        assert_eq!(logged.undoes.as_deref(), Some("b"));
        let withheld = Piece::Withheld {
            len: 3,
            hash: Some(hash),
        };
        assert_eq!(logged.files[0].old, withheld);
        assert_eq!(logged.files[1].old, Piece::Bytes(vec![0xFF, 0]));
    }

    #[test]
    fn fingerprints_that_contradict_each_other_are_damage() {
        let hash = ContentHash::of(b"x");
        let check = |before: &str, after: &str, undo: &str| {
            let line = format!(
                r#"{{"v":2,"id":"a","at":5,"files":[{{"path":"/p","target":"/p","staged":"/.p","before":{before},"after":{after},"undo":{undo}}}]}}"#
            );
            let record: Record = serde_json::from_str(&line).unwrap();
            let logged = record.logged();
            (logged.damage.is_some(), logged.files.is_empty())
        };
        let hash = format!("\"{hash}\"");
        let splice = r#"{"splice":{"at":0,"len":1,"text":"y"}}"#;
        assert_eq!(check(&hash, &hash, splice), (false, false));
        assert_eq!(check("null", &hash, "\"remove\""), (false, false));
        // A file must not be removed because the fingerprint of its old version cannot be read.
        assert_eq!(check("\"zz\"", &hash, splice), (true, true));
        assert_eq!(check(&hash, "\"\"", splice), (true, true));
        assert_eq!(check(&hash, &hash, "\"remove\""), (true, true));
        assert_eq!(check("null", &hash, splice), (true, true));
    }

    #[test]
    fn bytes_survive_being_written_in_hexadecimal() {
        assert_eq!(from_hex(&to_hex(&[0, 9, 255])), Some(vec![0, 9, 255]));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("zz"), None);
    }
}
