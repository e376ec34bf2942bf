//! The rows at the end of the screen that may still change, and how they are changed without flicker.

use std::fmt::Write as _;

use super::row::{Ink, Look, Row};
use super::{Size, Style};

/// Nothing is shown until all of it is there.
const BEGIN_UPDATE: &str = "\u{1b}[?2026h";
const END_UPDATE: &str = "\u{1b}[?2026l";
const CLEAR_LINE: &str = "\u{1b}[K";
const CLEAR_BELOW: &str = "\u{1b}[J";

/// What was painted. The cursor is behind the last row, or at the beginning of an empty line if there are none.
#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) style: Style,
    pub(super) ink: Ink,
    pub(super) size: Size,
    rows: Vec<Row>,
    /// What is to be written.
    buf: String,
}

impl Canvas {
    pub(super) fn new(style: Style, ink: Ink, size: Size) -> Self {
        Self {
            style,
            ink,
            size,
            rows: Vec::new(),
            buf: String::new(),
        }
    }

    /// What has to be written, once.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.buf)
    }

    /// Whether nothing that may change stands on the screen.
    pub(super) fn is_settled(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many columns rows may take. The last one stays empty: terminals differ in what they do once it is full.
    pub(super) fn width(&self) -> usize {
        self.size.width.saturating_sub(1).max(1)
    }

    /// Changes the rows into `rows`: what is the same is not written.
    pub(super) fn paint(&mut self, rows: Vec<Row>) {
        let pairs = self.rows.iter().zip(&rows);
        let n_same = pairs.take_while(|(old, new)| old.is_same(new)).count();
        let grown = rows.get(n_same).zip(self.rows.get(n_same));
        let grows = |(new, old): &(&Row, &Row)| new.continues(old);
        if n_same == self.rows.len() {
            self.append(&rows, n_same);
        } else if n_same + 1 == self.rows.len()
            && let Some((row, old)) = grown.filter(grows)
        {
            row.write(old.len(), self.ink, &mut self.buf);
            self.append(&rows, n_same + 1);
        } else {
            self.rewrite(&rows, n_same);
        }
        self.rows = rows;
    }

    /// Nothing of what stands there changes any more, but for the last `n_open` rows. Answers the last row that is over.
    pub(super) fn settle(&mut self, n_open: usize) -> Option<Row> {
        let n_settled = self.rows.len().saturating_sub(n_open);
        let last = self.rows.drain(..n_settled).next_back();
        if last.is_some() && self.rows.is_empty() {
            self.buf.push_str(self.newline());
        }
        last
    }

    /// How many rows may change at most: those that are on the screen. Where an empty row would be the last that may
    /// not, it goes with the one after it, so that what is over ends with words.
    pub(super) fn n_reachable(&self) -> usize {
        let mut n_open = self.rows.len().min(self.size.height.max(1));
        while n_open > 0 && n_open < self.rows.len() {
            match self.rows.get(self.rows.len() - n_open - 1) {
                Some(row) if row.is_blank() => n_open -= 1,
                _ => break,
            }
        }
        n_open
    }

    /// Writes a line of our own. Nothing may be open.
    pub(super) fn line(&mut self, text: &str, look: Look) {
        look.write(text, self.ink, &mut self.buf);
        self.buf.push_str(self.newline());
    }

    /// Writes what stands only for a while in the line of the cursor.
    pub(super) fn overwrite(&mut self, text: &str, look: Look) {
        self.buf.push('\r');
        self.buf.push_str(CLEAR_LINE);
        look.write(text, self.ink, &mut self.buf);
    }

    fn append(&mut self, rows: &[Row], from: usize) {
        for (idx, row) in rows.iter().enumerate().skip(from) {
            if idx > 0 {
                self.buf.push_str(self.newline());
            }
            row.write(0, self.ink, &mut self.buf);
        }
    }

    /// Goes up to the first row that is different, and writes it and all after it.
    fn rewrite(&mut self, rows: &[Row], n_same: usize) {
        // If rows only go away, the cursor has to come behind the last one that stays.
        let first = n_same.min(rows.len().saturating_sub(1));
        let n_up = self.rows.len() - 1 - first;
        if n_up > 0 {
            self.buf.push_str(BEGIN_UPDATE);
            // Writing to a string cannot fail.
            let _ = write!(self.buf, "\u{1b}[{n_up}A");
        }
        self.buf.push('\r');
        // Behind the last column it would take away what was just written there.
        let clears_first = self.size.width < 2;
        if clears_first {
            self.buf.push_str(CLEAR_BELOW);
        }
        for (idx, row) in rows.iter().enumerate().skip(first) {
            if idx > first {
                self.buf.push_str(self.newline());
            }
            row.write(0, self.ink, &mut self.buf);
            if idx < self.rows.len() && !clears_first {
                self.buf.push_str(CLEAR_LINE);
            }
        }
        if rows.len() < self.rows.len() && !clears_first {
            self.buf.push_str(CLEAR_BELOW);
        }
        if n_up > 0 {
            self.buf.push_str(END_UPDATE);
        }
    }

    fn newline(&self) -> &'static str {
        match self.style {
            // Keys may be read meanwhile, and then a terminal goes straight down.
            Style::Rich => "\r\n",
            Style::Lines => "\n",
        }
    }
}
