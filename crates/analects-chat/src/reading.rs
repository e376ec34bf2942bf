//! How much of a file or of an editor a model is shown.
//!
//! Nothing is read here: bytes, names and what an editor reports come in. [`page`] takes the lines that were
//! asked for out of a text, [`kind`] tells what a file is, [`ide`] what is worth telling of open files.

mod binary;
pub mod ide;
pub mod kind;
pub mod page;

use std::borrow::Cow;

use analects_text::decode::{Cut, decode};
use thiserror::Error;

pub use binary::{SAMPLE_BYTES, is_binary};
use kind::Kind;

/// How many lines are shown if no end was asked for.
pub const MAX_LINES: usize = 2_000;
/// Longer lines are cut, in UTF-16 units.
pub const MAX_LINE_UNITS: usize = 2_000;

/// How much of a text is shown at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measures {
    /// How many lines, unless others are asked for.
    pub lines: usize,
    /// How many UTF-16 units of each.
    pub line_units: usize,
}

impl Measures {
    /// Those of the original.
    pub const USUAL: Self = Self {
        lines: MAX_LINES,
        line_units: MAX_LINE_UNITS,
    };
}

impl Default for Measures {
    fn default() -> Self {
        Self::USUAL
    }
}
/// Larger files are not read.
pub const MAX_FILE_BYTES: u64 = 20 * 1024 * 1024;
/// Larger drawings are not read as text.
pub const MAX_SVG_BYTES: u64 = 1024 * 1024;

/// Why a file is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    /// No file of any kind may be so large.
    #[error("file is larger than 20 MB")]
    TooLarge,
    /// A drawing is text, but nobody reads this much of it.
    #[error("SVG file is larger than 1 MB")]
    SvgTooLarge,
    /// There is nothing to see.
    #[error("file is binary")]
    Binary,
}

/// Whether a file is shown at all.
pub fn admit(kind: Kind, n_bytes: u64) -> Result<(), Refusal> {
    match kind {
        _ if n_bytes > MAX_FILE_BYTES => Err(Refusal::TooLarge),
        Kind::Svg if n_bytes > MAX_SVG_BYTES => Err(Refusal::SvgTooLarge),
        Kind::Binary => Err(Refusal::Binary),
        _ => Ok(()),
    }
}

/// The text of a file: without its byte-order mark, and with U+FFFD for what is no text.
#[must_use]
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let (words, to_number): (_, fn([u8; 4]) -> u32) = match bytes {
        // Before UTF-16, whose mark is the same for this order of bytes.
        [0xFF, 0xFE, 0, 0, rest @ ..] => (rest, u32::from_le_bytes),
        [0, 0, 0xFE, 0xFF, rest @ ..] => (rest, u32::from_be_bytes),
        _ => return decode(bytes, Cut::Whole).text,
    };
    let (words, _torn) = words.as_chunks::<4>();
    let chars = words.iter().map(|&word| char::from_u32(to_number(word)));
    let text = chars.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    Cow::Owned(text.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_refused_from_the_next_byte_on() {
        assert_eq!(admit(Kind::Text, MAX_FILE_BYTES), Ok(()));
        assert_eq!(
            admit(Kind::Image, MAX_FILE_BYTES + 1),
            Err(Refusal::TooLarge)
        );
        assert_eq!(admit(Kind::Svg, MAX_SVG_BYTES), Ok(()));
        assert_eq!(
            admit(Kind::Svg, MAX_SVG_BYTES + 1),
            Err(Refusal::SvgTooLarge)
        );
        assert_eq!(admit(Kind::Binary, 1), Err(Refusal::Binary));
    }

    #[test]
    fn every_mark_is_known() {
        assert_eq!(decoded(b"\xEF\xBB\xBFa"), "a");
        assert_eq!(decoded(b"\xFF\xFEa\0"), "a");
        assert_eq!(decoded(b"\xFF\xFE\0\0a\0\0\0\xFF"), "a");
        assert_eq!(decoded(b"\0\0\xFE\xFF\0\0\0a\0\0\xD8\0"), "a\u{FFFD}");
        assert_eq!(decoded(b"a\xFFb"), "a\u{FFFD}b");
    }
}
