//! Adds or removes one element of a bracketed, comma-separated list and leaves every other byte alone.
//!
//! JSON and TOML agree on this much; what a comment looks like is all they differ in here. Whoever calls
//! has parsed the text before: brackets and parts are where they are said to be.

use std::ops::Range;

/// An object, a list or an inline table as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// Where its bracket opens.
    pub(crate) open: usize,
    /// Where its bracket closes.
    pub(crate) close: usize,
    /// What stands between, names included.
    pub(crate) parts: Vec<Range<usize>>,
}

/// What begins a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comments {
    /// `//` and `/*`.
    Slashes,
    /// `#`.
    Hash,
}

/// How a new part is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape<'a> {
    /// On lines of its own, which begin with this.
    Lines(&'a str),
    /// In a line with others.
    InLine,
}

/// What is the same in the whole text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style<'a> {
    pub(crate) comments: Comments,
    pub(crate) newline: &'static str,
    /// One level of indentation.
    pub(crate) unit: &'a str,
}

/// Adds a part behind the last one, in the manner of the last one.
pub(crate) fn insert(
    text: &mut String,
    sequence: &Sequence,
    style: Style<'_>,
    render: &dyn Fn(Shape<'_>) -> String,
) {
    let Some(last) = sequence.parts.last() else {
        return insert_first(text, sequence, style, render);
    };
    let comma = comma_after(text, last.end, style.comments);
    let after = comma.map_or(last.end, |comma| comma + 1);
    if begins_line(text, last.start) {
        let indent = indent_at(text, last.start);
        let part = render(Shape::Lines(indent));
        let closing = if comma.is_some() { "," } else { "" };
        let part = format!("{}{indent}{part}{closing}", style.newline);
        let at = end_of_comments(text, after, style.comments);
        text.insert_str(at, &part);
        if comma.is_none() {
            text.insert(last.end, ',');
        }
    } else {
        let part = render(Shape::InLine);
        let part = match comma {
            Some(_) => format!(" {part},"),
            None => format!(", {part}"),
        };
        text.insert_str(after, &part);
    }
}

fn insert_first(
    text: &mut String,
    sequence: &Sequence,
    style: Style<'_>,
    render: &dyn Fn(Shape<'_>) -> String,
) {
    let outer = indent_at(text, sequence.open).to_owned();
    let inner = format!("{outer}{}", style.unit);
    let inside = part(text, sequence.open + 1..sequence.close);
    if style.comments == Comments::Hash && inside.trim().is_empty() {
        // An inline table of TOML ends on the line it begins on.
        let part = format!(" {} ", render(Shape::InLine));
        text.replace_range(sequence.open + 1..sequence.close, &part);
        return;
    }
    // Comments of an empty sequence stay before its first part.
    let said = inside.trim_end().len();
    let at = sequence.open + 1 + said;
    let rest = part(text, at..sequence.close);
    let line = format!(
        "{}{inner}{}",
        style.newline,
        render(Shape::Lines(inner.as_str()))
    );
    if said > 0 && rest.contains('\n') {
        text.insert_str(at, &line);
    } else {
        let line = format!("{line}{}{outer}", style.newline);
        text.replace_range(at..sequence.close, &line);
    }
}

/// Takes a part away, with its comma and the line it had for itself; comments stay.
pub(crate) fn remove(text: &mut String, sequence: &Sequence, index: usize, comments: Comments) {
    let Some(gone) = sequence.parts.get(index) else {
        return;
    };
    let behind = comma_after(text, gone.end, comments);
    let before = sequence
        .parts
        .get(index.wrapping_sub(1))
        .filter(|_| behind.is_none())
        .and_then(|previous| comma_after(text, previous.end, comments));
    let n_before = text.len();
    let end = match behind {
        Some(comma) if is_blank(text, gone.end..comma) => comma + 1,
        Some(comma) => {
            text.remove(comma);
            gone.end
        }
        None => gone.end,
    };
    if begins_line(text, gone.start) && ends_line(text, end) {
        let start = line_break_before(text, gone.start);
        text.replace_range(start..end_of_blanks(text, end), "");
        if let Some(comma) = before {
            text.remove(comma);
        }
    } else if let Some(comma) = before {
        if is_blank(text, comma + 1..gone.start) {
            text.replace_range(comma..end, "");
        } else {
            text.replace_range(gone.start..end, "");
            text.remove(comma);
        }
    } else if behind.is_some() && index > 0 && index + 1 == sequence.parts.len() {
        text.replace_range(start_of_blanks(text, gone.start)..end, "");
    } else if behind.is_some() {
        text.replace_range(gone.start..end_of_blanks(text, end), "");
    } else {
        text.replace_range(gone.start..end, "");
    }
    let close = sequence.close - (n_before - text.len());
    if sequence.parts.len() == 1 && is_blank(text, sequence.open + 1..close) {
        text.replace_range(sequence.open + 1..close, "");
    }
}

/// What ends a line in this text.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if part(text, 0..at).ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// A part of a text; nothing if it is none.
pub(crate) fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// Whether only blanks stand before `at` in its line.
pub(crate) fn begins_line(text: &str, at: usize) -> bool {
    let head = part(text, 0..at).trim_end_matches([' ', '\t']);
    head.ends_with('\n')
}

/// The blanks that the line of `at` begins with.
pub(crate) fn indent_at(text: &str, at: usize) -> &str {
    let head = part(text, 0..at);
    let start = head.rfind('\n').map_or(0, |newline| newline + 1);
    let line = part(text, start..text.len());
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    part(line, 0..blanks)
}

fn ends_line(text: &str, at: usize) -> bool {
    let rest = part(text, end_of_blanks(text, at)..text.len());
    rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
}

fn end_of_blanks(text: &str, at: usize) -> usize {
    let rest = part(text, at..text.len());
    at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
}

fn start_of_blanks(text: &str, at: usize) -> usize {
    part(text, 0..at).trim_end_matches([' ', '\t']).len()
}

/// Where the line break stands that the line of `at` begins after.
fn line_break_before(text: &str, at: usize) -> usize {
    let head = part(text, 0..at).trim_end_matches([' ', '\t']);
    let head = head.strip_suffix('\n').unwrap_or(head);
    head.strip_suffix('\r').unwrap_or(head).len()
}

fn is_blank(text: &str, range: Range<usize>) -> bool {
    part(text, range).trim().is_empty()
}

/// The comma that follows `at`, if nothing but comments and blanks stands before it.
fn comma_after(text: &str, mut at: usize, comments: Comments) -> Option<usize> {
    loop {
        let rest = part(text, at..text.len());
        let blanks = rest.len() - rest.trim_start().len();
        at += blanks;
        let rest = part(rest, blanks..rest.len());
        match comment_length(rest, comments) {
            0 => return rest.starts_with(',').then_some(at),
            length => at += length,
        }
    }
}

/// Where the comments end that stand behind `at` in its line; `at` itself if there are none.
fn end_of_comments(text: &str, at: usize, comments: Comments) -> usize {
    let mut end = at;
    loop {
        let start = end_of_blanks(text, end);
        match comment_length(part(text, start..text.len()), comments) {
            0 => return end,
            length => end = start + length,
        }
    }
}

/// How long the comment is that `text` begins with; the line break behind it is not part of it.
fn comment_length(text: &str, comments: Comments) -> usize {
    let is_line = match comments {
        Comments::Slashes => text.starts_with("//"),
        Comments::Hash => text.starts_with('#'),
    };
    if is_line {
        let line = text.split('\n').next().unwrap_or_default();
        line.strip_suffix('\r').unwrap_or(line).len()
    } else if comments == Comments::Slashes && text.starts_with("/*") {
        text.find("*/").map_or(text.len(), |end| end + 2)
    } else {
        0
    }
}
