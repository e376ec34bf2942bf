//! Estimates what a text costs a model, without a model.
//!
//! The weights are Gemini CLI's: a quarter token for an ASCII character, one and a half for any other
//! UTF-16 unit. Unlike the original it never falls back to "length / 4" on long texts, which counts
//! Chinese six times too low.

/// Weights in quarter tokens, so that sums stay exact whatever the order of addition.
const ASCII_QUARTERS: usize = 1;
const OTHER_QUARTERS: usize = 6;

/// The estimated number of tokens in `text`, rounded down once.
#[must_use]
pub fn estimate(text: &str) -> usize {
    quarters(text) / 4
}

/// The estimate in quarter tokens: additive over concatenation, for callers that sum up pieces.
#[must_use]
pub fn quarters(text: &str) -> usize {
    // In chunks small enough for byte-wide counters, so that the loop compiles to vector code.
    text.as_bytes().chunks(240).map(chunk_quarters).sum()
}

/// The weight of one character, in quarter tokens.
#[must_use]
pub fn char_quarters(c: char) -> usize {
    if c.is_ascii() {
        ASCII_QUARTERS
    } else {
        OTHER_QUARTERS * c.len_utf16()
    }
}

fn chunk_quarters(bytes: &[u8]) -> usize {
    let (mut ascii, mut leads, mut leads_of_four) = (0_u8, 0_u8, 0_u8);
    for &byte in bytes {
        ascii += u8::from(byte < 0x80);
        leads += u8::from(byte >= 0xC0);
        leads_of_four += u8::from(byte >= 0xF0);
    }
    // A four-byte character is two UTF-16 units: its lead byte counts in both sums.
    usize::from(ascii) * ASCII_QUARTERS
        + (usize::from(leads) + usize::from(leads_of_four)) * OTHER_QUARTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ascii_counts_a_quarter_and_rounds_down_once() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("abc"), 0);
        assert_eq!(estimate("abcd"), 1);
        assert_eq!(estimate("abcdabc"), 1);
    }

    #[test]
    fn other_scripts_count_per_utf16_unit() {
        assert_eq!(estimate("你好"), 3);
        assert_eq!(estimate("é"), 1);
        assert_eq!(estimate("🦀"), 3);
    }

    #[test]
    fn a_long_chinese_text_is_not_underestimated() {
        assert_eq!(estimate(&"记".repeat(200_000)), 300_000);
    }

    proptest! {
        #[test]
        fn bytes_and_characters_agree(text in ".{0,600}") {
            prop_assert_eq!(quarters(&text), text.chars().map(char_quarters).sum::<usize>());
        }

        #[test]
        fn quarters_add_up(a in ".{0,300}", b in ".{0,300}") {
            prop_assert_eq!(quarters(&a) + quarters(&b), quarters(&format!("{a}{b}")));
        }
    }
}
