//! Finds the characters that a person does not see and a model does.
//!
//! Some scripts and emoji need invisible joiners and selectors; those are left alone where they do their
//! work. What remains hides something, or is dirt.

use std::borrow::Cow;

use crate::sanitize::is_invisible;

/// Every hidden character of `text`, with its place.
#[must_use]
pub fn hidden(text: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut before = Before::default();
    for (at, c) in text.char_indices() {
        let next = || {
            text.get(at + c.len_utf8()..)
                .and_then(|rest| rest.chars().next())
        };
        if is_suspect(c) && !(at == 0 && c == '\u{FEFF}') && !before.needs(c, next()) {
            found.push((at, c));
        } else {
            before.pass(c);
        }
    }
    found
}

/// `text` without its hidden characters.
#[must_use]
pub fn without_hidden(text: &str) -> Cow<'_, str> {
    let found = hidden(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for (at, c) in found {
        clean.push_str(text.get(from..at).unwrap_or_default());
        from = at + c.len_utf8();
    }
    clean.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(clean)
}

fn is_suspect(c: char) -> bool {
    is_invisible(c) || matches!(c, '\u{B}' | '\u{C}' | '\u{85}' | '\u{1C}'..='\u{1F}')
}

/// What went before a character: tells whether it has work to do.
#[derive(Default)]
struct Before {
    last: Option<char>,
    /// A letter that is written from right to left was seen.
    is_rtl: bool,
    /// A flag that tag characters may complete was just begun.
    in_flag: bool,
}

impl Before {
    /// Whether the writing needs the invisible `c` here.
    fn needs(&self, c: char, next: Option<char>) -> bool {
        let is_foreign = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !is_suspect(c));
        match c {
            // Joiners work between letters of other scripts, and between emoji and their variants.
            '\u{200C}' | '\u{200D}' => {
                let joins = is_foreign(self.last) || self.last.is_some_and(is_selector);
                joins && is_foreign(next)
            }
            // One selector chooses a form; a second one in a row carries a message.
            _ if is_selector(c) => {
                is_foreign(self.last) || matches!(self.last, Some('0'..='9' | '#' | '*'))
            }
            '\u{200E}' | '\u{200F}' | '\u{61C}' => self.is_rtl || next.is_some_and(is_rtl),
            '\u{E0020}'..='\u{E007F}' => self.in_flag,
            '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' => is_foreign(self.last),
            _ => false,
        }
    }

    fn pass(&mut self, c: char) {
        self.is_rtl |= is_rtl(c);
        let goes_on = matches!(c, '\u{E0020}'..='\u{E007E}');
        self.in_flag = c == '\u{1F3F4}' || (self.in_flag && goes_on);
        self.last = Some(c);
    }
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Letters of the scripts that run from right to left.
fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && !is_suspect(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, clean: &str) {
        assert_eq!(without_hidden(text), clean, "{text:?}");
    }

    #[test]
    fn what_hides_is_found() {
        check("pass\u{200B}word", "password");
        check("a\u{202E}b\u{2066}c", "abc");
        check("hi\u{E0041}\u{E0042}", "hi");
        check("x\0y\u{1b}z\u{AD}", "xyz");
        check("a\u{200D}b", "ab");
        check("é\u{FE0F}\u{FE01}\u{FE02}", "é\u{FE0F}");
        check("left\u{200F}", "left");
        check("mid\u{FEFF}dle", "middle");
    }

    #[test]
    fn what_a_script_needs_stays() {
        for text in [
            "\u{FEFF}# Rules",
            "👩\u{200D}👩\u{200D}👧 ok",
            "❤\u{FE0F}\u{200D}🔥",
            "1\u{FE0F}\u{20E3}",
            "می\u{200C}خواهم",
            "क\u{94D}\u{200D}ष",
            "שלום \u{200F}(abc)",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "葛\u{E0100}",
            "tab\tand\r\nlines\n中文，全角　空格",
        ] {
            check(text, text);
        }
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(
            text in "([a-é\u{200B}-\u{200F}\u{FE00}-\u{FE0F}\u{FEFF}🏴❤ש\u{E0020}-\u{E0030}]|\\PC){0,30}"
        ) {
            let once = without_hidden(&text).into_owned();
            prop_assert_eq!(without_hidden(&once).into_owned(), once);
        }
    }
}
