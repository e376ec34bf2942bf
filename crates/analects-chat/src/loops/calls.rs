//! What tools are asked, watched for cycles.
//!
//! The same call with other arguments is another call, so work on many files is no cycle. Under `analects`
//! a call whose answers differ gets somewhere too (a build that is waited for, tests that fail otherwise
//! each time): it is a loop only after three times as many rounds.

use std::collections::VecDeque;

use analects_world::Profile;
use analects_world::model::{Call, Response};

use super::fingerprint::{Fingerprint, of_call, of_name, of_response};

/// How many times a cycle repeats before it counts as one.
const ROUNDS: usize = 5;
/// The same if the answers differ.
const ROUNDS_WITH_NEWS: usize = 3 * ROUNDS;
/// How many calls make up a cycle at most.
const MAX_CYCLE: usize = 5;

/// The same calls again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cycle {
    /// How many calls it consists of.
    pub(super) n_calls: usize,
    /// How often it was gone through.
    pub(super) rounds: usize,
}

/// The last calls, newest last.
#[derive(Debug, Clone)]
pub(super) struct Calls {
    profile: Profile,
    recent: VecDeque<Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    call: Fingerprint,
    tool: Fingerprint,
    id: Option<Fingerprint>,
    answer: Option<Fingerprint>,
}

impl Calls {
    pub(super) fn new(profile: Profile) -> Self {
        let recent = VecDeque::new();
        Self { profile, recent }
    }

    pub(super) fn forget(&mut self) {
        self.recent.clear();
    }

    /// The next call. What it answers is not known yet; what those before it answered may be.
    pub(super) fn push(&mut self, call: &Call) -> Option<Cycle> {
        self.recent.push_back(Seen {
            call: of_call(call, self.profile),
            tool: of_name(&call.name),
            id: call.id.as_deref().map(of_name),
            answer: None,
        });
        if self.recent.len() > MAX_CYCLE * ROUNDS_WITH_NEWS {
            self.recent.pop_front();
        }
        let max_cycle = match self.profile {
            Profile::Analects | Profile::Head => MAX_CYCLE,
            Profile::Seed => 1,
        };
        (1..=max_cycle).find_map(|n_calls| self.cycle(n_calls))
    }

    /// An answer. Without an id it belongs to the oldest call of the tool that has none.
    pub(super) fn answer(&mut self, response: &Response) {
        let (tool, id) = (of_name(&response.name), response.id.as_deref().map(of_name));
        let is_asked = |seen: &&mut Seen| match (seen.id, id) {
            (Some(asked), Some(answered)) => asked == answered,
            _ => seen.tool == tool,
        };
        let mut open = (self.recent.iter_mut()).filter(|seen| seen.answer.is_none());
        if let Some(seen) = open.find(is_asked) {
            seen.answer = Some(of_response(response));
        }
    }

    fn cycle(&self, n_calls: usize) -> Option<Cycle> {
        let pairs = || (self.recent.iter().rev()).zip(self.recent.iter().rev().skip(n_calls));
        let n_same = pairs()
            .take_while(|(newer, older)| newer.call == older.call)
            .count();
        let rounds = n_same / n_calls + 1;
        let has_news = || {
            let lately = pairs().take((ROUNDS - 1) * n_calls);
            lately
                .filter_map(|(newer, older)| Some((newer.answer?, older.answer?)))
                .any(|(newer, older)| newer != older)
        };
        let is_loop = match self.profile {
            Profile::Seed | Profile::Head => rounds >= ROUNDS,
            Profile::Analects => rounds >= ROUNDS_WITH_NEWS || (rounds >= ROUNDS && !has_news()),
        };
        is_loop.then_some(Cycle { n_calls, rounds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_last_calls_are_remembered() {
        let mut calls = Calls::new(Profile::Analects);
        for n in 0..1_000 {
            let call = Call {
                id: None,
                name: "read".to_owned(),
                args: json!({ "n": n }),
                rest: serde_json::Map::new(),
            };
            assert_eq!(calls.push(&call), None);
        }
        assert_eq!(calls.recent.len(), 75);
    }
}
