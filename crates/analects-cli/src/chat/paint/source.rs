//! The text so far, cut into finished blocks and the one that is still open.
//!
//! Where it is cut depends on the text alone, never on the pieces in which it came: only whole lines close a block, and
//! a block that is too long is cut by rules that look at nothing but its beginning.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::blocks;

/// A block that is longer is cut: what goes on is taken apart again and again, and has to stay small.
pub(super) const MAX_BLOCK: usize = 16 * 1024;

/// In a line without end it is cut at a blank, if one comes within this many bytes.
const MAX_WORD: usize = 1024;

/// How much is repeated at most to say what goes on.
const MAX_REPEATED: usize = 1024;

/// A block that is over.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) text: String,
    /// Whether it is the rest of a block whose beginning was too long to wait for it.
    pub(super) is_rest: bool,
    /// How many bytes at the beginning only say what kind of block goes on.
    pub(super) n_repeated: usize,
}

/// The text that is not over.
#[derive(Debug, Default)]
pub(super) struct Source {
    open: String,
    /// How many bytes of whole lines are known to hold no other block than the open one.
    n_seen: usize,
    is_rest: bool,
    n_repeated: usize,
    ends_in_cr: bool,
}

impl Source {
    /// Adds a piece. Every kind of line end becomes the same.
    pub(super) fn push(&mut self, piece: &str) {
        for part in piece.split_inclusive(['\r', '\n']) {
            if part == "\n" && std::mem::take(&mut self.ends_in_cr) {
                continue;
            }
            self.ends_in_cr = part.ends_with('\r');
            match part.strip_suffix('\r') {
                Some(line) => {
                    self.open.push_str(line);
                    self.open.push('\n');
                }
                None => self.open.push_str(part),
            }
        }
    }

    /// The block that goes on, as far as it was said.
    pub(super) fn open(&self) -> &str {
        &self.open
    }

    /// Whether the open block is the rest of one.
    pub(super) fn is_rest(&self) -> bool {
        self.is_rest
    }

    /// How many bytes at the beginning of the open block were not said now.
    pub(super) fn n_repeated(&self) -> usize {
        self.n_repeated
    }

    /// The blocks that are over.
    pub(super) fn take_closed(&mut self) -> Vec<Block> {
        let mut closed = Vec::new();
        while self.open.len() > MAX_BLOCK {
            let window = head(&self.open, MAX_BLOCK);
            let starts = starts(whole_lines(window));
            if starts.len() > 1 {
                self.cut_at(&starts, &mut closed);
            } else {
                closed.push(self.cut_long());
            }
        }
        let n_whole = whole_lines(&self.open).len();
        if n_whole > self.n_seen {
            let starts = starts(whole_lines(&self.open));
            self.n_seen = n_whole;
            self.cut_at(&starts, &mut closed);
        }
        closed
    }

    /// Everything that is left, as blocks. What comes next begins anew.
    pub(super) fn finish(&mut self) -> Vec<Block> {
        let mut closed = self.take_closed();
        let starts = starts(&self.open);
        self.cut_at(&starts, &mut closed);
        if !self.open.is_empty() {
            closed.push(self.cut(self.open.len(), Next::default()));
        }
        *self = Self::default();
        closed
    }

    /// Takes all blocks but the last of those that begin at `starts`. What stands before the first belongs to it.
    fn cut_at(&mut self, starts: &[usize], closed: &mut Vec<Block>) {
        let mut taken = 0;
        for start in starts.iter().skip(1) {
            closed.push(self.cut(start - taken, Next::default()));
            taken = *start;
        }
    }

    /// Cuts a block that fills the window.
    fn cut_long(&mut self) -> Block {
        let window = head(&self.open, MAX_BLOCK);
        let last = Last::of(window);
        let n_whole = whole_lines(window).len();
        let at = match last.item.filter(|at| *at > MAX_BLOCK / 4) {
            Some(at) => at,
            None if n_whole > MAX_BLOCK / 2 => n_whole,
            None => {
                let n_safe = window.len().saturating_sub(MAX_WORD);
                let blank = window.rfind(' ').filter(|at| *at > n_safe);
                blank.map_or(window.len(), |at| at + 1)
            }
        };
        let taken = head(window, at);
        let repeated = last.repeated(taken);
        let goes_on = last.item.is_some() || !repeated.is_empty() || !taken.ends_with("\n\n");
        self.cut(
            at,
            Next {
                is_rest: goes_on,
                repeated,
            },
        )
    }

    fn cut(&mut self, at: usize, next: Next) -> Block {
        let rest = self.open.split_off(at);
        let text = std::mem::replace(&mut self.open, next.repeated);
        let block = Block {
            text,
            is_rest: self.is_rest,
            n_repeated: self.n_repeated,
        };
        self.is_rest = next.is_rest;
        self.n_repeated = self.open.len();
        self.open.push_str(&rest);
        self.n_seen = 0;
        block
    }
}

/// Where the blocks of a text begin.
fn starts(text: &str) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut starts = Vec::new();
    for (event, range) in Parser::new_ext(text, blocks::options()).into_offset_iter() {
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    starts.push(line_start(text, range.start));
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => starts.push(line_start(text, range.start)),
            _ => {}
        }
    }
    starts
}

/// How it goes on after a cut.
#[derive(Debug, Default)]
struct Next {
    is_rest: bool,
    repeated: String,
}

/// The last block of a text, and what it needs to go on after a cut.
#[derive(Debug, Default)]
struct Last {
    kind: Kind,
    start: usize,
    /// Where the last item of a list begins.
    item: Option<usize>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Other,
    Fence,
    Table,
}

impl Last {
    fn of(text: &str) -> Self {
        let mut depth = 0_usize;
        let mut last = Self::default();
        for (event, range) in Parser::new_ext(text, blocks::options()).into_offset_iter() {
            match event {
                Event::Start(tag) => {
                    if depth == 0 {
                        last = Self::begin(&tag, range);
                    } else if depth == 1 && tag == Tag::Item {
                        last.item = Some(line_start(text, range.start));
                    }
                    depth += 1;
                }
                Event::End(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        last
    }

    fn begin(tag: &Tag<'_>, range: Range<usize>) -> Self {
        let kind = match tag {
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => Kind::Fence,
            Tag::Table(_) => Kind::Table,
            _ => Kind::Other,
        };
        Self {
            kind,
            start: range.start,
            item: None,
        }
    }

    /// What has to stand before the rest for it to be the same kind of block, if `taken` was cut off.
    fn repeated(&self, taken: &str) -> String {
        let block = taken.get(self.start..).unwrap_or_default();
        let mut lines = block.split_inclusive('\n');
        let first = lines.next().unwrap_or_default();
        let repeated = match self.kind {
            Kind::Fence if !is_closed(first, lines.next_back()) => format!("{}\n", fence(first)),
            Kind::Table => format!("{first}{}", lines.next().unwrap_or_default()),
            Kind::Fence | Kind::Other => String::new(),
        };
        match repeated.len() <= MAX_REPEATED {
            true => repeated,
            false => String::new(),
        }
    }
}

fn is_closed(first: &str, last: Option<&str>) -> bool {
    let (first, last) = (fence(first), last.unwrap_or_default().trim());
    !last.is_empty() && last.starts_with(first) && last.trim_start_matches(first).is_empty()
}

/// The fence that a line begins with.
fn fence(line: &str) -> &str {
    let line = line.trim_start();
    let c = line.chars().next().unwrap_or('`');
    head(line, line.len() - line.trim_start_matches(c).len())
}

/// Where the line begins that `at` is in: the blanks before a block say what it is.
fn line_start(text: &str, at: usize) -> usize {
    whole_lines(head(text, at)).len()
}

fn whole_lines(text: &str) -> &str {
    head(text, text.rfind('\n').map_or(0, |at| at + 1))
}

/// The first `n_bytes` at most, in whole characters.
fn head(text: &str, n_bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(n_bytes))
        .unwrap_or_default()
}
