//! Characters that flow into rows: broken at blanks, set in by what surrounds them.
//!
//! What the source says before a given place was painted already and is left out; the rest begins in a row of its own.

use super::row::{Glyph, Look, Place, Row};

/// What surrounds rows: a list item, a quote, code.
#[derive(Debug)]
struct Frame {
    /// What stands before the first row, until it was painted.
    marker: Option<(String, Place)>,
    /// What stands before all others.
    indent: String,
    look: Look,
}

/// Rows in the making.
#[derive(Debug)]
pub(super) struct Flow {
    width: usize,
    from: Place,
    frames: Vec<Frame>,
    rows: Vec<Row>,
    /// The row that is filled, and how many columns of it are not its own.
    row: Option<(Row, usize)>,
    word: Vec<Glyph>,
    word_columns: usize,
    /// How the blank looks that comes before the word.
    blank: Option<Look>,
    /// How many frames go on across the empty row that comes next.
    gap: Option<usize>,
}

impl Flow {
    /// Rows of at most `width` columns, of what is at `from` or after it.
    pub(super) fn new(width: usize, from: Place) -> Self {
        Self {
            width: width.max(1),
            from,
            frames: Vec::new(),
            rows: Vec::new(),
            row: None,
            word: Vec::new(),
            word_columns: 0,
            blank: None,
            gap: None,
        }
    }

    /// All rows.
    pub(super) fn finish(mut self) -> Vec<Row> {
        self.end_line();
        self.rows
    }

    /// From now on rows stand in a frame: behind `marker` the first, behind `indent` the others.
    pub(super) fn open(&mut self, marker: Option<(String, Place)>, indent: &str, look: Look) {
        self.end_line();
        let marker = marker.filter(|(_, at)| self.is_new(*at));
        let indent = indent.to_owned();
        self.frames.push(Frame {
            marker,
            indent,
            look,
        });
    }

    /// The innermost frame ends. One that has nothing in it still shows its marker.
    pub(super) fn close(&mut self) {
        self.end_line();
        let has_marker = self
            .frames
            .last()
            .is_some_and(|frame| frame.marker.is_some());
        if has_marker && self.shown_frames().count() == self.frames.len() {
            self.row();
            self.end_line();
        }
        self.frames.pop();
        self.gap = self.gap.map(|depth| depth.min(self.frames.len()));
    }

    /// An empty row comes before the next one.
    pub(super) fn gap(&mut self) {
        self.end_line();
        self.gap = Some(self.frames.len());
    }

    /// Whether what is `at` this place was not painted so far. If it was, so was the empty row before it.
    pub(super) fn is_new(&mut self, at: Place) -> bool {
        let is_new = at >= self.from;
        if !is_new {
            self.gap = None;
        }
        is_new
    }

    /// One character of running text.
    pub(super) fn put(&mut self, glyph: Glyph) {
        if !self.is_new(glyph.at) {
            return;
        }
        let columns = glyph.columns();
        match (glyph.c, columns) {
            (' ' | '\t' | '\n', _) => {
                self.flush();
                self.blank = Some(glyph.look);
            }
            // Scripts without blanks break anywhere.
            (_, 2) if glyph.c >= '\u{1100}' => {
                self.flush();
                self.add(glyph, columns);
                self.flush();
            }
            (_, 0) if self.word.is_empty() && self.blank.is_none() => self.write(glyph),
            _ => self.add(glyph, columns),
        }
    }

    /// One character that stays where it is: blanks count, and rows end only at the edge.
    pub(super) fn put_fixed(&mut self, glyph: Glyph) {
        if self.is_new(glyph.at) {
            self.write(glyph);
        }
    }

    /// Ends a line of fixed text that began at `start`. An empty one is a row as well.
    pub(super) fn end_fixed(&mut self, start: Place, newline: Place) {
        if self.row.is_none() && self.is_new(start) {
            self.row();
        }
        if let Some((row, _)) = &mut self.row {
            row.end = row.end.max(newline.after());
        }
        self.end_line();
    }

    /// A row that is laid out already. It must not be wider than what `room` says.
    pub(super) fn put_row(&mut self, glyphs: &[Glyph], end: Place) {
        self.end_line();
        if !self.is_new(end) {
            return;
        }
        let (row, _) = self.row();
        for glyph in glyphs {
            row.push(glyph.c, glyph.look);
        }
        row.end = row.end.max(end.after());
        self.end_line();
    }

    /// How many columns a row has for itself here.
    pub(super) fn room(&self) -> usize {
        let taken: usize = self.shown_frames().map(|(_, columns)| columns).sum();
        self.width - taken.min(self.width - 1)
    }

    /// The next character begins a new row.
    pub(super) fn end_line(&mut self) {
        self.flush();
        self.blank = None;
        if let Some((row, _)) = self.row.take() {
            self.rows.push(row.trimmed());
        }
    }

    fn add(&mut self, glyph: Glyph, columns: usize) {
        self.word.push(glyph);
        self.word_columns += columns;
    }

    /// Puts the word into the row, or into the next one if it does not fit.
    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        let columns = std::mem::take(&mut self.word_columns);
        let blank = self.blank.take();
        if let Some((row, indent)) = &mut self.row
            && row.columns() > *indent
        {
            if row.columns() + usize::from(blank.is_some()) + columns > self.width {
                self.end_line();
            } else if let Some(look) = blank {
                row.push(' ', look);
            }
        }
        for glyph in word {
            self.write(glyph);
        }
    }

    fn write(&mut self, glyph: Glyph) {
        let columns = glyph.columns();
        if let Some((row, indent)) = &self.row
            && row.columns() > *indent
            && row.columns() + columns > self.width
            && let Some((row, _)) = self.row.take()
        {
            self.rows.push(row);
        }
        let width = self.width;
        let (row, _) = self.row();
        // Nowhere on this screen is room for it.
        let c = match row.columns() + columns > width {
            true => '?',
            false => glyph.c,
        };
        row.push(c, glyph.look);
        row.end = row.end.max(glyph.at.after());
    }

    /// The row that is filled, begun if need be.
    fn row(&mut self) -> &mut (Row, usize) {
        if self.row.is_none() {
            if let Some(depth) = self.gap.take() {
                self.rows.push(self.empty_row(depth));
            }
            let row = self.begin_row();
            let indent = row.columns();
            self.row = Some((row, indent));
        }
        self.row.get_or_insert_default()
    }

    fn begin_row(&mut self) -> Row {
        let mut row = self.bare_row();
        let n_shown = self.shown_frames().count();
        for frame in self.frames.iter_mut().take(n_shown) {
            match frame.marker.take() {
                Some((marker, at)) => {
                    row.push_str(&marker, frame.look);
                    row.end = row.end.max(at.after());
                }
                None => row.push_str(&frame.indent, frame.look),
            }
        }
        row
    }

    fn bare_row(&self) -> Row {
        Row::ending_at(self.rows.last().map_or(self.from, |row| row.end))
    }

    fn empty_row(&self, depth: usize) -> Row {
        let mut row = self.bare_row();
        for (frame, _) in self.shown_frames().take(depth) {
            row.push_str(&frame.indent, frame.look);
        }
        row.trimmed()
    }

    /// The frames that are shown, and their columns: at most half of the screen is given away to them.
    fn shown_frames(&self) -> impl Iterator<Item = (&Frame, usize)> {
        let mut left = self.width / 2;
        self.frames.iter().map_while(move |frame| {
            let columns = frame.indent.chars().count();
            left = left.checked_sub(columns)?;
            Some((frame, columns))
        })
    }
}
