//! What is shown of a hit: the part of its text that answers best.

use std::collections::HashMap;
use std::ops::Range;

use super::query::Query;
use super::words::{Kind, words};
use crate::transcript::Turn;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The part, in one line. Where something was left out, `…` stands for it.
    pub text: String,
    /// Where in it words of the question stand, in bytes; ordered, and none in another.
    pub marks: Vec<Range<usize>>,
}

/// The longest snippet, in characters.
const MAX_CHARS: usize = 200;
/// How much before the first word of the question is shown.
const LEAD_CHARS: usize = 40;
/// How much of a text is looked at.
const MAX_BYTES: usize = 256 * 1024;

/// The part of what a turn said or did that answers best.
#[must_use]
pub fn snippet_of(turn: &Turn, query: &Query) -> Snippet {
    let tools = turn.tools.iter();
    let used = tools.flat_map(|tool| [tool.input.as_str(), tool.output.as_str()]);
    let mut best = best(&turn.text, query);
    for text in used {
        let other = self::best(text, query);
        // What was said is easier to read than what a tool did.
        if other.0 > best.0 * 1.25 || best.1.text.is_empty() {
            best = other;
        }
    }
    best.1
}

/// The part of `text` that answers best.
#[must_use]
pub fn snippet(text: &str, query: &Query) -> Snippet {
    best(text, query).1
}

/// A word of the question in a text.
struct Found {
    bytes: Range<usize>,
    wish: usize,
    weight: f32,
}

fn best(text: &str, query: &Query) -> (f32, Snippet) {
    let text = text
        .get(..text.floor_char_boundary(MAX_BYTES))
        .unwrap_or(text);
    let found = found(text, query);
    let mut best = (0.0, 0..0);
    for (at, first) in found.iter().enumerate() {
        let reach = end_of(text, first.bytes.start, MAX_CHARS - LEAD_CHARS);
        let rest = found.get(at..).unwrap_or_default();
        let inside = rest.iter().take_while(|other| other.bytes.end <= reach);
        let mut weights: HashMap<usize, f32> = HashMap::new();
        let mut n = 0;
        for other in inside {
            let weight = weights.entry(other.wish).or_default();
            *weight = weight.max(other.weight);
            n += 1;
        }
        #[expect(clippy::cast_precision_loss, reason = "a few words")]
        let score = weights.values().sum::<f32>() + 0.02 * n.min(20) as f32;
        if score > best.0 {
            best = (score, at..at + n);
        }
    }
    let shown = found.get(best.1).unwrap_or_default();
    (best.0, cut(text, shown))
}

fn found(text: &str, query: &Query) -> Vec<Found> {
    let mut wanted: HashMap<&str, (usize, f32)> = HashMap::new();
    for (no, wish) in query.wishes.iter().enumerate() {
        for way in &wish.ways {
            // A row of terms is shown by its parts; one alone says less.
            #[expect(clippy::cast_precision_loss, reason = "a few terms")]
            let weight = wish.weight * way.weight / (way.terms.len() as f32).sqrt();
            for term in &way.terms {
                let known = wanted.entry(term).or_insert((no, weight));
                if weight > known.1 {
                    *known = (no, weight);
                }
            }
        }
    }
    for term in query.phrases.iter().flatten() {
        wanted.entry(term).or_insert((usize::MAX, 1.0));
    }
    let mut found = Vec::new();
    words(text, &mut |term| {
        if term.kind == Kind::Quiet {
            return;
        }
        if let Some((wish, weight)) = wanted.get(term.text.as_str()) {
            found.push(Found {
                bytes: term.bytes,
                wish: *wish,
                weight: *weight,
            });
        }
    });
    found.sort_by_key(|found| found.bytes.start);
    found
}

/// Where `n_chars` characters behind `start` end.
fn end_of(text: &str, start: usize, n_chars: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    rest.char_indices()
        .nth(n_chars)
        .map_or(text.len(), |(at, _)| start + at)
}

/// Cuts the text around what was found, in one line.
fn cut(text: &str, shown: &[Found]) -> Snippet {
    let first = shown.first().map_or(0, |found| found.bytes.start);
    let before = text.get(..first).unwrap_or_default();
    let lead = before.char_indices().rev().nth(LEAD_CHARS - 1);
    let start = lead.map_or(0, |(at, _)| word_start(text, at, first));
    let mut out = Line::default();
    if start > 0 {
        out.put('…');
    }
    let mut marks = shown.iter().map(|found| found.bytes.clone()).peekable();
    let mut open: Option<(usize, usize)> = None;
    let rest = text.get(start..).unwrap_or_default();
    for (at, c) in rest.char_indices().map(|(at, c)| (start + at, c)) {
        if let Some((from, end)) = open
            && at >= end
        {
            out.mark(from);
            open = None;
        }
        if out.n_chars + 1 >= MAX_CHARS {
            if !rest_is_blank(text, at) {
                out.put('…');
            }
            break;
        }
        while let Some(mark) = marks.next_if(|mark| mark.start <= at) {
            let end = open.map_or(mark.end, |(_, end)| end.max(mark.end));
            let from = open.map_or_else(|| out.next_at(), |(from, _)| from);
            open = Some((from, end));
        }
        out.put(c);
    }
    if let Some((from, _)) = open {
        out.mark(from);
    }
    out.finish()
}

/// The next word at or behind `at`, but not behind `limit`.
fn word_start(text: &str, at: usize, limit: usize) -> usize {
    let lead = text.get(at..limit).unwrap_or_default();
    let blank = lead.char_indices().find(|(_, c)| c.is_whitespace());
    blank.map_or(at, |(blank, c)| at + blank + c.len_utf8())
}

fn rest_is_blank(text: &str, at: usize) -> bool {
    text.get(at..).is_none_or(|rest| rest.trim().is_empty())
}

/// A line as it is written: blanks of every kind become one.
#[derive(Default)]
struct Line {
    text: String,
    n_chars: usize,
    marks: Vec<Range<usize>>,
}

impl Line {
    fn put(&mut self, c: char) {
        if c.is_whitespace() || c.is_control() {
            if self.text.is_empty() || self.text.ends_with(' ') {
                return;
            }
            self.text.push(' ');
        } else {
            self.text.push(c);
        }
        self.n_chars += 1;
    }

    /// Where the next character will stand.
    fn next_at(&self) -> usize {
        self.text.len()
    }

    fn mark(&mut self, from: usize) {
        if from < self.text.len() {
            self.marks.push(from..self.text.len());
        }
    }

    fn finish(mut self) -> Snippet {
        let n = self.text.trim_end().len();
        self.text.truncate(n);
        self.marks.retain(|mark| mark.end <= n);
        Snippet {
            text: self.text,
            marks: self.marks,
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, query: &str, expected: &Expect) {
        let snippet = snippet(text, &Query::parse(query));
        let mut shown = String::new();
        let mut at = 0;
        for mark in &snippet.marks {
            shown += snippet.text.get(at..mark.start).unwrap();
            shown.extend(["[", snippet.text.get(mark.clone()).unwrap(), "]"]);
            at = mark.end;
        }
        shown += snippet.text.get(at..).unwrap();
        expected.assert_eq(&shown);
    }

    #[test]
    fn the_best_part_is_shown_with_its_words_marked() {
        let filler = "nothing to see here, move along please. ".repeat(20);
        let text = format!(
            "login\n{filler}The login page\n crashed because the tokenStore was empty. {filler}"
        );
        check(
            &text,
            "why does login crash token_store",
            &expect![
                "…to see here, move along please. The [login] page [crashed] because the [tokenStore] was empty. nothing to see here, move along please. nothing to see here, move along please. nothing to see here, move alo…"
            ],
        );
        check(
            "数据库的连接池已经耗尽",
            "连接池耗尽",
            &expect!["数据库的[连接池]已经[耗尽]"],
        );
        check("nothing in common", "zebra", &expect!["nothing in common"]);
    }

    proptest! {
        #[test]
        fn a_snippet_is_short_and_its_marks_are_inside(
            text in "(\\PC|[a-z \n]|[数据库连接池的]|login |crash){0,300}",
            question in "[a-z ]*|login crash|数据库 连接",
        ) {
            let snippet = snippet(&text, &Query::parse(&question));
            assert!(snippet.text.chars().count() <= MAX_CHARS);
            let mut end = 0;
            for mark in snippet.marks {
                assert!(mark.start >= end && snippet.text.get(mark.clone()).is_some_and(|word| !word.is_empty()));
                end = mark.end;
            }
        }
    }
}
