//! Learning from past sessions: what was worked out before becomes a skill that waits for a yes.
//!
//! A run takes the lock, reads what earlier runs did, looks which sessions are worth it, has them learned from, looks
//! what came of it, and notes that. The learner is [`local`], and with a model also [`confucius`]; both write into the
//! inbox only.

mod confucius;
mod local;

use analects_session::stamp::Stamp;
use analects_skill::eligible::Eligible;
use analects_text::problem::Problem;
use analects_world::{AbsPath, Cancel};

use crate::World;
use crate::load_memory::Prepared;
use crate::verbs::Flags;

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
