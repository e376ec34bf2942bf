//! What a model says, watched for chanting.
//!
//! Ours reads lines; the originals judge each chunk by itself. Both use the same window.

use analects_world::Profile;

use super::line::{Line, Reader, Step};
use super::marks::marks;
use super::refrain::{Refrain, Tone};
use super::window::{Span, TIMES, Window};

/// The window must not fall back too far behind the end of the text.
const MAX_STEP_BYTES: usize = 1_024;

/// What was said again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chant {
    pub(super) text: String,
    pub(super) times: usize,
}

/// What was said lately.
#[derive(Debug, Clone)]
pub(super) struct Talk {
    profile: Profile,
    window: Window,
    reader: Reader,
    refrain: Refrain,
    line_start: u64,
    /// Only the originals': it outlives a prompt, so one open fence makes them deaf.
    is_in_code: bool,
}

impl Talk {
    pub(super) fn new(profile: Profile) -> Self {
        let window = Window::new();
        Self {
            profile,
            line_start: window.end(),
            window,
            reader: Reader::new(),
            refrain: Refrain::default(),
            is_in_code: false,
        }
    }

    /// The next chunk. What follows a chant in it is not read any more.
    pub(super) fn hear(&mut self, chunk: &str) -> Option<Chant> {
        match self.profile {
            Profile::Analects => self.hear_lines(chunk),
            Profile::Seed | Profile::Head => self.hear_chunk(chunk),
        }
    }

    /// A message is over. What is said in the next one may still be the same.
    pub(super) fn end_message(&mut self) -> Option<Chant> {
        if self.profile != Profile::Analects {
            return None;
        }
        let is_open = self.window.end() > self.line_start;
        if is_open {
            self.window.push("\n");
        }
        let line = self.reader.end_message();
        is_open.then(|| self.end_line(line)).flatten()
    }

    /// Something else happened: what was said before has nothing to do with what will be.
    pub(super) fn forget(&mut self) {
        self.window.forget();
        self.reader = Reader::new();
        self.refrain.forget();
        self.line_start = self.window.end();
    }

    fn hear_lines(&mut self, chunk: &str) -> Option<Chant> {
        let mut rest = chunk;
        while let Some(c) = rest.chars().next() {
            let n_words = match self.reader.is_in_words() {
                true => words_len(rest),
                false => 0,
            };
            let (now, after) = rest.split_at_checked(n_words.max(c.len_utf8()))?;
            rest = after;
            self.window.push(now);
            let chant = match n_words {
                0 => self.step(c),
                _ => self.look(),
            };
            if chant.is_some() {
                return chant;
            }
        }
        None
    }

    fn step(&mut self, c: char) -> Option<Chant> {
        match self.reader.read(c) {
            Step::Wait => None,
            Step::Words => self.look(),
            Step::NewWords => {
                self.window.forget_before(self.line_start);
                self.look()
            }
            Step::End(line) => self.end_line(line),
        }
    }

    fn end_line(&mut self, line: Line) -> Option<Chant> {
        let span = Span {
            start: self.line_start,
            units: self.window.end() - 1 - self.line_start,
        };
        self.line_start = self.window.end();
        if matches!(line, Line::Row | Line::Quiet) {
            self.window.forget();
        }
        if let Some(chant) = self.look() {
            return Some(chant);
        }
        let tone = match line {
            Line::Blank => return None,
            Line::Words | Line::Row => Tone::Words,
            Line::Quiet => Tone::Quiet,
        };
        let repeated = self.refrain.push(span, tone, &self.window)?;
        Some(self.chant(repeated.lines, repeated.times))
    }

    fn hear_chunk(&mut self, chunk: &str) -> Option<Chant> {
        let marks = marks(chunk);
        if marks.n_fences > 0 || marks.has_layout || marks.is_divider {
            self.window.forget();
        }
        let was_in_code = self.is_in_code;
        self.is_in_code ^= marks.n_fences % 2 == 1;
        if was_in_code || self.is_in_code || marks.is_divider {
            return None;
        }
        self.window.push(chunk);
        self.look()
    }

    fn look(&mut self) -> Option<Chant> {
        let repeated = self.window.look(self.profile)?;
        Some(self.chant(repeated, TIMES))
    }

    fn chant(&self, span: Span, times: usize) -> Chant {
        let text = self.window.text(span);
        Chant { text, times }
    }
}

/// How many bytes of the text still belong to its first line, as far as the window takes them at once.
fn words_len(text: &str) -> usize {
    let most = text.floor_char_boundary(MAX_STEP_BYTES);
    let bytes = text.as_bytes().get(..most).unwrap_or_default();
    memchr::memchr(b'\n', bytes).unwrap_or(most)
}
