//! Keeps a history from being compressed again and again without gain.

use crate::compress::{Outcome, Status};

/// What came of the last compression, as far as it matters for the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backoff {
    /// Below this nothing is tried.
    from_tokens: usize,
    /// What the history took after the last try, as long as nobody has answered since.
    then_tokens: usize,
    /// How often in a row there was no gain.
    n_failures: u32,
}

/// How much depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// The history has grown long, but there is room.
    Usual,
    /// The request cannot be sent otherwise; anything new since the last try is reason enough.
    Overflow,
}

/// How much a history must have grown, in percent, before it is compressed again.
const GROWTH_PERCENT: usize = 25;
/// The same after a failure; twice as much after each further one.
const FAILED_GROWTH_PERCENT: usize = 10;

impl Backoff {
    /// Whether a history of this size may be compressed.
    #[must_use]
    pub fn allows(&self, used_tokens: usize, urgency: Urgency) -> bool {
        match urgency {
            Urgency::Usual => used_tokens >= self.from_tokens,
            Urgency::Overflow => used_tokens > self.then_tokens,
        }
    }

    /// Takes note of what came of it; `used_tokens` is what the history takes now.
    pub fn note(&mut self, outcome: &Outcome, used_tokens: usize) {
        self.ended(outcome.status, used_tokens);
    }

    /// A model has answered: there is something new, however much the server counted for it. Its count and the
    /// estimate that was noted are two measures, and the smaller one must not keep a full history from being made short.
    pub fn answered(&mut self) {
        self.then_tokens = 0;
    }

    /// There was nothing to compress.
    pub fn nothing(&mut self, used_tokens: usize) {
        self.ended(Status::Noop, used_tokens);
    }

    fn ended(&mut self, status: Status, used_tokens: usize) {
        let percent = match status {
            Status::Compressed | Status::Truncated => {
                self.n_failures = 0;
                GROWTH_PERCENT
            }
            Status::Inflated | Status::TokenCountError | Status::EmptySummary | Status::Noop => {
                self.n_failures = (self.n_failures + 1).min(4);
                FAILED_GROWTH_PERCENT << (self.n_failures - 1)
            }
        };
        self.then_tokens = used_tokens;
        self.from_tokens = used_tokens + used_tokens * percent / 100 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_gain_it_waits_longer_each_time() {
        let mut backoff = Backoff::default();
        assert!(backoff.allows(1, Urgency::Overflow));
        backoff.nothing(1_000);
        assert!(!backoff.allows(1_100, Urgency::Usual));
        assert!(backoff.allows(1_101, Urgency::Usual));
        assert!(backoff.allows(1_001, Urgency::Overflow));
        assert!(!backoff.allows(1_000, Urgency::Overflow));
        backoff.answered();
        assert!(backoff.allows(1, Urgency::Overflow));
        assert!(!backoff.allows(1_100, Urgency::Usual));
        backoff.nothing(1_101);
        assert!(!backoff.allows(1_321, Urgency::Usual));
        backoff.ended(Status::Compressed, 100);
        assert!(backoff.allows(126, Urgency::Usual));
        assert!(!backoff.allows(125, Urgency::Usual));
    }
}
