//! Markdown that is painted while it comes.
//!
//! Blocks that are over are final. The open one is laid out again as it grows, and only what changed is written. What
//! has left the screen is final too: `from` says up to where the open block was painted for good, and the rest goes on
//! from there, so that nothing is lost or said twice.

use super::Style;
use super::blocks::{self, Layout, Signs};
use super::canvas::Canvas;
use super::guess;
use super::row::{Place, Row};
use super::source::{self, Block, Source};

/// How often the open block is painted at most: as often as an eye can follow.
const PACE_MS: u64 = 33;

/// How much text at once is painted without waiting, if it is no small part of what is open. That keeps the cost of
/// text that all comes at once within a multiple of its length.
const MAX_PENDING: usize = 2048;

/// An answer while it comes.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    source: Source,
    from: Place,
    /// Whether something of the answer stands on the screen, so that the next block is set apart.
    has_begun: bool,
    painted_ms: Option<u64>,
    n_pending: usize,
    /// How many bytes were laid out: what it costs.
    pub(super) n_laid_out: usize,
}

impl Markdown {
    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &str, now_ms: u64, canvas: &mut Canvas) {
        let mut rest = piece;
        while !rest.is_empty() {
            // Not more at once than a block may hold: what is open stays small.
            let (head, tail) = rest.split_at(rest.floor_char_boundary(source::MAX_BLOCK));
            self.source.push(head);
            self.n_pending += head.len();
            self.tick(now_ms, canvas);
            rest = tail;
        }
    }

    /// Paints what has come, if it is time.
    pub(super) fn tick(&mut self, now_ms: u64, canvas: &mut Canvas) {
        let waited_ms = self.painted_ms.map(|then| now_ms.saturating_sub(then));
        let is_time = waited_ms.is_none_or(|waited_ms| waited_ms >= PACE_MS);
        let is_much = self.n_pending >= MAX_PENDING.max(self.source.open().len() / 4);
        if self.n_pending == 0 || !(is_time || is_much) {
            return;
        }
        self.painted_ms = Some(now_ms);
        self.n_pending = 0;
        let closed = self.source.take_closed();
        let mut rows = self.closed_rows(&closed, canvas);
        if canvas.style == Style::Lines {
            canvas.paint(rows);
            canvas.settle(0);
            return;
        }
        let n_closed = rows.len();
        rows.extend(self.open_rows(canvas));
        let n_open = rows.len() - n_closed;
        canvas.paint(rows);
        canvas.settle(n_open);
        self.freeze(canvas.n_reachable(), canvas);
    }

    /// The answer is whole, or nothing more comes of it.
    pub(super) fn end(&mut self, canvas: &mut Canvas) {
        let closed = self.source.finish();
        let rows = self.closed_rows(&closed, canvas);
        canvas.paint(rows);
        canvas.settle(0);
        *self = Self {
            n_laid_out: self.n_laid_out,
            ..Self::default()
        };
    }

    /// What was said is void. Answers whether something of it was painted.
    pub(super) fn discard(&mut self, canvas: &mut Canvas) -> bool {
        let was_open = canvas.settle(0).is_some();
        let before = std::mem::take(self);
        self.n_laid_out = before.n_laid_out;
        before.has_begun || was_open || before.from > Place::default()
    }

    /// The screen changes. Terminals break rows anew as they like, so that nobody knows where they are: they stay, and
    /// the rest goes on in a line of its own.
    pub(super) fn turn_page(&mut self, canvas: &mut Canvas) {
        self.freeze(0, canvas);
    }

    /// What has left a screen that became lower is final.
    pub(super) fn fit(&mut self, canvas: &mut Canvas) {
        self.freeze(canvas.n_reachable(), canvas);
    }

    /// All but the last `n_open` rows are final.
    fn freeze(&mut self, n_open: usize, canvas: &mut Canvas) {
        if let Some(row) = canvas.settle(n_open) {
            self.from = self.from.max(row.end);
        }
    }

    fn closed_rows(&mut self, closed: &[Block], canvas: &Canvas) -> Vec<Row> {
        let mut rows = Vec::new();
        for (idx, block) in closed.iter().enumerate() {
            let at = Position {
                is_rest: block.is_rest,
                n_repeated: block.n_repeated,
            };
            let block_rows = self.rows(&block.text, at, canvas);
            self.has_begun |= !block_rows.is_empty() || self.from > Place::default();
            rows.extend(block_rows);
            self.from = self.from.without(block.text.len());
            if self.from > Place::default() {
                let next = closed.get(idx + 1).map(|next| next.n_repeated);
                let n_repeated = next.unwrap_or_else(|| self.source.n_repeated());
                self.from = self.from.moved(n_repeated);
            }
        }
        rows
    }

    fn open_rows(&mut self, canvas: &Canvas) -> Vec<Row> {
        let at = Position {
            is_rest: self.source.is_rest(),
            n_repeated: self.source.n_repeated(),
        };
        let text = guess::completed(self.source.open()).into_owned();
        self.rows(&text, at, canvas)
    }

    fn rows(&mut self, text: &str, at: Position, canvas: &Canvas) -> Vec<Row> {
        self.n_laid_out += text.len();
        blocks::rows(
            text,
            Layout {
                width: canvas.width(),
                ink: canvas.ink,
                signs: match canvas.style {
                    Style::Rich => Signs::Drawn,
                    Style::Lines => Signs::Typed,
                },
                from: self.from.max(Place::new(at.n_repeated, 0)),
                has_gap: self.has_begun && !at.is_rest,
            },
        )
    }
}

/// Where a block stands.
struct Position {
    is_rest: bool,
    n_repeated: usize,
}
