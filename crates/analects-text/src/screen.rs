//! What a terminal would finally show of a program's output: escapes and carriage returns applied.
//!
//! Colours and titles go, progress bars that were drawn over and over are seen as they were left. Only the line
//! that is being written is drawn on: whoever moves up and overwrites lines from there is not followed, and each
//! character is taken to be one column wide.

use std::borrow::Cow;
use std::str::Chars;

/// `text` as a reader sees it: no control characters but line ends and tabs.
///
/// Linear in the text, and at most twice as many characters.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut page = String::with_capacity(text.len());
    let mut blanks = text.len();
    for (idx, line) in text.split('\n').enumerate() {
        if idx > 0 {
            page.push('\n');
        }
        let line = line.trim_end_matches('\r');
        if line.contains(acts) {
            let mut drawn = Line::new(blanks);
            drawn.draw(line);
            blanks = drawn.blanks;
            page.push_str(drawn.cells.iter().collect::<String>().trim_end_matches(' '));
        } else {
            page.push_str(line);
        }
    }
    Cow::Owned(page)
}

/// Whether a character does something instead of being seen.
fn acts(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

/// A line while it is drawn.
struct Line {
    cells: Vec<char>,
    /// Where the next character goes.
    at: usize,
    /// How many blanks may still be put in for those who move on without writing.
    blanks: usize,
}

impl Line {
    fn new(blanks: usize) -> Self {
        Self {
            cells: Vec::new(),
            at: 0,
            blanks,
        }
    }

    fn draw(&mut self, line: &str) {
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '\r' => self.at = 0,
                '\u{8}' => self.at = self.at.saturating_sub(1),
                '\u{1B}' => self.escape(&mut chars),
                '\u{9B}' => self.control(&mut chars),
                '\u{90}' | '\u{98}' | '\u{9D}'..='\u{9F}' => skip_string(&mut chars),
                c if acts(c) => {}
                c => self.put(c),
            }
        }
    }

    fn put(&mut self, c: char) {
        let n_missing = self.at.saturating_sub(self.cells.len()).min(self.blanks);
        self.blanks -= n_missing;
        self.at = self.at.min(self.cells.len() + n_missing);
        self.cells.extend(std::iter::repeat_n(' ', n_missing));
        match self.cells.get_mut(self.at) {
            Some(cell) => *cell = c,
            None => self.cells.push(c),
        }
        self.at += 1;
    }

    fn escape(&mut self, chars: &mut Chars<'_>) {
        match chars.as_str().chars().next() {
            Some('[') => {
                chars.next();
                self.control(chars);
            }
            Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
            Some(' '..='/') => {
                skip_while(chars, |c| matches!(c, ' '..='/'));
                next_if(chars, |c| matches!(c, '0'..='~'));
            }
            _ => {
                next_if(chars, |c| matches!(c, '0'..='~'));
            }
        }
    }

    /// A control sequence, from its parameters on. One that breaks off does nothing.
    fn control(&mut self, chars: &mut Chars<'_>) {
        let said = chars.as_str();
        skip_while(chars, |c| matches!(c, '0'..='?'));
        let is_plain = chars.as_str().starts_with(|c| matches!(c, '@'..='~'));
        skip_while(chars, |c| matches!(c, ' '..='/'));
        let Some(last) = next_if(chars, |c| matches!(c, '@'..='~')) else {
            return;
        };
        if !is_plain {
            return;
        }
        let first = said.split(|c: char| !c.is_ascii_digit()).next();
        let number = first.and_then(|digits| digits.parse::<usize>().ok());
        let steps = number.unwrap_or(1).max(1);
        match last {
            'C' => self.at = self.at.saturating_add(steps),
            'D' => self.at = self.at.saturating_sub(steps),
            'G' => self.at = steps - 1,
            'K' | 'J' if number.unwrap_or(0) == 0 => self.cells.truncate(self.at),
            'K' | 'J' if number != Some(1) => self.cells.clear(),
            _ => {}
        }
    }
}

/// A title, a link or whatever else is meant for the terminal itself, up to its end.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next() {
        match c {
            '\u{7}' | '\u{9C}' => return,
            '\u{1B}' => {
                next_if(chars, |c| c == '\\');
                return;
            }
            _ => {}
        }
    }
}

fn skip_while(chars: &mut Chars<'_>, wanted: impl Fn(char) -> bool) {
    *chars = chars.as_str().trim_start_matches(wanted).chars();
}

fn next_if(chars: &mut Chars<'_>, wanted: impl Fn(char) -> bool) -> Option<char> {
    let next = chars.as_str().chars().next().filter(|&c| wanted(c))?;
    chars.next();
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(shown(text), expected, "{text:?}");
    }

    #[test]
    fn what_acts_on_nothing_stays_as_it_is() {
        for text in ["", "a\tb\n\nc  \n", "文字 é 🦀"] {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn colours_titles_and_links_go() {
        check("\u{1B}[1;31merror\u{1B}[0m: x", "error: x");
        check("\u{9B}32mok\u{9B}m", "ok");
        check("\u{1B}]0;title\u{7}text", "text");
        check("\u{1B}]8;;file:///x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link");
        check("\u{1B}(Ba\u{1B}=b\u{1B}cc\u{1B}[?25ld\u{1B}[2 qe", "abcde");
        check("bell\u{7} nul\0 del\u{7F}", "bell nul del");
    }

    #[test]
    fn a_progress_bar_is_seen_as_it_was_left() {
        check("10%\r 20%\r100%\ndone\r\n\r\nmore\r", "100%\ndone\n\nmore");
        check("Compiling x\r\u{1B}[KFinished", "Finished");
        check("long line\rshort", "shortline");
        check("working\r       \rok", "ok");
        check("a|\u{8}/\u{8}-\u{8}done", "adone");
        check("old\u{1B}[2K\rnew", "new");
        check("old\u{1B}[1Gnew\u{1B}[2Dxy", "nxy");
        check("a\u{1B}[3Cb", "a   b");
    }

    #[test]
    fn a_sequence_that_breaks_off_ends_with_its_line() {
        check("a\u{1B}]0;never ended\nb", "a\nb");
        check("a\u{1B}[12\nb\u{1B}", "a\nb");
        check("\u{1B}[3é", "é");
    }

    #[test]
    fn nobody_gets_more_blanks_than_they_wrote() {
        let text = "\u{1B}[999999999999Cx\u{1B}[99999999999999999999999Cy\n".repeat(100);
        assert!(shown(&text).chars().count() <= 2 * text.len());
        // Redrawing a long line again and again must not cost its length each time.
        let text = "x".repeat(200_000) + &"\r\u{1B}[1K\u{1B}[K\u{1B}[200000C".repeat(20_000);
        assert!(shown(&text).len() <= 2 * text.len());
    }

    proptest! {
        #[test]
        fn nothing_acts_any_longer_and_lines_stay_lines(
            text in "(?s)([a-z é\n\r\t\u{8}\u{7}\\[\\]0-9;?KCDGm\u{9B}\u{9C}]|\u{1B}){0,60}"
        ) {
            let seen = shown(&text).into_owned();
            prop_assert!(!seen.contains(acts));
            prop_assert_eq!(seen.matches('\n').count(), text.matches('\n').count());
            prop_assert!(seen.chars().count() <= 2 * text.len());
            prop_assert_eq!(shown(&seen).into_owned(), seen);
        }
    }
}
