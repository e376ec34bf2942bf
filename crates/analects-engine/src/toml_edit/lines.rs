//! Whole lines of a TOML text: every statement begins and ends with one.

use std::ops::Range;

use crate::sequence::{indent_at, newline_of, part};

/// Adds a block of lines at the end, behind an empty line.
pub(super) fn append(text: &mut String, block: &[String]) {
    let newline = newline_of(text);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(newline);
    }
    if !text.is_empty() && !text.ends_with("\n\n") && !text.ends_with("\n\r\n") {
        text.push_str(newline);
    }
    for line in block {
        text.push_str(line);
        text.push_str(newline);
    }
}

/// Adds a line below the one in which `statement` ends.
pub(super) fn insert_after(text: &mut String, statement: &Range<usize>, line: &str) {
    let newline = newline_of(text);
    let line = format!("{}{line}", indent_at(text, statement.start));
    let rest = part(text, statement.end..text.len());
    let (at, line) = match rest.find('\n') {
        Some(at) => (statement.end + at + 1, format!("{line}{newline}")),
        None => (text.len(), format!("{newline}{line}")),
    };
    text.insert_str(at, &line);
}

/// Removes the lines of all `statements`, and the empty line that set them apart.
pub(super) fn remove(text: &mut String, statements: &[Range<usize>]) {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut lines: Vec<_> = statements.iter().map(|range| whole(text, range)).collect();
    lines.sort_unstable_by_key(|line| line.start);
    for line in lines {
        match blocks.last_mut() {
            Some(block) if line.start <= block.end => block.end = block.end.max(line.end),
            _ => blocks.push(line),
        }
    }
    for block in blocks.into_iter().rev() {
        let start = match empty_line_before(text, block.start) {
            Some(start) if begins_empty(text, block.end) => start,
            _ => block.start,
        };
        text.replace_range(start..block.end, "");
    }
}

/// The lines that a range touches, their last line break included.
fn whole(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = part(text, 0..range.start)
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let end = part(text, range.end..text.len())
        .find('\n')
        .map_or(text.len(), |at| range.end + at + 1);
    start..end
}

/// Where the line above begins, if it is empty.
fn empty_line_before(text: &str, at: usize) -> Option<usize> {
    let head = part(text, 0..at).strip_suffix('\n')?;
    let start = head.rfind('\n').map_or(0, |at| at + 1);
    part(head, start..head.len())
        .trim()
        .is_empty()
        .then_some(start)
}

/// Whether the text ends here, or goes on with an empty line.
fn begins_empty(text: &str, at: usize) -> bool {
    let rest = part(text, at..text.len());
    let line = rest.split('\n').next().unwrap_or_default();
    line.trim().is_empty()
}
