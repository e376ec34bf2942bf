//! When another model is asked whether there is progress, and what its answers mean.
//!
//! Counting cannot see a loop in which no two steps are quite the same. In a prompt of many turns a cheap
//! model is therefore asked now and then, the more seldom the surer it is that all is well; what it takes for
//! a loop a better one must confirm, if there is one. Nobody is asked here: questions go out, answers come in,
//! and an answer that makes no sense means nothing.

mod answer;
mod question;

use analects_world::Profile;

use super::Loop;
use answer::{Opinion, opinion};
pub(super) use question::question;

pub use crate::question::Question;

/// A model gets this many tries to answer in the right form.
pub const ATTEMPTS: usize = 2;
/// In the first turns of a prompt nobody is asked.
const FIRST_TURN: usize = 30;
const MIN_INTERVAL_TURNS: f64 = 5.0;
const MAX_INTERVAL_TURNS: f64 = 15.0;
/// Who is less sure than this sees no loop.
const SURE: f64 = 0.9;

/// Whether there is a better model to confirm what the first one says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondModel {
    /// There is.
    Available,
    /// There is none: the first one is believed.
    Missing,
}

/// What to do with the first model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Nothing: there is progress, or no answer.
    GoOn,
    /// Ask the second model the same, and tell what it answered.
    AskSecond,
    /// It is a loop.
    Found(Loop),
}

/// What to believe after an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Belief {
    Progress,
    Unsure,
    Stuck(String),
}

/// The turns of a prompt, and when somebody was asked in it.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    profile: Profile,
    n_turns: usize,
    asked_at_turn: usize,
    interval_turns: usize,
    n_asked: usize,
}

impl Asking {
    pub(super) fn new(profile: Profile) -> Self {
        Self {
            profile,
            n_turns: 0,
            asked_at_turn: 0,
            interval_turns: match profile {
                Profile::Analects | Profile::Head => 10,
                Profile::Seed => 3,
            },
            n_asked: 0,
        }
    }

    pub(super) fn turn(&mut self) {
        self.n_turns += 1;
    }

    /// Whether it is time to ask, and then it is asked.
    pub(super) fn begin(&mut self, checks_per_prompt: usize) -> bool {
        let is_due = self.n_turns >= FIRST_TURN
            && self.n_turns - self.asked_at_turn >= self.interval_turns
            && self.n_asked < checks_per_prompt;
        if is_due {
            self.asked_at_turn = self.n_turns;
            self.n_asked += 1;
        }
        is_due
    }

    pub(super) fn answered(&mut self, answer: Option<&str>, second: SecondModel) -> Belief {
        match (self.weigh(answer), second) {
            (Belief::Stuck(_), SecondModel::Available) => Belief::Unsure,
            (belief, _) => belief,
        }
    }

    pub(super) fn answered_second(&mut self, answer: Option<&str>) -> Belief {
        self.weigh(answer)
    }

    fn weigh(&mut self, answer: Option<&str>) -> Belief {
        let Some(opinion) = answer.and_then(opinion) else {
            return Belief::Progress;
        };
        let Opinion {
            analysis,
            confidence,
        } = opinion;
        if confidence >= SURE {
            return Belief::Stuck(analysis);
        }
        self.interval_turns = interval_turns(confidence, self.profile);
        Belief::Progress
    }
}

/// When to ask again. The originals take any number for a confidence, and a very negative one for never.
fn interval_turns(confidence: f64, profile: Profile) -> usize {
    let confidence = match profile {
        Profile::Analects => confidence.clamp(0.0, 1.0),
        Profile::Seed | Profile::Head => confidence,
    };
    let range = MAX_INTERVAL_TURNS - MIN_INTERVAL_TURNS;
    let turns = (MIN_INTERVAL_TURNS + range * (1.0 - confidence)).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    let turns = turns as usize;
    turns
}

#[cfg(test)]
mod tests;
