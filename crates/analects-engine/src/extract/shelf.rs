//! What waits in the inbox before and after a run, and what of it can stay.
//!
//! A learner writes where it may and says what it likes; what counts is what lies there afterwards. A patch that cannot
//! be applied is taken back, and somebody hears of it.

use std::collections::BTreeMap;

use analects_skill::inbox::{self, Kind, Waiting};
use analects_skill::patch::MAX_PATCH_BYTES;
use analects_skill::skill;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::{Files, Want, Within};

use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, write};

/// What waits, by its id.
#[derive(Debug, Default)]
pub(super) struct Shelf(BTreeMap<String, Lying>);

#[derive(Debug, PartialEq, Eq)]
struct Lying {
    waiting: Waiting,
    /// The patch, or what the skill says; nothing if it cannot be read, or not to its end.
    text: Option<Vec<u8>>,
}

/// What is new on a shelf.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    /// The folders of new skills.
    pub(super) skills: Vec<String>,
    /// The folders of skills that waited and say something else now.
    pub(super) changed: Vec<String>,
    /// Patches that are new or say something else now.
    pub(super) patches: Vec<Waiting>,
}

impl Shelf {
    /// What waits in a private memory folder now.
    pub(super) fn look(files: &dyn Files, memory: &AbsPath) -> Self {
        // What lies in quarantine waits elsewhere, and is told by itself.
        let all = inbox::waiting(files, memory).into_iter();
        let all = all
            .filter(|waiting| !waiting.is_quarantined)
            .map(|waiting| {
                let path = match waiting.kind {
                    Kind::Skill => waiting.path.join(skill::FILE),
                    Kind::SkillUpdate | Kind::MemoryUpdate(_) => waiting.path.clone(),
                };
                let blob = files.read_one(Want {
                    path: &path,
                    within: Within::Root(memory),
                    limit_bytes: MAX_PATCH_BYTES,
                });
                let text = blob.ok().filter(|blob| !blob.is_cut());
                let text = text.map(|blob| blob.bytes);
                (waiting.id.clone(), Lying { waiting, text })
            });
        Self(all.collect())
    }

    /// What is on this shelf that was not on an earlier one.
    pub(super) fn news(&self, before: &Self) -> News {
        let mut news = News::default();
        for (id, lying) in &self.0 {
            let old = before.0.get(id);
            if old.is_some_and(|old| old.text == lying.text) {
                continue;
            }
            let name = lying.waiting.path.file_name().to_owned();
            match (lying.waiting.kind, old) {
                (Kind::Skill, None) => news.skills.push(name),
                (Kind::Skill, Some(_)) => news.changed.push(name),
                (Kind::SkillUpdate | Kind::MemoryUpdate(_), _) => {
                    news.patches.push(lying.waiting.clone());
                }
            }
        }
        news
    }

    fn was(&self, id: &str) -> Was<'_> {
        match self.0.get(id).map(|lying| lying.text.as_deref()) {
            None => Was::Nothing,
            Some(Some(text)) => Was::Text(text),
            Some(None) => Was::Unknown,
        }
    }
}

/// What waited under a name before a run.
enum Was<'a> {
    Nothing,
    Text(&'a [u8]),
    /// Something that could not be read: nobody could bring it back.
    Unknown,
}

/// Tries the new patches. One that cannot be applied becomes again what it was before the run, or goes; the journal
/// keeps it.
pub(super) fn sift(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    before: &Shelf,
    patches: &mut Vec<Waiting>,
) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    let mut good = Vec::new();
    for patch in std::mem::take(patches) {
        let item = crate::inbox::item(world, prepared, &patch.id)?;
        let Some(fault) = item.problems.first() else {
            good.push(patch);
            continue;
        };
        let old = match before.was(&patch.id) {
            Was::Nothing => None,
            Was::Text(text) => Some(text),
            // Left as it is: somebody looks at it in the inbox.
            Was::Unknown => continue,
        };
        take_back(world, flags, &patch, old)?;
        let message = format!(
            "a patch that nobody could apply was taken back: {}",
            fault.message
        );
        let problem = Problem::new(&codes::PATCH_TAKEN_BACK, message);
        problems.push(problem.in_file(&patch.path));
    }
    *patches = good;
    Ok(problems)
}

fn take_back(
    world: &World<'_>,
    flags: &Flags,
    patch: &Waiting,
    before: Option<&[u8]>,
) -> Result<(), Failure> {
    let mut plan = |files: &dyn Files| {
        let old = write::bytes_of(files, &patch.path)?;
        let new = before.map(<[u8]>::to_vec);
        let change = Change::new(&patch.path, old.as_deref(), new);
        let why = "a patch that nobody could apply";
        Ok(Changes::new("skill extract", why, vec![change]))
    };
    write::write(world, flags, &[], &mut plan)?;
    Ok(())
}
