//! What can be mended without asking: hidden characters, and an item that its list holds twice.

use std::collections::HashSet;
use std::ops::Range;

use analects_text::hidden;
use analects_text::outline::{EntryKind, outline};

/// A text without the faults that can be mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The new text.
    pub text: String,
    /// What was done to it.
    pub done: Vec<String>,
}

/// `text` mended; `None` if there is nothing to mend. All other bytes stay as they are.
#[must_use]
pub fn fixed(text: &str) -> Option<Fixed> {
    let mut done = Vec::new();
    let n_hidden = hidden::find(text).len();
    if n_hidden > 0 {
        done.push(format!(
            "removed {}",
            counted(n_hidden, "hidden character", "hidden characters")
        ));
    }
    let mut text = hidden::without(text).into_owned();
    let mut n_repeated = 0;
    // Without an item the rest may read differently, so look again until nothing is left.
    loop {
        let ranges = repetitions(&text);
        if ranges.is_empty() {
            break;
        }
        n_repeated += ranges.len();
        text = without(&text, &ranges);
    }
    if n_repeated > 0 {
        done.push(format!(
            "removed {}",
            counted(n_repeated, "repeated item", "repeated items")
        ));
    }
    (!done.is_empty()).then_some(Fixed { text, done })
}

/// The lines, ends included, of items that stand word for word in the same list before.
pub(super) fn repetitions(text: &str) -> Vec<Range<usize>> {
    let mut seen = HashSet::new();
    let mut repeated = Vec::new();
    for entry in outline(text).entries {
        if entry.kind != EntryKind::Bullet || !entry.is_alone {
            continue;
        }
        let Some(line) = whole_line(text, entry.at.start) else {
            continue;
        };
        let words = text.get(line.clone()).unwrap_or_default().trim_end();
        if !seen.insert((entry.list, words)) {
            repeated.push(line);
        }
    }
    repeated
}

/// The line around byte `at`, if nothing but blanks stands before it.
fn whole_line(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let is_first = text
        .get(start..at)?
        .chars()
        .all(|c| matches!(c, ' ' | '\t'));
    let end = text
        .get(at..)?
        .find('\n')
        .map_or(text.len(), |end| at + end + 1);
    is_first.then_some(start..end)
}

fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        kept.push_str(text.get(from..range.start).unwrap_or_default());
        from = range.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    }
}
