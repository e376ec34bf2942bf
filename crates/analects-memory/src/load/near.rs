//! What a touched path brings in: what is new near it, and what no longer stands as it should.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use analects_world::AbsPath;
use analects_world::Profile;

use super::verify::Outdated;
use super::{Batch, Brought, Loader};
use crate::discover::Candidate;
use crate::import::Format;

impl Loader<'_> {
    /// Reads the candidates near a touched path: those that are new, those that say something else by
    /// now, and those that refer to a text which is gone.
    pub(crate) fn load_near(&mut self, candidates: &[Candidate]) -> Brought {
        let mut batch = self.batch(Format::Tree);
        // The original knows a file by its identity and never looks at it again.
        if self.profile() == Profile::Head {
            self.load_missing(candidates, &mut batch);
            return self.finish(batch);
        }
        let Outdated { blocks, imports } = self.outdated(candidates, &mut batch.problems);
        self.outdate(&blocks);
        // What is new goes first: it may say what others miss.
        let is_known = |candidate: &&Candidate| self.seen.knows(&candidate.path);
        let (known, new): (Vec<_>, Vec<_>) = candidates.iter().partition(is_known);
        self.load_missing(new, &mut batch);
        // One by one: what the first of them says, the next may refer to.
        for candidate in known {
            let path = &candidate.path;
            let mut newer = imports.iter().filter(|(block, ..)| block == path);
            let is_unsaid = |(_, import, version): &(_, AbsPath, _)| {
                !Arc::make_mut(&mut self.seen).refer(path, import, *version)
            };
            if newer.any(is_unsaid) {
                self.outdate(&BTreeSet::from([path.clone()]));
            }
            self.load_missing([candidate], &mut batch);
        }
        // Saying a block again may lose an import that cannot be read just now, and that another one leans on.
        let is_torn = |path| self.seen.knows(path) && !self.seen.holds(path);
        let torn: Vec<_> = candidates.iter().filter(|c| is_torn(&c.path)).collect();
        let replaced = batch.replaced();
        let is_replaced = |path: &&AbsPath| replaced.contains(*path);
        let again = torn.iter().map(|c| &c.path).filter(is_replaced).cloned();
        self.outdate(&again.collect());
        self.load_missing(torn, &mut batch);
        batch.in_order_of(candidates);
        self.finish(batch)
    }
}

impl Batch<'_> {
    /// The files so far that replace an earlier text.
    fn replaced(&self) -> HashSet<AbsPath> {
        let loaded = self.loaded.iter().filter(|file| file.is_changed());
        let left_out = self.left_out.iter().filter(|left| left.is_changed);
        let left_out = left_out.map(|left| &left.duplicate.path);
        let paths = loaded.map(|file| &file.path).chain(left_out);
        paths.cloned().collect()
    }

    /// Puts everything in the order of the candidates, each once and as it was last.
    fn in_order_of(&mut self, candidates: &[Candidate]) {
        let order = candidates.iter().map(|candidate| &candidate.path);
        let order: HashMap<_, _> = order.zip(0..).collect();
        let at = |path: &AbsPath| std::cmp::Reverse(order.get(path).copied());
        let Self {
            loaded, left_out, ..
        } = self;
        loaded.reverse();
        loaded.sort_by_key(|file| at(&file.path));
        loaded.dedup_by(|a, b| a.path == b.path);
        loaded.reverse();
        let is_loaded: HashSet<_> = loaded.iter().map(|file| &file.path).collect();
        left_out.retain(|left| !is_loaded.contains(&left.duplicate.path));
        left_out.reverse();
        left_out.sort_by_key(|left| at(&left.duplicate.path));
        left_out.dedup_by(|a, b| a.duplicate.path == b.duplicate.path);
        left_out.reverse();
    }
}
