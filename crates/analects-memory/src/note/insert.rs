//! Where a fact goes, and what has to be put around it.

use std::ops::Range;

use analects_text::decode::without_mark;
use analects_text::markdown::{self, Skeleton};

use super::SECTION;
use crate::written;

/// How a file keeps its facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Under a heading of their own, after all that people wrote there.
    Section,
    /// At the end of the file, as in an index of notes.
    Plain,
}

/// A fact as a line, and the place it goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// Where, in bytes.
    pub at: usize,
    /// What is put around the line.
    pub frame: Frame,
    /// The fact as a list item, with its line end.
    pub line: String,
}

/// What had to be put around the first fact of a file; it goes with the last one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Line ends, perhaps a heading.
    pub lead: String,
    /// What keeps the fact apart from what follows.
    pub trail: String,
}

impl Frame {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lead.is_empty() && self.trail.is_empty()
    }
}

impl Insertion {
    /// The text with the fact in it.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let (before, after) = text.split_at_checked(self.at).unwrap_or((text, ""));
        let Frame { lead, trail } = &self.frame;
        [before, lead, &self.line, trail, after].concat()
    }
}

/// Finds the place of `fact` in `text`; `None` if there is none where it would be read as a list item.
///
/// Several places are tried, the usual one first: a file may end inside a code block or a comment that was
/// never closed, and what is written there is not said.
#[must_use]
pub fn insert(text: &str, fact: &str, style: Style) -> Option<Insertion> {
    // A byte-order mark is no part of the first line.
    let body = without_mark(text);
    let skeleton = markdown::skeleton(body);
    let page = Page {
        text: body,
        fact,
        skeleton: &skeleton,
    };
    let candidates = match style {
        Style::Plain => page.at_end(""),
        Style::Section => page.in_section(),
    };
    let mut sound = candidates
        .into_iter()
        .filter(|candidate| page.is_read_as_item(candidate));
    let shift = text.len() - body.len();
    sound.next().map(|found| Insertion {
        at: found.at + shift,
        ..found
    })
}

struct Page<'a> {
    text: &'a str,
    fact: &'a str,
    skeleton: &'a Skeleton,
}

impl Page<'_> {
    /// Places in the section of facts, or where that should begin.
    fn in_section(&self) -> Vec<Insertion> {
        let Some(body) = self.section() else {
            return self.at_end(SECTION);
        };
        let said = self.text.get(body.clone()).unwrap_or_default().trim_end();
        let last = match said.len() {
            0 => body.start,
            n_bytes => self.after_line(body.start + n_bytes),
        };
        let mut found = vec![
            self.place(last, "", ""),
            self.place(last, self.line_end(last), ""),
        ];
        let mut items = self.skeleton.items.iter().rev();
        let last_item = items.find(|item| body.contains(&item.start));
        if let Some(item) = last_item {
            found.push(self.place(self.end_before(item.end).max(body.start), "", ""));
        }
        // The last block may swallow what comes after it: before it, then, or before the one before.
        let blocks = self.skeleton.blocks.iter().rev();
        let inside = blocks.filter(|block| body.contains(&block.start)).take(3);
        let ends = inside.map(|block| {
            self.end_before(self.line_start(block.start))
                .max(body.start)
        });
        for at in ends.chain([body.start]) {
            found.push(self.place(at, "", ""));
            found.extend(self.before_block(at, ""));
        }
        found
    }

    /// Places at the end of the file, or before a block that was never closed, or at the very beginning.
    fn at_end(&self, section: &str) -> Vec<Insertion> {
        let at = self.text.len();
        let end = self.line_end(at);
        let heading = match section {
            "" => String::new(),
            name => format!("## {name}{end}"),
        };
        let is_done = self.text.is_empty() || ends_blank(self.text);
        let apart = if is_done || section.is_empty() {
            ""
        } else {
            end
        };
        let ended = if self.text.is_empty() || self.text.ends_with(['\n', '\r']) {
            ""
        } else {
            end
        };
        let mut found = vec![
            self.place(at, &format!("{ended}{apart}{heading}"), ""),
            self.place(at, &format!("{ended}{end}{heading}"), ""),
        ];
        // A block that swallows what comes after it is the last one.
        let open = self.skeleton.blocks.last().map(|block| block.start);
        for at in [open.map_or(0, |at| self.line_start(at)), 0] {
            found.extend(self.before_block(at, &heading));
        }
        found
    }

    /// Places before a block, each further apart from it: an indented one would belong to the item, were
    /// it not for something in between.
    fn before_block(&self, at: usize, heading: &str) -> [Insertion; 2] {
        let end = self.line_end(at);
        [end, &format!("{end}<!-- -->{end}{end}")].map(|trail| self.place(at, heading, trail))
    }

    /// The text between the heading of the facts and the next heading of any level.
    fn section(&self) -> Option<Range<usize>> {
        let headings = &self.skeleton.headings;
        let at = headings
            .iter()
            .position(|heading| heading.level == 2 && heading.text.trim() == SECTION)?;
        let start = headings.get(at)?.range.end;
        let end = headings
            .get(at + 1)
            .map_or(self.text.len(), |next| next.range.start);
        Some(start..end.max(start))
    }

    fn place(&self, at: usize, lead: &str, trail: &str) -> Insertion {
        let end = self.line_end(at);
        // A line that is not ended has to be, before another one can begin.
        let begun = self.text.get(..at).unwrap_or_default();
        let is_ended = begun.is_empty() || begun.ends_with(['\n', '\r']) || lead.starts_with(end);
        let opening = if is_ended { "" } else { end };
        Insertion {
            at,
            frame: Frame {
                lead: format!("{opening}{lead}"),
                trail: trail.to_owned(),
            },
            line: format!("- {}{end}", written::indented(self.fact, 2, end)),
        }
    }

    /// How lines end at this place: as the one before does, or else the first one.
    fn line_end(&self, at: usize) -> &'static str {
        let before = self.text.get(..at).unwrap_or_default();
        let end = before.rfind(['\n', '\r']);
        let Some(end) = end.or_else(|| self.text.find(['\n', '\r'])) else {
            return "\n";
        };
        let (start, rest) = self.text.split_at_checked(end).unwrap_or_default();
        match (rest.starts_with("\r\n"), rest.starts_with('\r')) {
            (true, _) => "\r\n",
            (false, true) => "\r",
            (false, false) if start.ends_with('\r') => "\r\n",
            (false, false) => "\n",
        }
    }

    fn after_line(&self, at: usize) -> usize {
        written::line_after(self.text, at)
    }

    /// The end of the last line before `at` that says something.
    fn end_before(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        match before.trim_end().len() {
            0 => 0,
            n_bytes => self.after_line(n_bytes),
        }
    }

    fn line_start(&self, at: usize) -> usize {
        written::line_start(self.text, at)
    }

    /// Whether the fact, put there, is a list item of its own and takes nothing from what is around it.
    fn is_read_as_item(&self, place: &Insertion) -> bool {
        let new = place.apply(self.text);
        let skeleton = markdown::skeleton(&new);
        let start = place.at + place.frame.lead.len();
        let is_whole = |item: &Range<usize>| {
            let read = new.get(item.clone()).unwrap_or_default();
            item.start == start && read.trim() == place.line.trim()
        };
        let n_new = usize::from(place.frame.lead.contains(SECTION));
        let others = skeleton.items.iter().filter(|item| item.start != start);
        let others = others.map(|item| new.get(item.clone()).unwrap_or_default().trim());
        let mine = self.skeleton.items.iter();
        let mine = mine.map(|item| self.text.get(item.clone()).unwrap_or_default().trim());
        skeleton.items.iter().any(is_whole)
            && others.eq(mine)
            && skeleton.headings.len() == self.skeleton.headings.len() + n_new
    }
}

fn ends_blank(text: &str) -> bool {
    ["\n\n", "\n\r\n", "\r\r"]
        .iter()
        .any(|end| text.ends_with(end))
}
