//! The turn loop as a state machine: what happens next in a talk with a model that has tools.
//!
//! A [`Dialogue`] is told what happened ([`Event`]) and says what is to be done now ([`Next`]): one thing at a time,
//! in the order of the original. It counts turns, makes room, checks that everything fits, takes what an editor
//! says, looks for loops, has a model chosen, asks it, and has its tools run, until it has answered. It opens no
//! door itself. Nothing enters the history before it is whole: half an answer, or a request that was not sent,
//! leaves no trace in it.
//!
//! ```text
//! Prompt → Prepare → (Keep | Write)* → Judge? → Route? → Ask → Run → Prepare → … → End
//! ```

mod ask;
mod events;
mod name;
mod reduce;
mod speaker;
mod trim;

use std::collections::HashSet;

use analects_chat::budget::{Backoff, Gauge, Swaps};
use analects_chat::curate::{self, Signatures};
use analects_chat::harden::{End as Last, Fields, HardenOptions, OpenCalls, Thoughts, harden};
use analects_chat::keep::Shelf;
use analects_chat::limits::Limits;
use analects_chat::loops::{self, Detector, Loop};
use analects_chat::question::Question;
use analects_chat::shorten::Cap;
use analects_chat::{compress, swap};
use analects_world::model::{Call, Content};
use analects_world::models::Wire;
use analects_world::provenance::Author;

pub use events::{
    Compressed, End, Event, Heed, Next, Note, Ready, Round, Step, Swapped, Unanswered, Want, Why,
    Written,
};

/// What does not change while a dialogue goes on.
#[derive(Debug, Clone)]
pub struct Options {
    /// The session: the names of new turns follow from it.
    pub session: String,
    /// How many requests a session may have, where somebody limits them.
    pub max_session_turns: Option<usize>,
    /// How many requests one prompt may have.
    pub max_turns: usize,
    /// Tools whose output is never put away.
    pub exempt: Vec<String>,
    /// What counts as a loop.
    pub loops: loops::Options,
    /// Where whole outputs of tools are put, as the model is told.
    pub shelf_dir: String,
    /// Whether a model that has stopped is asked after: it may have wanted to go on.
    pub next_speaker: Want,
    /// The file of the plan that is being made or carried out.
    pub plan_file: Option<String>,
}

/// How many requests one prompt may have, as in the original.
pub const MAX_TURNS: usize = 100;

/// A talk with a model, from the first prompt on.
#[derive(Debug)]
pub struct Dialogue {
    options: Options,
    limits: Limits,
    /// What stands before the history in every request, and is never reduced.
    opening: Vec<Content>,
    history: Vec<Content>,
    /// What the user says, as long as it was not sent.
    pending: Vec<Content>,
    /// The same in words, for whoever judges whether there is progress.
    request: String,
    pins: Vec<String>,
    gauge: Gauge,
    backoff: Backoff,
    loops: Detector,
    /// How the detector stood before the answer that is being heard.
    before_answer: Option<Detector>,
    /// A loop that was seen in it.
    found: Option<Loop>,
    stage: Stage,
    swaps: Swaps,
    /// How long the history was before the prompt that no model has answered yet.
    sent_from: Option<usize>,
    is_routed: bool,
    was_too_large: bool,
    overhead_tokens: usize,
    n_turns: usize,
    n_session_turns: usize,
    n_reductions: usize,
    n_names: usize,
    /// The names of all calls there ever were.
    taken: HashSet<String>,
}

/// What is being waited for.
#[derive(Debug)]
enum Stage {
    Nothing,
    Preparing,
    Keeping(swap::Plan, Why),
    Writing(Box<compress::Plan>),
    Judging(Question, Round),
    Routing,
    Asking,
    Running(Vec<Call>),
    Listening,
}

impl Dialogue {
    /// A dialogue that goes on from this history; an empty one begins.
    #[must_use]
    pub fn new(options: Options, limits: Limits, gauge: Gauge, history: Vec<Content>) -> Self {
        Self {
            loops: Detector::new(options.loops.clone()),
            options,
            limits,
            opening: Vec::new(),
            taken: name::taken(&history),
            history: curate::curate(history, limits.profile),
            pending: Vec::new(),
            request: String::new(),
            pins: Vec::new(),
            gauge,
            backoff: Backoff::default(),
            before_answer: None,
            found: None,
            stage: Stage::Nothing,
            swaps: Swaps::Possible,
            sent_from: None,
            is_routed: false,
            was_too_large: false,
            overhead_tokens: 0,
            n_turns: 0,
            n_session_turns: 0,
            n_reductions: 0,
            n_names: 0,
        }
    }

    /// Takes what happened, and says what is to be done now.
    pub fn step(&mut self, event: Event) -> Step {
        let stage = std::mem::replace(&mut self.stage, Stage::Nothing);
        match (stage, event) {
            (_, Event::Cancelled) => self.give_up(End::Cancelled),
            (Stage::Nothing, Event::Prompt(prompt)) => self.begin(prompt),
            (Stage::Preparing, Event::Prepared(ready)) => self.prepared(ready),
            (Stage::Keeping(plan, why), Event::Kept(kept)) => self.kept(plan, why, &kept),
            (Stage::Writing(plan), Event::Written(written)) => self.written(*plan, &written),
            (Stage::Judging(question, round), Event::Judged(answer, second)) => {
                self.judged(question, round, answer.as_deref(), second)
            }
            (Stage::Routing, Event::Routed(limits)) => self.routed(limits),
            (Stage::Asking, Event::Heard(heard)) => self.heard(heard),
            (Stage::Asking, Event::Unanswered(why)) => self.unanswered(why),
            (Stage::Running(calls), Event::Ran(parts)) => self.ran(&calls, parts),
            (Stage::Listening, Event::Spoke(answer)) => self.spoke(answer.as_deref()),
            (_, _) => self.give_up(End::OutOfStep),
        }
    }

    /// Takes a piece of the answer that is being heard. When it says to stop, the model is going in circles: it is
    /// cut short, and [`Event::Unanswered`] tells so.
    pub fn hear(&mut self, piece: &analects_world::models::Event) -> Heed {
        self.watch(piece)
    }

    /// What was heard so far counts for nothing: the model is asked again.
    pub fn start_over(&mut self) {
        if let Some(before) = &self.before_answer {
            self.loops = before.clone();
        }
        self.found = None;
    }

    /// Goes on from another history: somebody made it short, long again, or took something back.
    pub fn go_on_from(&mut self, history: Vec<Content>) {
        self.taken.extend(name::taken(&history));
        self.history = curate::curate(history, self.limits.profile);
        self.loops = Detector::new(self.options.loops.clone());
        self.backoff = Backoff::default();
        self.pending.clear();
        self.sent_from = None;
        self.stage = Stage::Nothing;
        self.gauge.changed();
    }

    /// What is to be sent to a model now.
    #[must_use]
    pub fn request(&self, wire: Wire) -> Vec<Content> {
        valid(
            self.opening.iter().chain(&self.history).cloned().collect(),
            wire,
        )
    }

    /// Adds what must be there word for word after the compression that is being carried out.
    pub fn pin(&mut self, text: String) {
        if let Stage::Writing(plan) = &mut self.stage {
            plan.pin(text);
        }
    }

    /// What was said so far.
    #[must_use]
    pub fn history(&self) -> &[Content] {
        &self.history
    }

    /// What stands before a cut: what a model that sums it up is shown.
    #[must_use]
    pub fn past(&self, n_turns: usize) -> &[Content] {
        self.history.get(..n_turns).unwrap_or(&self.history)
    }

    /// What is asked right now, for whoever chooses the model.
    #[must_use]
    pub fn asked(&self) -> Option<&Content> {
        self.pending.last().or_else(|| self.history.last())
    }

    /// How many tokens of the window are taken.
    #[must_use]
    pub fn used_tokens(&self) -> usize {
        self.gauge.used(&self.history, self.limits.profile)
    }

    /// How much of everything there may be.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How long the output of a tool may be now.
    #[must_use]
    pub fn cap(&self) -> Cap {
        Cap::of(&self.limits, self.used_tokens())
    }

    /// Where whole outputs are put.
    #[must_use]
    pub fn shelf(&self) -> Shelf<'_> {
        Shelf {
            dir: &self.options.shelf_dir,
            profile: self.limits.profile,
        }
    }

    /// From now on somebody else counts the turns, and says what becomes of a model that stops.
    pub(crate) fn leave_limits(&mut self) {
        self.options.max_turns = usize::MAX;
        self.options.max_session_turns = None;
        self.options.next_speaker = Want::No;
    }

    fn begin(&mut self, prompt: Content) -> Step {
        self.history.extend(curate::interrupted(&self.history));
        self.request = prompt.texts().collect::<Vec<_>>().join("\n");
        self.pending = vec![prompt];
        self.loops.observe(loops::Event::Prompt);
        (self.is_routed, self.was_too_large) = (false, false);
        (self.sent_from, self.found) = (None, None);
        self.swaps = Swaps::Possible;
        self.n_turns = 0;
        self.turn()
    }

    /// The next request, if there may be one more.
    fn turn(&mut self) -> Step {
        let is_over = |most: usize, had: usize| had >= most;
        let session = self.options.max_session_turns;
        if is_over(self.options.max_turns, self.n_turns)
            || session.is_some_and(|most| is_over(most, self.n_session_turns))
        {
            return self.give_up(End::TurnLimit);
        }
        self.n_turns += 1;
        self.n_session_turns += 1;
        self.n_reductions = 0;
        self.prepare()
    }

    fn prepare(&mut self) -> Step {
        self.stage = Stage::Preparing;
        // With a prompt alone: beside an answer of tools it would come between call and response.
        let editor = match self.pending.len() {
            1 => Want::Yes,
            _ => Want::No,
        };
        Step::only(Next::Prepare { editor })
    }

    fn prepared(&mut self, ready: Ready) -> Step {
        self.opening = ready.opening;
        let overhead_tokens =
            ready.overhead_tokens + self.gauge.cost(&self.opening, self.limits.profile);
        if overhead_tokens != self.overhead_tokens {
            self.gauge.carries(overhead_tokens);
            self.overhead_tokens = overhead_tokens;
        }
        self.pins = ready.pins;
        if let Some(text) = ready.editor.filter(|_| self.pending.len() == 1) {
            let id = self.name("editor");
            self.pending
                .insert(0, Content::written_by(id, Author::Editor, text));
        }
        self.reduce()
    }

    /// It is over. What was asked and not answered is taken out of the history again; what tools did stays.
    fn give_up(&mut self, end: End) -> Step {
        self.pending.clear();
        if let Some(length) = self.sent_from.take() {
            self.history.truncate(length);
            self.gauge.changed();
        }
        Step::only(Next::End(end))
    }

    /// A new name for a turn. It follows from the session and from how many there were: the same each time.
    fn name(&mut self, what: &str) -> String {
        self.n_names += 1;
        name::new(&self.options.session, what, self.n_names, &self.history)
    }
}

/// A history as a wire wants it, whatever was done to it.
#[must_use]
pub fn valid(history: Vec<Content>, wire: Wire) -> Vec<Content> {
    // Anthropic wants the thoughts before a call back as they were; the others have no use for them.
    let (thoughts, signatures) = match wire {
        Wire::Gemini => (Thoughts::Dropped, Signatures::Synthetic),
        Wire::OpenAi => (Thoughts::Dropped, Signatures::Left),
        Wire::Anthropic => (Thoughts::Kept, Signatures::Left),
    };
    harden(
        history,
        &HardenOptions {
            thoughts,
            signatures,
            fields: Fields::Known,
            open_calls: OpenCalls::Lost,
            end: Last::User,
        },
    )
}

#[cfg(test)]
mod tests;
