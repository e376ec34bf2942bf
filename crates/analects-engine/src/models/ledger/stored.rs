//! A call as a line of the log: flat JSON, versioned.

use std::borrow::Cow;

use analects_chat::weigh::Counts;
use analects_world::models::Usage;
use serde::{Deserialize, Serialize};

use super::{Entry, Purpose, printable};
use crate::events::{Session, Word};

/// The version of a line.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    v: u32,
    at: u64,
    #[serde(borrow)]
    purpose: Cow<'a, str>,
    #[serde(borrow)]
    provider: Cow<'a, str>,
    #[serde(borrow)]
    model: Cow<'a, str>,
    /// [`Counts::to_array`].
    counts: [usize; Counts::KINDS],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prompt: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cached: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thoughts: Option<u64>,
    ms: u64,
    attempts: u32,
    #[serde(borrow)]
    outcome: Cow<'a, str>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
}

/// The line of a call, with its end.
pub(super) fn print(entry: &Entry) -> String {
    let session = entry.session.as_ref();
    let stored = Stored {
        v: VERSION,
        at: entry.at_ms,
        purpose: entry.purpose.as_str().into(),
        provider: printable(&entry.provider).into(),
        model: printable(&entry.model).into(),
        counts: entry.counts.to_array(),
        prompt: entry.usage.prompt,
        cached: entry.usage.cached,
        answer: entry.usage.answer,
        thoughts: entry.usage.thoughts,
        ms: entry.ms,
        attempts: entry.n_attempts,
        outcome: entry.outcome.as_str().into(),
        agent: session.map(|session| session.agent.as_str().into()),
        session: session.map(|session| (&*session.hash).into()),
    };
    let mut line = serde_json::to_string(&stored).unwrap_or_default();
    line.push('\n');
    line
}

/// The call of a line; `None` if it makes no sense, or is of another version.
pub(super) fn parse(line: &str) -> Option<Entry> {
    let stored: Stored<'_> = serde_json::from_str(line).ok()?;
    if stored.v != VERSION {
        return None;
    }
    let mut purposes = Purpose::ALL.into_iter();
    Some(Entry {
        at_ms: stored.at,
        purpose: purposes.find(|purpose| purpose.as_str() == stored.purpose)?,
        provider: printable(&stored.provider),
        model: printable(&stored.model),
        counts: Counts::from_array(stored.counts),
        usage: Usage {
            prompt: stored.prompt,
            cached: stored.cached,
            answer: stored.answer,
            thoughts: stored.thoughts,
        },
        ms: stored.ms,
        n_attempts: stored.attempts,
        outcome: Word::read(&stored.outcome)?,
        session: Session::read(stored.agent.as_deref(), stored.session.as_deref()),
    })
}
