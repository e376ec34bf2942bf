//! Directories that may not speak, whoever asks from where.
//!
//! Somebody said so of a directory, and perhaps the contrary of one below it: the closest word decides, as it does about
//! the working directory. What nobody spoke of is not judged here.

use analects_world::AbsPath;
use analects_world::files::Files;

use super::Trust;

/// What was said about directories, as far as something is denied.
#[derive(Debug, Clone, Default)]
pub struct Denied {
    /// Directories with links resolved. Empty if all of them may speak, so that then nothing is asked of the disk.
    said: Vec<(AbsPath, Trust)>,
}

impl Denied {
    /// Of what was said about directories, links resolved; where two speak of the same one, the one that denies counts.
    #[must_use]
    pub fn new(said: impl IntoIterator<Item = (AbsPath, Trust)>) -> Self {
        let mut said: Vec<_> = said.into_iter().collect();
        if said.iter().all(|(_, trust)| *trust == Trust::Trusted) {
            said.clear();
        }
        Self { said }
    }

    /// The directory that was denied, if that is the closest word about `real`, a path with links resolved.
    #[must_use]
    pub fn closest(&self, real: &AbsPath) -> Option<&AbsPath> {
        let around = self.said.iter().filter(|(dir, _)| real.is_within(dir));
        let closest =
            around.max_by_key(|(dir, trust)| (dir.depth(), *trust == Trust::Untrusted))?;
        (closest.1 == Trust::Untrusted).then_some(&closest.0)
    }

    /// The denied directory that `path` speaks for: the one it lies in, or the one that a link there leads to.
    #[must_use]
    pub fn behind(&self, files: &dyn Files, path: &AbsPath) -> Option<&AbsPath> {
        if self.said.is_empty() {
            return None;
        }
        let real = |path: &AbsPath| files.real_or_same(path);
        let dir = path.parent().map(|dir| real(&dir));
        dir.and_then(|dir| self.closest(&dir))
            .or_else(|| self.closest(&real(path)))
    }

    /// The same for a directory.
    pub(super) fn behind_dir(&self, files: &dyn Files, dir: &AbsPath) -> Option<&AbsPath> {
        match self.said.is_empty() {
            true => None,
            false => self.closest(&files.real_or_same(dir)),
        }
    }

    /// Whether something in a denied directory, or below it, may speak again.
    pub(super) fn is_lifted_in(&self, files: &dyn Files, dir: &AbsPath) -> bool {
        let dir = files.real_or_same(dir);
        let mut said = self.said.iter();
        said.any(|(about, trust)| *trust == Trust::Trusted && about.is_within(&dir))
    }
}
