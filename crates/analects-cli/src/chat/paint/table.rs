//! Tables: in columns where they fit, else a line for each cell.

use pulldown_cmark::Alignment;

use super::blocks::Signs;
use super::flow::Flow;
use super::row::{Glyph, Look, Place};

/// What is between two columns.
const GAP: usize = 2;

/// How much of a head is repeated before each of its cells: many short cells must not make a long one endless.
const MAX_HEAD: usize = 40;

/// A table while it is read.
#[derive(Debug)]
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<TableRow>,
}

#[derive(Debug, Default)]
struct TableRow {
    cells: Vec<Vec<Glyph>>,
    end: Place,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        let rows = Vec::new();
        Self { alignments, rows }
    }

    pub(super) fn begin_row(&mut self) {
        self.rows.push(TableRow::default());
    }

    pub(super) fn end_row(&mut self, end: Place) {
        if let Some(row) = self.rows.last_mut() {
            row.end = end;
        }
    }

    pub(super) fn begin_cell(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(Vec::new());
        }
    }

    pub(super) fn put(&mut self, glyph: Glyph) {
        let cell = self.rows.last_mut().and_then(|row| row.cells.last_mut());
        if let Some(cell) = cell {
            // A cell is one line, whatever an entity in it stands for.
            let c = match glyph.c {
                '\t' | '\n' => ' ',
                c => c,
            };
            cell.push(Glyph { c, ..glyph });
        }
    }

    /// Writes the rows.
    pub(super) fn write(&self, flow: &mut Flow, signs: Signs) {
        let widths = self.widths();
        let width = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        if width <= flow.room() {
            self.write_columns(flow, &widths, signs);
        } else {
            self.write_lines(flow);
        }
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.alignments.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(columns(cell));
            }
        }
        widths
    }

    fn write_columns(&self, flow: &mut Flow, widths: &[usize], signs: Signs) {
        for (idx, row) in self.rows.iter().enumerate() {
            let mut line = Vec::new();
            for (column, width) in widths.iter().enumerate() {
                let cell = row.cells.get(column).map_or(&[][..], Vec::as_slice);
                let (before, after) = self.padding(column, width - columns(cell));
                let gap = if column > 0 { GAP } else { 0 };
                line.extend(fill(' ', gap + before, row.end));
                line.extend(cell.iter().map(|glyph| Glyph {
                    look: if idx == 0 {
                        glyph.look.and(Look::BOLD)
                    } else {
                        glyph.look
                    },
                    ..*glyph
                }));
                line.extend(fill(' ', after, row.end));
            }
            flow.put_row(&line, row.end);
            if idx == 0 {
                let c = match signs {
                    Signs::Drawn => '─',
                    Signs::Typed => '-',
                };
                // The line below the heads comes right after them in the source too.
                let end = row.end.after();
                let rules = widths.iter().enumerate().flat_map(|(column, width)| {
                    let gap = if column > 0 { GAP } else { 0 };
                    fill(' ', gap, end).chain(fill(c, *width, end))
                });
                flow.put_row(&rules.collect::<Vec<_>>(), end);
            }
        }
    }

    fn padding(&self, column: usize, blanks: usize) -> (usize, usize) {
        match self.alignments.get(column) {
            Some(Alignment::Right) => (blanks, 0),
            Some(Alignment::Center) => (blanks / 2, blanks - blanks / 2),
            _ => (0, blanks),
        }
    }

    /// Each cell behind the head of its column, a row of the table after the other.
    fn write_lines(&self, flow: &mut Flow) {
        let Some((heads, rows)) = self.rows.split_first() else {
            return;
        };
        if rows.is_empty() {
            for cell in &heads.cells {
                put_all(flow, cell, Look::BOLD, None);
                flow.end_line();
            }
        }
        for (idx, row) in rows.iter().enumerate() {
            if idx > 0 {
                flow.gap();
            }
            for (column, cell) in row.cells.iter().enumerate() {
                let Some(first) = cell.first() else {
                    continue;
                };
                if let Some(head) = heads.cells.get(column).filter(|head| !head.is_empty()) {
                    let head = head.get(..MAX_HEAD).unwrap_or(head);
                    put_all(flow, head, Look::BOLD, Some(first.at));
                    for c in [':', ' '] {
                        let look = Look::BOLD;
                        flow.put(Glyph {
                            c,
                            look,
                            at: first.at,
                        });
                    }
                }
                put_all(flow, cell, Look::PLAIN, None);
                flow.end_line();
            }
        }
    }
}

fn put_all(flow: &mut Flow, glyphs: &[Glyph], look: Look, at: Option<Place>) {
    for glyph in glyphs {
        flow.put(Glyph {
            look: glyph.look.and(look),
            at: at.unwrap_or(glyph.at),
            ..*glyph
        });
    }
}

fn columns(cell: &[Glyph]) -> usize {
    cell.iter().map(|glyph| glyph.columns()).sum()
}

fn fill(c: char, n: usize, at: Place) -> impl Iterator<Item = Glyph> {
    let look = Look::PLAIN;
    std::iter::repeat_n(Glyph { c, look, at }, n)
}
