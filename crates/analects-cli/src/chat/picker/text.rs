//! Makes foreign text fit for the screen: safe, cut or folded to a width, and scrolled.
//!
//! Widths are those that ratatui counts with, so that nothing of a text is lost between two rows.

use analects_text::sanitize;
use ratatui::buffer::CellWidth;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::list::Move;
use crate::chat::hunk::{Hunk, Line};

/// Nobody reads a longer line in a list.
const MAX_LINE_CHARS: usize = 1_000;
/// A longer preview is cut, and says so.
const MAX_SHEET_BYTES: usize = 256 * 1024;
/// Before a row that goes on with the line above: a text must not pass for the sign of a diff by being folded.
const GOES_ON: &str = "↳ ";
const TAB: &str = "    ";
/// In place of a heap of marks that no row has room for.
const TOO_WIDE: (&str, u16) = ("\u{fffd}", 1);
/// Where a row is narrower, what is said matters more than that it goes on.
const MIN_GOES_ON_COLUMNS: u16 = 5;

/// A text within one line, safe for a terminal.
pub(super) fn one_line(text: &str) -> String {
    let end = text.char_indices().nth(MAX_LINE_CHARS);
    let begin = end.and_then(|(at, _)| text.get(..at));
    sanitize::one_line(begin.unwrap_or(text).trim()).into_owned()
}

/// The beginning of a safe text, in at most this many columns.
pub(super) fn cut(text: &str, columns: u16) -> String {
    let mut width = 0_u16;
    let mut kept = String::new();
    // Where there is still room for the sign that something is missing.
    let mut end = 0;
    for (symbol, symbol_width) in symbols(&Span::raw(text)) {
        width = width.saturating_add(symbol_width);
        if width > columns {
            kept.truncate(end);
            if columns > 0 {
                kept.push('…');
            }
            return kept;
        }
        kept.push_str(symbol);
        if width < columns {
            end = kept.len();
        }
    }
    kept
}

/// How many columns a safe text takes.
pub(super) fn width(text: &str) -> u16 {
    symbols(&Span::raw(text)).fold(0, |width: u16, (_, more)| width.saturating_add(more))
}

/// What a terminal shows in one place each, and how wide that is.
fn symbols<'a>(text: &'a Span<'a>) -> impl Iterator<Item = (&'a str, u16)> {
    text.styled_graphemes(Style::new())
        .map(|grapheme| (grapheme.symbol, grapheme.symbol.cell_width()))
}

/// A text to be read row by row.
#[derive(Debug)]
pub(super) struct Sheet {
    lines: Vec<(Tone, String)>,
    /// The lines, folded to `columns`.
    rows: Vec<(Tone, String)>,
    columns: u16,
    /// The first row on the screen.
    top: usize,
    /// How many rows the screen held last: a page.
    page: usize,
}

/// What a line of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    /// Where a diff says which file or which lines.
    Place,
    Added,
    Removed,
}

impl Tone {
    /// As people know it from diffs. The sign at the beginning of the line says the same.
    pub(super) fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Place => Style::new().add_modifier(Modifier::BOLD),
            Self::Added => Style::new().fg(Color::Green),
            Self::Removed => Style::new().fg(Color::Red),
        }
    }
}

impl Sheet {
    pub(super) fn new(text: &str) -> Self {
        Self {
            lines: lines(text),
            rows: Vec::new(),
            columns: 0,
            top: 0,
            page: 0,
        }
    }

    /// The lines as they were given, safe for a terminal.
    pub(super) fn lines(&self) -> &[(Tone, String)] {
        &self.lines
    }

    /// What stands on a screen of this size.
    pub(super) fn visible(&mut self, columns: u16, n_rows: usize) -> &[(Tone, String)] {
        if self.columns != columns {
            self.columns = columns;
            self.rows.clear();
            for (tone, line) in &self.lines {
                fold(*tone, line, columns, &mut self.rows);
            }
        }
        self.page = n_rows;
        self.top = self.top.min(self.last_top());
        let end = self.top.saturating_add(n_rows).min(self.rows.len());
        self.rows.get(self.top..end).unwrap_or_default()
    }

    pub(super) fn go(&mut self, to: Move) {
        self.top = to.from(self.top, self.page, self.last_top());
    }

    /// Which rows stand on the screen, counted from one, and of how many.
    pub(super) fn place(&self) -> (usize, usize, usize) {
        let end = self.top.saturating_add(self.page).min(self.rows.len());
        ((self.top + 1).min(end), end, self.rows.len())
    }

    fn last_top(&self) -> usize {
        self.rows.len().saturating_sub(self.page)
    }
}

/// The lines of a text, safe, and what they are.
fn lines(text: &str) -> Vec<(Tone, String)> {
    let end = text.floor_char_boundary(MAX_SHEET_BYTES);
    let (begin, rest) = text.split_at(end);
    let mut hunk = Hunk::default();
    let mut lines: Vec<_> = begin
        .lines()
        .map(|line| {
            let safe = sanitize::for_terminal(line);
            (tone(&mut hunk, line), safe.replace('\t', TAB))
        })
        .collect();
    if !rest.is_empty() {
        let said = format!("… {} more bytes are not shown", rest.len());
        lines.push((Tone::Place, said));
    }
    lines
}

fn tone(hunk: &mut Hunk, line: &str) -> Tone {
    match hunk.next(line) {
        Line::Head => Tone::Place,
        Line::Outside if line.starts_with("--- ") || line.starts_with("+++ ") => Tone::Place,
        Line::Added => Tone::Added,
        Line::Removed => Tone::Removed,
        Line::Outside | Line::Kept | Line::Note => Tone::Plain,
    }
}

/// Folds a line to a width, between words where that does not waste half a row.
fn fold(tone: Tone, line: &str, columns: u16, rows: &mut Vec<(Tone, String)>) {
    let mut row = String::new();
    let mut used = 0_u16;
    // After the last blank: where the row could end, and how wide it would be.
    let mut gap = None;
    let is_narrow = columns < MIN_GOES_ON_COLUMNS;
    let room = if is_narrow {
        columns
    } else {
        columns - width(GOES_ON)
    };
    for whole in symbols(&Span::raw(line)) {
        let (symbol, symbol_width) = if whole.1 > room { TOO_WIDE } else { whole };
        if used > 0 && used.saturating_add(symbol_width) > columns {
            // What moves down must have room there, with what comes next.
            let fits = |width: u16| (used - width).saturating_add(symbol_width) <= room;
            let gap = gap.take();
            let gap = gap.filter(|&(_, width)| width > columns / 2 && fits(width));
            let rest = match gap {
                Some((at, _)) if symbol != " " => row.split_off(at),
                _ => String::new(),
            };
            rows.push((tone, std::mem::take(&mut row)));
            if !is_narrow {
                row.push_str(GOES_ON);
            }
            row.push_str(&rest);
            used = width(&row);
        }
        row.push_str(symbol);
        used = used.saturating_add(symbol_width);
        if symbol == " " {
            gap = Some((row.len(), used));
        }
    }
    rows.push((tone, row));
}
