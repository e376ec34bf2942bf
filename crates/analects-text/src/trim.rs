//! Trims white space the way JavaScript does, as other readers of the same files are written in it.
//!
//! ECMAScript and Rust disagree on two characters: U+FEFF is white space there and not here, U+0085 the
//! other way round. Whoever compares texts or sections with Gemini CLI's needs its notion.

/// `text` without ECMAScript white space and line ends on either side.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether ECMAScript takes a character for white space or a line end.
#[must_use]
pub fn is_space(c: char) -> bool {
    c == '\u{FEFF}' || (c != '\u{85}' && c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_white_space_and_next_line_is_not() {
        assert_eq!(trim("\u{FEFF}\u{A0} a b \u{2028}\n"), "a b");
        assert_eq!(trim("\u{85}a\u{85}"), "\u{85}a\u{85}");
    }
}
