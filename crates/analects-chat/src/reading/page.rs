//! A page of a text: its lines, by number.

use analects_text::units;
use analects_world::Profile;

use super::Measures;
use crate::shorten::grouped;

/// What a tool was asked for; both ways of counting are understood, and `start_line` and `end_line` go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// The first line, counted from one.
    pub start_line: Option<usize>,
    /// The last line, counted from one; it may be far from the first.
    pub end_line: Option<usize>,
    /// How many lines to pass over.
    pub offset: Option<usize>,
    /// How many lines to show.
    pub limit: Option<usize>,
}

/// Lines of a text, counted from zero; the end is not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    start: usize,
    end: usize,
    /// How long a line may be.
    line_units: usize,
}

/// A part of a text as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The lines.
    pub text: String,
    /// The first line, counted from one; one more than there are if none is shown.
    pub first_line: usize,
    /// The last line.
    pub last_line: usize,
    /// How many lines there are.
    pub n_lines: usize,
    /// How many of the lines shown were too long.
    pub n_cut_lines: usize,
    line_units: usize,
}

impl Range {
    /// The lines that were asked for. A zero counts as nothing said.
    #[must_use]
    pub fn of(asked: &Asked, measures: Measures) -> Self {
        let said = |number: Option<usize>| number.filter(|&number| number > 0);
        if asked.start_line.is_some() || asked.end_line.is_some() {
            let start = said(asked.start_line).map_or(0, |line| line - 1);
            let end = said(asked.end_line);
            return Self {
                start,
                end: end.unwrap_or_else(|| start.saturating_add(measures.lines)),
                line_units: measures.line_units,
            };
        }
        let start = asked.offset.unwrap_or(0);
        let limit = said(asked.limit).unwrap_or(measures.lines);
        Self {
            start,
            end: start.saturating_add(limit),
            line_units: measures.line_units,
        }
    }
}

/// The lines of a text in a range, none longer than it may be; lines end at `\n` or `\r\n`.
///
/// For the original a final line end opens one more line, so that it calls a file of exactly 2,000 lines cut.
#[must_use]
pub fn page(text: &str, range: &Range, profile: Profile) -> Page {
    let mut shown = Shown {
        range: *range,
        text: String::new(),
        n_cut_lines: 0,
    };
    let (mut n_lines, mut start) = (0, 0);
    for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
        let line = text.get(start..end).unwrap_or_default();
        shown.line(n_lines, line.strip_suffix('\r').unwrap_or(line));
        n_lines += 1;
        start = end + 1;
    }
    let last = text.get(start..).unwrap_or_default();
    if profile != Profile::Analects || !last.is_empty() {
        shown.line(n_lines, last);
        n_lines += 1;
    } else if n_lines > 0 && shown.has(n_lines - 1) {
        shown.text.push('\n');
    }
    Page {
        text: shown.text,
        first_line: range.start.min(n_lines) + 1,
        last_line: range.end.min(n_lines),
        n_lines,
        n_cut_lines: shown.n_cut_lines,
        line_units: range.line_units,
    }
}

impl Page {
    /// Whether anything is missing.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.is_part() || self.n_cut_lines > 0
    }

    /// The line to go on with; `None` at the end.
    #[must_use]
    pub fn next_line(&self) -> Option<usize> {
        (self.last_line < self.n_lines).then_some(self.last_line + 1)
    }

    /// What people are told about it, if there is anything to tell.
    #[must_use]
    pub fn display(&self, path: &str) -> String {
        let Self {
            first_line,
            last_line,
            n_lines,
            n_cut_lines,
            ..
        } = self;
        let shortened = match n_cut_lines {
            0 => "",
            _ => " (some lines were shortened)",
        };
        match (self.is_part(), n_cut_lines) {
            (true, _) => {
                format!("Read lines {first_line}-{last_line} of {n_lines} from {path}{shortened}")
            }
            (false, 0) => String::new(),
            (false, _) => format!("Read all {n_lines} lines from {path}{shortened}"),
        }
    }

    /// The text with what the model has to know about it.
    #[must_use]
    pub fn announced(&self) -> String {
        if !self.is_truncated() {
            return self.text.clone();
        }
        let mut notice = match self.first_line > self.last_line {
            true => format!("[No lines here: the file has {}.", self.n_lines),
            false => format!(
                "[Lines {} to {} of {}.",
                self.first_line, self.last_line, self.n_lines
            ),
        };
        if self.n_cut_lines > 0 {
            let limit = grouped(self.line_units);
            notice.extend([" Lines of more than ", &limit, " characters are cut."]);
        }
        if let Some(next) = self
            .next_line()
            .filter(|_| self.first_line <= self.last_line)
        {
            notice.extend([" Go on with start_line ", &next.to_string(), "."]);
        }
        notice.extend(["]\n", &self.text]);
        notice
    }

    fn is_part(&self) -> bool {
        self.first_line > 1 || self.last_line < self.n_lines
    }
}

struct Shown {
    range: Range,
    text: String,
    n_cut_lines: usize,
}

impl Shown {
    fn has(&self, line_idx: usize) -> bool {
        (self.range.start..self.range.end).contains(&line_idx)
    }

    fn line(&mut self, line_idx: usize, line: &str) {
        if !self.has(line_idx) {
            return;
        }
        if line_idx > self.range.start {
            self.text.push('\n');
        }
        let cut = units::head(line, self.range.line_units);
        self.text.push_str(cut);
        if cut.len() < line.len() {
            self.text.push_str("... [truncated]");
            self.n_cut_lines += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_LINES;
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn ask(text: &str, asked: Asked) -> Page {
        page(text, &Range::of(&asked, Measures::USUAL), Profile::Analects)
    }

    fn check(asked: Asked, expected: Expect) {
        let text: String = (1..=9).map(|line| format!("line {line}\r\n")).collect();
        let page = ask(&text, asked);
        let display = page.display("a.txt");
        expected.assert_eq(&format!("{}<{display}>", page.announced()));
    }

    #[test]
    fn both_ways_of_asking_are_understood() {
        let lines = |start_line, end_line| Asked {
            start_line,
            end_line,
            ..Asked::default()
        };
        check(
            lines(Some(2), Some(3)),
            expect![[r#"
                [Lines 2 to 3 of 9. Go on with start_line 4.]
                line 2
                line 3<Read lines 2-3 of 9 from a.txt>"#]],
        );
        check(
            lines(Some(8), None),
            expect![[r#"
                [Lines 8 to 9 of 9.]
                line 8
                line 9
                <Read lines 8-9 of 9 from a.txt>"#]],
        );
        check(
            lines(Some(20), None),
            expect![[r#"
                [No lines here: the file has 9.]
                <Read lines 10-9 of 9 from a.txt>"#]],
        );
        let asked = Asked {
            offset: Some(1),
            limit: Some(2),
            ..Asked::default()
        };
        assert_eq!(
            Range::of(&asked, Measures::USUAL),
            Range::of(&lines(Some(2), Some(3)), Measures::USUAL)
        );
        assert_eq!(
            Range::of(&Asked::default(), Measures::USUAL),
            Range {
                start: 0,
                end: 2_000,
                line_units: 2_000,
            }
        );
    }

    #[test]
    fn a_long_line_is_cut_and_told() {
        let text = format!("a\n{}\nb", "🦀".repeat(1_001));
        let page = ask(&text, Asked::default());
        assert_eq!(
            page.text,
            format!("a\n{}... [truncated]\nb", "🦀".repeat(1_000))
        );
        assert_eq!(
            page.display("x"),
            "Read all 3 lines from x (some lines were shortened)"
        );
        assert!(
            page.announced().starts_with(
                "[Lines 1 to 3 of 3. Lines of more than 2,000 characters are cut.]\na\n"
            )
        );
    }

    #[test]
    fn a_file_of_exactly_as_many_lines_as_are_shown_is_whole() {
        let text = "x\n".repeat(MAX_LINES);
        let page = ask(&text, Asked::default());
        assert!(!page.is_truncated() && page.text == text);
        let head = super::page(
            &text,
            &Range::of(&Asked::default(), Measures::USUAL),
            Profile::Head,
        );
        assert!(head.is_truncated() && head.next_line() == Some(2_001));
    }

    proptest! {
        #[test]
        fn pages_put_together_are_the_text(text in "[a\n]{0,30}", limit in 1_usize..5) {
            let (mut whole, mut start_line) = (String::new(), Some(1));
            while let Some(start) = start_line {
                let asked = Asked { start_line, end_line: Some(start + limit - 1), ..Asked::default() };
                let page = ask(&text, asked);
                if start > 1 {
                    whole.push('\n');
                }
                whole.push_str(&page.text);
                start_line = page.next_line();
            }
            prop_assert_eq!(whole, text);
        }

        #[test]
        fn no_question_is_too_odd(text in "(?s).{0,40}", asked in prop::array::uniform4(prop::option::of(0_usize..8))) {
            let [start_line, end_line, offset, limit] = asked;
            let asked = Asked { start_line, end_line, offset, limit };
            let page = ask(&text, asked);
            prop_assert!(page.text.len() <= text.len());
            let _ = page.announced();
        }
    }
}
