//! What models were asked for, and what it cost: a private log without any content.
//!
//! Each call is a line: when, what for, who answered, how many tokens, how long, what came of it. Never a text, and of a
//! session only the hash of its id. It is always kept: the ceiling for what nobody waits for depends on it. Days are
//! those of UTC, as the machine's own may jump.

mod stored;
mod sum;

use analects_chat::budget::{Calibration, Sample};
use analects_chat::weigh::Counts;
use analects_text::problem::Problem;
use analects_text::sanitize::is_invisible;
use analects_world::models::{Fault, Kind, Usage};

use crate::events::{Session, Word};
use crate::private_log::{PrivateLog, Sort};
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::{World, codes};

pub use sum::{N_DAYS, Spending, Spent, spending};

/// A call of a model, over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When it began, in milliseconds since 1970.
    pub at_ms: u64,
    /// What for.
    pub purpose: Purpose,
    /// Who was asked, for people.
    pub provider: String,
    /// For which model.
    pub model: String,
    /// What the request was made of: numbers, from which the next estimate is learned.
    pub counts: Counts,
    /// How many tokens it cost, as the server counts.
    pub usage: Usage,
    /// How long it took, all attempts together, in milliseconds.
    pub ms: u64,
    /// How often it was tried.
    pub n_attempts: u32,
    /// What came of it: [`ANSWERED`], or the word for a fault.
    pub outcome: Word,
    /// In which session, where there is one.
    pub session: Option<Session>,
}

/// The word for a call that was answered.
pub const ANSWERED: &str = "answered";

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// A conversation with a person.
    Chat,
    /// The work of a sub-agent.
    Subagent,
    /// Making a history smaller.
    Compress,
    /// A few words about a session.
    Summarize,
    /// Whether another model goes in circles.
    LoopCheck,
    /// Which model fits a question.
    Route,
    /// Lessons from past sessions.
    Learn,
    /// Whether anybody is there.
    Probe,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Chat,
        Self::Subagent,
        Self::Compress,
        Self::Summarize,
        Self::LoopCheck,
        Self::Route,
        Self::Learn,
        Self::Probe,
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Subagent => "subagent",
            Self::Compress => "compress",
            Self::Summarize => "summarize",
            Self::LoopCheck => "loop-check",
            Self::Route => "route",
            Self::Learn => "learn",
            Self::Probe => "probe",
        }
    }

    /// Whether nobody waits for it. A loop check is part of a turn that somebody waits for, and ends what costs more.
    #[must_use]
    pub fn is_background(self) -> bool {
        matches!(self, Self::Summarize | Self::Learn)
    }
}

/// Notes a call.
#[must_use]
pub fn note(world: &World<'_>, entry: &Entry) -> Option<Problem> {
    let error = LOG.append(world, &stored::print(entry)).err()?;
    let message = format!("a call of a model was not noted: {error}");
    Some(Problem::new(&codes::NOT_BOOKED, message).in_file(LOG.path(world)))
}

/// Whether a model may be asked for this now: what nobody waits for has a daily ceiling.
///
/// What cannot be read is taken for spent: nobody asks behind the user's back without keeping count.
pub fn may(world: &World<'_>, settings: &Settings, purpose: Purpose) -> Result<(), Fault> {
    if !purpose.is_background() {
        return Ok(());
    }
    let ceiling = settings
        .count(&setting::BACKGROUND_DAILY_TOKENS)
        .unwrap_or(0) as u64;
    let message = match spent_today(world) {
        Ok(spent) if spent < ceiling => return Ok(()),
        Ok(_) if ceiling == 0 => "`model.backgroundDailyTokens` is 0".to_owned(),
        Ok(spent) => format!(
            "today's share is used up: {spent} of {ceiling} tokens (`model.backgroundDailyTokens`)"
        ),
        Err(trouble) => format!("nobody knows what was spent today: {trouble}"),
    };
    Err(Fault::new(Kind::Quota, message))
}

/// How many tokens went into what nobody waits for, today in UTC; else why nobody knows.
pub fn spent_today(world: &World<'_>) -> Result<u64, String> {
    let log = LOG.read(world);
    let log = log.map_err(|trouble| format!("`{}`: {trouble}", LOG.path(world)))?;
    Ok(sum::background_tokens(&log, world.clock.now_ms()))
}

/// What the ledger teaches about a model: how its server counts.
#[must_use]
pub fn calibration(world: &World<'_>, provider: &str, model: &str) -> Calibration {
    let log = LOG.read(world).unwrap_or_default();
    let (provider, model) = (printable(provider), printable(model));
    let entries = log.lines().rev().filter_map(stored::parse);
    let its = entries.filter(|entry| entry.provider == provider && entry.model == model);
    let mut samples: Vec<_> = its
        .filter_map(|entry| entry.sample())
        .take(MAX_SAMPLES)
        .collect();
    samples.reverse();
    Calibration::learn(samples)
}

/// How many of the newest calls teach all there is to learn.
const MAX_SAMPLES: usize = 100;

/// The log. What nobody waits for has a share of its own: the ceiling depends on it.
static LOG: PrivateLog = PrivateLog {
    name: "models.jsonl",
    sort: |line| match stored::parse(line)?.purpose.is_background() {
        true => Some(Sort::Special),
        false => Some(Sort::Usual),
    },
};

/// Servers call their models as they like; a log has room for that many characters.
pub(crate) const MAX_NAME: usize = 100;

/// A name from outside, short and without what nobody sees.
pub(crate) fn printable(name: &str) -> String {
    let is_fine = |c: &char| !c.is_control() && !is_invisible(*c);
    name.chars().filter(is_fine).take(MAX_NAME).collect()
}

impl Entry {
    /// What it cost, as far as anybody knows; a guess where the server does not tell.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let prompt = self.usage.prompt.unwrap_or(match self.was_read() {
            true => Calibration::default().tokens(&self.counts) as u64,
            false => 0,
        });
        let written = [self.usage.answer, self.usage.thoughts];
        let written = written.into_iter().flatten();
        written.fold(prompt, u64::saturating_add)
    }

    /// What can be learned from it. What was tried several times was counted several times.
    fn sample(&self) -> Option<Sample> {
        let tokens = self
            .usage
            .prompt
            .filter(|_| self.is_answered() && self.n_attempts == 1)?;
        Some(Sample {
            counts: self.counts,
            tokens: usize::try_from(tokens).ok()?,
        })
    }

    /// Whether it was answered.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.outcome.as_str() == ANSWERED
    }

    /// Whether a model is likely to have read the request: not if it was turned away at the door.
    fn was_read(&self) -> bool {
        let turned_away = [
            Kind::Unreachable,
            Kind::Redirected,
            Kind::Key,
            Kind::NoSuchModel,
            Kind::TooLarge,
            Kind::Quota,
            Kind::Busy,
            Kind::Refused,
        ];
        let word = self.outcome.as_str();
        !turned_away.iter().any(|kind| kind.as_str() == word)
    }
}

#[cfg(test)]
mod tests;
