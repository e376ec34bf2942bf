//! A loader across a conversation: texts leave it, it is stored and resumed.

use std::collections::BTreeSet;
use std::sync::Arc;

use analects_world::AbsPath;

use super::{Loaded, Loader, Seen, Tracked};

impl Loader<'_> {
    /// Forgets blocks whose text left the context (compressed, masked, rewound), each by the path of its
    /// file: the next touch near one brings it in again.
    ///
    /// What it imported goes with it, and every block that left something out because it stood there comes
    /// in again, too. Start-up memory stands in the system text and never leaves: where a newer text of
    /// such a file goes, the older one is in force until the next touch replaces it once more.
    pub fn forget(&mut self, blocks: &[AbsPath]) {
        self.revise(|seen, start| seen.forget(blocks, start));
    }

    /// Forgets what was read and then found no room; an earlier text of it stays replaced.
    pub(crate) fn unsay<'b>(&mut self, files: impl IntoIterator<Item = &'b Loaded>) {
        let (changed, new): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| file.is_changed());
        self.outdate(&changed.iter().map(|file| file.path.clone()).collect());
        if !new.is_empty() {
            let new: Vec<_> = new.iter().map(|file| file.path.clone()).collect();
            self.forget(&new);
        }
    }

    pub(super) fn outdate(&mut self, blocks: &BTreeSet<AbsPath>) {
        if !blocks.is_empty() {
            self.revise(|seen, _| seen.outdate(blocks));
        }
    }

    fn revise(&mut self, change: impl FnOnce(&mut Seen, &Seen)) {
        change(Arc::make_mut(&mut self.seen), &self.start);
        let seen = &self.seen;
        self.duplicates.retain(|left| seen.holds(&left.path));
    }

    /// What was brought in since start-up, to be stored with the conversation. Start-up memory is not
    /// part of it: a process that resumes loads that anew.
    #[must_use]
    pub fn tracked(&self) -> Vec<Tracked> {
        self.seen.later()
    }

    /// Goes on where another process stopped; to be called when start-up memory is loaded. What leans on
    /// start-up memory that has changed since, is forgotten and will come in again.
    pub fn resume(&mut self, tracked: Vec<Tracked>) {
        self.revise(|seen, _| seen.resume(tracked));
    }
}
