//! A ring of the last hundred events of a talk, for stats and status lines.
//!
//! Counts and times only, no content. It is told the time and never asks for it.

use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::Serialize;

/// How many events are remembered; the oldest goes first.
pub const MAX_EVENTS: usize = 100;
/// Snapshots are at least so far apart.
pub const SNAPSHOT_EVERY_MS: u64 = 1_000;

/// Something that happens in a talk. The words for them are those of Gemini CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// The user begins to say something.
    UserInputStart,
    /// A turn is added to the history.
    MessageAdded,
    /// The model wants a tool.
    ToolCallScheduled,
    /// A tool has answered.
    ToolCallCompleted,
    /// The model begins to answer.
    StreamStart,
}

/// The last events of a talk.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    events: VecDeque<(Happening, u64)>,
    snapshot_ms: Option<u64>,
}

/// What the remembered events amount to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityStats {
    /// How many events are remembered.
    pub total_events: usize,
    /// How many of each kind.
    pub event_types: BTreeMap<Happening, usize>,
    /// When the first and the last of them happened; `None` if there are none.
    pub time_range: Option<TimeRange>,
}

/// From when to when, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TimeRange {
    /// The earliest.
    pub start: u64,
    /// The latest.
    pub end: u64,
}

/// How things stood when something happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// What happened.
    pub on: Happening,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// What there was by then, this event included.
    pub stats: ActivityStats,
}

impl Activity {
    /// Notes what happens now; answers with a snapshot if one is due.
    pub fn note(&mut self, on: Happening, now_ms: u64) -> Option<Snapshot> {
        if self.events.len() == MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back((on, now_ms));
        // A clock that was set back must not silence us until it has caught up.
        let is_early = |last: u64| now_ms.abs_diff(last) < SNAPSHOT_EVERY_MS;
        if self.snapshot_ms.is_some_and(is_early) {
            return None;
        }
        self.snapshot_ms = Some(now_ms);
        Some(Snapshot {
            on,
            at_ms: now_ms,
            stats: self.stats(),
        })
    }

    /// What the remembered events amount to.
    #[must_use]
    pub fn stats(&self) -> ActivityStats {
        let mut event_types = BTreeMap::new();
        for (on, _) in &self.events {
            *event_types.entry(*on).or_default() += 1;
        }
        let times = || self.events.iter().map(|(_, at_ms)| *at_ms);
        let range = times().min().zip(times().max());
        ActivityStats {
            total_events: self.events.len(),
            event_types,
            time_range: range.map(|(start, end)| TimeRange { start, end }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Happening::{MessageAdded, StreamStart, ToolCallCompleted, ToolCallScheduled};

    #[test]
    fn the_last_hundred_are_remembered() {
        let mut activity = Activity::default();
        activity.note(StreamStart, 0);
        for at_ms in 1..=250 {
            activity.note(MessageAdded, at_ms);
        }
        let stats = activity.stats();
        assert_eq!(stats.total_events, MAX_EVENTS);
        assert_eq!(stats.event_types, BTreeMap::from([(MessageAdded, 100)]));
        let (start, end) = (151, 250);
        assert_eq!(stats.time_range, Some(TimeRange { start, end }));
    }

    #[test]
    fn snapshots_are_a_second_apart_and_tell_of_all_events() {
        let mut activity = Activity::default();
        let times = [
            5_000, 5_001, 5_999, 6_000, 6_999, 9_000, /* set back */ 100, 1_099, 1_100,
        ];
        let taken: Vec<_> = times
            .into_iter()
            .filter_map(|at_ms| activity.note(ToolCallScheduled, at_ms))
            .map(|snapshot| (snapshot.at_ms, snapshot.stats.total_events))
            .collect();
        assert_eq!(
            taken,
            [(5_000, 1), (6_000, 4), (9_000, 6), (100, 7), (1_100, 9)]
        );
    }

    #[test]
    fn the_words_are_those_of_the_original() {
        let mut activity = Activity::default();
        assert_eq!(activity.stats().time_range, None);
        let snapshot = activity.note(ToolCallCompleted, 7).unwrap();
        assert_eq!(
            serde_json::to_string(&snapshot.stats).unwrap(),
            r#"{"totalEvents":1,"eventTypes":{"tool_call_completed":1},"timeRange":{"start":7,"end":7}}"#
        );
    }
}
