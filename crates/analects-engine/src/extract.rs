//! Learns from past sessions: what was worked out before becomes a skill that waits in the inbox.
//!
//! A run takes the lock, reads what earlier runs did, looks which sessions are worth it, has them learned from, looks
//! what came of it, and notes that. The learner is `local`, and with a model also `confucius`; both write into the
//! inbox only.

mod confucius;
mod hold;
mod local;
mod mode;
mod run;
mod shelf;
mod survey;

use analects_session::stamp::Stamp;
use analects_skill::eligible::Eligible;
use analects_skill::lock::Holder;
use analects_text::problem::Problem;
use analects_world::{AbsPath, Cancel};

use crate::World;
use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};
use shelf::News;

pub use confucius::Estimate;
pub use mode::{KILL_SWITCH, Mode, mode};
pub use run::{in_background, run};
pub use survey::Survey;

/// What somebody wants of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// Why it happens.
    pub occasion: Occasion,
    /// Only sessions in which something was said since then.
    pub since: Option<Stamp>,
    /// Those that were learned from before, too.
    pub all: bool,
    /// With a model, even if the settings ask for none.
    pub model: bool,
}

/// Why a run happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// A person asked for it.
    Asked,
    /// It is time for it: not sooner than some while after the last one.
    Background,
}

/// What a run did, and why not more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Who learned.
    pub mode: Mode,
    /// How it went.
    pub outcome: Outcome,
    /// What there was to learn from.
    pub survey: Survey,
    /// The sessions that a model is shown, if one is asked.
    pub indexed: Vec<Eligible>,
    /// What a model would cost, if one would be asked.
    pub estimate: Option<Estimate>,
    /// The folders of skills that wait now.
    pub skills: Vec<String>,
    /// The folders of skills that waited, and say something else now.
    pub changed: Vec<String>,
    /// Patches that wait now, or say something else.
    pub patches: Vec<String>,
    /// What went into quarantine.
    pub quarantined: Vec<String>,
    /// How many sessions a model read.
    pub n_read: usize,
    /// How many turns it took.
    pub n_turns: usize,
    /// How many tokens it cost.
    pub tokens: u64,
    /// What went wrong on the way.
    pub problems: Vec<Problem>,
}

/// How a run went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody learns here.
    Off,
    /// Somebody else is at it.
    Busy(Holder),
    /// It is too early, by this much.
    Resting {
        /// Milliseconds.
        ms: u64,
    },
    /// Nothing was said that was not learned from before.
    NothingNew,
    /// There is something to learn from, and nobody did yet.
    Planned,
    /// Somebody wanted it to stop, or took the lock.
    Stopped,
    /// It came to its end.
    Done,
}

impl Report {
    fn new(mode: Mode) -> Self {
        Self {
            mode,
            outcome: Outcome::Off,
            survey: Survey::default(),
            indexed: Vec::new(),
            estimate: None,
            skills: Vec::new(),
            changed: Vec::new(),
            patches: Vec::new(),
            quarantined: Vec::new(),
            n_read: 0,
            n_turns: 0,
            tokens: 0,
            problems: Vec::new(),
        }
    }

    fn take(&mut self, made: Made, news: News) {
        self.skills = news.skills;
        self.changed = news.changed;
        self.patches = news.patches.into_iter().map(|patch| patch.id).collect();
        self.quarantined = made.quarantined;
        self.n_read = made.processed.len();
        self.n_turns = made.n_turns;
        self.tokens = made.tokens;
        self.problems.extend(made.problems);
    }

    /// What waits since, in one line; nothing if nothing does.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let n_waiting = self.skills.len() + self.patches.len();
        let parts = [
            count(self.skills.len(), "new skill", "new skills"),
            count(self.patches.len(), "new change", "new changes"),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let verb = if n_waiting == 1 { "waits" } else { "wait" };
        (n_waiting > 0).then(|| format!("{} {verb}: /memory inbox", parts.join(" and ")))
    }
}

/// Whoever is learning from the sessions of a project right now, if somebody is.
pub(crate) fn holder(world: &World<'_>, memory: &AbsPath) -> Result<Option<Holder>, Failure> {
    hold::holder(world, memory)
}

/// What a learner works on.
pub(crate) struct Job<'a> {
    /// The doors. Whoever waits is told through `world.progress`.
    pub(crate) world: World<'a>,
    /// What holds for the whole command.
    pub(crate) flags: &'a Flags,
    /// What is known of the project.
    pub(crate) prepared: &'a Prepared,
    /// The project's private memory folder, with the inbox in it.
    pub(crate) memory: AbsPath,
    /// All sessions that may be learned from, the newest first.
    pub(crate) sessions: &'a [Eligible],
    /// Those that an agent is shown.
    pub(crate) indexed: &'a [Eligible],
    /// The list of them, a line each.
    pub(crate) index: String,
    /// Whether to stop.
    pub(crate) cancel: &'a Cancel,
    /// Keeps the lock ours; answers false when the work must stop, as it no longer is, or somebody wants it to.
    pub(crate) beat: &'a (dyn Fn() -> bool + Sync),
}

impl Job<'_> {
    /// Whether to go on: asked before every session that is read and every turn of an agent, and often enough that the
    /// lock stays ours.
    pub(crate) fn goes_on(&self) -> bool {
        !self.cancel.is_cancelled() && (self.beat)()
    }
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Made {
    /// The folders of new skills.
    pub(crate) skills: Vec<String>,
    /// Patches that are new or changed, as ids of the inbox.
    pub(crate) patches: Vec<String>,
    /// What went into quarantine.
    pub(crate) quarantined: Vec<String>,
    /// The sessions that were really read, each as it was: its id, and when something was last said.
    pub(crate) processed: Vec<(String, Option<Stamp>)>,
    /// How many turns a model took.
    pub(crate) n_turns: usize,
    /// How many tokens it cost.
    pub(crate) tokens: u64,
    /// How it ended, as Gemini CLI says it: `GOAL`, `TIMEOUT`, `MAX_TURNS`, …; empty without a model.
    pub(crate) reason: String,
    /// What went wrong on the way.
    pub(crate) problems: Vec<Problem>,
}

impl Made {
    /// What a model made, beside what was made without one.
    fn add(&mut self, sent: Self) {
        self.skills.extend(sent.skills);
        self.patches.extend(sent.patches);
        self.quarantined.extend(sent.quarantined);
        self.processed = sent.processed;
        self.n_turns += sent.n_turns;
        self.tokens += sent.tokens;
        self.reason = sent.reason;
        self.problems.extend(sent.problems);
    }

    /// Nothing, as it went wrong.
    fn failed() -> Self {
        Self {
            reason: FAILED.to_owned(),
            ..Self::default()
        }
    }

    /// Whether the sessions are not to blame that nothing came of it: no model got to see them.
    fn was_not_tried(&self) -> bool {
        self.reason == FAILED && self.n_turns == 0
    }
}

/// How a run ends that went wrong, in Gemini CLI's word.
const FAILED: &str = "ERROR";

#[cfg(test)]
mod tests;
