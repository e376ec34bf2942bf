//! The entries of a memory file: its list items, each a thing that can be found, changed and forgotten.
//!
//! What is nested in an item belongs to it. Prose, code and quotations are no entries.

use std::ops::Range;

use analects_text::decode::without_mark;
use analects_text::lines::LineIndex;
use analects_text::markdown;

use crate::note::{Fact, Frame};
use crate::written;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The whole lines it takes, in bytes.
    pub range: Range<usize>,
    /// Where what it says begins, after its bullet.
    said: usize,
    /// What it says, on one line.
    pub text: String,
    /// Its first line, counted from one.
    pub line: usize,
}

/// All entries of a text, in order.
#[must_use]
pub fn entries(text: &str) -> Vec<Entry> {
    let body = without_mark(text);
    let shift = text.len() - body.len();
    let lines = LineIndex::new(text);
    let items = markdown::skeleton(body).items;
    let shifted = items
        .into_iter()
        .map(|item| item.start + shift..item.end + shift);
    shifted
        .filter_map(|item| entry(text, item, &lines))
        .collect()
}

/// The text without an entry.
///
/// With the last of the facts goes the frame that was put around the first. Where an entry stood between
/// two blank lines, one of them goes too.
#[must_use]
pub fn without(text: &str, entry: &Entry, frame: Option<&Frame>) -> String {
    let (before, after) = around(text, &entry.range);
    let bare = frame.and_then(|frame| unframed(before, after, frame));
    // The frame may still hold another entry apart from what follows.
    let is_sound = |bare: &String| {
        let others = entries(text).into_iter().filter(|other| other != entry);
        others
            .map(|other| other.text)
            .eq(entries(bare).into_iter().map(|left| left.text))
    };
    if let Some(bare) = bare.filter(is_sound) {
        return bare;
    }
    let after = match after.split_once('\n') {
        Some((_, rest)) if starts_blank(after) && ends_blank(before) => rest,
        _ => after,
    };
    [before, after].concat()
}

/// The text with another fact in the place of an entry; bullet and line end stay.
#[must_use]
pub fn with(text: &str, entry: &Entry, fact: &Fact) -> String {
    let lines = text.get(entry.range.clone()).unwrap_or_default();
    let bare = lines.strip_suffix('\n').unwrap_or(lines);
    let bare = bare.strip_suffix('\r').unwrap_or(bare);
    let line_end = lines.get(bare.len()..).unwrap_or_default();
    let before = text.get(..entry.said).unwrap_or_default();
    let between = match line_end {
        "" => "\n",
        line_end => line_end,
    };
    let said = written::indented(fact.as_str(), entry.indent(text), between);
    let (_, after) = around(text, &entry.range);
    [before, entry.gap(text), &said, line_end, after].concat()
}

/// What an entry says as it is written, without its bullet; its lines stand where they would without it.
#[must_use]
pub fn source(text: &str, entry: &Entry) -> String {
    let said = text.get(entry.said..entry.range.end).unwrap_or_default();
    let said = written::outdented(said.trim_end(), entry.indent(text));
    said.trim_start_matches('\n').to_owned()
}

impl Entry {
    /// What has to stand between its bullet and its words, where nothing does: an empty item has no blank.
    fn gap(&self, text: &str) -> &'static str {
        let before = text.get(..self.said).unwrap_or_default();
        match before.ends_with([' ', '\t']) {
            true => "",
            false => " ",
        }
    }

    /// How far its words stand in.
    fn indent(&self, text: &str) -> usize {
        let bullet = text.get(self.range.start..self.said).unwrap_or_default();
        written::columns(bullet) + self.gap(text).len()
    }
}

fn entry(text: &str, item: Range<usize>, lines: &LineIndex) -> Option<Entry> {
    let source = text.get(item.clone())?;
    let start = written::line_start(text, item.start);
    // A byte-order mark stays with the file, not with its first line.
    let start =
        start + text.get(start..)?.len() - text.get(start..)?.trim_start_matches('\u{FEFF}').len();
    let said_end = item.start + source.trim_end().len();
    let end = written::line_after(text, said_end);
    let said = item.start + bullet(source);
    let words = text.get(said..said_end).unwrap_or_default();
    Some(Entry {
        range: start..end,
        said: said.min(said_end),
        text: on_one_line(words),
        line: lines.line(start),
    })
}

/// The words of a text with one blank between them.
fn on_one_line(words: &str) -> String {
    let mut line = String::with_capacity(words.len());
    for word in words.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// How many bytes of an item are its bullet, or its number, and the blanks before and after it.
fn bullet(source: &str) -> usize {
    let marked = source
        .trim_start_matches([' ', '\t'])
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .get(1..)
        .unwrap_or_default();
    source.len() - marked.trim_start_matches([' ', '\t']).len()
}

fn around<'a>(text: &'a str, range: &Range<usize>) -> (&'a str, &'a str) {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    (before, after)
}

/// What is left when the frame goes too; `None` if it still holds something else.
fn unframed(before: &str, after: &str, frame: &Frame) -> Option<String> {
    let n_own = own_part(before, &frame.lead)?;
    let before = before.get(..before.len() - n_own)?;
    let after = after.strip_prefix(frame.trail.as_str())?;
    let next = after.trim_start();
    let is_at_end = next.is_empty() || next.starts_with('#');
    let has_heading = frame.lead.contains('#');
    let is_last = !frame.trail.is_empty() || is_at_end || (!has_heading && starts_blank(after));
    // What ended a line may only go where it does not make two lines one.
    let is_bare = before.trim_start_matches('\u{FEFF}').is_empty();
    let parts = is_bare || before.ends_with(['\n', '\r']) || after.is_empty();
    let is_last = is_last && parts;
    is_last.then(|| [before, after].concat())
}

/// How much of the end of `before` is the frame's.
fn own_part(before: &str, lead: &str) -> Option<usize> {
    let begun = before.strip_suffix(lead)?;
    let bare = lead.trim_start_matches(['\r', '\n']);
    let n_ends = lead.len() - bare.len();
    let ends = lead.get(..n_ends).unwrap_or_default();
    // A heading is put after a blank line. Where one line end was enough for that, the line before had its own; if that
    // is gone by now, it is the blank line that somebody took away.
    let is_one = matches!(ends, "\n" | "\r\n" | "\r");
    let is_ended = begun.trim_start_matches('\u{FEFF}').is_empty() || begun.ends_with(['\n', '\r']);
    let is_theirs = bare.starts_with('#') && is_one && !is_ended;
    Some(if is_theirs { bare.len() } else { lead.len() })
}

fn starts_blank(after: &str) -> bool {
    let line = after.split_once('\n').map(|(line, _)| line);
    line.is_some_and(|line| line.trim().is_empty())
}

fn ends_blank(before: &str) -> bool {
    let mut lines = before.strip_suffix('\n').unwrap_or("x").rsplit('\n');
    lines.next().is_some_and(|line| line.trim().is_empty())
}
