//! The `text` format: the answer, and nothing else.

use std::borrow::Cow;
use std::io::{self, Write};

use analects_engine::talk::{How, Tell};
use analects_text::sanitize::for_terminal;

use super::over::Over;
use super::voice::Form;

/// Writes the last words of a run that came to an answer; of any other, nothing.
pub(super) struct Text<'a> {
    out: Box<dyn Write + 'a>,
    is_terminal: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(out: Box<dyn Write + 'a>, is_terminal: bool) -> Self {
        Self { out, is_terminal }
    }

    /// A file gets what the model said, to the letter; a terminal is not driven by it.
    fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.is_terminal {
            return Cow::Borrowed(text);
        }
        // Where lines end otherwise, they still end there.
        let text = text.replace("\r\n", "\n");
        Cow::Owned(for_terminal(&text).into_owned())
    }
}

impl Form for Text<'_> {
    fn tell(&mut self, _: &Tell<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, over: &Over) -> io::Result<()> {
        let Some(ended) = &over.ended else {
            return Ok(());
        };
        if !matches!(ended.how, How::Answered) || ended.response.is_empty() {
            return Ok(());
        }
        let text = self.safe(&ended.response);
        let end = if text.ends_with('\n') { "" } else { "\n" };
        write!(self.out, "{text}{end}")?;
        self.out.flush()
    }
}
