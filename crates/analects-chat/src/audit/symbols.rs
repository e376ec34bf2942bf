//! A text as words and symbols, so that layout does not matter when facts are looked up.

use analects_text::script::is_ideograph;

/// The words and signs of a text: a run of letters and digits is one, every other character one of its own.
/// Chinese characters stand for themselves, since nothing between them tells words apart.
#[derive(Clone)]
pub(super) struct Symbols<'a> {
    rest: &'a str,
}

/// The words and signs of a text.
pub(super) fn symbols(text: &str) -> Symbols<'_> {
    Symbols { rest: text }
}

impl<'a> Symbols<'a> {
    /// What is yet to come.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Symbols<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let mut chars = self.rest.chars();
            let first = chars.next()?;
            if let Some(after) = past_colour(self.rest) {
                self.rest = after;
            } else if is_gap(first) {
                self.rest = chars.as_str();
            } else if let Some((sign, after)) = entity(self.rest) {
                self.rest = after;
                return Some(sign);
            } else {
                let end = match is_word(first) {
                    true => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
                    false => first.len_utf8(),
                };
                let (symbol, after) = self.rest.split_at(end);
                self.rest = after;
                return Some(symbol);
            }
        }
    }
}

/// Whether a character is a part of a word.
pub(super) fn is_word(c: char) -> bool {
    c == '_' || (c.is_alphanumeric() && !is_ideograph(c))
}

/// What stands between words and means nothing.
fn is_gap(c: char) -> bool {
    let is_invisible = matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}');
    c == '`' || c.is_whitespace() || c.is_control() || is_invisible
}

/// What follows a colour of a terminal, if the text begins with one.
pub(super) fn past_colour(text: &str) -> Option<&str> {
    after_escape(text.strip_prefix('\u{1b}')?)
}

/// The same, if its first character is gone already.
pub(super) fn after_escape(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?;
    let end = inside.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ';' | '?'));
    end.strip_prefix(|c: char| c.is_ascii_alphabetic())
}

/// The sign that a snapshot had to spell out, and what follows.
fn entity(text: &str) -> Option<(&'static str, &str)> {
    let name = text.strip_prefix('&')?;
    let signs = [
        ("lt;", "<"),
        ("gt;", ">"),
        ("amp;", "&"),
        ("quot;", "\""),
        ("apos;", "'"),
    ];
    signs.iter().find_map(|(spelled, sign)| {
        let after = name.strip_prefix(spelled)?;
        Some((*sign, after))
    })
}

#[cfg(test)]
mod tests {
    fn check(text: &str, symbols: &[&str]) {
        assert_eq!(super::symbols(text).collect::<Vec<_>>(), symbols, "{text}");
    }

    #[test]
    fn words_stay_whole_and_signs_and_chinese_stand_alone() {
        check("src/a_b.rs:12", &["src", "/", "a_b", ".", "rs", ":", "12"]);
        check("别改 café2吧", &["别", "改", "café2", "吧"]);
    }

    #[test]
    fn how_a_text_is_set_does_not_count() {
        check(
            " use\n\t`x`  \u{1b}[31;1mred\u{1b}[0m\u{200b}",
            &["use", "x", "red"],
        );
        check(
            "Vec&lt;u8&gt; &amp;x &nbsp",
            &["Vec", "<", "u8", ">", "&", "x", "&", "nbsp"],
        );
    }
}
