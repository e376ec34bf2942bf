//! Makes foreign text safe to show in a terminal or to stand inside one line of ours.

use std::borrow::Cow;

/// `text` with everything that could drive a terminal made visible; line breaks and tabs stay.
///
/// Escape sequences, other control characters and the invisible characters that reorder or hide text
/// become a visible escape such as `\u{1b}`.
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    escape(text, |c| !matches!(c, '\n' | '\t') && drives_a_terminal(c))
}

/// `text` as part of a single line: as [`for_terminal`], and no line breaks or tabs either.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    escape(text, |c| {
        drives_a_terminal(c) || matches!(c, '\u{2028}' | '\u{2029}')
    })
}

fn drives_a_terminal(c: char) -> bool {
    c.is_control() || reorders(c) || is_tag_character(c)
}

/// Bidirectional controls: they make a terminal show text in another order than it is written.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{61C}')
}

/// Unicode tag characters: invisible everywhere, yet readable for a model.
fn is_tag_character(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// Whether `c` leaves no trace on paper: used to see through attempts to hide a delimiter.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    // Control characters, blank Braille, annotations, and what Unicode says may be ignored by default.
    (c.is_control() && !c.is_whitespace())
        || matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

fn escape(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&bad) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if bad(c) {
            safe.extend(c.escape_unicode());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_become_visible_and_layout_stays() {
        assert_eq!(
            for_terminal("a\tb\n\x1b[2J\r\u{9b}x"),
            "a\tb\n\\u{1b}[2J\\u{d}\\u{9b}x"
        );
        assert!(matches!(for_terminal("plain 文字"), Cow::Borrowed(_)));
    }

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(one_line("a\nb\u{2028}c"), "a\\u{a}b\\u{2028}c");
    }

    #[test]
    fn reordering_and_tag_characters_show() {
        assert_eq!(for_terminal("a\u{202E}b\u{E0041}"), "a\\u{202e}b\\u{e0041}");
    }
}
