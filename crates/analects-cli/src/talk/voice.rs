//! Prints a run of the agent: the answer in its format on stdout, the rest on stderr.

use std::io::{self, Write};

use analects_engine::talk::{Ended, Tell};
use analects_engine::verbs::Failure;
use analects_world::{Cancel, Clock};

use super::args::Format;
use super::aside::{Aside, Detail};
use super::json::Json;
use super::over::{Over, Trouble};
use super::stream::Stream;
use super::text::Text;
use crate::exit;

/// How a run looks in one format, on stdout.
pub(super) trait Form {
    /// Writes what happens now, where the format has a word for it.
    fn tell(&mut self, told: &Tell<'_>) -> io::Result<()>;

    /// Writes what came of it.
    fn end(&mut self, over: &Over) -> io::Result<()>;
}

/// Tells a run. Nobody is left to work for once stdout cannot be written to, so that cancels it.
pub(crate) struct Voice<'a> {
    form: Box<dyn Form + 'a>,
    aside: Aside<'a>,
    cancel: Cancel,
    lost: Option<io::Error>,
}

/// What a voice is to be like.
pub(crate) struct VoiceOptions<'a> {
    pub(crate) format: Format,
    pub(crate) detail: Detail,
    /// Whether a terminal shows the answer.
    pub(crate) is_terminal: bool,
    /// What is asked, if that makes sense.
    pub(crate) prompt: Option<&'a str>,
    pub(crate) clock: &'a dyn Clock,
    /// Cancelled if nobody listens any more.
    pub(crate) cancel: &'a Cancel,
}

impl<'a> Voice<'a> {
    /// A voice on these two streams.
    pub(crate) fn new(
        out: impl Write + 'a,
        err: impl Write + 'a,
        options: &VoiceOptions<'a>,
    ) -> Self {
        let out = Box::new(out);
        let form: Box<dyn Form + 'a> = match options.format {
            Format::Text => Box::new(Text::new(out, options.is_terminal)),
            Format::Json => Box::new(Json::new(out)),
            Format::StreamJson => Box::new(Stream::new(out, options.prompt, options.clock)),
        };
        Self {
            form,
            aside: Aside::new(err, options.detail),
            cancel: options.cancel.clone(),
            lost: None,
        }
    }

    /// Tells what happens now.
    pub(crate) fn tell(&mut self, told: &Tell<'_>) {
        self.aside.tell(told);
        if self.lost.is_some() {
            return;
        }
        if let Err(error) = self.form.tell(told) {
            self.lost = Some(error);
            self.cancel.cancel();
        }
    }

    /// Tells what came of it, and says the exit code.
    pub(crate) fn end(mut self, outcome: Result<Ended, Failure>, signal: Option<i32>) -> u8 {
        let over = Over::new(outcome, signal);
        let written = match self.lost.take() {
            Some(error) => Err(error),
            None => self.form.end(&over),
        };
        for problem in over.ended.iter().flat_map(|ended| &ended.problems) {
            self.aside.notice(problem);
        }
        match written {
            // The reader of our output went away: that is its right.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit::FINE,
            Err(error) => {
                let failure = Failure::failed(format!("cannot write the answer: {error}"));
                let trouble = Trouble::from(&failure);
                self.aside.trouble(&trouble);
                trouble.code
            }
            Ok(()) => {
                if let Some(trouble) = &over.error {
                    self.aside.trouble(trouble);
                }
                over.code()
            }
        }
    }
}
