//! Whether what a conversation was told still holds.
//!
//! A block holds as long as every read that made it gives the same answer. A read that fails now proves
//! nothing: the text stays, and the next touch asks again.

use std::collections::{BTreeSet, HashSet};

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Want, Within};

use super::tracked::{Stands, Tracked, Version};
use super::{BATCH, Loader, source, unread};
use crate::discover::Candidate;

/// At most this many files of one block are looked at again when a path near it is touched.
pub(super) const MAX_WATCHED: usize = 512;

/// What is no longer as the conversation was told.
#[derive(Debug, Default)]
pub(super) struct Outdated {
    /// Blocks whose own text, or one that they say for their imports, is another by now.
    pub(super) blocks: BTreeSet<AbsPath>,
    /// Imports that a block refers to and another one says: if that one is said anew, all is well.
    pub(super) imports: Vec<(AbsPath, AbsPath, Version)>,
}

impl Loader<'_> {
    /// What the files of `candidates`, and what they import, say otherwise by now.
    pub(super) fn outdated(
        &self,
        candidates: &[Candidate],
        problems: &mut Vec<Problem>,
    ) -> Outdated {
        let mut outdated = Outdated::default();
        let mut unreadable = HashSet::new();
        let rows = candidates.iter().flat_map(|candidate| {
            let rows = self.seen.rows(&candidate.path);
            rows.iter().take(MAX_WATCHED)
        });
        let rows: Vec<_> = rows.collect();
        for chunk in rows.chunks(BATCH) {
            let wants: Vec<_> = chunk.iter().map(|row| self.again(row)).collect();
            for (row, read) in chunk.iter().zip(self.files.read(&wants)) {
                match read {
                    Ok(blob) => outdated.look_at(row, source::version(&blob, self.profile())),
                    // What stands nowhere is about to be tried as something new, which tells the rest.
                    Err(trouble) if row.is_own() && row.stands != Stands::Nowhere => {
                        problems.extend(unread(&row.path, &trouble));
                        unreadable.insert(&row.block);
                    }
                    Err(_) => {}
                }
            }
        }
        // As long as a file cannot be read, nothing can replace what it said.
        let Outdated { blocks, imports } = &mut outdated;
        blocks.retain(|block| !unreadable.contains(block));
        imports.retain(|(block, ..)| !blocks.contains(block) && !unreadable.contains(block));
        outdated
    }

    fn again<'b>(&self, row: &'b Tracked) -> Want<'b> {
        Want {
            path: &row.path,
            within: row.root.as_ref().map_or(Within::Anywhere, Within::Root),
            limit_bytes: self.options.file_limit_bytes,
        }
    }
}

impl Outdated {
    fn look_at(&mut self, row: &Tracked, now: Version) {
        if row.version().is_some_and(|then| then.hash == now.hash) {
            return;
        }
        if !row.is_own() && matches!(row.stands, Stands::In(..)) {
            self.imports
                .push((row.block.clone(), row.path.clone(), now));
        } else {
            self.blocks.insert(row.block.clone());
        }
    }
}
