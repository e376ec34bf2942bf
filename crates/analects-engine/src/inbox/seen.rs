//! What a person was shown of the inbox; everything else is new.
//!
//! It is kept by where a thing waits and what its file looks like from outside, so that nothing has to be opened to tell.
//! Times are only ever compared for being the same: a clock that jumps makes nothing old.

use std::collections::BTreeMap;

use analects_skill::inbox::{Kind, Waiting};
use analects_skill::skill;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::{Files, Measure};
use serde::{Deserialize, Serialize};

use crate::World;
use crate::verbs::Flags;
use crate::write;

/// The version of the format.
const VERSION: u32 = 1;
/// How many things are known to have been seen, in all projects together.
const MAX_SEEN: usize = 2_000;

/// What was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    v: u32,
    /// By the path of what waits.
    #[serde(default)]
    seen: BTreeMap<String, Look>,
}

/// What a file looked like from outside when it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Look {
    len: u64,
    written_ns: u64,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            v: VERSION,
            seen: BTreeMap::new(),
        }
    }
}

impl Seen {
    /// What was shown so far. Where that makes no sense nothing was: then things are new once more.
    pub(super) fn read(world: &World<'_>) -> Self {
        let bytes = write::bytes_of(world.files, &path(world));
        let bytes = bytes.ok().flatten().unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Which of these nobody was shown as they are now.
    pub(super) fn are_new(&self, files: &dyn Files, all: &[Waiting]) -> Vec<bool> {
        let looks = looks(files, all).into_iter();
        let both = all.iter().zip(looks);
        let is_new = |(waiting, look): (&Waiting, Option<Look>)| {
            look.is_some() && self.seen.get(waiting.path.as_str()).copied() != look
        };
        both.map(is_new).collect()
    }

    /// The same after these were shown. What waits in `memory` no more need not be known.
    fn with(mut self, files: &dyn Files, shown: &[Waiting], there: &[Waiting]) -> Self {
        let memories: Vec<_> = there.iter().filter_map(|one| one.path.parent()).collect();
        self.seen.retain(|path, _| {
            let is_there = there.iter().any(|one| one.path.as_str() == path);
            let dir = AbsPath::new(path).ok().and_then(|path| path.parent());
            is_there || !dir.is_some_and(|dir| memories.contains(&dir))
        });
        for (waiting, look) in shown.iter().zip(looks(files, shown)) {
            let path = waiting.path.to_string();
            self.seen.extend(look.map(|look| (path, look)));
        }
        while self.seen.len() > MAX_SEEN {
            self.seen.pop_first();
        }
        self
    }
}

/// Notes that these were shown, of all that wait there. Whoever cannot note it shows them as new again.
pub(super) fn note(world: &World<'_>, flags: &Flags, shown: &[Waiting], there: &[Waiting]) {
    let before = Seen::read(world);
    let is_newer = before.v > VERSION;
    let has_news = before.are_new(world.files, shown).contains(&true);
    if flags.dry_run || is_newer || !has_news {
        return;
    }
    let path = path(world);
    let mut plan = |files: &dyn Files| {
        let old = write::bytes_of(files, &path).ok()?;
        let seen = Seen::read(world).with(files, shown, there);
        let mut new = serde_json::to_vec_pretty(&seen).ok()?;
        new.push(b'\n');
        let mut change = Change::new(&path, old.as_deref(), Some(new)).owner_only();
        // Nobody wants to take back what they have seen.
        change.trace = Trace::Nothing;
        Some(Changes::new("memory inbox", "it was shown", vec![change]))
    };
    let _ = world.desk.commit(&[], &mut plan);
}

fn path(world: &World<'_>) -> AbsPath {
    world.around.state_dir().join("inbox-seen.json")
}

/// What things look like from outside; nothing of what is gone.
fn looks(files: &dyn Files, all: &[Waiting]) -> Vec<Option<Look>> {
    let paths: Vec<_> = all
        .iter()
        .map(|waiting| match waiting.kind {
            Kind::Skill => waiting.path.join(skill::FILE),
            Kind::SkillUpdate | Kind::MemoryUpdate(_) => waiting.path.clone(),
        })
        .collect();
    let measured = match paths.is_empty() {
        true => Vec::new(),
        false => files.measure(&paths),
    };
    let look = |measure: Measure| Look {
        len: measure.len,
        written_ns: measure.written_ns,
    };
    let measured = measured.into_iter();
    measured.map(|measure| measure.ok().map(look)).collect()
}
