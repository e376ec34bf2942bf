//! A unified diff for a person: in colour or without, safe, and not longer than can be looked at.

use std::io::{self, Write};

use analects_text::{hidden, sanitize};

use super::Style;
use super::row::{self, Ink, Look};
use crate::chat::hunk::{Hunk, Line};

/// How a diff is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiffOptions<'a> {
    pub(crate) style: Style,
    pub(crate) has_color: bool,
    /// Columns.
    pub(crate) width: usize,
    /// Rows of the screen.
    pub(crate) max_rows: usize,
    /// What to do to see all of it, if that is more.
    pub(crate) hint: &'a str,
}

/// Shows a diff. No line is cut at its end, where something could hide: it goes on in the next row.
pub(crate) fn show(out: &mut dyn Write, diff: &str, options: DiffOptions<'_>) -> io::Result<()> {
    let ink = match options.has_color {
        true => Ink::Color,
        false => Ink::None,
    };
    let newline = match options.style {
        Style::Rich => "\r\n",
        Style::Lines => "\n",
    };
    let width = options.width.saturating_sub(1).max(2);
    let mut buf = String::new();
    let mut hunk = Hunk::default();
    let mut n_left = options.max_rows;
    // Not `lines`: it would hide that a line ends in another way now.
    let diff = diff.strip_suffix('\n').unwrap_or(diff);
    let n_lines = diff.split('\n').count();
    for (idx, line) in diff.split('\n').enumerate() {
        let look = look(hunk.next(line));
        // A line that would not fit even alone is not looked at to its end.
        let Some(rows) = broken(line, width, n_left) else {
            let n_more = n_lines - idx;
            let lines = if n_more == 1 { "line" } else { "lines" };
            let more = format!(
                "… {n_more} more {lines}; {}",
                sanitize::one_line(options.hint)
            );
            Look::DIM.write(&more, ink, &mut buf);
            buf.push_str(newline);
            break;
        };
        n_left -= rows.len();
        for row in rows {
            look.write(&row, ink, &mut buf);
            buf.push_str(newline);
        }
    }
    out.write_all(buf.as_bytes())
}

fn look(line: Line) -> Look {
    match line {
        Line::Outside => Look::BOLD,
        Line::Head => Look::CODE,
        Line::Added => Look::ADDED,
        Line::Removed => Look::REMOVED,
        Line::Kept => Look::PLAIN,
        Line::Note => Look::DIM,
    }
}

/// A line in rows of `width` columns, the sign in front of each; `None` if that is more than `max_rows`.
fn broken(line: &str, width: usize, max_rows: usize) -> Option<Vec<String>> {
    if max_rows == 0 || line.len() > max_rows.saturating_mul(width).saturating_mul(4) {
        return None;
    }
    let line = visible(line);
    let sign = line.chars().next().filter(|c| matches!(c, '+' | '-' | ' '));
    let mut rows = vec![String::new()];
    let mut columns = 0;
    for c in line.chars() {
        let wide = row::columns(c);
        if columns + wide > width {
            let sign = sign.map_or(String::new(), String::from);
            columns = sign.len();
            rows.push(sign);
        }
        columns += wide;
        if let Some(row) = rows.last_mut() {
            row.push(c);
        }
    }
    (rows.len() <= max_rows).then_some(rows)
}

/// `line` with everything in it that a person would not see, and yet agrees to.
fn visible(line: &str) -> String {
    let hidden = hidden::find(line);
    let mut hidden = hidden.iter().map(|hidden| hidden.at).peekable();
    let mut shown = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        match c {
            '\t' => shown.push_str("    "),
            c if hidden.next_if_eq(&at).is_some() => shown.extend(c.escape_unicode()),
            c => shown.push_str(&sanitize::one_line(c.encode_utf8(&mut [0; 4]))),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const DIFF: &str =
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n--- two\n+\ttwo\u{1b}[2J\u{200b}\n three\r\n";

    fn check(has_color: bool, width: usize, max_rows: usize, expected: Expect) {
        let mut out = Vec::new();
        let options = DiffOptions {
            style: Style::Lines,
            has_color,
            width,
            max_rows,
            hint: "press `d` to see all",
        };
        show(&mut out, DIFF, options).unwrap();
        expected.assert_eq(&String::from_utf8(out).unwrap().replace('\u{1b}', "^"));
    }

    #[test]
    fn a_diff_in_color() {
        check(
            true,
            80,
            20,
            expect![[r#"
            ^[1m--- a/x^[0m
            ^[1m+++ b/x^[0m
            ^[36m@@ -1,3 +1,3 @@^[0m
             one
            ^[31m--- two^[0m
            ^[32m+    two\u{1b}[2J\u{200b}^[0m
             three\u{d}
        "#]],
        );
    }

    #[test]
    fn a_diff_says_the_same_without_color() {
        check(
            false,
            80,
            20,
            expect![[r#"
            --- a/x
            +++ b/x
            @@ -1,3 +1,3 @@
             one
            --- two
            +    two\u{1b}[2J\u{200b}
             three\u{d}
        "#]],
        );
    }

    #[test]
    fn a_long_line_goes_on_in_the_next_row() {
        check(
            false,
            12,
            20,
            expect![[r#"
            --- a/x
            +++ b/x
            @@ -1,3 +1,
            3 @@
             one
            --- two
            +    two\u{
            +1b}[2J\u{2
            +00b}
             three\u{d}
        "#]],
        );
    }

    #[test]
    fn a_long_diff_says_how_much_is_left() {
        check(
            false,
            80,
            5,
            expect![[r#"
            --- a/x
            +++ b/x
            @@ -1,3 +1,3 @@
             one
            --- two
            … 2 more lines; press `d` to see all
        "#]],
        );
    }

    #[test]
    fn any_diff_is_bounded() {
        for diff in ["+x\n".repeat(100_000), "x".repeat(1 << 20), String::new()] {
            let mut out = Vec::new();
            let options = DiffOptions {
                style: Style::Rich,
                has_color: true,
                width: 1,
                max_rows: 30,
                hint: "",
            };
            show(&mut out, &diff, options).unwrap();
            assert!(out.len() < 2000);
        }
    }
}
