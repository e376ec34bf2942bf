//! How much of the window is taken: what the model said it read, and an estimate of what came since.
//!
//! Estimates are calibrated by what models report: see `calibration`. `seed` and `head` have one weight for
//! everything, which moves a little with every answer, and never far.

use analects_world::Profile;
use analects_world::model::Content;

use super::{Calibration, Sample};
use crate::weigh::{self, Counts};

/// How much of the window is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Gauge {
    /// The system prompt and the tools: what is sent besides the history.
    overhead_tokens: usize,
    /// What each kind of thing is worth.
    calibration: Calibration,
    /// What a token of the original's estimate is worth.
    weight: f64,
    /// What the model said last, as long as the history it said it about stands.
    reported: Option<Reported>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Reported {
    prompt_tokens: usize,
    /// The prompt and the answer to it.
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
        Self::calibrated(overhead_tokens, Calibration::default())
    }

    /// The same with what was learned about the model before.
    #[must_use]
    pub fn calibrated(overhead_tokens: usize, calibration: Calibration) -> Self {
        Self {
            overhead_tokens,
            calibration,
            weight: 1.0,
            reported: None,
        }
    }

    /// What the history takes of the window, with the last answer and everything that is always sent.
    #[must_use]
    pub fn used(&self, history: &[Content], profile: Profile) -> usize {
        let known = self.reported.filter(|known| known.n_turns <= history.len());
        match known {
            Some(known) => {
                let new = history.get(known.n_turns..).unwrap_or_default();
                known.tokens.saturating_add(self.cost(new, profile))
            }
            None => self
                .overhead(profile)
                .saturating_add(self.cost(history, profile)),
        }
    }

    /// What these turns would take.
    #[must_use]
    pub fn cost(&self, turns: &[Content], profile: Profile) -> usize {
        match profile {
            Profile::Analects => self.calibration.tokens(&Counts::of(turns)),
            Profile::Seed | Profile::Head => self.scaled(weigh::history(turns, profile)),
        }
    }

    /// The model answered: it had read this many tokens for the turns that were sent, and wrote this many. The
    /// answer is the last turn of the history now.
    ///
    /// What could be learned from it is told, for a log from which [`Calibration::learn`] learns it again.
    pub fn answered(
        &mut self,
        prompt_tokens: usize,
        answer_tokens: usize,
        history: &[Content],
        profile: Profile,
    ) -> Option<Sample> {
        let sent = history.split_last().map_or(history, |(_, sent)| sent);
        if profile == Profile::Analects && prompt_tokens < self.least(sent) {
            // Some count only what they had not read before. The window is no wider for it.
            self.reported = None;
            return None;
        }
        let sample = match profile {
            Profile::Analects => self.sample(prompt_tokens, sent),
            Profile::Seed | Profile::Head => {
                self.calibrate(prompt_tokens, weigh::history(sent, profile));
                None
            }
        };
        if let Some(sample) = &sample {
            self.calibration.hear(sample);
        }
        self.reported = Some(Reported {
            prompt_tokens,
            tokens: prompt_tokens.saturating_add(answer_tokens),
            n_turns: history.len(),
        });
        sample
    }

    /// What nobody can count less than for these turns.
    fn least(&self, sent: &[Content]) -> usize {
        let mut counts = Counts::of(sent);
        counts += self.told();
        Calibration::least(&counts)
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

    /// What was learned about the model so far.
    #[must_use]
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    fn overhead(&self, profile: Profile) -> usize {
        match profile {
            Profile::Analects => self.calibration.tokens(&self.told()),
            Profile::Seed | Profile::Head => self.overhead_tokens,
        }
    }

    fn told(&self) -> Counts {
        Counts {
            told: self.overhead_tokens,
            ..Counts::default()
        }
    }

    /// What the server's count teaches. The difference to its last one is about the new turns alone, and says
    /// more than the sum over a long history, in which all kinds of text are mixed.
    fn sample(&self, prompt_tokens: usize, sent: &[Content]) -> Option<Sample> {
        let Some(known) = self.reported.filter(|known| known.n_turns <= sent.len()) else {
            let mut counts = Counts::of(sent);
            counts += self.told();
            return (prompt_tokens > 0).then_some(Sample {
                counts,
                tokens: prompt_tokens,
            });
        };
        let from = known.n_turns.saturating_sub(1);
        // A server that counts less than before has forgotten something, or is wrong: nothing can be learned.
        let tokens = prompt_tokens.checked_sub(known.prompt_tokens)?;
        (tokens > 0).then(|| Sample {
            counts: Counts::of(sent.get(from..).unwrap_or_default()),
            tokens,
        })
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
        assert_eq!(gauge.used(&history(10), Profile::Head), 2_000);
        gauge.answered(2_900, 200, &history(10), Profile::Head);
        assert_eq!(gauge.used(&history(10), Profile::Head), 3_100);
        assert!(gauge.used(&history(11), Profile::Head) > 3_200);
        gauge.changed();
        // 1,900 tokens were read for 900 estimated, so an estimate is worth 0.15 more now.
        assert_eq!(gauge.used(&history(10), Profile::Head), 2_150);
    }

    #[test]
    fn a_weight_stays_within_bounds() {
        let mut gauge = Gauge::new(0);
        for _ in 0..100 {
            gauge.answered(1_000_000, 0, &history(3), Profile::Seed);
        }
        assert!((gauge.weight - 2.0).abs() < 1e-9);
        for _ in 0..100 {
            gauge.answered(0, 0, &history(3), Profile::Seed);
        }
        assert!((gauge.weight - 0.5).abs() < 1e-9);
    }

    #[test]
    fn ours_learns_from_what_a_prompt_has_grown_by() {
        let mut gauge = Gauge::new(1_000);
        let ours = Profile::Analects;
        assert_eq!(gauge.used(&history(10), ours), 1_000 + 10 * (90 + 4));
        let whole = gauge.answered(3_000, 200, &history(10), ours).unwrap();
        assert_eq!((whole.counts.told, whole.tokens), (1_000, 3_000));
        assert_eq!(whole.counts.mix.plain, 9 * 400);
        assert_eq!(gauge.used(&history(10), ours), 3_200);
        assert!(gauge.used(&history(11), ours) > 3_290);
        // The answer and one more turn were sent for the first time.
        let grown = gauge.answered(3_240, 0, &history(12), ours).unwrap();
        assert_eq!((grown.counts.told, grown.tokens), (0, 240));
        assert_eq!((grown.counts.pieces, grown.counts.mix.plain), (2, 800));
        let again = Calibration::learn([whole, grown]);
        assert_eq!(&again, gauge.calibration());
        gauge.changed();
        assert_eq!(
            gauge.used(&history(12), ours),
            Gauge::calibrated(1_000, again).used(&history(12), ours)
        );
    }

    #[test]
    fn a_prompt_that_shrank_teaches_nothing() {
        let mut gauge = Gauge::new(0);
        let ours = Profile::Analects;
        gauge.answered(500, 0, &history(3), ours);
        let before = gauge.calibration().clone();
        assert_eq!(gauge.answered(400, 0, &history(5), ours), None);
        assert_eq!(gauge.answered(0, 0, &history(7), ours), None);
        assert_eq!(gauge.calibration(), &before);
    }

    #[test]
    fn a_count_that_no_tokenizer_comes_to_is_not_believed() {
        let mut gauge = Gauge::new(5_000);
        let ours = Profile::Analects;
        let estimated = gauge.used(&history(20), ours);
        for prompt_tokens in [0, 1, 900] {
            assert_eq!(gauge.answered(prompt_tokens, 20, &history(20), ours), None);
            assert_eq!(gauge.used(&history(20), ours), estimated);
        }
        // Little, yet possible.
        gauge.answered(3_000, 20, &history(20), ours);
        assert_eq!(gauge.used(&history(20), ours), 3_020);
    }

    #[test]
    fn a_count_beyond_all_bounds_is_no_overflow() {
        let mut gauge = Gauge::new(0);
        let ours = Profile::Analects;
        gauge.answered(usize::MAX, 5, &history(3), ours);
        assert_eq!(gauge.used(&history(5), ours), usize::MAX);
    }
}
