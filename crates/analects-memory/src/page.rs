//! A memory file as it lies on the disk.

use analects_world::AbsPath;

use crate::layer::Layer;

/// A memory file with its own words: imports are not expanded, nothing is neutralised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The file.
    pub path: AbsPath,
    /// The layer it speaks in.
    pub layer: Layer,
    /// Its text.
    pub text: String,
}
