//! A record in progress: what happens is appended, as long as the disk takes it.
//!
//! If it does not, the work goes on unrecorded, and whoever asks is told so once.

use analects_session::record::{Lines, NoName, Recorder, Start, file_name, subagent_file_name};
use analects_session::replay::{Form, Replayed};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::tape::{Opening, Tape, TapeError};

use super::{Opened, Stored};
use crate::{World, codes};

/// A record that is being made.
pub struct Recording {
    path: AbsPath,
    recorder: Recorder,
    tape: Option<Box<dyn Tape>>,
    untold: Option<Problem>,
}

impl Recording {
    /// Begins a record in a project's folder below `~/.gemini/tmp`.
    pub fn start(world: &World<'_>, folder: &AbsPath, start: Start<'_>) -> Result<Self, NoName> {
        let name = file_name(start.session_id, start.at)?;
        let path = folder.join("chats").join(&name);
        let (recorder, lines) = Recorder::start(start);
        Ok(Self::begin(world, path, Opening::New, recorder, &lines))
    }

    /// Begins the record of an agent that works for another conversation, in a directory of that one's name.
    pub fn start_for(
        world: &World<'_>,
        folder: &AbsPath,
        parent: &str,
        start: Start<'_>,
    ) -> Result<Self, NoName> {
        let name = subagent_file_name(parent, start.session_id)?;
        let path = folder.join("chats").join(&name);
        let (recorder, lines) = Recorder::start(start);
        Ok(Self::begin(world, path, Opening::New, recorder, &lines))
    }

    /// Goes on with a record. An old one that is a single object goes on in a new file beside it.
    #[must_use]
    pub fn resume(world: &World<'_>, stored: &Stored, opened: &Opened) -> Option<Self> {
        let replayed = opened.replayed.as_ref()?;
        let (recorder, lines) = Recorder::resume(replayed);
        let (path, opening) = further(stored, replayed)?;
        Some(Self::begin(world, path, opening, recorder, &lines))
    }

    fn begin(
        world: &World<'_>,
        path: AbsPath,
        opening: Opening,
        recorder: Recorder,
        lines: &Lines,
    ) -> Self {
        let mut recording = Self {
            path,
            recorder,
            tape: None,
            untold: None,
        };
        match world.tapes.open(&recording.path, opening) {
            Ok(tape) => {
                recording.tape = Some(tape);
                recording.append(lines);
            }
            Err(error) => recording.stop(&error),
        }
        recording
    }

    /// Writes down what happened.
    pub fn note(&mut self, happened: impl FnOnce(&mut Recorder) -> Lines) {
        let lines = happened(&mut self.recorder);
        self.append(&lines);
    }

    /// Sees to it that everything so far survives a power cut; at the end of a turn.
    pub fn settle(&mut self) {
        let settled = self.tape.as_mut().map(|tape| tape.settle());
        if let Some(Err(error)) = settled {
            self.stop(&error);
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &AbsPath {
        &self.path
    }

    /// Whether what happens is still written down.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.tape.is_some()
    }

    /// Why nothing is written down any more, told once.
    pub fn take_problem(&mut self) -> Option<Problem> {
        self.untold.take()
    }

    fn append(&mut self, lines: &Lines) {
        if lines.is_empty() {
            return;
        }
        let bytes = lines.as_str().as_bytes();
        let appended = self.tape.as_mut().map(|tape| tape.append(bytes));
        if let Some(Err(error)) = appended {
            self.stop(&error);
        }
    }

    fn stop(&mut self, error: &TapeError) {
        self.tape = None;
        let message = format!("this session is no longer recorded: {error}");
        let problem = Problem::new(&codes::NOT_RECORDED, message);
        self.untold = Some(problem.in_file(&self.path));
    }
}

/// Where a record goes on: at its end, or for an old one that is a single object in a new file beside it.
pub(super) fn further(stored: &Stored, replayed: &Replayed) -> Option<(AbsPath, Opening)> {
    match replayed.form() {
        Form::Lines => Some((stored.path.clone(), Opening::Further)),
        Form::Object => {
            let path = AbsPath::new(&format!("{}l", stored.path)).ok()?;
            Some((path, Opening::New))
        }
    }
}
