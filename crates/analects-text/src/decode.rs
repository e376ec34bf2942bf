//! Turns the bytes of a text file into text, whatever they are.

use std::borrow::Cow;

/// A decoded text, and what had to be done to get it.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text: no byte-order mark, no NUL.
    pub text: Cow<'a, str>,
    /// What the bytes turned out to be.
    pub repair: Repair,
    /// On which line the first repaired byte stood, counted from one.
    pub line: usize,
}

/// Whether the bytes were the text they should have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// Plain UTF-8, with or without a byte-order mark.
    None,
    /// UTF-16 with a byte-order mark, as some Windows editors write it; decoded.
    Utf16,
    /// Bytes that are no UTF-8, each replaced by U+FFFD.
    InvalidBytes,
    /// NUL characters, each replaced by U+FFFD.
    NulBytes,
}

/// Decodes `bytes`; never fails.
///
/// A multi-byte character cut off at the very end (the caller read up to a limit) is dropped, not
/// reported, when `cut` says that the bytes are only the start of a file.
#[must_use]
pub fn decode(bytes: &[u8], cut: Cut) -> Decoded<'_> {
    if let Some(mut units) = utf16_units(bytes) {
        if cut == Cut::Cut {
            units.pop_if(|unit| FIRST_OF_PAIR.contains(unit));
        }
        let text = String::from_utf16_lossy(&units).replace('\0', "\u{FFFD}");
        return Decoded {
            text: Cow::Owned(text),
            repair: Repair::Utf16,
            line: 1,
        };
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let bytes = if cut == Cut::Cut {
        without_torn_end(bytes)
    } else {
        bytes
    };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let text = String::from_utf8_lossy(bytes).replace('\0', "\u{FFFD}");
            let line = line_of(bytes, error.valid_up_to());
            return Decoded {
                text: Cow::Owned(text),
                repair: Repair::InvalidBytes,
                line,
            };
        }
    };
    match text.find('\0') {
        None => Decoded {
            text: Cow::Borrowed(text),
            repair: Repair::None,
            line: 1,
        },
        Some(at) => Decoded {
            text: Cow::Owned(text.replace('\0', "\u{FFFD}")),
            repair: Repair::NulBytes,
            line: line_of(bytes, at),
        },
    }
}

/// A text without the byte-order mark that it may begin with.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// Whether the bytes to decode are a whole file or only its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// All of it.
    Whole,
    /// The reader stopped at a limit, perhaps inside a character.
    Cut,
}

/// The UTF-16 units that need a second one to make a character.
const FIRST_OF_PAIR: std::ops::RangeInclusive<u16> = 0xD800..=0xDBFF;

fn utf16_units(bytes: &[u8]) -> Option<Vec<u16>> {
    let (rest, from_pair): (_, fn([u8; 2]) -> u16) = match bytes {
        [0xFF, 0xFE, rest @ ..] => (rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => (rest, u16::from_be_bytes),
        _ => return None,
    };
    let (pairs, _odd) = rest.as_chunks::<2>();
    Some(pairs.iter().map(|&pair| from_pair(pair)).collect())
}

fn without_torn_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        // `error_len` is None exactly when the input ended inside a character.
        Err(error) if error.error_len().is_none() => {
            bytes.get(..error.valid_up_to()).unwrap_or(bytes)
        }
        _ => bytes,
    }
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    bytes.iter().take(at).filter(|&&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], text: &str, repair: Repair, line: usize) {
        assert_eq!(
            decode(bytes, Cut::Whole),
            Decoded {
                text: text.into(),
                repair,
                line
            }
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        check(b"\xEF\xBB\xBFrule", "rule", Repair::None, 1);
        assert_eq!(without_mark("\u{FEFF}rule"), "rule");
        assert_eq!(without_mark("\u{FEFF}\u{FEFF}rule"), "\u{FEFF}rule");
        assert_eq!(without_mark("rule\u{FEFF}"), "rule\u{FEFF}");
    }

    #[test]
    fn utf16_of_either_order_is_read() {
        check(b"\xFF\xFEh\0i\0", "hi", Repair::Utf16, 1);
        check(b"\xFE\xFF\0h\0i\0", "hi", Repair::Utf16, 1);
    }

    #[test]
    fn invalid_bytes_are_replaced_and_located() {
        check(b"a\nb\xFFc", "a\nb\u{FFFD}c", Repair::InvalidBytes, 2);
        check(b"a\n\nb\0c", "a\n\nb\u{FFFD}c", Repair::NulBytes, 3);
    }

    #[test]
    fn a_character_torn_by_the_limit_is_dropped() {
        let torn = decode(b"ab\xE8\xAE", Cut::Cut);
        assert_eq!(
            torn,
            Decoded {
                text: "ab".into(),
                repair: Repair::None,
                line: 1
            }
        );
        assert_eq!(
            decode(b"ab\xE8\xAE", Cut::Whole).repair,
            Repair::InvalidBytes
        );
        assert_eq!(decode(b"\xFF\xFEh\0\x3E\xD8\x80", Cut::Cut).text, "h");
        assert_eq!(decode(b"\xFF\xFEh\0\x3E\xD8", Cut::Whole).text, "h\u{FFFD}");
    }
}
