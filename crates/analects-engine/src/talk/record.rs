//! The record of a talk, in the form that Gemini CLI reads and resumes.
//!
//! It begins when the first prompt is sent. What the model said is written when it is whole, with its calls; what
//! their tools answered is added to the same message. A disk that refuses ends the record, not the talk.

use analects_session::message::{Content as Said, MessageKind, Status, Tokens, ToolCall};
use analects_session::ours::Ours;
use analects_session::record::{
    By, Compressed as Noted, Lines, Saying, Start, directories, messages, ours,
};
use analects_text::problem::Problem;
use analects_world::changes::ContentHash;
use analects_world::model::{Body, Content, Part, stable_id};
use analects_world::models::Usage;
use analects_world::{AbsPath, Agent};
use serde_json::{Map, Value};

use crate::load_memory::Prepared;
use crate::sessions::{self, Found, Recording};
use crate::verbs::{Failure, Flags};
use crate::{World, codes};

/// The record of one talk.
pub(super) struct Record {
    session: String,
    /// The project's folder below `~/.gemini/tmp`.
    folder: AbsPath,
    whose: Whose,
    state: State,
}

/// Whose talk is recorded.
pub(super) enum Whose {
    /// A person's.
    Person,
    /// That of an agent which works for another conversation.
    Agent {
        /// That conversation.
        parent: String,
    },
    /// Nobody's: it is not recorded.
    Nobody,
}

enum State {
    /// Nothing was said yet.
    Before,
    /// It is being made.
    On(Box<Recording>),
    /// It cannot be made; that was told.
    Off,
}

/// What became of a call, for the record.
pub(super) struct Used {
    /// The call's name.
    pub(super) id: String,
    /// The tool.
    pub(super) name: String,
    /// What it was asked.
    pub(super) args: Value,
    /// What it answered, as the model sees it.
    pub(super) parts: Vec<Part>,
    /// How it ended.
    pub(super) status: Status,
    /// What a person saw.
    pub(super) shown: String,
    /// The sub-agent that was sent, if one was.
    pub(super) agent_id: Option<String>,
}

impl Record {
    /// A record that begins with the first prompt; none in a dry run.
    pub(super) fn new(session: &str, folder: AbsPath, flags: &Flags, whose: Whose) -> Self {
        Self {
            session: session.to_owned(),
            folder,
            state: match flags.dry_run || matches!(whose, Whose::Nobody) {
                true => State::Off,
                false => State::Before,
            },
            whose,
        }
    }

    /// A record that goes on. Two must not write the same one.
    pub(super) fn resume(
        world: &World<'_>,
        found: &Found,
        folder: AbsPath,
    ) -> Result<Self, Failure> {
        let mut recording = Recording::resume(world, &found.stored, &found.opened)
            .ok_or_else(|| Failure::bad_input("this session has no record that can go on"))?;
        if let Some(problem) = recording.take_problem() {
            return Err(
                Failure::failed(format!("this session cannot go on: {}", problem.message)).hint(
                    "another agent may have it open; `analects session list` shows the others",
                ),
            );
        }
        Ok(Self {
            session: found.opened.transcript.head.id.clone(),
            folder,
            whose: Whose::Person,
            state: State::On(Box::new(recording)),
        })
    }

    /// Whether anything is recorded.
    pub(super) fn is_on(&self) -> bool {
        matches!(self.state, State::On(_))
    }

    /// Lets go of the record, so that somebody else may write it.
    pub(super) fn rest(&mut self) -> Option<Problem> {
        let settled = self.settle();
        self.state = State::Off;
        settled
    }

    /// Where it lies, if it has begun.
    pub(super) fn path(&self) -> Option<&AbsPath> {
        match &self.state {
            State::On(recording) => Some(recording.path()),
            State::Before | State::Off => None,
        }
    }

    /// Records a prompt with the author of each of its parts, and what the user typed of it where that is not all.
    pub(super) fn asked(
        &mut self,
        world: &World<'_>,
        prepared: &Prepared,
        turn: &Content,
    ) -> Option<Problem> {
        if let Some(problem) = self.begin(world, prepared) {
            return Some(problem);
        }
        let saying = saying(world, turn)?;
        let authors = turn.parts.iter().map(|part| part.author).collect();
        let typed = turn.user_texts().concat();
        let is_all = matches!(&saying.content, Said::Text(text) if *text == typed);
        let typed = typed.trim();
        let display = (!is_all && !typed.is_empty()).then(|| Said::Text(typed.to_owned()));
        self.note(|recorder| recorder.prompt(saying, authors, display))
    }

    /// The model said something.
    pub(super) fn said(
        &mut self,
        world: &World<'_>,
        turn: &Content,
        model: &str,
        usage: Option<Usage>,
    ) -> Option<Problem> {
        let saying = saying(world, turn)?;
        self.note(|recorder| {
            // Before the answer: behind it, the answer would have to be written a second time.
            let mut lines = usage
                .map(|usage| recorder.cost(tokens(usage)))
                .unwrap_or_default();
            lines.extend([recorder.answer(model, saying)]);
            lines
        })
    }

    /// Tools have answered.
    pub(super) fn used(
        &mut self,
        world: &World<'_>,
        model: &str,
        calls: Vec<Used>,
    ) -> Option<Problem> {
        let at = sessions::now(world).ok()?;
        let calls = calls.into_iter().map(|used| {
            let parts: Vec<_> = used.parts.iter().map(Part::to_value).collect();
            let mut rest = Map::new();
            if !used.shown.is_empty() {
                rest.insert("resultDisplay".to_owned(), used.shown.into());
            }
            ToolCall {
                id: Some(used.id),
                name: used.name,
                args: used.args,
                result: Some(Value::Array(parts)),
                status: Some(used.status),
                at: Some(at),
                agent_id: used.agent_id,
                rest,
            }
        });
        let calls = calls.collect();
        let id = stable_id(&[&self.session, &at.to_string()]);
        self.note(|recorder| recorder.use_tools(model, &id, at, calls))
    }

    /// The history is another one now: a checkpoint says so, and how that can be undone.
    pub(super) fn compressed(
        &mut self,
        world: &World<'_>,
        history: &[Content],
        snapshot: &str,
        [before, after]: [usize; 2],
    ) -> Option<Problem> {
        let State::On(recording) = &mut self.state else {
            return None;
        };
        let at = sessions::now(world).ok()?;
        let stored = sessions::at(world, Agent::Gemini, recording.path())?;
        let opened = sessions::open(world, &stored).ok()?;
        let replayed = opened.replayed.as_ref()?;
        let entries = messages(history, replayed, at);
        let noted = Noted {
            snapshot,
            before: before as u64,
            after: after as u64,
            at,
        };
        recording.note(|recorder| recorder.compress(replayed, &entries, noted));
        recording.take_problem()
    }

    /// The program has something to say that no model sees.
    pub(super) fn notice(
        &mut self,
        world: &World<'_>,
        kind: MessageKind,
        id: &str,
        text: &str,
    ) -> Option<Problem> {
        let at = sessions::now(world).ok()?;
        let saying = Saying {
            id: id.to_owned(),
            at,
            content: Said::Text(text.to_owned()),
        };
        self.note(|recorder| recorder.say(kind, saying))
    }

    /// Sees to it that everything survives a power cut.
    pub(super) fn settle(&mut self) -> Option<Problem> {
        let State::On(recording) = &mut self.state else {
            return None;
        };
        recording.settle();
        recording.take_problem()
    }

    /// Begins, if it has not; why it cannot.
    fn begin(&mut self, world: &World<'_>, prepared: &Prepared) -> Option<Problem> {
        let State::Before = self.state else {
            return None;
        };
        match self.start(world, prepared) {
            Some(mut recording) => {
                let problem = recording.take_problem();
                self.state = State::On(Box::new(recording));
                problem
            }
            None => {
                self.state = State::Off;
                let message = "this session is not recorded: it has no name that a file could have";
                Some(Problem::new(&codes::NOT_RECORDED, message))
            }
        }
    }

    fn start(&self, world: &World<'_>, prepared: &Prepared) -> Option<Recording> {
        let root = prepared.root.as_str();
        let roots = [root.to_owned()];
        let (by, parent) = match &self.whose {
            Whose::Person | Whose::Nobody => (By::Person, None),
            Whose::Agent { parent } => (
                By::Subagent {
                    directories: &roots,
                },
                Some(&**parent),
            ),
        };
        let start = Start {
            session_id: &self.session,
            project_hash: &ContentHash::of(root.as_bytes()).to_string(),
            at: sessions::now(world).ok()?,
            by,
        };
        let mut recording = match parent {
            None => Recording::start(world, &self.folder, start),
            Some(parent) => Recording::start_for(world, &self.folder, parent, start),
        }
        .ok()?;
        recording.note(|_| {
            let mut lines = match parent {
                None => directories(&roots),
                Some(_) => Lines::default(),
            };
            lines.extend([ours(&Ours::new(world.around.cwd.as_str(), None))]);
            lines
        });
        Some(recording)
    }

    fn note(
        &mut self,
        happened: impl FnOnce(
            &mut analects_session::record::Recorder,
        ) -> analects_session::record::Lines,
    ) -> Option<Problem> {
        let State::On(recording) = &mut self.state else {
            return None;
        };
        recording.note(happened);
        recording.take_problem()
    }
}

/// A turn as a message: words alone as words, everything else part by part, signatures included.
fn saying(world: &World<'_>, turn: &Content) -> Option<Saying> {
    let content = match &*turn.parts {
        [
            Part {
                body: Body::Text(text),
                is_thought: false,
                author: _,
                rest,
            },
        ] if rest.is_empty() => Said::Text(text.clone()),
        parts => Said::Parts(parts.iter().map(Part::to_value).collect()),
    };
    Some(Saying {
        id: turn.id.clone(),
        at: sessions::now(world).ok()?,
        content,
    })
}

fn tokens(usage: Usage) -> Tokens {
    let count = |tokens: Option<u64>| tokens.unwrap_or(0);
    let (input, output, thoughts) = (
        count(usage.prompt),
        count(usage.answer),
        count(usage.thoughts),
    );
    Tokens {
        input,
        output,
        cached: count(usage.cached),
        thoughts,
        tool: 0,
        total: input.saturating_add(output).saturating_add(thoughts),
    }
}
