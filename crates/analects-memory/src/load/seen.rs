//! Which files and texts a conversation has already been told.
//!
//! The rows in `blocks` are the whole truth, `said` is an index to them. There is one block a memory file
//! and one row per file it read, however often a path is touched or a file edited: what is new replaces
//! what was. A block that leans on a text which is gone is found out when its file is near a touched
//! path: see [`Seen::holds`].

use std::collections::{BTreeSet, HashMap, HashSet};

use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::changes::ContentHash;
use analects_world::files::{Blob, FileId};

use super::said::Said;
use super::source::{self, Source};
use super::tracked::{Reach, Stands, Tracked, Version};
use super::twice::scope;
use super::verify::MAX_WATCHED;

/// What is in a conversation, by block, by identity and by text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    blocks: HashMap<AbsPath, Vec<Tracked>>,
    /// The blocks that came in since start-up, be they new or not.
    later: HashSet<AbsPath>,
    said: Said,
}

impl Seen {
    /// Whether the conversation holds this block, as far as anyone noticed.
    pub(crate) fn knows(&self, block: &AbsPath) -> bool {
        self.own(block)
            .is_some_and(|own| own.stands != Stands::Nowhere)
    }

    /// Whether the conversation holds this block and all that it refers to.
    pub(super) fn holds(&self, block: &AbsPath) -> bool {
        let holds = |row: &Tracked| match &row.stands {
            // All it said was the name of the other file.
            Stands::In(twin, version) if row.is_own() => {
                let place = self.said.place(&row.path, version);
                place.is_some_and(|place| place == twin)
            }
            Stands::In(_, version) => self.is_said(&row.path, version),
            Stands::Here(_) | Stands::Nowhere => true,
        };
        self.knows(block) && self.rows(block).iter().all(holds)
    }

    fn is_said(&self, path: &AbsPath, version: &Version) -> bool {
        // Nobody misses a text without words.
        self.said.place(path, version).is_some() || version.hash == ContentHash::of(b"")
    }

    /// Whether the conversation holds an earlier text of this block, and not the present one.
    pub(super) fn is_outdated(&self, block: &AbsPath) -> bool {
        self.own(block)
            .is_some_and(|own| own.stands == Stands::Nowhere)
    }

    fn own(&self, block: &AbsPath) -> Option<&Tracked> {
        self.rows(block).first()
    }

    pub(super) fn rows(&self, block: &AbsPath) -> &[Tracked] {
        self.blocks.get(block).map_or(&[], Vec::as_slice)
    }

    /// The rows of all blocks that came in since start-up.
    pub(super) fn later(&self) -> Vec<Tracked> {
        self.in_order(self.later.iter()).cloned().collect()
    }

    /// What came in so far belongs to start-up.
    pub(super) fn end_start(&mut self) {
        self.later.clear();
    }

    /// The rows of these blocks, in the order of the blocks' paths.
    fn in_order<'b>(
        &'b self,
        blocks: impl Iterator<Item = &'b AbsPath>,
    ) -> impl Iterator<Item = &'b Tracked> {
        let mut blocks: Vec<_> = blocks.collect();
        blocks.sort();
        blocks.into_iter().flat_map(|block| self.rows(block))
    }

    /// Where a file with this identity was said, and as what.
    pub(crate) fn of_id(&self, id: FileId) -> Option<(Version, &AbsPath)> {
        let (hash, place) = self.said.file(id)?;
        let reach = Reach::Nowhere;
        Some((Version { id, hash, reach }, place))
    }

    /// Where this very file was said, if it said the same then.
    pub(crate) fn of_file(&self, blob: &Blob, profile: Profile) -> Option<(Version, &AbsPath)> {
        let (hash, place) = self.said.file(blob.id)?;
        let version = source::version(blob, profile);
        (version.hash == hash).then_some((version, place))
    }

    /// Where another file says the same.
    pub(crate) fn of_text(&self, source: &Source, version: &Version) -> Option<&AbsPath> {
        self.said.text(source, version)
    }

    /// Begins a block anew: what it said before is about to be said again, or replaced. True if replaced.
    pub(super) fn begin(&mut self, block: &AbsPath) -> bool {
        let is_outdated = self.is_outdated(block);
        self.later.insert(block.clone());
        if self.blocks.remove(block).is_some() && !is_outdated {
            self.reindex();
        }
        is_outdated
    }

    /// Notes a text that a block says.
    pub(crate) fn say(
        &mut self,
        block: &AbsPath,
        root: Option<&AbsPath>,
        source: &Source,
        version: Version,
    ) {
        self.said.add(&source.path, version);
        self.said.keep(source, &version);
        self.add(block, &source.path, root, Stands::Here(version));
    }

    /// Notes an import that could not be read, so that it is tried again.
    pub(crate) fn miss(&mut self, block: &AbsPath, path: &AbsPath, root: &AbsPath) {
        if self.rows(block).len() < MAX_WATCHED {
            self.add(block, path, Some(root), Stands::Nowhere);
        }
    }

    /// Notes a file that a block asked for, and where its text stands.
    pub(crate) fn add(
        &mut self,
        block: &AbsPath,
        path: &AbsPath,
        root: Option<&AbsPath>,
        stands: Stands,
    ) {
        let row = Tracked {
            block: block.clone(),
            path: path.clone(),
            root: root.cloned(),
            stands,
        };
        self.blocks.entry(block.clone()).or_default().push(row);
    }

    /// Lets an import of a block refer to a newer text of its file; false if nobody says that.
    pub(super) fn refer(&mut self, block: &AbsPath, path: &AbsPath, version: Version) -> bool {
        if !self.is_said(path, &version) {
            return false;
        }
        let place = self.said.place(path, &version);
        let place = place.unwrap_or(path).clone();
        let rows = self.blocks.get_mut(block).into_iter().flatten();
        for row in rows.filter(|row| row.path == *path) {
            row.stands = Stands::In(place.clone(), version);
        }
        true
    }

    /// Notes that blocks no longer say what their files say. They are still in the conversation, so what
    /// comes next under their names replaces something.
    pub(super) fn outdate(&mut self, blocks: &BTreeSet<AbsPath>) {
        for block in blocks {
            let Some(rows) = self.blocks.remove(block) else {
                continue;
            };
            let Some(own) = rows.into_iter().next() else {
                continue;
            };
            // Another name for a file of the same directory never had a block that could be replaced.
            if !matches!(&own.stands, Stands::In(twin, _) if scope(twin) == scope(block)) {
                self.add(block, &own.path, own.root.as_ref(), Stands::Nowhere);
            }
        }
        self.reindex();
    }

    /// Forgets blocks that left the conversation. Under a newer text the one of start-up comes to light
    /// again: it stands in the system text, which never leaves.
    pub(super) fn forget(&mut self, blocks: &[AbsPath], start: &Self) {
        for block in blocks {
            self.later.remove(block);
            self.blocks.remove(block);
            let first = start.blocks.get_key_value(block);
            self.blocks
                .extend(first.map(|(block, rows)| (block.clone(), rows.clone())));
        }
        self.reindex();
    }

    /// Takes up blocks from an earlier process. They stand behind start-up memory in the conversation, so
    /// an older text of a start-up file among them is one that has to be replaced.
    pub(super) fn resume(&mut self, tracked: Vec<Tracked>) {
        let mut blocks: HashMap<AbsPath, Vec<Tracked>> = HashMap::new();
        for row in tracked {
            blocks.entry(row.block.clone()).or_default().push(row);
        }
        for (block, rows) in blocks {
            if rows.first().is_some_and(Tracked::is_own) {
                self.later.insert(block.clone());
                self.blocks.insert(block, rows);
            }
        }
        self.reindex();
    }

    fn reindex(&mut self) {
        let here = |row: &Tracked| match row.stands {
            Stands::Here(version) => Some((row.path.clone(), version)),
            Stands::In(..) | Stands::Nowhere => None,
        };
        let rows: Vec<_> = self.in_order(self.blocks.keys()).filter_map(here).collect();
        self.said.rebuild(rows);
    }
}
