//! The byte budget that one load has left.

use analects_text::truncate;
use analects_world::Profile;

/// The bytes that one load may still read.
#[derive(Debug)]
pub(crate) struct Purse {
    left: usize,
    /// Bytes that imports may still read, whatever becomes of them: a file costs its text once, yet it
    /// can be named in countless ways, and each name must be opened to know it.
    left_to_read: usize,
    frames: Frames,
}

/// How often the limit of a load may be read to find out what is in it already.
const READ_FACTOR: usize = 16;

/// Whether the comments around imports cost something. Only the original expands a file more than once;
/// there the frames of empty files must end the expansion too.
#[derive(Debug, PartialEq, Eq)]
enum Frames {
    Free,
    Charged,
}

impl Purse {
    pub(super) fn new(limit_bytes: usize, profile: Profile) -> Self {
        let frames = if profile == Profile::Head {
            Frames::Charged
        } else {
            Frames::Free
        };
        let left_to_read = limit_bytes.saturating_mul(READ_FACTOR);
        Self {
            left: limit_bytes,
            left_to_read,
            frames,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    pub(crate) fn may_import(&self) -> bool {
        self.left > 0 && self.left_to_read > 0
    }

    /// Notes what an import has read.
    pub(crate) fn has_read(&mut self, bytes: &[u8]) {
        self.left_to_read = self.left_to_read.saturating_sub(bytes.len());
    }

    /// Pays for a text; if there is not enough, says how much of it to keep.
    pub(super) fn pay(&mut self, text: &str) -> Option<usize> {
        if text.len() <= self.left {
            self.left -= text.len();
            return None;
        }
        let kept = truncate::head_bytes(text, self.left).len();
        self.left = 0;
        Some(kept)
    }

    /// Takes back what was paid for a text that turned out to be in the load already.
    pub(crate) fn refund(&mut self, text: &str) {
        self.left += text.len();
    }

    pub(crate) fn charge_frame(&mut self, bytes: usize) {
        if self.frames == Frames::Charged {
            self.left = self.left.saturating_sub(bytes);
        }
    }
}
