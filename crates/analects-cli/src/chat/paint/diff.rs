//! A unified diff for a person: in colour or without, safe, and not longer than can be looked at.

use std::io::{self, Write};

use analects_text::sanitize;

use super::row::{self, Ink, Look};

/// How a diff is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiffOptions<'a> {
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
    let width = options.width.saturating_sub(1).max(2);
    let mut buf = String::new();
    let mut hunk = Hunk::default();
    let mut n_left = options.max_rows;
    let n_lines = diff.lines().count();
    for (idx, line) in diff.lines().enumerate() {
        let look = hunk.look(line);
        // A line that would not fit even alone is not looked at to its end.
        let Some(rows) = broken(line, width, n_left) else {
            let n_more = n_lines - idx;
            let lines = if n_more == 1 { "line" } else { "lines" };
            let more = format!(
                "… {n_more} more {lines}; {}",
                sanitize::one_line(options.hint)
            );
            Look::DIM.write(&more, ink, &mut buf);
            buf.push_str("\r\n");
            break;
        };
        n_left -= rows.len();
        for row in rows {
            look.write(&row, ink, &mut buf);
            buf.push_str("\r\n");
        }
    }
    out.write_all(buf.as_bytes())
}

/// What is left of the hunk that is read. Without counting, a line that was `-- x` would pass for the name of a file.
#[derive(Debug, Default)]
struct Hunk {
    n_old: usize,
    n_new: usize,
}

impl Hunk {
    fn look(&mut self, line: &str) -> Look {
        if self.n_old == 0 && self.n_new == 0 {
            return match line.strip_prefix("@@ ") {
                Some(head) => {
                    *self = Self::begin(head);
                    Look::CODE
                }
                None => Look::BOLD,
            };
        }
        let (look, n_old, n_new) = match line.chars().next() {
            Some('+') => (Look::ADDED, 0, 1),
            Some('-') => (Look::REMOVED, 1, 0),
            Some('\\') => (Look::DIM, 0, 0),
            _ => (Look::PLAIN, 1, 1),
        };
        self.n_old = self.n_old.saturating_sub(n_old);
        self.n_new = self.n_new.saturating_sub(n_new);
        look
    }

    /// Reads `-1,4 +1,5 @@`.
    fn begin(head: &str) -> Self {
        let mut ranges = head.split(' ').map(|range| {
            let count = range.split_once(',').map_or("1", |(_, count)| count);
            count.parse().unwrap_or(1)
        });
        Self {
            n_old: ranges.next().unwrap_or(0),
            n_new: ranges.next().unwrap_or(0),
        }
    }
}

/// A line in rows of `width` columns, the sign in front of each; `None` if that is more than `max_rows`.
fn broken(line: &str, width: usize, max_rows: usize) -> Option<Vec<String>> {
    if max_rows == 0 || line.len() > max_rows * width * 4 {
        return None;
    }
    let line = line.replace('\t', "    ");
    let line = sanitize::one_line(&line);
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
