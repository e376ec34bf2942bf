//! The record of a session as it lies on the disk: versioned, bounded, JSON.

use analects_memory::load::{Reach, Stands, Tracked, Version};
use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use analects_world::files::FileId;
use serde::{Deserialize, Serialize};

use super::Said;
use crate::verbs::Failure;

/// The version of the format.
const VERSION: u32 = 1;

/// At most this many files are noted; what is beyond will be said again.
const MAX_ROWS: usize = 4096;

/// At most this many entries.
const MAX_ENTRIES: usize = 8192;

#[derive(Serialize, Deserialize)]
struct Stored {
    v: u32,
    rows: Vec<Row>,
    entries: Vec<String>,
    /// Not in the first records of this version; without it, something is said again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    theirs: Vec<String>,
}

/// One file that was read for a block.
#[derive(Serialize, Deserialize)]
struct Row {
    block: String,
    /// Left out if it is the block's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Under whose name it stands, if not under that of the block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// What was read; nothing if that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<StoredVersion>,
}

#[derive(Serialize, Deserialize)]
struct StoredVersion {
    dev: u64,
    ino: u64,
    hash: String,
    reach: StoredReach,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredReach {
    Anywhere,
    Directory,
    Nowhere,
}

/// Reads a record; one that makes no sense, or is of another version, is none.
pub(super) fn parse(bytes: &[u8]) -> Option<Said> {
    let stored: Stored = serde_json::from_slice(bytes).ok()?;
    if stored.v != VERSION {
        return None;
    }
    let rows: Option<_> = stored.rows.iter().map(tracked).collect();
    let theirs = stored.theirs.iter().map(|path| AbsPath::new(path).ok());
    let theirs: Option<_> = theirs.collect();
    Some(Said {
        rows: rows?,
        entries: stored.entries.into_iter().collect(),
        theirs: theirs?,
    })
}

/// Writes a record down.
pub(super) fn print(said: &Said) -> Result<Vec<u8>, Failure> {
    let rows = said.rows.iter().take(MAX_ROWS).map(row).collect();
    let entries = said.entries.iter().take(MAX_ENTRIES).cloned().collect();
    let theirs = said.theirs.iter().take(MAX_ROWS);
    let stored = Stored {
        v: VERSION,
        rows,
        entries,
        theirs: theirs.map(ToString::to_string).collect(),
    };
    serde_json::to_vec(&stored)
        .map_err(|error| Failure::failed(format!("cannot write what was said: {error}")))
}

fn row(tracked: &Tracked) -> Row {
    let text = |path: &AbsPath| path.to_string();
    let (place, version) = match &tracked.stands {
        Stands::Here(version) => (None, Some(version)),
        Stands::In(place, version) => (Some(text(place)), Some(version)),
        Stands::Nowhere => (None, None),
    };
    Row {
        block: text(&tracked.block),
        path: (tracked.path != tracked.block).then(|| text(&tracked.path)),
        root: tracked.root.as_ref().map(text),
        place,
        version: version.map(stored_version),
    }
}

fn stored_version(version: &Version) -> StoredVersion {
    StoredVersion {
        dev: version.id.dev,
        ino: version.id.ino,
        hash: version.hash.to_string(),
        reach: match version.reach {
            Reach::Anywhere => StoredReach::Anywhere,
            Reach::Directory => StoredReach::Directory,
            Reach::Nowhere => StoredReach::Nowhere,
        },
    }
}

fn tracked(row: &Row) -> Option<Tracked> {
    let path = |text: &String| AbsPath::new(text).ok();
    let block = path(&row.block)?;
    let version = row.version.as_ref().map(version);
    let stands = match (version, &row.place) {
        (None, _) => Stands::Nowhere,
        (Some(version), None) => Stands::Here(version?),
        (Some(version), Some(place)) => Stands::In(path(place)?, version?),
    };
    Some(Tracked {
        path: row.path.as_ref().map_or(Some(block.clone()), path)?,
        root: row
            .root
            .as_ref()
            .map(path)
            .map_or(Some(None), |root| root.map(Some))?,
        block,
        stands,
    })
}

fn version(stored: &StoredVersion) -> Option<Version> {
    Some(Version {
        id: FileId {
            dev: stored.dev,
            ino: stored.ino,
        },
        hash: ContentHash::parse(&stored.hash)?,
        reach: match stored.reach {
            StoredReach::Anywhere => Reach::Anywhere,
            StoredReach::Directory => Reach::Directory,
            StoredReach::Nowhere => Reach::Nowhere,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row_of(block: &str, path: &str, root: Option<&str>, stands: Stands) -> Tracked {
        let abs = |path| AbsPath::new(path).unwrap();
        Tracked {
            block: abs(block),
            path: abs(path),
            root: root.map(abs),
            stands,
        }
    }

    fn some() -> Said {
        let version = |reach| Version {
            id: FileId {
                dev: 1,
                ino: u64::MAX,
            },
            hash: ContentHash::of(b"rule"),
            reach,
        };
        let elsewhere = Stands::In(AbsPath::root().join("r/B.md"), version(Reach::Directory));
        Said {
            rows: vec![
                row_of(
                    "/r/A.md",
                    "/r/A.md",
                    None,
                    Stands::Here(version(Reach::Anywhere)),
                ),
                row_of("/r/A.md", "/r/x.md", Some("/r"), elsewhere),
                row_of("/r/A.md", "/r/y.md", Some("/r"), Stands::Nowhere),
                row_of(
                    "/r/C.md",
                    "/r/C.md",
                    None,
                    Stands::Here(version(Reach::Nowhere)),
                ),
            ],
            entries: ["b".to_owned(), "a".to_owned()].into(),
            theirs: [AbsPath::root().join("r/d/D.md")].into(),
        }
    }

    #[test]
    fn what_was_said_survives_being_written_down() {
        assert_eq!(parse(&print(&some()).unwrap()), Some(some()));
        assert_eq!(
            parse(&print(&Said::default()).unwrap()),
            Some(Said::default())
        );
    }

    /// The first version, as it was shipped: it must be read for ever.
    #[test]
    fn version_one_is_read() {
        let hash = ContentHash::of(b"rule");
        let text = format!(
            r#"{{"v":1,"rows":[{{"block":"/r/A.md","version":{{"dev":1,"ino":2,"hash":"{hash}","reach":"anywhere"}}}}],"entries":["e"]}}"#
        );
        let said = parse(text.as_bytes()).unwrap();
        assert_eq!(said.rows[0].path.as_str(), "/r/A.md");
        assert_eq!(
            said.rows[0].version().map(|version| version.hash),
            Some(hash)
        );
        assert_eq!(print(&said).unwrap(), text.as_bytes());
    }

    #[test]
    fn what_makes_no_sense_is_nothing() {
        let whole = print(&some()).unwrap();
        let newer = String::from_utf8(whole.clone())
            .unwrap()
            .replace("\"v\":1", "\"v\":2");
        assert_eq!(parse(newer.as_bytes()), None);
        assert_eq!(parse(&whole[..whole.len() / 2]), None);
        assert_eq!(
            parse(br#"{"v":1,"rows":[{"block":"relative"}],"entries":[]}"#),
            None
        );
    }

    proptest! {
        #[test]
        fn no_record_does_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }
    }
}
