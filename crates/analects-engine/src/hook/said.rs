//! What a session was already told, kept from one hook process to the next.
//!
//! One small file per session. It holds fingerprints and paths, no text. To lose it costs a repetition, so
//! what cannot be read counts as nothing, and no disk is waited for; it goes through the one commit point
//! all the same, which lets two hooks of one session that run at once know of each other.

mod shelf;
mod stored;

use std::collections::BTreeSet;

use analects_memory::entry;
use analects_memory::load::Tracked;
use analects_memory::stack::Block;
use analects_world::changes::{Change, Changes, ContentHash, Trace};
use analects_world::files::{Files, Want, Within};
use analects_world::{AbsPath, Agent};

use super::Scene;
use super::input::Input;
use crate::World;
use crate::verbs::Failure;
use crate::write;

/// What was said in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// The memory files, as they were then.
    pub(super) rows: Vec<Tracked>,
    /// Fingerprints of their entries, and of those that were said alone.
    pub(super) entries: BTreeSet<String>,
    /// The memory files that the host brought in itself when something near them was touched.
    pub(super) theirs: BTreeSet<AbsPath>,
}

/// What came of a decision.
pub(super) struct Telling {
    /// What is to be told, if anything.
    pub(super) text: Option<String>,
    /// Whether that was noted down.
    pub(super) noted: Result<(), Failure>,
}

impl Telling {
    /// What is told. If nobody could write for a moment, it is told all the same, and perhaps again; what
    /// can never be noted down would be said again after every tool, so it is not.
    pub(super) fn told(
        self,
        scene: &Scene<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Option<String>, Failure> {
        let Err(failure) = self.noted else {
            return Ok(self.text);
        };
        if scene.world.desk.status().holder.is_none() {
            return Err(failure);
        }
        notes.push(failure.to_string());
        Ok(self.text)
    }
}

/// Given what was said so far: what to say now, and what was said then. `None` to leave it all as it is.
pub(super) type Decide<'a> = dyn FnMut(&Said) -> Option<(String, Said)> + 'a;

/// Lets `decide` say something and notes it down. It is asked again if another hook of the same session
/// was faster. Without a session nothing was said, and nothing is noted.
pub(super) fn tell(scene: &Scene<'_>, decide: &mut Decide<'_>) -> Telling {
    let path = path(&scene.world, scene.host, scene.input);
    let read = |files: &dyn Files| path.as_ref().map(|path| Said::read(files, path));
    let mut before = read(scene.world.files).unwrap_or_default();
    let mut decided = decide(&before);
    let noted = match (&path, &decided) {
        (Some(path), Some(_)) => {
            let mut plan = |files: &dyn Files| {
                let now = Said::read(files, path);
                if now != before {
                    decided = decide(&now);
                    before = now;
                }
                let after = decided.as_ref().map(|(_, after)| after);
                after.map_or_else(|| Ok(nothing()), |after| changes(files, path, after))
            };
            write::write(&scene.world, &scene.flags, &[], &mut plan).map(|_| ())
        }
        _ => Ok(()),
    };
    let text = decided.map(|(text, _)| text);
    Telling {
        text: text.filter(|text| !text.is_empty()),
        noted,
    }
}

/// A short name for what an entry says.
pub(super) fn fingerprint(text: &str) -> String {
    ContentHash::of(text.as_bytes()).short()
}

/// Fingerprints of the entries that a block says: as they lie on the disk if it is whole, else as far as
/// they are to be seen.
pub(super) fn entries_in(files: &dyn Files, block: &Block) -> Vec<String> {
    let whole = write::text_of(files, &block.path).ok().flatten();
    let seen = || unframed(&block.text).to_owned();
    let text = whole.filter(|_| block.cut_tokens == 0).unwrap_or_else(seen);
    let entries = entry::entries(&text);
    entries
        .iter()
        .map(|entry| fingerprint(&entry.text))
        .collect()
}

/// What stands between the markers of a block.
fn unframed(block: &str) -> &str {
    let inner = block.split_once('\n').map_or("", |(_, inner)| inner);
    inner.rsplit_once('\n').map_or("", |(inner, _)| inner)
}

/// Where our records lie.
fn dir(world: &World<'_>) -> AbsPath {
    world.around.state_dir().join("hooks")
}

/// The record of the conversation that this is about. A sub-agent has a context, and so a record, of its
/// own.
fn path(world: &World<'_>, host: Agent, input: &Input) -> Option<AbsPath> {
    let name = input.conversation(host)?;
    Some(dir(world).join(&format!("{name}.json")))
}

/// A record is far smaller than this.
const LIMIT_BYTES: usize = 4 * 1024 * 1024;

impl Said {
    fn read(files: &dyn Files, path: &AbsPath) -> Self {
        let want = Want {
            path,
            within: Within::Anywhere,
            limit_bytes: LIMIT_BYTES,
        };
        let blob = files.read_one(want).ok();
        let said = blob.and_then(|blob| stored::parse(&blob.bytes));
        said.unwrap_or_default()
    }
}

fn nothing() -> Changes {
    Changes::new("hook", "nothing new", Vec::new())
}

fn changes(files: &dyn Files, path: &AbsPath, said: &Said) -> Result<Changes, Failure> {
    let old = write::bytes_of(files, path)?;
    let new = stored::print(said)?;
    let mut all = Vec::new();
    if old.as_ref() != Some(&new) {
        all.push(Change::new(path, old.as_deref(), Some(new)));
    }
    if old.is_none() {
        all.extend(shelf::make_room(files, path)?);
    }
    let seal = |change: Change| Change {
        trace: Trace::Nothing,
        ..change.owner_only()
    };
    let why = format!("what {} said", path.file_name());
    Ok(Changes::new(
        "hook",
        why,
        all.into_iter().map(seal).collect(),
    ))
}
