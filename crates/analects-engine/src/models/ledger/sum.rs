//! The ledger, added up.

use std::collections::BTreeMap;

use super::{Entry, LOG, Purpose, stored};
use crate::World;
use crate::when::DAY_MS;

/// How many days are told one by one, today included.
pub const N_DAYS: u64 = 7;

/// What the ledger comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spending {
    /// When the first call was that it still knows of, in milliseconds since 1970.
    pub since_ms: Option<u64>,
    /// The last days, by when they began in milliseconds since 1970 and by purpose. Days without a call are left out.
    pub days: BTreeMap<(u64, Purpose), Spent>,
    /// All that it still knows of, by purpose.
    pub totals: BTreeMap<Purpose, Spent>,
    /// What went into what nobody waits for today.
    pub background_tokens_today: u64,
    /// How many lines made no sense.
    pub n_unreadable: usize,
}

/// What some calls come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many there were.
    pub calls: u64,
    /// How many of them were not answered.
    pub failures: u64,
    /// How many tokens were read, with what came from a cache; guessed where no server told.
    pub prompt_tokens: u64,
    /// How many of them came from a cache.
    pub cached_tokens: u64,
    /// How many were written, thoughts included.
    pub answer_tokens: u64,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// Adds up what was noted so far.
#[must_use]
pub fn spending(world: &World<'_>) -> Spending {
    let log = LOG.read(world).unwrap_or_default();
    sum(&log, world.clock.now_ms())
}

pub(super) fn sum(log: &str, now_ms: u64) -> Spending {
    let mut spending = Spending {
        background_tokens_today: background_tokens(log, now_ms),
        ..Spending::default()
    };
    let today = now_ms / DAY_MS;
    for line in log.lines().filter(|line| !line.trim().is_empty()) {
        let Some(entry) = stored::parse(line) else {
            spending.n_unreadable += 1;
            continue;
        };
        let since = spending.since_ms.unwrap_or(entry.at_ms);
        spending.since_ms = Some(since.min(entry.at_ms));
        spending
            .totals
            .entry(entry.purpose)
            .or_default()
            .add(&entry);
        let day = entry.at_ms / DAY_MS;
        if today.checked_sub(day).is_some_and(|ago| ago < N_DAYS) {
            let key = (day * DAY_MS, entry.purpose);
            spending.days.entry(key).or_default().add(&entry);
        }
    }
    spending
}

/// What went into what nobody waits for today. A call from tomorrow counts, too: the clock was set back since.
pub(super) fn background_tokens(log: &str, now_ms: u64) -> u64 {
    let entries = log.lines().filter_map(stored::parse);
    let counts =
        |entry: &Entry| entry.purpose.is_background() && entry.at_ms / DAY_MS >= now_ms / DAY_MS;
    let tokens = entries.filter(counts).map(|entry| entry.tokens());
    tokens.fold(0, u64::saturating_add)
}

impl Spent {
    fn add(&mut self, entry: &Entry) {
        let usage = &entry.usage;
        let written = usage
            .answer
            .unwrap_or(0)
            .saturating_add(usage.thoughts.unwrap_or(0));
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        self.calls += 1;
        self.failures += u64::from(!entry.is_answered());
        add(
            &mut self.prompt_tokens,
            entry.tokens().saturating_sub(written),
        );
        add(&mut self.cached_tokens, usage.cached.unwrap_or(0));
        add(&mut self.answer_tokens, written);
        add(&mut self.ms, entry.ms);
    }
}
