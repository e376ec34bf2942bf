//! How much of the window is taken: what the model said it read, and an estimate of what came since.
//!
//! Estimates are calibrated by what models report: the ratio moves a little with every answer, and never far.

use analects_world::Profile;
use analects_world::model::Content;

use crate::weigh;

/// How much of the window is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gauge {
    /// The system prompt and the tools: what is sent besides the history.
    overhead_tokens: usize,
    /// What a token of our estimate is worth.
    weight: f64,
    /// What the model said last, as long as the history it said it about stands.
    reported: Option<Reported>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Reported {
    tokens: usize,
    /// The turns that this covers: those that were sent, and the answer.
    n_turns: usize,
}

/// How fast a new ratio is believed.
const TRUST: f64 = 0.2;
/// How far the weight moves at once.
const MAX_STEP: f64 = 0.15;
/// Where it stays.
const WEIGHTS: (f64, f64) = (0.5, 2.0);

impl Gauge {
    /// A gauge for requests that carry this besides the history.
    #[must_use]
    pub fn new(overhead_tokens: usize) -> Self {
        Self {
            overhead_tokens,
            weight: 1.0,
            reported: None,
        }
    }

    /// What the history takes of the window, with the last answer and everything that is always sent.
    #[must_use]
    pub fn used(&self, history: &[Content], profile: Profile) -> usize {
        let known = self.reported.filter(|known| known.n_turns <= history.len());
        let (base, new) = match known {
            Some(known) => (known.tokens, history.get(known.n_turns..)),
            None => (self.overhead_tokens, Some(history)),
        };
        base + self.scaled(weigh::history(new.unwrap_or_default(), profile))
    }

    /// The model answered: it had read so many tokens for the turns that were sent, and wrote so many. The
    /// answer is the last turn of the history now.
    pub fn answered(
        &mut self,
        prompt_tokens: usize,
        answer_tokens: usize,
        history: &[Content],
        profile: Profile,
    ) {
        let sent = history.split_last().map_or(history, |(_, sent)| sent);
        self.calibrate(prompt_tokens, weigh::history(sent, profile));
        self.reported = Some(Reported {
            tokens: prompt_tokens.saturating_add(answer_tokens),
            n_turns: history.len(),
        });
    }

    /// The history was changed: what the model said about it is void.
    pub fn changed(&mut self) {
        self.reported = None;
    }

    /// The system prompt or the tools changed.
    pub fn carries(&mut self, overhead_tokens: usize) {
        self.overhead_tokens = overhead_tokens;
        self.reported = None;
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "token counts are far below 2^52 and never negative"
    )]
    fn scaled(&self, tokens: usize) -> usize {
        (tokens as f64 * self.weight).round() as usize
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "token counts are far below 2^52"
    )]
    fn calibrate(&mut self, actual_tokens: usize, estimated_tokens: usize) {
        if estimated_tokens == 0 {
            return;
        }
        let actual = actual_tokens.saturating_sub(self.overhead_tokens);
        let target = actual as f64 / estimated_tokens as f64;
        let target = target.clamp(0.5 * self.weight, 2.0 * self.weight);
        let step = (TRUST * (target - self.weight)).clamp(-MAX_STEP, MAX_STEP);
        self.weight = (self.weight + step).clamp(WEIGHTS.0, WEIGHTS.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::model::Role;

    fn history(n_turns: usize) -> Vec<Content> {
        let turn = |n| Content::text(format!("t{n}"), Role::User, "x".repeat(400));
        (0..n_turns).map(turn).collect()
    }

    #[test]
    fn what_the_model_said_counts_until_the_history_changes() {
        let mut gauge = Gauge::new(1_000);
        assert_eq!(gauge.used(&history(10), Profile::Analects), 2_000);
        gauge.answered(2_900, 200, &history(10), Profile::Analects);
        assert_eq!(gauge.used(&history(10), Profile::Analects), 3_100);
        assert!(gauge.used(&history(11), Profile::Analects) > 3_200);
        gauge.changed();
        // 1,900 tokens were read for 900 estimated, so an estimate is worth 0.15 more now.
        assert_eq!(gauge.used(&history(10), Profile::Analects), 2_150);
    }

    #[test]
    fn a_weight_stays_within_bounds() {
        let mut gauge = Gauge::new(0);
        for _ in 0..100 {
            gauge.answered(1_000_000, 0, &history(3), Profile::Analects);
        }
        assert!((gauge.weight - 2.0).abs() < 1e-9);
        for _ in 0..100 {
            gauge.answered(0, 0, &history(3), Profile::Analects);
        }
        assert!((gauge.weight - 0.5).abs() < 1e-9);
    }
}
