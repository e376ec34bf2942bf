//! When to ask a model again, when to ask another one, and when to stop.
//!
//! It is told the time and the dice; it waits for nobody. Each attempt starts over: whatever a listener was
//! told of the one that failed is void, unless [`Next::GiveUp`] ends it all.

use analects_world::models::{Fault, Kind};
use thiserror::Error;

use crate::answer::Unusable;

/// How often and how long it is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryOptions {
    /// How often each model is asked.
    pub max_attempts: u32,
    /// The wait after the first failure; each further one is twice as long.
    pub base_ms: u64,
    /// The longest wait of our own. A server may ask for a longer one.
    pub max_wait_ms: u64,
    /// For everything: all attempts, all models, and the waits between them.
    pub whole_ms: u64,
    /// A model that was busy this often is left for another one.
    pub max_busy: u32,
    /// How many other models there are.
    pub n_fallbacks: u32,
}

impl RetryOptions {
    /// For a person who waits.
    pub const TALK: Self = Self {
        max_attempts: 4,
        base_ms: 1_000,
        max_wait_ms: 30_000,
        whole_ms: 1_800_000,
        max_busy: 2,
        n_fallbacks: 0,
    };
}

/// Attempts to get one answer.
#[derive(Debug, Clone)]
pub struct Retry {
    options: RetryOptions,
    ends_at_ms: u64,
    /// Of the model that is asked now.
    n_failed: u32,
    n_busy: u32,
}

/// Why an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why<'a> {
    /// There was no answer.
    Fault(&'a Fault),
    /// There was one, and it is of no use.
    Unusable(&'a Unusable),
}

/// What to do after an attempt has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Wait, and ask the same model the same again. It starts over.
    Wait {
        /// How long.
        ms: u64,
    },
    /// Ask the next model, at once. It starts over.
    Fallback(Because),
    /// Nothing more.
    GiveUp(Because),
}

/// Why a model is not asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Because {
    /// The same request would fail again.
    #[error("asking again would not help")]
    Hopeless,
    /// There is nothing left of what was paid for.
    #[error("nothing is left of its quota")]
    Quota,
    /// It is busy, and was busy before.
    #[error("it is busy")]
    Busy,
    /// It was asked as often as it may be.
    #[error("it failed {0} times")]
    Attempts(u32),
    /// There is no time to wait once more.
    #[error("there is no time left")]
    Deadline,
    /// The server asks to be left alone for longer than there is time.
    #[error("the server asks to wait {} s", .ms.div_ceil(1_000))]
    AsksTooLong {
        /// How long the server asks for.
        ms: u64,
    },
}

impl Retry {
    /// Attempts that begin now.
    #[must_use]
    pub fn new(options: RetryOptions, now_ms: u64) -> Self {
        Self {
            options,
            ends_at_ms: now_ms.saturating_add(options.whole_ms),
            n_failed: 0,
            n_busy: 0,
        }
    }

    /// How much time is left: no attempt may take longer.
    #[must_use]
    pub fn left_ms(&self, now_ms: u64) -> u64 {
        let left = self.ends_at_ms.saturating_sub(now_ms);
        // A clock that was set back gives nobody more time.
        left.min(self.options.whole_ms)
    }

    /// An attempt has failed. The dice, from 0 to 1, keep many who failed together from coming back together.
    pub fn failed(&mut self, why: Why<'_>, now_ms: u64, dice: f64) -> Next {
        self.n_failed = self.n_failed.saturating_add(1);
        let cure = cure(why);
        let again = match cure {
            Cure::None => Err(Because::Hopeless),
            Cure::Elsewhere => Err(Because::Quota),
            Cure::Again | Cure::Later => self.again(why, now_ms, dice),
        };
        match (again, cure) {
            (Ok(ms), _) => Next::Wait { ms },
            (Err(because), Cure::Later | Cure::Elsewhere) => self.elsewhere(because),
            (Err(because), Cure::Again | Cure::None) => Next::GiveUp(because),
        }
    }

    /// How long to wait before the same model is asked again.
    fn again(&mut self, why: Why<'_>, now_ms: u64, dice: f64) -> Result<u64, Because> {
        if matches!(why, Why::Fault(fault) if fault.kind == Kind::Busy) {
            self.n_busy = self.n_busy.saturating_add(1);
            if self.n_busy >= self.options.max_busy && self.options.n_fallbacks > 0 {
                return Err(Because::Busy);
            }
        }
        if self.n_failed >= self.options.max_attempts {
            return Err(Because::Attempts(self.n_failed));
        }
        self.wait(why, now_ms, dice)
    }

    /// Leaves this model for the next one, if there is one and time for it.
    fn elsewhere(&mut self, because: Because) -> Next {
        if self.options.n_fallbacks == 0 || because == Because::Deadline {
            return Next::GiveUp(because);
        }
        self.options.n_fallbacks -= 1;
        (self.n_failed, self.n_busy) = (0, 0);
        Next::Fallback(because)
    }

    fn wait(&self, why: Why<'_>, now_ms: u64, dice: f64) -> Result<u64, Because> {
        let ours = self.own_wait(dice);
        let asked = match why {
            Why::Fault(fault) => fault.retry_after_ms.filter(|&ms| ms > ours),
            Why::Unusable(_) => None,
        };
        let ms = asked.unwrap_or(ours);
        // An attempt needs time too, if only a little.
        match (ms < self.left_ms(now_ms), asked) {
            (true, _) => Ok(ms),
            (false, Some(ms)) => Err(Because::AsksTooLong { ms }),
            (false, None) => Err(Because::Deadline),
        }
    }

    /// Twice as long each time, and up to a quarter longer by chance.
    fn own_wait(&self, dice: f64) -> u64 {
        let doublings = self.n_failed.saturating_sub(1).min(32);
        let ms = self.options.base_ms.saturating_mul(1 << doublings);
        let ms = ms.min(self.options.max_wait_ms);
        // Whatever is no chance is none.
        let dice = if dice.is_finite() {
            dice.clamp(0.0, 1.0)
        } else {
            0.0
        };
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, and nothing here is negative"
        )]
        let jitter = (ms as f64 * 0.25 * dice) as u64;
        ms.saturating_add(jitter).min(self.options.max_wait_ms)
    }
}

/// What helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cure {
    /// Nothing.
    None,
    /// The same again.
    Again,
    /// The same again later, or another model.
    Later,
    /// Another model.
    Elsewhere,
}

fn cure(why: Why<'_>) -> Cure {
    match why {
        Why::Fault(fault) => match fault.kind {
            Kind::Busy | Kind::Broken => Cure::Later,
            Kind::Cut | Kind::TimedOut | Kind::Unreachable | Kind::Garbled => Cure::Again,
            Kind::Quota => Cure::Elsewhere,
            Kind::Cancelled
            | Kind::TooLong
            | Kind::Redirected
            | Kind::Key
            | Kind::NoSuchModel
            | Kind::TooLarge
            | Kind::Refused => Cure::None,
        },
        Why::Unusable(Unusable::TooLong) => Cure::None,
        Why::Unusable(_) => Cure::Again,
    }
}

#[cfg(test)]
mod tests;
