//! Which file contents a model has seen, so that it cannot overwrite what it never read.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use lru::LruCache;

/// More files than this nobody keeps in mind; the one that was not looked at for longest is forgotten.
const MAX_FILES: NonZeroUsize = NonZeroUsize::new(500).expect("invariant: not zero");

/// What files held when the model last saw them. Tools that run side by side share it.
#[derive(Debug)]
pub struct Seen(Mutex<LruCache<AbsPath, ContentHash>>);

impl Seen {
    /// Nothing was seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Mutex::new(LruCache::new(MAX_FILES)))
    }

    /// The model has seen, or written, this content of a file. The path is without links.
    pub fn note(&self, path: &AbsPath, content: ContentHash) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.put(path.clone(), content);
    }

    /// What it last saw of a file.
    #[must_use]
    pub fn of(&self, path: &AbsPath) -> Option<ContentHash> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(path).copied()
    }

    /// The model has lost its past: it knows of no file any more.
    pub fn forget(&self) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.clear();
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_at_for_longest_is_forgotten() {
        let seen = Seen::new();
        let path = |n: usize| AbsPath::root().join(&n.to_string());
        let hash = ContentHash::of(b"x");
        for n in 0..MAX_FILES.get() {
            seen.note(&path(n), hash);
        }
        assert_eq!(seen.of(&path(0)), Some(hash));
        seen.note(&path(MAX_FILES.get()), hash);
        assert_eq!((seen.of(&path(0)), seen.of(&path(1))), (Some(hash), None));
        seen.forget();
        assert_eq!(seen.of(&path(0)), None);
    }
}
