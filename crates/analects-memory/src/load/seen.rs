//! What a conversation has read already.

use std::collections::HashMap;

use analects_world::AbsPath;
use analects_world::files::FileId;

use super::Source;
use crate::Profile;

/// What is in the load already, by identity and by text.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    files: HashMap<FileId, AbsPath>,
    /// Whole texts, not hashes: no forged collision can push a rule out.
    texts: HashMap<String, AbsPath>,
}

impl Seen {
    pub(crate) fn has(&self, id: FileId) -> bool {
        self.files.contains_key(&id)
    }

    pub(super) fn path_of(&self, id: FileId) -> Option<&AbsPath> {
        self.files.get(&id)
    }

    pub(super) fn path_of_text(&self, source: &Source, profile: Profile) -> Option<&AbsPath> {
        self.texts.get(source.same_text_key(profile)?.as_ref())
    }

    pub(super) fn admit_file(&mut self, source: &Source) {
        self.files
            .entry(source.id)
            .or_insert_with(|| source.path.clone());
    }

    /// Admits a file; false if its text is in the load already.
    pub(crate) fn admit(&mut self, source: &Source, profile: Profile) -> bool {
        self.admit_file(source);
        let Some(key) = source.same_text_key(profile) else {
            return true;
        };
        if self.texts.contains_key(key.as_ref()) {
            return false;
        }
        self.texts.insert(key.into_owned(), source.path.clone());
        true
    }
}
