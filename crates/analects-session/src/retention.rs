//! Which sessions may be deleted.
//!
//! What is deleted is gone, so every doubt keeps: a record that cannot be read, that says nothing, or that
//! does not say when it was last used is never deleted, nor is one that somebody holds. Sessions are told
//! apart by their whole id, never by the eight characters in a file's name.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::replay::Standing;
use crate::stamp::Stamp;

/// How long sessions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionOptions {
    max_age: Option<Duration>,
    max_count: Option<usize>,
    min_retention: Duration,
}

/// What the settings say, not yet understood.
#[derive(Debug, Clone, Copy, Default)]
pub struct RetentionSettings<'a> {
    /// Older sessions go.
    pub max_age: Option<&'a str>,
    /// Of more sessions the oldest go.
    pub max_count: Option<i64>,
    /// Younger sessions stay in any case; a day if it is not said.
    pub min_retention: Option<&'a str>,
}

/// Why nothing is deleted at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A duration that is none.
    #[error("`{0}` is no duration; write a number and one of h, d, w, m")]
    BadDuration(String),
    /// Old sessions would go before they may.
    #[error("`maxAge` is shorter than `minRetention`")]
    AgeBelowMinimum,
    /// No session could stay.
    #[error("`maxCount` is {0}; it must be 1 or more")]
    BadCount(i64),
    /// Nothing to go by.
    #[error("neither `maxAge` nor `maxCount` is set")]
    NoLimit,
}

impl RetentionOptions {
    /// Understands settings. If one of them makes no sense, nothing may be deleted.
    pub fn new(settings: RetentionSettings<'_>) -> Result<Self, Refused> {
        let max_age = settings.max_age.map(known).transpose()?;
        let min_retention = settings.min_retention.map_or(Ok(DAY), known)?;
        let max_count = settings.max_count.map(|count| {
            let known = usize::try_from(count).ok().filter(|&count| count > 0);
            known.ok_or(Refused::BadCount(count))
        });
        let max_count = max_count.transpose()?;
        if max_age.is_none() && max_count.is_none() {
            return Err(Refused::NoLimit);
        }
        if max_age.is_some_and(|age| age < min_retention) {
            return Err(Refused::AgeBelowMinimum);
        }
        Ok(Self {
            max_age,
            max_count,
            min_retention,
        })
    }
}

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The duration that a setting names: a number above zero and `h`, `d`, `w` or `m`, a month of 30 days.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let unit = text.chars().next_back()?;
    let number = text.strip_suffix(unit)?;
    let (base, n_bases) = match unit {
        'h' => (HOUR, 1),
        'd' => (DAY, 1),
        'w' => (DAY, 7),
        'm' => (DAY, 30),
        _ => return None,
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 = number
        .parse()
        .ok()
        .filter(|&number| is_number && number > 0)?;
    base.checked_mul(n_bases)?.checked_mul(number)
}

fn known(text: &str) -> Result<Duration, Refused> {
    duration(text).ok_or_else(|| Refused::BadDuration(text.to_owned()))
}

/// A record on disk, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its session's whole id.
    pub session_id: Option<String>,
    /// The whole id of the session that a sub-agent worked for.
    pub parent_id: Option<String>,
    /// Whether it is a sub-agent's, with a parent or without.
    pub is_subagent: bool,
    /// When it was last used, as it says itself.
    pub updated: Option<Stamp>,
    /// When its file was last written.
    pub written: Option<Stamp>,
    /// Whether it can be read.
    pub standing: Standing,
    /// Whether nothing was said in it.
    pub is_empty: bool,
    /// Whether some program writes to it.
    pub is_live: bool,
}

/// A record that may be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doomed {
    /// Which of those that were asked about.
    pub record_idx: usize,
    /// Why.
    pub why: Why,
}

/// Why a record may be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It was not used for this long.
    TooOld,
    /// There are newer ones enough.
    TooMany,
    /// The session goes that it belongs to.
    WithParent,
}

/// The records that may be deleted now. `current` is the session we are in.
#[must_use]
pub fn doomed(
    records: &[Stored],
    options: RetentionOptions,
    current: Option<&str>,
    now: Stamp,
) -> Vec<Doomed> {
    let sessions = sessions(records);
    let is_young = |at: Stamp| age(at, now) < options.min_retention;
    let mut ranked: Vec<_> = sessions
        .iter()
        .filter_map(|(&id, session)| Some((id, session, session.updated?)))
        .map(|(id, session, updated)| {
            let is_held = session.is_live || current == Some(id);
            (is_held, updated, id, session)
        })
        .collect();
    // Those that are held come first: they take their places, and nobody else's fault pushes them out.
    ranked.sort_by_key(|&(is_held, updated, id, _)| (std::cmp::Reverse((is_held, updated)), id));
    let mut gone = HashMap::new();
    for (rank, (is_held, updated, id, session)) in ranked.into_iter().enumerate() {
        if is_held || session.touched.is_some_and(is_young) {
            continue;
        }
        let used = session
            .touched
            .map_or(updated, |touched| touched.max(updated));
        if options.max_age.is_some_and(|max| age(used, now) > max) {
            gone.insert(id, Why::TooOld);
        } else if options.max_count.is_some_and(|max| rank >= max) {
            gone.insert(id, Why::TooMany);
        }
    }
    let gone_ids: HashSet<_> = gone.keys().copied().collect();
    let why = |record: &Stored| match &record.parent_id {
        _ if !is_sound(record) => None,
        Some(parent) if record.is_subagent => {
            gone_ids.contains(&**parent).then_some(Why::WithParent)
        }
        _ if record.is_subagent => None,
        _ => gone.get(record.session_id.as_deref()?).copied(),
    };
    let records = records.iter().enumerate();
    records
        .filter_map(|(record_idx, record)| why(record).map(|why| Doomed { record_idx, why }))
        .collect()
}

/// A session: all records of one id, and what its sub-agents add.
#[derive(Default)]
struct Session {
    /// When it was last used, as its own sound records say.
    updated: Option<Stamp>,
    /// The same, sub-agents, empty records and the times of files included.
    touched: Option<Stamp>,
    is_live: bool,
}

fn sessions(records: &[Stored]) -> HashMap<&str, Session> {
    let mut sessions: HashMap<&str, Session> = HashMap::new();
    for record in records {
        let id = match record.is_subagent {
            true => &record.parent_id,
            false => &record.session_id,
        };
        let Some(id) = id else {
            continue;
        };
        let session = sessions.entry(id).or_default();
        session.is_live |= record.is_live;
        session.touched = session.touched.max(record.updated).max(record.written);
        if !record.is_subagent && is_sound(record) {
            session.updated = session.updated.max(record.updated);
        }
    }
    sessions
}

fn is_sound(record: &Stored) -> bool {
    record.standing == Standing::Loadable && !record.is_empty && record.updated.is_some()
}

/// How long ago; what lies ahead is no time ago.
fn age(at: Stamp, now: Stamp) -> Duration {
    Duration::from_millis(now.as_ms().saturating_sub(at.as_ms()))
}

#[cfg(test)]
mod tests;
