//! Renders a model's Markdown as it streams, without flicker.
//!
//! Everything here is a value that turns what happens into bytes. The time is told, never asked, and nothing that a
//! model says reaches the terminal as anything but words.

mod blocks;
mod canvas;
pub(crate) mod diff;
mod flow;
mod guess;
mod markdown;
mod row;
mod source;
mod spinner;
mod table;
mod thoughts;

use std::io::{self, Write};

use analects_text::sanitize;

use canvas::Canvas;
use markdown::Markdown;
use row::{Ink, Look};
use spinner::Spinner;
use thoughts::Thoughts;

/// What a terminal can bear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// What stands at the end of the screen may be written over.
    Rich,
    /// Nothing is ever written over, for screen readers and dumb terminals: blocks come whole, once they are over.
    Lines,
}

/// The screen, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// How to paint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaintOptions {
    pub(crate) style: Style,
    pub(crate) has_color: bool,
    pub(crate) size: Size,
}

/// What a person sees while a model speaks.
///
/// Between two answers (after [`Paint::end`]) the cursor is at the beginning of an empty line, and others may write
/// there.
#[derive(Debug)]
pub(crate) struct Paint {
    canvas: Canvas,
    markdown: Markdown,
    spinner: Spinner,
    thoughts: Thoughts,
}

impl Paint {
    pub(crate) fn new(options: PaintOptions) -> Self {
        let ink = match options.has_color {
            true => Ink::Color,
            false => Ink::None,
        };
        Self {
            canvas: Canvas::new(options.style, ink, options.size),
            markdown: Markdown::default(),
            spinner: Spinner::default(),
            thoughts: Thoughts::default(),
        }
    }

    /// Something takes time from now on: `what` it is, in a word or two.
    pub(crate) fn wait(&mut self, out: &mut dyn Write, what: &str, now_ms: u64) -> io::Result<()> {
        self.spinner.wipe(&mut self.canvas);
        self.spinner.begin(what, now_ms);
        self.flush(out)
    }

    /// What is waited for is called otherwise now; since when stays as it is.
    pub(crate) fn reword(&mut self, what: &str) {
        self.spinner.reword(what);
    }

    /// Time has passed. To be called about ten times a second.
    pub(crate) fn tick(&mut self, out: &mut dyn Write, now_ms: u64) -> io::Result<()> {
        self.markdown.tick(now_ms, &mut self.canvas);
        // A short thought does not break a sentence in two. A long one does: a person wonders what happens.
        if self.thoughts.is_going_on() && self.spinner.is_due(now_ms) {
            self.markdown.end(&mut self.canvas);
        }
        self.spinner.tick(now_ms, &mut self.canvas);
        self.flush(out)
    }

    /// A piece of what the model thinks: kept, not shown.
    pub(crate) fn thought(
        &mut self,
        out: &mut dyn Write,
        piece: &str,
        now_ms: u64,
    ) -> io::Result<()> {
        // Some servers send empty ones in the middle of a sentence.
        if piece.is_empty() {
            return Ok(());
        }
        if !self.thoughts.is_going_on() {
            self.spinner.wipe(&mut self.canvas);
            self.spinner.begin("thinking", now_ms);
        }
        self.thoughts.push(piece, now_ms);
        self.flush(out)
    }

    /// A piece of what the model says.
    pub(crate) fn text(&mut self, out: &mut dyn Write, piece: &str, now_ms: u64) -> io::Result<()> {
        if piece.is_empty() {
            return Ok(());
        }
        self.fold(now_ms);
        self.markdown.push(piece, now_ms, &mut self.canvas);
        self.flush(out)
    }

    /// What the model said is whole, or it was told to stop. All of it is painted, and nothing waits any more.
    pub(crate) fn end(&mut self, out: &mut dyn Write, now_ms: u64) -> io::Result<()> {
        self.fold(now_ms);
        self.markdown.end(&mut self.canvas);
        self.flush(out)
    }

    /// The model is asked again: what it said since the last [`Paint::end`] is void.
    pub(crate) fn start_over(
        &mut self,
        out: &mut dyn Write,
        why: &str,
        now_ms: u64,
    ) -> io::Result<()> {
        self.thoughts.forget();
        self.fold(now_ms);
        let was_painted = self.markdown.discard(&mut self.canvas);
        let void = match was_painted {
            true => "; what it said above is void",
            false => "",
        };
        self.our_line(&format!("the model is asked again: {why}{void}"), Look::DIM);
        self.flush(out)
    }

    /// A line of ours between what the model says, set back. What is open is over.
    pub(crate) fn note(&mut self, out: &mut dyn Write, text: &str, now_ms: u64) -> io::Result<()> {
        self.fold(now_ms);
        self.markdown.end(&mut self.canvas);
        self.our_line(text, Look::DIM);
        self.flush(out)
    }

    /// The screen has another size. What stands there stays as it is.
    pub(crate) fn resize(&mut self, out: &mut dyn Write, size: Size) -> io::Result<()> {
        if size.width != self.canvas.size.width {
            self.spinner.wipe(&mut self.canvas);
            self.markdown.turn_page(&mut self.canvas);
        }
        self.canvas.size = size;
        self.markdown.fit(&mut self.canvas);
        self.flush(out)
    }

    /// What the model thought last, as it came: not safe for a terminal. See [`Paint::unfold`].
    pub(crate) fn thoughts(&self) -> &str {
        self.thoughts.text()
    }

    /// Shows what the model thought last.
    pub(crate) fn unfold(&mut self, out: &mut dyn Write, now_ms: u64) -> io::Result<()> {
        self.fold(now_ms);
        self.markdown.end(&mut self.canvas);
        for line in self.thoughts.shown().lines() {
            let line = sanitize::one_line(line);
            self.canvas.line(&line, Look::DIM);
        }
        self.flush(out)
    }

    /// Ends what was waited for and what was thought.
    fn fold(&mut self, now_ms: u64) {
        self.spinner.wipe(&mut self.canvas);
        self.spinner.end();
        if let Some(line) = self.thoughts.fold(now_ms)
            && self.canvas.is_settled()
        {
            self.canvas.line(&line, Look::DIM);
        }
    }

    fn our_line(&mut self, text: &str, look: Look) {
        self.canvas.line(&sanitize::one_line(text), look);
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = self.canvas.take();
        if bytes.is_empty() {
            return Ok(());
        }
        // All at once: a terminal that paints between two writes would show half of a change.
        out.write_all(bytes.as_bytes())?;
        out.flush()
    }
}

#[cfg(test)]
mod tests;
