//! The words inside blocks, made safe.

use std::ops::Range;

use analects_text::{hidden, sanitize};
use pulldown_cmark::LinkType;

use super::super::row::{Glyph, Ink, Look, Place};
use super::{Link, Writer};

impl Writer<'_> {
    pub(super) fn text(&mut self, text: &str, range: &Range<usize>) {
        // Where the words are not those of the source, all of them stand for the place it begins at.
        let step = usize::from(text.len() == range.len());
        self.safe(text, |idx| {
            Place::new(range.start + idx * step, idx * (1 - step))
        });
    }

    pub(super) fn code(&mut self, text: &str, range: &Range<usize>) {
        let source = self.source.get(range.clone()).unwrap_or_default();
        let n_ticks = source.len() - source.trim_start_matches('`').len();
        let n_before = source.find(text).unwrap_or(n_ticks);
        self.begin_look(Look::CODE);
        self.unless_colored("`", Place::new(range.start, 0));
        self.safe(text, |idx| Place::new(range.start + n_before + idx, 0));
        self.unless_colored("`", Place::new(range.end.saturating_sub(1), 0));
        self.looks.pop();
    }

    pub(super) fn link(&mut self, address: &str, kind: LinkType) {
        let address = match kind {
            // The text is the address.
            LinkType::Autolink | LinkType::Email => String::new(),
            _ => address.to_owned(),
        };
        let text = String::new();
        self.links.push(Link { address, text });
    }

    pub(super) fn end_link(&mut self, range: &Range<usize>) {
        let Some(Link { address, text }) = self.links.pop() else {
            return;
        };
        if address.is_empty() || address == text {
            return;
        }
        let end = range.end.saturating_sub(1);
        let start = end.saturating_sub(address.len());
        let mark = Place::new(start.saturating_sub(1), 0);
        self.begin_look(Look::DIM);
        for c in [' ', '('] {
            self.put(c, mark);
        }
        self.safe(&address, |idx| Place::new(start + idx, 0));
        self.put(')', Place::new(end, 0));
        self.looks.pop();
    }

    /// Writes what says in words what otherwise a look says.
    pub(super) fn unless_colored(&mut self, sign: &str, at: Place) {
        if self.layout.ink == Ink::None {
            for c in sign.chars() {
                self.put(c, at);
            }
        }
    }

    /// Writes foreign text: what drives a terminal is made visible, what hides without need is left out.
    fn safe(&mut self, text: &str, place: impl Fn(usize) -> Place) {
        let hidden = hidden::find(text);
        let mut hidden = hidden.iter().map(|hidden| hidden.at).peekable();
        for (idx, c) in text.char_indices() {
            let at = place(idx);
            let is_hidden = hidden.next_if_eq(&idx).is_some();
            if matches!(c, '\n' | '\t' | ' '..='~') {
                self.put(c, at);
                continue;
            }
            let mut bytes = [0; 4];
            let one = c.encode_utf8(&mut bytes);
            let shown = sanitize::one_line(one);
            if shown != *one {
                for (part, c) in shown.chars().enumerate() {
                    self.put(c, at.part(part));
                }
            } else if !is_hidden {
                self.put(c, at);
            }
        }
    }

    fn look(&self) -> Look {
        self.looks.last().copied().unwrap_or_default()
    }

    /// What is written from now on has this look besides.
    pub(super) fn begin_look(&mut self, look: Look) {
        self.looks.push(self.look().and(look));
    }

    /// Writes one character that is safe.
    pub(super) fn put(&mut self, c: char, at: Place) {
        let look = self.look();
        if let Some(link) = self.links.last_mut() {
            link.text.push(c);
        }
        self.fill();
        let glyph = Glyph { c, look, at };
        if let Some(table) = &mut self.table {
            table.put(glyph);
        } else if self.is_fixed {
            self.put_fixed(glyph);
        } else {
            self.flow.put(glyph);
        }
    }

    fn put_fixed(&mut self, glyph: Glyph) {
        let start = *self.line.get_or_insert(glyph.at);
        match glyph.c {
            '\n' => {
                self.flow.end_fixed(start, glyph.at);
                self.line = None;
            }
            '\t' => (0..4).for_each(|_| self.flow.put_fixed(Glyph { c: ' ', ..glyph })),
            _ => self.flow.put_fixed(glyph),
        }
    }

    pub(super) fn end_fixed(&mut self, end: Place) {
        if let Some(start) = self.line.take() {
            self.flow.end_fixed(start, end);
        }
        self.is_fixed = false;
    }
}
