//! What a conversation was told, as plain values that outlive a process.
//!
//! A *block* is what one memory file brought in: its own text and that of its imports. A block is tracked
//! by every read that made it, so that doing the reads again tells whether it still holds.

use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use analects_world::files::FileId;

/// One file that was read for a block.
///
/// The rows of a block follow one another, that of its own file first. A caller stores them as it likes
/// ([`ContentHash`] has a written form) and gives them back to [`Loader::resume`](super::Loader::resume).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracked {
    /// The block: the memory file it is named after.
    pub block: AbsPath,
    /// The file that was read: the block's own, or one that it imports.
    pub path: AbsPath,
    /// Where the file had to lie; `None` if anywhere.
    pub root: Option<AbsPath>,
    /// Where its text stands in the conversation.
    pub stands: Stands,
}

/// Where the text of a file stands in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stands {
    /// In the block that read it.
    Here(Version),
    /// Elsewhere, under the name of this file: it was read there before. When that text goes, this block is
    /// whole no longer, and the next touch brings it in again.
    In(AbsPath, Version),
    /// Nowhere: it could not be read, or what was read is out of date. The next touch tries again.
    Nowhere,
}

/// What a file was when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// Which file it was on its disk. Not enough to know a file by: disks give the number of a deleted
    /// file to the next one, and many editors replace a file rather than write into it.
    pub id: FileId,
    /// The fingerprint of its text, white space around it aside.
    pub hash: ContentHash,
    /// How far its text is the same text elsewhere.
    pub reach: Reach,
}

/// How far two files with the same characters say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Wherever they lie.
    Anywhere,
    /// In one directory only: relative imports lead elsewhere from another one.
    Directory,
    /// Never: there is no text, or nobody knows how it goes on.
    Nowhere,
}

impl Tracked {
    /// What the file was when it was read, if it was.
    #[must_use]
    pub fn version(&self) -> Option<&Version> {
        match &self.stands {
            Stands::Here(version) | Stands::In(_, version) => Some(version),
            Stands::Nowhere => None,
        }
    }

    /// Whether this is the row of the block's own file.
    pub(super) fn is_own(&self) -> bool {
        self.path == self.block
    }
}
