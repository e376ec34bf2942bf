//! Which texts stand in a conversation, found by the file and by the words.

use std::collections::HashMap;
use std::sync::Arc;

use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use analects_world::files::FileId;

use super::Source;
use super::tracked::{Reach, Version};

/// Texts with the paths of the files that say them.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    files: HashMap<FileId, (ContentHash, AbsPath)>,
    texts: HashMap<TextKey, Text>,
    kept_bytes: usize,
}

/// A fingerprint, with the directory where it matters.
type TextKey = (Option<AbsPath>, ContentHash);

#[derive(Debug, Clone)]
struct Text {
    path: AbsPath,
    /// The whole text, so that no forged collision can push a rule out; `None` if it came from another
    /// process or there are too many.
    whole: Option<Arc<str>>,
}

/// At most this many bytes of whole texts are kept in a conversation; beyond that a text is known by its
/// fingerprint alone.
const KEPT_TEXT_BYTES: usize = 16 * 1024 * 1024;

impl Said {
    /// What a file with this identity said, and under which path.
    pub(super) fn file(&self, id: FileId) -> Option<(ContentHash, &AbsPath)> {
        self.files.get(&id).map(|(hash, path)| (*hash, path))
    }

    /// Who says the same as `source`, word by word.
    pub(super) fn text(&self, source: &Source, version: &Version) -> Option<&AbsPath> {
        let text = self.texts.get(&key(&source.path, version)?)?;
        let is_same = |whole: &Arc<str>| **whole == *source.trimmed();
        let is_same = text.whole.as_ref().is_none_or(is_same);
        is_same.then_some(&text.path)
    }

    /// Who says what the file at `path` said in this version, by its fingerprint.
    pub(super) fn place(&self, path: &AbsPath, version: &Version) -> Option<&AbsPath> {
        let same_file = self.file(version.id);
        if let Some((_, path)) = same_file.filter(|(hash, _)| *hash == version.hash) {
            return Some(path);
        }
        let text = self.texts.get(&key(path, version)?)?;
        Some(&text.path)
    }

    pub(super) fn add(&mut self, path: &AbsPath, version: Version) {
        let path = path.clone();
        if let Some(key) = key(&path, &version) {
            let (path, whole) = (path.clone(), None);
            self.texts.entry(key).or_insert(Text { path, whole });
        }
        self.files.insert(version.id, (version.hash, path));
    }

    /// Keeps the whole text of something that was added.
    pub(super) fn keep(&mut self, source: &Source, version: &Version) {
        let whole = source.trimmed();
        let text = key(&source.path, version).and_then(|key| self.texts.get_mut(&key));
        if let Some(text) = text
            && text.whole.is_none()
            && self.kept_bytes + whole.len() <= KEPT_TEXT_BYTES
        {
            self.kept_bytes += whole.len();
            text.whole = Some(Arc::from(whole));
        }
    }

    /// Holds these texts and no others; those of them that were kept whole are kept on.
    pub(super) fn rebuild(&mut self, texts: Vec<(AbsPath, Version)>) {
        let before = std::mem::take(self).texts;
        for (path, version) in texts {
            self.add(&path, version);
        }
        for (key, text) in &mut self.texts {
            text.whole = before.get(key).and_then(|text| text.whole.clone());
            self.kept_bytes += text.whole.as_ref().map_or(0, |whole| whole.len());
        }
    }
}

fn key(path: &AbsPath, version: &Version) -> Option<TextKey> {
    match version.reach {
        Reach::Anywhere => Some((None, version.hash)),
        Reach::Directory => Some((path.parent(), version.hash)),
        Reach::Nowhere => None,
    }
}
