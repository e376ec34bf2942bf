//! Lengths and cuts in UTF-16 units, the measure of every limit that was first written in JavaScript.
//!
//! A cut never splits a character: where a limit falls between the two units of one, the character goes.

/// How many UTF-16 units a text has.
#[must_use]
pub fn count(text: &str) -> usize {
    // In chunks small enough for byte-wide counters, so that the loop compiles to vector code.
    text.as_bytes().chunks(120).map(chunk_units).sum()
}

/// The longest start of a text that has at most this many units.
#[must_use]
pub fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut n_units = 0;
    for (at, c) in text.char_indices() {
        n_units += c.len_utf16();
        if n_units > limit {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// The longest end of a text that has at most this many units.
#[must_use]
pub fn tail(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut n_units = 0;
    for (at, c) in text.char_indices().rev() {
        n_units += c.len_utf16();
        if n_units > limit {
            return text.get(at + c.len_utf8()..).unwrap_or_default();
        }
    }
    text
}

fn chunk_units(bytes: &[u8]) -> usize {
    let mut n_units = 0_u8;
    for &byte in bytes {
        // One for the first byte of a character, and one more if it needs a pair of units.
        n_units += u8::from(!(0x80..0xC0).contains(&byte)) + u8::from(byte >= 0xF0);
    }
    usize::from(n_units)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pair_is_never_split() {
        assert_eq!(count("a记🦀"), 4);
        assert_eq!((head("a🦀b", 2), tail("a🦀b", 2)), ("a", "b"));
        assert_eq!((head("a🦀b", 3), tail("a🦀b", 3)), ("a🦀", "🦀b"));
        assert_eq!((head("ab", 0), tail("ab", 0)), ("", ""));
    }

    proptest! {
        #[test]
        fn units_are_those_of_utf16(text in "(?s).{0,400}") {
            prop_assert_eq!(count(&text), text.encode_utf16().count());
        }

        #[test]
        fn a_cut_fits_and_one_more_character_would_not(text in "(?s).{0,60}", limit in 0_usize..80) {
            let (first, last) = (head(&text, limit), tail(&text, limit));
            prop_assert!(text.starts_with(first) && text.ends_with(last));
            for cut in [first, last] {
                prop_assert!(count(cut) <= limit);
                prop_assert!(cut.len() == text.len() || count(cut) + 1 >= limit);
            }
        }
    }
}
