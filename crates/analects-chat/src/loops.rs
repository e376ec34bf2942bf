//! Loop detection: the same calls, the same words, or much work without progress.
//!
//! A [`Detector`] is told what happens in an agent's stream, event by event, and answers a [`Loop`] when it sees
//! one. The first of a prompt is a reason to tell the model so ([`Verdict::Nudge`], after which the caller
//! says [`Detector::resume`]); the second ends the prompt ([`Verdict::Stop`]; a command line then leaves with the
//! exit code 54). Work is linear in what is told and memory constant: the last 5,000 units of text and the
//! last 75 calls.
//!
//! `seed` and `head` decide at the same event as the original, its faults included. `analects` differs: where
//! a stream is cut does not matter, lists, tables and code are read as lines, the order of arguments is
//! nothing, open code ends with the message, and answers that change are progress. Chants in pieces of more
//! than 250 units are out of scope in all three, and so are numbered items that differ in their number only.
//!
//! ```
//! use analects_chat::loops::{Detector, Event, Kind, Options, Switch, Verdict};
//! use analects_world::Profile;
//!
//! let mut detector = Detector::new(Options {
//!     profile: Profile::Analects,
//!     switch: Switch::On,
//!     exempt_tools: Vec::new(),
//!     checks_per_prompt: 3,
//! });
//! detector.observe(Event::Prompt);
//! let chunk = "I will look at the file once more, to be quite sure. ";
//! let found = (0..10).find_map(|_| detector.observe(Event::Text(chunk))).unwrap();
//! assert_eq!(found.kind, Kind::Chanting);
//! assert!(matches!(found.verdict, Verdict::Nudge(_)));
//! ```

pub mod asking;
mod calls;
mod fingerprint;
mod line;
mod marks;
mod nudge;
mod refrain;
mod talk;
mod window;

use analects_world::Profile;
use analects_world::model::{Call, Content, Response};

use asking::{Asking, Next, Question, SecondModel};
use calls::Calls;
use talk::Talk;

/// What counts as a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whose rules hold.
    pub profile: Profile,
    /// Whether anything is watched at all.
    pub switch: Switch,
    /// Tools that may be called as often as they like: for them nothing is counted.
    pub exempt_tools: Vec<String>,
    /// How often in a prompt another model may be asked. With none, nobody is.
    pub checks_per_prompt: usize,
}

/// Whether loops are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// They are.
    On,
    /// They are not: every event is let pass.
    Off,
}

/// Something that happens in an agent's stream.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The user asks for something. What was before has nothing to do with it.
    Prompt,
    /// The model's next turn begins. After it, ask for a [`Detector::question`].
    Turn,
    /// The model says something: the next chunk of its text, without thoughts.
    Text(&'a str),
    /// The model wants a tool to run.
    Call(&'a Call),
    /// A tool has run. It is not needed; with it, waiting is told from going in circles.
    Answer(&'a Response),
}

/// A loop that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// What is repeated.
    pub kind: Kind,
    /// What exactly, in a sentence of one line.
    pub detail: String,
    /// How often it was repeated; 0 if another model said so.
    pub times: usize,
    /// Which loop of this prompt it is, from 1 on.
    pub strike: usize,
    /// What is to be done.
    pub verdict: Verdict,
}

/// What is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Calls of tools.
    Calls,
    /// Words.
    Chanting,
    /// Nothing that could be counted, but another model sees no progress.
    NoProgress,
}

impl Kind {
    /// The word for it that Gemini CLI uses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "consecutive_identical_tool_calls",
            Self::Chanting => "chanting_identical_sentences",
            Self::NoProgress => "llm_detected_loop",
        }
    }
}

/// What is to be done about a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// End the turn and say this to the model, as the user; then [`Detector::resume`].
    Nudge(String),
    /// End the prompt.
    Stop,
}

/// Watches one conversation.
#[derive(Debug, Clone)]
pub struct Detector {
    options: Options,
    talk: Talk,
    calls: Calls,
    asking: Asking,
    n_strikes: usize,
    /// A loop that nobody has done anything about. Nothing else is watched meanwhile.
    standing: Option<Loop>,
}

impl Detector {
    /// Begins to watch.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let profile = options.profile;
        Self {
            talk: Talk::new(profile),
            calls: Calls::new(profile),
            asking: Asking::new(profile),
            options,
            n_strikes: 0,
            standing: None,
        }
    }

    /// Takes an event. A loop is answered from the event on that shows it until [`Detector::resume`] or the next
    /// prompt.
    pub fn observe(&mut self, event: Event<'_>) -> Option<Loop> {
        if self.options.switch == Switch::Off {
            return None;
        }
        if let Event::Prompt = event {
            self.forget_prompt();
        } else if self.standing.is_none() {
            self.standing = self.look(event);
        }
        self.standing.clone()
    }

    /// The model was told, and goes on. Under `analects` it begins anew: only a whole new loop is a second
    /// one. The originals remember everything, so that the next word or call may be enough.
    pub fn resume(&mut self) {
        self.standing = None;
        if self.options.profile == Profile::Analects {
            self.talk.forget();
            self.calls.forget();
        }
    }

    /// Watches nothing from now on, or anew.
    pub fn switch(&mut self, switch: Switch) {
        self.options.switch = switch;
        self.forget_prompt();
    }

    /// What to ask another model at the beginning of this turn, if it is time to. `request` is what the user
    /// asked for in this prompt.
    pub fn question(&mut self, history: &[Content], request: &str) -> Option<Question> {
        let is_watching = self.options.switch == Switch::On && self.standing.is_none();
        (is_watching && self.asking.begin(self.options.checks_per_prompt))
            .then(|| asking::question(history, request, self.options.profile))
    }

    /// Takes what the first model answered; nothing, if asking failed.
    pub fn answered(&mut self, answer: Option<&str>, second: SecondModel) -> Next {
        match self.asking.answered(answer, second) {
            asking::Belief::Progress => Next::GoOn,
            asking::Belief::Unsure => Next::AskSecond,
            asking::Belief::Stuck(analysis) => Next::Found(self.strike_by_opinion(&analysis)),
        }
    }

    /// Takes what the second model answered to the same question.
    pub fn answered_second(&mut self, answer: Option<&str>) -> Option<Loop> {
        match self.asking.answered_second(answer) {
            asking::Belief::Stuck(analysis) => Some(self.strike_by_opinion(&analysis)),
            asking::Belief::Progress | asking::Belief::Unsure => None,
        }
    }

    fn look(&mut self, event: Event<'_>) -> Option<Loop> {
        match event {
            Event::Prompt => None,
            Event::Turn => {
                self.asking.turn();
                let chant = self.talk.end_message()?;
                Some(self.strike(Kind::Chanting, nudge::of_chant(&chant), chant.times))
            }
            Event::Text(chunk) => {
                let chant = self.talk.hear(chunk)?;
                Some(self.strike(Kind::Chanting, nudge::of_chant(&chant), chant.times))
            }
            Event::Call(call) => {
                self.talk.forget();
                if self.options.exempt_tools.contains(&call.name) {
                    return None;
                }
                let cycle = self.calls.push(call)?;
                Some(self.strike(Kind::Calls, nudge::of_calls(cycle, call), cycle.rounds))
            }
            Event::Answer(response) => {
                self.calls.answer(response);
                None
            }
        }
    }

    fn strike_by_opinion(&mut self, analysis: &str) -> Loop {
        let found = self.strike(Kind::NoProgress, nudge::of_opinion(analysis), 0);
        self.standing = Some(found.clone());
        found
    }

    fn strike(&mut self, kind: Kind, detail: String, times: usize) -> Loop {
        self.n_strikes += 1;
        let verdict = match (self.options.profile, self.n_strikes) {
            (Profile::Analects | Profile::Head, 1) => Verdict::Nudge(nudge::nudge(&detail)),
            _ => Verdict::Stop,
        };
        Loop {
            kind,
            detail,
            times,
            strike: self.n_strikes,
            verdict,
        }
    }

    fn forget_prompt(&mut self) {
        self.talk.forget();
        self.calls.forget();
        self.asking = Asking::new(self.options.profile);
        self.n_strikes = 0;
        self.standing = None;
    }
}

#[cfg(test)]
mod tests;
