//! A memory file as it lies on the disk.

use analects_world::AbsPath;

use crate::layer::Layer;
use crate::load;

/// A file that takes part in a load, as it stands on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The file.
    pub path: AbsPath,
    /// The layer it belongs to.
    pub layer: Layer,
    /// The directory it speaks for; the root of the disk if it speaks everywhere.
    pub scope: AbsPath,
    /// Its text: decoded, imports not expanded.
    pub text: String,
}

impl Page {
    /// The page of a memory file, or of a file that the memory file `top` imports.
    #[must_use]
    pub fn new(path: AbsPath, layer: Layer, top: &AbsPath, text: String) -> Self {
        let scope = match layer {
            Layer::Project => load::scope(top),
            Layer::Global | Layer::Extension | Layer::Private => AbsPath::root(),
        };
        Self {
            path,
            layer,
            scope,
            text,
        }
    }

    /// The directory it lies in.
    pub(crate) fn dir(&self) -> AbsPath {
        self.path.parent().unwrap_or_else(AbsPath::root)
    }

    /// Whether there are paths for which both pages speak.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.scope.is_within(&other.scope) || other.scope.is_within(&self.scope)
    }

    /// Whether it speaks about the project in `root` and nothing else.
    pub(crate) fn is_about(&self, root: &AbsPath) -> bool {
        match self.layer {
            Layer::Private => true,
            Layer::Project => self.path.is_within(root),
            Layer::Global | Layer::Extension => false,
        }
    }
}
