//! The start and the end of a text that is too long to be shown.

use std::borrow::Cow;

use analects_text::{truncate, units};

use crate::keep;

/// The start and the end of a text; together they are not all of it.
pub(crate) struct Ends<'a> {
    pub(crate) head: Cow<'a, str>,
    pub(crate) tail: Cow<'a, str>,
}

/// A fifth of that many units and lines from the start, the rest from the end; at line ends where there are any.
///
/// The text must be longer than that in one of the two, or its middle is shown twice.
pub(crate) fn ends(text: &str, n_units: usize, n_lines: Option<usize>) -> Ends<'_> {
    let n_head = n_units / 5;
    let head_lines = n_lines.map(|lines| lines / 5);
    let tail_lines = n_lines.zip(head_lines).map(|(all, head)| all - head);
    Ends {
        head: Cow::Borrowed(head(text, n_head, head_lines)),
        tail: Cow::Borrowed(tail(text, n_units - n_head, tail_lines)),
    }
}

impl Ends<'_> {
    /// The same without anything that looks like a pointer of ours, and not longer.
    pub(crate) fn harmless(self) -> Self {
        Self {
            head: fitted(self.head, units::head),
            tail: fitted(self.tail, units::tail),
        }
    }

    pub(crate) fn units(&self) -> [usize; 2] {
        [&self.head, &self.tail].map(|end| units::count(end))
    }

    /// The two with a line between them.
    pub(crate) fn around(&self, marker: &str) -> String {
        let Self { head, tail } = self;
        let gap = match head.is_empty() || head.ends_with('\n') {
            true => "",
            false => "\n",
        };
        [head, gap, marker, tail].concat()
    }
}

fn head(text: &str, n_units: usize, n_lines: Option<usize>) -> &str {
    let mut cut = units::head(text, n_units);
    if let Some(n_lines) = n_lines {
        let mut line_ends = memchr::memchr_iter(b'\n', cut.as_bytes());
        let end = match n_lines {
            0 => Some(0),
            n_lines => line_ends.nth(n_lines - 1).map(|at| at + 1),
        };
        cut = end.and_then(|end| cut.get(..end)).unwrap_or(cut);
    }
    match cut.len() == text.len() {
        true => cut,
        false => truncate::at_line_end(cut).trim_end_matches('\r'),
    }
}

fn tail(text: &str, n_units: usize, n_lines: Option<usize>) -> &str {
    let mut cut = units::tail(text, n_units);
    if let Some(n_lines) = n_lines {
        // The last line end closes a line and opens none.
        let inner = cut.strip_suffix('\n').unwrap_or(cut);
        let mut line_ends = memchr::memrchr_iter(b'\n', inner.as_bytes());
        let start = match n_lines {
            0 => Some(cut.len()),
            n_lines => line_ends.nth(n_lines - 1).map(|at| at + 1),
        };
        cut = start.and_then(|start| cut.get(start..)).unwrap_or(cut);
    }
    at_line_start(text, cut)
}

/// A text that was cut already, without its first line if that is only a part of one; the line stays if more
/// than half of the text would go with it.
fn at_line_start<'a>(text: &str, cut: &'a str) -> &'a str {
    let before = text.get(..text.len() - cut.len()).unwrap_or_default();
    if before.is_empty() || before.ends_with('\n') {
        return cut;
    }
    match memchr::memchr(b'\n', cut.as_bytes()) {
        Some(newline) if newline < cut.len() / 2 => cut.get(newline + 1..).unwrap_or(cut),
        _ => cut,
    }
}

fn fitted<'a>(end: Cow<'a, str>, cut: fn(&str, usize) -> &str) -> Cow<'a, str> {
    let limit = units::count(&end);
    let mut n_units = limit;
    loop {
        let safe = match keep::harmless(cut(&end, n_units)) {
            Cow::Borrowed(_) if n_units == limit => None,
            safe => Some(safe.into_owned()),
        };
        let Some(safe) = safe else { return end };
        let over = units::count(&safe).saturating_sub(limit);
        if over == 0 {
            return Cow::Owned(safe);
        }
        // What a cut bares may be a delimiter where there was none before, so look again.
        n_units = n_units.saturating_sub(over);
    }
}
