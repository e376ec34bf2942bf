//! The log, added up.

use std::collections::BTreeMap;

use super::{Event, LOG, What, Word, stored};
use crate::World;
use crate::when::DAY_MS;

/// How many days are told one by one, today included.
pub(crate) const N_DAYS: usize = 7;

/// The word for what can be taken back.
const COMPRESSED: &str = "compressed";

/// What the log comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// When the first event was that it still knows of, in milliseconds since 1970.
    pub since_ms: Option<u64>,
    /// One for each kind that there was, by its word.
    pub totals: BTreeMap<&'static str, Total>,
    /// How many lines made no sense.
    pub n_unreadable: usize,
}

/// All events of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Total {
    /// How many.
    pub count: u64,
    /// How many tokens need not be sent any more.
    pub saved_tokens: u64,
    /// When the last one was, in milliseconds since 1970.
    pub last_ms: u64,
    /// How many there were on each of the last days in UTC, today last.
    pub days: [u64; N_DAYS],
    /// How many of which sort: who wanted it, why it failed, what a hook did.
    pub sorts: BTreeMap<String, u64>,
    /// How long they took together, in milliseconds.
    pub ms: u64,
    /// How long the longest took.
    pub max_ms: u64,
}

/// Adds up what was noted so far.
#[must_use]
pub(crate) fn usage(world: &World<'_>) -> Usage {
    let log = LOG.read(world).unwrap_or_default();
    sum(&log, world.clock.now_ms())
}

/// How often a thing was used, and when it was last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Used {
    /// How often, as far as the log goes back.
    pub count: u64,
    /// When it was last, in milliseconds since 1970.
    pub last_ms: u64,
}

/// How often which skill was activated, by [`Word::hash_of`] its name.
#[must_use]
pub(crate) fn skills(world: &World<'_>) -> BTreeMap<Word, Used> {
    let log = LOG.read(world).unwrap_or_default();
    let mut all: BTreeMap<Word, Used> = BTreeMap::new();
    for event in log.lines().filter_map(stored::parse) {
        if let What::Skill { skill } = event.what {
            let used = all.entry(skill).or_default();
            used.count += 1;
            used.last_ms = used.last_ms.max(event.at_ms);
        }
    }
    all
}

pub(super) fn sum(log: &str, now_ms: u64) -> Usage {
    let (mut usage, mut taken_back) = (Usage::default(), TakenBack::default());
    for line in log.lines().filter(|line| !line.trim().is_empty()) {
        match stored::parse(line) {
            Some(event) => {
                let since = usage.since_ms.unwrap_or(event.at_ms);
                usage.since_ms = Some(since.min(event.at_ms));
                let total = usage.totals.entry(event.what.kind()).or_default();
                total.add(&event.what, event.at_ms, now_ms);
                taken_back.hear(&event);
            }
            None => usage.n_unreadable += 1,
        }
    }
    if let Some(total) = usage.totals.get_mut(COMPRESSED) {
        total.saved_tokens = total.saved_tokens.saturating_sub(taken_back.tokens);
    }
    usage
}

/// What compressions saved that were taken back: it is sent again.
#[derive(Default)]
struct TakenBack {
    /// What the compressions of each session saved that still stand.
    standing: BTreeMap<Option<String>, Vec<u64>>,
    tokens: u64,
}

impl TakenBack {
    fn hear(&mut self, event: &Event) {
        let session = event.session.as_ref().map(|session| session.hash.clone());
        let standing = self.standing.entry(session).or_default();
        match &event.what {
            What::Compressed { tokens, .. } => {
                standing.push(tokens.before.saturating_sub(tokens.after));
            }
            // What it weighs differs by a hair: what was counted is taken back. A log goes back only so far.
            What::Uncompressed { .. } => {
                self.tokens = self.tokens.saturating_add(standing.pop().unwrap_or(0));
            }
            _ => {}
        }
    }
}

impl Total {
    fn add(&mut self, what: &What, at_ms: u64, now_ms: u64) {
        self.count += 1;
        self.last_ms = self.last_ms.max(at_ms);
        let today = now_ms / DAY_MS;
        let ago = today.checked_sub(at_ms / DAY_MS);
        let ago = ago.and_then(|ago| usize::try_from(ago).ok());
        let place = ago.and_then(|ago| (N_DAYS - 1).checked_sub(ago));
        if let Some(day) = place.and_then(|place| self.days.get_mut(place)) {
            *day += 1;
        }
        let (tokens, ms) = match what {
            What::Compressed { tokens, ms, .. } => (Some(tokens), *ms),
            What::Uncompressed { tokens }
            | What::Masked { tokens, .. }
            | What::Shortened { tokens, .. } => (Some(tokens), 0),
            What::CompressionFailed { ms, .. } | What::Hook { ms, .. } => (None, *ms),
            What::Overflow { .. } | What::Loop { .. } | What::Skill { .. } => (None, 0),
        };
        let saved = tokens.map_or(0, |tokens| tokens.before.saturating_sub(tokens.after));
        self.saved_tokens = self.saved_tokens.saturating_add(saved);
        self.ms = self.ms.saturating_add(ms);
        self.max_ms = self.max_ms.max(ms);
        if let Some(sort) = sort(what) {
            *self.sorts.entry(sort).or_default() += 1;
        }
    }
}

fn sort(what: &What) -> Option<String> {
    match what {
        What::Compressed { trigger, .. } => Some(trigger.as_str().to_owned()),
        What::CompressionFailed { status, .. } => Some(status.as_str().to_owned()),
        What::Loop { kind } => Some(kind.as_str().to_owned()),
        What::Hook {
            host,
            event,
            outcome,
            ..
        } => {
            let (event, outcome) = (event.as_str(), outcome.as_str());
            Some(format!("{} {event} {outcome}", host.as_str()))
        }
        // A hash says nothing to anybody; `skill list` knows which is which.
        What::Skill { .. }
        | What::Uncompressed { .. }
        | What::Masked { .. }
        | What::Shortened { .. }
        | What::Overflow { .. } => None,
    }
}
