//! What was counted, as an answer.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::Spending;
use crate::World;
use crate::events::{self, N_DAYS, Total};
use crate::settings::Settings;
use crate::when;

/// What the context machinery, the hooks and models did.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// What time it is, in UTC.
    pub now: String,
    /// The first event that is still known, in UTC.
    pub since: Option<String>,
    /// One a kind of event: `compressed`, `compression_failed`, `uncompressed`, `masked`, `shortened`, `overflow`, `loop`, `skill`,
    /// `hook`.
    pub kinds: Vec<UsageOf>,
    /// How many tokens need not be sent any more, all in all.
    pub tokens_saved: u64,
    /// How many lines of the log made no sense.
    pub unreadable: usize,
    /// What models were asked for.
    pub models: Spending,
}

/// All events of a kind.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct UsageOf {
    /// The kind.
    pub kind: String,
    /// How many.
    pub count: u64,
    /// How many tokens need not be sent any more.
    pub tokens_saved: u64,
    /// When the last one was, in UTC.
    pub last: String,
    /// The last seven days, today last.
    pub days: Vec<Day>,
    /// How many of which sort: who wanted it, why it failed, what a hook did.
    pub sorts: BTreeMap<String, u64>,
    /// How long one took on average, in milliseconds.
    pub mean_ms: u64,
    /// How long the longest took.
    pub max_ms: u64,
}

/// One day.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// The day, in UTC.
    pub date: String,
    /// How many events.
    pub count: u64,
}

impl Usage {
    pub(super) fn now(world: &World<'_>, settings: &Settings) -> Self {
        let usage = events::usage(world);
        let now = world.clock.now_ms();
        let totals = usage.totals.iter();
        Self {
            now: when::utc(now),
            since: usage.since_ms.map(when::utc),
            tokens_saved: totals.clone().map(|(_, total)| total.saved_tokens).sum(),
            kinds: totals.map(|(kind, total)| of(kind, total, now)).collect(),
            unreadable: usage.n_unreadable,
            models: Spending::now(world, settings),
        }
    }
}

fn of(kind: &str, total: &Total, now: u64) -> UsageOf {
    let days = (0u64..).zip(total.days);
    let day = |(idx, count): (u64, u64)| {
        let ago = N_DAYS as u64 - 1 - idx;
        let date = when::date(now.saturating_sub(ago * when::DAY_MS));
        Day { date, count }
    };
    UsageOf {
        kind: kind.to_owned(),
        count: total.count,
        tokens_saved: total.saved_tokens,
        last: when::utc(total.last_ms),
        days: days.map(day).collect(),
        sorts: total.sorts.clone(),
        mean_ms: total.ms.checked_div(total.count).unwrap_or(0),
        max_ms: total.max_ms,
    }
}
