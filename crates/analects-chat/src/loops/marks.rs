//! What the original sees in a chunk of a stream.
//!
//! It judges by the chunk alone, so its verdicts hang on where a stream was cut, and two of its character
//! classes are ranges by mistake: its bullets are `*` and `+` but not `-`, and digits, capitals and much
//! punctuation are dividers. All of that is kept here, for `seed` and `head`.

use analects_text::trim::is_space;

/// What is in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    /// How many fences.
    pub(super) n_fences: usize,
    /// Whether a table, a list item, a heading or a quote begins in it.
    pub(super) has_layout: bool,
    /// Whether it is nothing but a divider.
    pub(super) is_divider: bool,
}

/// Reads a chunk. Linear in it.
pub(super) fn marks(chunk: &str) -> Marks {
    Marks {
        n_fences: chunk.matches("```").count(),
        has_layout: has_layout(chunk),
        is_divider: !chunk.is_empty() && chunk.chars().all(is_divider),
    }
}

/// A line that begins with a heading or a quote, or whose first word is a table or a list item. White space
/// before that word may hold line ends.
fn has_layout(chunk: &str) -> bool {
    let mut is_first_word = true;
    let mut is_line_start = true;
    for (at, c) in chunk.char_indices() {
        let rest = || chunk.get(at..).unwrap_or_default();
        if is_line_start && (is_run(rest(), '#') || is_run_of_one(rest(), |c| c == '>')) {
            return true;
        }
        if is_first_word && !is_space(c) && (is_table(rest()) || is_item(rest())) {
            return true;
        }
        is_line_start = c == '\n';
        is_first_word = is_line_start || (is_first_word && is_space(c));
    }
    false
}

fn is_table(word: &str) -> bool {
    let is_rule = word.chars().take(3).filter(|c| "|+-".contains(*c)).count() == 3;
    let cell = word.strip_prefix('|').map(|cell| {
        let line = cell.split(['\n', '\r', '\u{2028}', '\u{2029}']);
        line.take(1).any(|line| line.contains('|'))
    });
    is_rule || cell == Some(true)
}

fn is_item(word: &str) -> bool {
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < word.len()
        && (number.strip_prefix('.')).is_some_and(|rest| rest.starts_with(is_space));
    is_numbered || is_run_of_one(word, |c| matches!(c, '*' | '+'))
}

/// One mark, then white space.
fn is_run_of_one(text: &str, mark: impl Fn(char) -> bool) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(mark) && chars.next().is_some_and(is_space)
}

/// Some marks, then white space.
fn is_run(text: &str, mark: char) -> bool {
    let rest = text.trim_start_matches(mark);
    rest.len() < text.len() && rest.starts_with(is_space)
}

fn is_divider(c: char) -> bool {
    matches!(c, '*' | '+'..='_' | '\u{2500}'..='\u{257F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(chunk: &str) -> bool {
        marks(chunk).has_layout
    }

    #[test]
    fn layout_is_seen_where_a_line_begins() {
        for chunk in [
            "# a",
            "x\n## a",
            "> a",
            "x\n  * a",
            "+ a",
            "1. a",
            "\n\n 12. a",
            "|a|",
            "x\n+--",
        ] {
            assert!(layout(chunk), "{chunk:?}");
        }
        for chunk in [
            "#a", " # a", " > a", "*a", "1.5", "a * b", "|a\r|b", "|a\n|b", "--", "x |a|",
        ] {
            assert!(!layout(chunk), "{chunk:?}");
        }
    }

    #[test]
    fn a_dash_is_no_bullet_and_capitals_are_a_divider() {
        assert!(!layout("- a"));
        assert!(marks("HELLO:WORLD").is_divider);
        assert!(marks("──═──").is_divider);
        assert!(!marks("HELLO WORLD").is_divider);
        assert!(!marks("").is_divider);
    }
}
