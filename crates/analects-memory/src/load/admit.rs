//! Decides whether a file that was read is shown, or is already in the conversation.

use std::sync::Arc;

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::Blob;

use super::twice::{Duplicate, LeftOut};
use super::{Batch, Loader, Source, Stands, Version};
use crate::codes;
use crate::discover::Candidate;

impl Loader<'_> {
    /// The text of a file that is to be said, and whether it replaces an earlier one.
    pub(super) fn admit(
        &mut self,
        candidate: &Candidate,
        blob: Blob,
        batch: &mut Batch<'_>,
    ) -> Option<(Source, bool)> {
        let (path, profile) = (&candidate.path, self.profile());
        let purse_is_empty = batch.purse.is_empty() && !blob.bytes.is_empty();
        // With an empty purse only a byte was read, and the identity must do.
        if (profile == Profile::Head || purse_is_empty)
            && let Some((version, place)) = self.seen.of_id(blob.id)
        {
            if !self.seen.knows(path) {
                let place = place.clone();
                let is_changed = Arc::make_mut(&mut self.seen).begin(path);
                self.leave_out(candidate, place, version, is_changed, batch);
            }
            return None;
        }
        if purse_is_empty {
            let message = "left out: the limit for all memory together is used up";
            let problem = Problem::new(&codes::LOAD_CUT, message).in_file(path);
            batch.problems.push(problem);
            return None;
        }
        // A candidate may be given twice.
        if profile != Profile::Head && self.seen.holds(path) {
            return None;
        }
        let is_changed = Arc::make_mut(&mut self.seen).begin(path);
        if let Some((version, place)) = self.seen.of_file(&blob, profile) {
            let place = place.clone();
            self.leave_out(candidate, place, version, is_changed, batch);
            return None;
        }
        let Batch {
            sources,
            purse,
            problems,
            ..
        } = batch;
        let source = sources.source(path, blob, purse, problems);
        let version = source.version(profile);
        let twin = self.seen.of_text(&source, &version);
        if let Some(place) = twin.filter(|_| profile != Profile::Head).cloned() {
            purse.refund(&source.text);
            self.leave_out(candidate, place, version, is_changed, batch);
            return None;
        }
        Arc::make_mut(&mut self.seen).say(path, candidate.home.root(), &source, version);
        Some((source, is_changed))
    }

    fn leave_out(
        &mut self,
        candidate: &Candidate,
        place: AbsPath,
        version: Version,
        is_changed: bool,
        batch: &mut Batch<'_>,
    ) {
        let (path, root) = (&candidate.path, candidate.home.root());
        let stands = Stands::In(place.clone(), version);
        Arc::make_mut(&mut self.seen).add(path, path, root, stands);
        // A file that was imported by name stands under its own name already.
        if *path != place {
            let duplicate = Duplicate {
                path: path.clone(),
                layer: candidate.layer,
                same_as: place,
            };
            batch.left_out.push(LeftOut {
                duplicate,
                is_changed,
            });
        }
    }
}
