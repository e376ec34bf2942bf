//! One line that says what is going on, and for how long.

use analects_text::sanitize;

use super::Style;
use super::canvas::Canvas;
use super::row::{self, Look};

/// What is over by then needs no line.
const PATIENCE_MS: u64 = 500;
/// Where nothing can be written over, one line is all that is said, and only if silence would look like the end.
const LONG_PATIENCE_MS: u64 = 5000;
/// The line is painted this often at most.
const PACE_MS: u64 = 200;

const FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// What is waited for, and what stands on the screen of it.
#[derive(Debug, Default)]
pub(super) struct Spinner {
    waiting: Option<Waiting>,
    /// When the line was painted that stands there.
    painted_ms: Option<u64>,
    n_painted: usize,
}

#[derive(Debug)]
struct Waiting {
    what: String,
    since_ms: u64,
    was_said: bool,
}

impl Spinner {
    pub(super) fn begin(&mut self, what: &str, now_ms: u64) {
        self.waiting = Some(Waiting {
            what: sanitize::one_line(what).into_owned(),
            since_ms: now_ms,
            was_said: false,
        });
    }

    /// Says something else from now on, about the same thing.
    pub(super) fn reword(&mut self, what: &str) {
        if let Some(waiting) = &mut self.waiting {
            waiting.what = sanitize::one_line(what).into_owned();
        }
    }

    pub(super) fn end(&mut self) {
        self.waiting = None;
    }

    /// Shows how long it has been, if it is time. In the middle of a text nobody wonders whether something happens.
    pub(super) fn tick(&mut self, now_ms: u64, canvas: &mut Canvas) {
        let Some(waiting) = &mut self.waiting else {
            return;
        };
        let waited_ms = now_ms.saturating_sub(waiting.since_ms);
        if !canvas.is_settled() || waited_ms < PATIENCE_MS {
            return;
        }
        if canvas.style == Style::Lines {
            // Once: each line is read aloud.
            if waited_ms >= LONG_PATIENCE_MS && !std::mem::replace(&mut waiting.was_said, true) {
                canvas.line(&format!("{} …", waiting.what), Look::PLAIN);
            }
            return;
        }
        let is_fresh = |then: u64| now_ms.saturating_sub(then) < PACE_MS;
        if self.painted_ms.is_some_and(is_fresh) {
            return;
        }
        let frame = FRAMES.get(self.n_painted % FRAMES.len()).unwrap_or(&"");
        let line = format!("{frame} {} · {} s", waiting.what, waited_ms / 1000);
        canvas.overwrite(&cut(&line, canvas.width()), Look::DIM);
        self.painted_ms = Some(now_ms);
        self.n_painted += 1;
    }

    /// Takes the line away.
    pub(super) fn wipe(&mut self, canvas: &mut Canvas) {
        if self.painted_ms.take().is_some() {
            canvas.overwrite("", Look::PLAIN);
        }
    }
}

/// The beginning of `line`: a line that is too long would leave a trace.
fn cut(line: &str, width: usize) -> String {
    let mut left = width;
    line.chars()
        .map_while(|c| {
            left = left.checked_sub(row::columns(c))?;
            Some(c)
        })
        .collect()
}
