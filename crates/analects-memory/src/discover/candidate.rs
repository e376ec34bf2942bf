//! A file that was found, and where it may lie.

use analects_world::AbsPath;
use analects_world::files::Within;

use crate::layer::Layer;

/// A file that looks like memory, not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The file.
    pub path: AbsPath,
    /// The layer it belongs to.
    pub layer: Layer,
    /// Where the file itself must really lie.
    pub home: Home,
    /// Where its imports must really lie.
    pub import_root: AbsPath,
}

impl Candidate {
    /// Whether it is a file of a project, be it committed or not, and none of the user's own or an extension's.
    #[must_use]
    pub fn is_of_project(&self) -> bool {
        match self.layer {
            Layer::Project => true,
            Layer::Private => self.home.root().is_some(),
            Layer::Global | Layer::Extension => false,
        }
    }
}

/// Where a memory file must really lie once links are resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Home {
    /// Anywhere: it is the user's own, and users link to their dotfiles.
    Anywhere,
    /// Below this directory.
    Below(AbsPath),
}

impl Home {
    /// The same, as the door wants it.
    #[must_use]
    pub fn within(&self) -> Within<'_> {
        self.root().map_or(Within::Anywhere, Within::Root)
    }

    /// The directory that the file must not leave, if there is one.
    #[must_use]
    pub fn root(&self) -> Option<&AbsPath> {
        match self {
            Self::Anywhere => None,
            Self::Below(root) => Some(root),
        }
    }
}
