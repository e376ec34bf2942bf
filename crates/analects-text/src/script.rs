//! Which characters are written without blanks between words, so that each has to stand for itself.

/// Whether a character belongs to a script in which nothing, or too little, sets words apart: Chinese, Japanese, and
/// the syllables of Korean, whose blanks stand between phrases.
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    is_ideograph(c) || matches!(c, '\u{AC00}'..='\u{D7AF}')
}

/// Whether a character belongs to Chinese or Japanese: an ideograph, kana, or a sign among them.
#[must_use]
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_is_unspaced_and_has_no_ideographs() {
        for (c, expected) in [
            ('文', (true, true)),
            ('カ', (true, true)),
            ('。', (true, true)),
            ('\u{F900}', (true, true)),
            ('\u{20000}', (true, true)),
            ('글', (true, false)),
            ('a', (false, false)),
            ('é', (false, false)),
            ('ภ', (false, false)),
        ] {
            assert_eq!((is_unspaced(c), is_ideograph(c)), expected, "{c}");
        }
    }
}
