//! What a dialogue is told (`Event`), and what it asks for (`Next`).

use analects_chat::answer::Heard;
use analects_chat::budget::Overflow;
use analects_chat::compress::{self, Status};
use analects_chat::keep::{Keep, Kept};
use analects_chat::limits::Limits;
use analects_chat::loops::Loop;
use analects_chat::loops::asking::SecondModel;
use analects_chat::question::Question;
use analects_world::model::{Call, Content, Part};

/// What happened.
#[derive(Debug)]
pub enum Event {
    /// The user says something.
    Prompt(Content),
    /// Everything that goes along with a request is as it should be.
    Prepared(Ready),
    /// What came of the texts to keep, in their order.
    Kept(Vec<Kept>),
    /// What came of the snapshot.
    Written(Written),
    /// What another model thinks about progress, if it answered, and whether there is a better one to ask.
    Judged(Option<String>, SecondModel),
    /// A model was chosen; this much of everything it takes.
    Routed(Limits),
    /// The model answered.
    Heard(Heard),
    /// It did not, and will not.
    Unanswered(Unanswered),
    /// The tools have run: a response to each call, in the order of the calls, and what else the model is to see.
    Ran(Vec<Part>),
    /// What another model says about whose turn it is, if it answered.
    Spoke(Option<String>),
    /// Somebody wants it to stop.
    Cancelled,
}

/// What goes along with a request.
#[derive(Debug, Clone, Default)]
pub struct Ready {
    /// What the system text and the tools cost.
    pub overhead_tokens: usize,
    /// What stands before the history.
    pub opening: Vec<Content>,
    /// What an editor has to say.
    pub editor: Option<String>,
    /// What must survive every compression word for word.
    pub pins: Vec<String>,
}

/// What came of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// No model was asked.
    NotAsked,
    /// One was, and did not answer.
    Failed,
    /// It wrote this.
    Said(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// The server says that the request is too large for the model.
    TooLarge,
    /// Anything else.
    Failed,
}

/// What is to be done now, and what is to be known about it.
#[derive(Debug)]
pub struct Step {
    /// What has happened to the history.
    pub notes: Vec<Note>,
    /// What is to be done.
    pub next: Next,
}

impl Step {
    /// A step that is about nothing but what comes next.
    pub(super) fn only(next: Next) -> Self {
        let notes = Vec::new();
        Self { notes, next }
    }

    pub(super) fn with(mut self, note: Note) -> Self {
        self.notes.insert(0, note);
        self
    }
}

/// What is to be done now.
#[derive(Debug)]
pub enum Next {
    /// See that memory, tools and pins are up to date; answered by [`Event::Prepared`].
    Prepare {
        /// Whether what an editor says may go along.
        editor: Want,
    },
    /// Put these texts on disk; answered by [`Event::Kept`].
    Keep(Vec<Keep>),
    /// Have a model write the snapshot of the history's first turns, if one may be asked; answered by
    /// [`Event::Written`].
    Write {
        /// What it is asked.
        question: compress::Question,
        /// About this many turns.
        n_turns: usize,
    },
    /// Ask another model whether there is progress; answered by [`Event::Judged`].
    Judge(Question, Round),
    /// Choose the model; answered by [`Event::Routed`].
    Route,
    /// Send what [`super::Dialogue::request`] says, and tell of every piece of the answer; answered by [`Event::Heard`] or
    /// [`Event::Unanswered`].
    Ask,
    /// Run these calls, those that do not depend on each other at once; answered by [`Event::Ran`].
    Run(Vec<Call>),
    /// Ask another model whose turn it is; answered by [`Event::Spoke`].
    Listen(Question),
    /// Nothing: it is over until the next prompt.
    End(End),
}

/// Whether something is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// Which model is asked about progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// A cheap one.
    First,
    /// A better one, to confirm what the first one saw.
    Second,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The model has answered.
    Answered,
    /// There were as many requests as there may be.
    TurnLimit,
    /// What is to be sent does not fit.
    Overflow(Overflow),
    /// The model goes in circles.
    Loop,
    /// The model did not answer.
    Unanswered,
    /// Somebody wanted it to stop.
    Cancelled,
    /// It was told something that it did not wait for: a fault of whoever drives it.
    OutOfStep,
}

/// What has happened to the history.
#[derive(Debug)]
pub enum Note {
    /// The prompt was added to it.
    Asked,
    /// The model's answer was added to it; it is the last turn.
    Said,
    /// What tools answered was added to it; it is the last turn.
    Ran,
    /// Outputs of tools gave way to pointers.
    Swapped(Swapped),
    /// It was compressed, or should have been.
    Compressed(Compressed),
    /// A loop was seen.
    Loop(Loop),
}

/// Outputs of tools that gave way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swapped {
    /// Why.
    pub why: Why,
    /// How many.
    pub count: usize,
    /// What they cost before.
    pub before_tokens: usize,
    /// What stands in their place costs.
    pub after_tokens: usize,
}

/// Why outputs of tools gave way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// They are old.
    Old,
    /// They are more than their budget.
    Budget,
}

/// What came of a compression.
#[derive(Debug, Clone)]
pub struct Compressed {
    /// What came of it.
    pub status: Status,
    /// The turn that stands for the past.
    pub snapshot_id: String,
    /// What the history cost before.
    pub before_tokens: usize,
    /// What it costs now.
    pub after_tokens: usize,
    /// What was wrong with what the model wrote.
    pub fault: Option<compress::Fault>,
    /// The turns that are gone.
    pub gone: Vec<String>,
    /// The user's constraints.
    pub constraints: Vec<String>,
}

/// Whether to hear on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heed {
    /// Go on.
    GoOn,
    /// Cut the answer short.
    Stop,
}
