//! Our own notes on entries: ids that survive a change, frames that go with the last entry, and tombstones.
//!
//! An entry needs no note to have a name: that follows from what it says. Only where a name should survive
//! a change of text or place, or a fact should not be learned again, something is written down here.

mod rebuild;

use std::collections::BTreeMap;

use analects_memory::note::Frame;
use analects_text::likeness::Gist;
use analects_text::redact;
use analects_world::AbsPath;
use analects_world::changes::{Change, ContentHash};
use analects_world::files::Files;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::verbs::Failure;
use crate::write;

/// The version of the format.
const VERSION: u32 = 1;

/// The notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Book {
    v: u32,
    /// What was put around the first fact of a file, by file.
    #[serde(default)]
    frames: BTreeMap<String, StoredFrame>,
    /// Names that do not follow from what an entry says.
    #[serde(default)]
    names: Vec<Name>,
    /// What was forgotten on purpose.
    #[serde(default)]
    forgotten: Vec<Tombstone>,
    /// What the file holds, if that is damaged and these notes were rebuilt.
    #[serde(skip)]
    damaged: Option<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StoredFrame {
    lead: String,
    trail: String,
}

/// A name that an entry kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Name {
    id: String,
    path: String,
    /// The fingerprint of what the entry says.
    text: String,
}

/// Something that must not come back by itself. It does not say what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Tombstone {
    id: String,
    text: String,
    /// Fingerprints of its words; none for a secret.
    #[serde(default)]
    words: Vec<u32>,
}

/// How much a forgotten text may show of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remains {
    /// Fingerprints of its words, so that near duplicates are recognised.
    Words,
    /// One fingerprint of the whole.
    Whole,
}

impl Remains {
    /// How much this text may show of itself: of a secret, nothing but that it was there.
    #[must_use]
    pub fn of(text: &str) -> Self {
        match redact::scan(text).is_empty() {
            true => Self::Words,
            false => Self::Whole,
        }
    }
}

impl Default for Book {
    fn default() -> Self {
        Self {
            v: VERSION,
            frames: BTreeMap::new(),
            names: Vec::new(),
            forgotten: Vec::new(),
            damaged: None,
        }
    }
}

impl Book {
    /// Reads the notes. Those of a newer version are an error: they are not ours to overwrite. Damaged ones are
    /// rebuilt from the journal, and the next change keeps the damaged file under another name.
    pub fn read(world: &World<'_>, files: &dyn Files) -> Result<Self, Failure> {
        let path = Self::path(world);
        let Some(bytes) = write::bytes_of(files, &path)? else {
            return Ok(Self::default());
        };
        let book: Result<Self, _> = serde_json::from_slice(&bytes);
        match book {
            Ok(book) if book.v <= VERSION => Ok(book),
            Ok(_) => Err(Failure::failed(format!("`{path}` is of a newer version"))
                .hint("use the version of Analects that wrote it")),
            Err(_) => Ok(Self {
                damaged: Some(bytes),
                ..rebuild::rebuild(world, &path)
            }),
        }
    }

    /// True if the file is damaged, and these notes are what the journal knows of them.
    #[must_use]
    pub fn is_rebuilt(&self) -> bool {
        self.damaged.is_some()
    }

    /// The changes that write these notes down, if they differ from what is there. A damaged file is kept.
    pub fn change(&self, world: &World<'_>, files: &dyn Files) -> Result<Vec<Change>, Failure> {
        let path = Self::path(world);
        let old = write::bytes_of(files, &path)?;
        if old.is_none() && *self == Self::default() {
            return Ok(Vec::new());
        }
        let mut new = serde_json::to_vec_pretty(self)
            .map_err(|error| Failure::failed(format!("cannot write notes: {error}")))?;
        new.push(b'\n');
        if old.as_ref() == Some(&new) {
            return Ok(Vec::new());
        }
        let kept = self.damaged.as_deref().filter(|_| old == self.damaged);
        let kept = kept.map(|bytes| write::set_aside(files, &path, bytes));
        let mut changes: Vec<_> = kept.transpose()?.flatten().into_iter().collect();
        changes.push(Change::new(&path, old.as_deref(), Some(new)).owner_only());
        Ok(changes)
    }

    /// The name that an entry of this file kept.
    #[must_use]
    pub fn name_of(&self, path: &AbsPath, text: &str) -> Option<&str> {
        let mut names = self.names.iter().rev();
        // Few files have a kept name, and a fingerprint is not free.
        let mut hash = None;
        let kept = names.find(|name| {
            name.path == path.as_str() && name.text == *hash.get_or_insert_with(|| print(text))
        })?;
        Some(&kept.id)
    }

    /// Notes that an entry keeps its name, whatever it says by now and wherever it stands.
    pub fn keep_name(&mut self, id: &str, path: &AbsPath, text: &str) {
        self.names.retain(|name| name.id != id);
        if id != derived(text, 0) {
            self.names.push(Name {
                id: id.to_owned(),
                path: path.to_string(),
                text: print(text),
            });
        }
    }

    /// What was put around the first fact of a file.
    #[must_use]
    pub fn frame(&self, path: &AbsPath) -> Option<Frame> {
        self.frames.get(path.as_str()).map(|frame| Frame {
            lead: frame.lead.clone(),
            trail: frame.trail.clone(),
        })
    }

    /// Notes what was put around the first fact of a file.
    pub fn note_frame(&mut self, path: &AbsPath, frame: &Frame) {
        if !frame.is_empty() {
            let stored = StoredFrame {
                lead: frame.lead.clone(),
                trail: frame.trail.clone(),
            };
            self.frames.insert(path.to_string(), stored);
        }
    }

    /// Notes that something was forgotten on purpose.
    pub fn bury(&mut self, id: &str, text: &str, remains: Remains) {
        self.raise(text);
        self.names.retain(|name| name.id != id);
        self.forgotten.push(Tombstone {
            id: id.to_owned(),
            text: print(text),
            words: match remains {
                Remains::Words => Gist::of(text).prints(),
                Remains::Whole => Vec::new(),
            },
        });
    }

    /// Whether this, or nearly this, was forgotten on purpose. Learning asks here first.
    #[must_use]
    pub fn is_forgotten(&self, text: &str) -> bool {
        let (hash, gist) = (print(text), Gist::of(text));
        self.forgotten.iter().any(|tomb| {
            tomb.text == hash || (!tomb.words.is_empty() && gist.is_twin_of_prints(&tomb.words))
        })
    }

    /// Whether exactly this was buried. What a person did not want is told from what is merely like it.
    #[must_use]
    pub fn is_buried(&self, text: &str) -> bool {
        // Few things are ever buried, and a fingerprint of a long text is not free.
        !self.forgotten.is_empty() && {
            let hash = print(text);
            self.forgotten.iter().any(|tomb| tomb.text == hash)
        }
    }

    /// Whether something of this name was buried: what is learned again says it in other words each time.
    #[must_use]
    pub fn is_buried_as(&self, id: &str) -> bool {
        self.forgotten.iter().any(|tomb| tomb.id == id)
    }

    /// Whether exactly this was buried under this name.
    #[must_use]
    pub fn is_buried_under(&self, id: &str, text: &str) -> bool {
        let mut tombs = self.forgotten.iter().filter(|tomb| tomb.id == id);
        // A fingerprint of a long text is not free.
        let mut hash = None;
        tombs.any(|tomb| tomb.text == *hash.get_or_insert_with(|| print(text)))
    }

    /// A person wants it back.
    pub fn raise(&mut self, text: &str) {
        let hash = print(text);
        self.forgotten.retain(|tomb| tomb.text != hash);
    }

    fn path(world: &World<'_>) -> AbsPath {
        world.around.state_dir().join("entries.json")
    }
}

/// The name that follows from what an entry says; `n` entries before it say the same.
#[must_use]
pub(crate) fn derived(text: &str, n: usize) -> String {
    let hash = match n {
        0 => ContentHash::of(text.as_bytes()),
        n => ContentHash::of(format!("{text}\0{n}").as_bytes()),
    };
    let mut name = hash.to_string();
    name.truncate(8);
    name
}

fn print(text: &str) -> String {
    ContentHash::of(text.as_bytes()).to_string()
}
