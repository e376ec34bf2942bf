//! Learns what a model's tokenizer makes of each kind of character, from what its server counts.
//!
//! One weight for everything cannot be right for English code and for Chinese at once. Here each kind has its
//! own, an estimate is their sum, and each count of the server moves those weights that it says most about: a
//! Kalman filter over eleven weights. It remembers how sure it is of each and which ones it cannot tell apart.
//!
//! Counts may lie. One sample moves little, and no weight leaves the range that a real tokenizer could have.

use crate::weigh::Counts;

const KINDS: usize = Counts::KINDS;

/// What each kind of thing costs in the eyes of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    weights: [f64; KINDS],
    /// How unsure each weight is, and how much the errors of two have to do with each other.
    covariance: [[f64; KINDS]; KINDS],
}

/// What a server counted, for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// What was sent.
    pub counts: Counts,
    /// What it cost, as the server says.
    pub tokens: usize,
}

/// What is known of a weight before anything was counted.
struct Kind {
    weight: f64,
    /// How far a real tokenizer's weight lies from it.
    spread: f64,
    /// Where it stays.
    range: (f64, f64),
}

const fn kind(weight: f64, spread: f64, range: (f64, f64)) -> Kind {
    Kind {
        weight,
        spread,
        range,
    }
}

/// In the order of [`Counts::to_array`]. Words were fitted to five tokenizers (`docs/reference/tokens.md`), and
/// scripts in which those disagree are set above their mean: too little room is better than none.
const START: [Kind; KINDS] = [
    kind(1.0, 0.3, (0.3, 3.0)),
    kind(1.0, 0.5, (0.02, 3.0)),
    kind(4.0, 2.0, (0.0, 30.0)),
    kind(0.225, 0.02, (0.1, 0.6)),
    kind(0.85, 0.15, (0.2, 2.0)),
    kind(0.9, 0.25, (0.2, 1.5)),
    kind(0.5, 0.1, (0.1, 1.2)),
    kind(0.45, 0.2, (0.15, 2.0)),
    kind(0.8, 0.4, (0.15, 3.0)),
    kind(0.85, 0.2, (0.3, 3.0)),
    kind(0.8, 0.25, (0.3, 3.0)),
];

/// How far a text's real count lies from the best sum of weights.
const TEXT_ERROR: f64 = 0.06;
/// And from any sum, in tokens: what nobody sees around turns.
const FLAT_ERROR: f64 = 6.0;
/// A count is believed at most this many times off what was expected.
const MAX_SURPRISE: f64 = 2.0;
/// No window takes as much as this.
const MAX_TOKENS: f64 = 1e9;
/// How fast certainty fades: a share of the first spread, for each sample.
const FADING: f64 = 0.02;

impl Default for Calibration {
    fn default() -> Self {
        let mut covariance = [[0.0; KINDS]; KINDS];
        for (at, (row, kind)) in covariance.iter_mut().zip(&START).enumerate() {
            row[at] = kind.spread * kind.spread;
        }
        Self {
            weights: START.map(|kind| kind.weight),
            covariance,
        }
    }
}

impl Calibration {
    /// What past samples of the same model teach, the oldest first.
    #[must_use]
    pub fn learn(samples: impl IntoIterator<Item = Sample>) -> Self {
        let mut calibration = Self::default();
        samples
            .into_iter()
            .for_each(|sample| calibration.hear(&sample));
        calibration
    }

    /// What this costs, estimated.
    #[must_use]
    pub fn tokens(&self, counts: &Counts) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "weights are never negative, and the cast saturates"
        )]
        let tokens = dot(&self.weights, &numbers(counts)).round() as usize;
        tokens
    }

    /// The least that any tokenizer could make of this. Whoever counts less has not counted all of it.
    #[must_use]
    pub fn least(counts: &Counts) -> usize {
        let lowest = START.map(|kind| kind.range.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "no weight is negative, and the cast saturates"
        )]
        let tokens = dot(&lowest, &numbers(counts)).floor() as usize;
        tokens
    }

    /// A server has counted.
    pub fn hear(&mut self, sample: &Sample) {
        let counts = numbers(&sample.counts);
        let expected = dot(&self.weights, &counts);
        if !(1.0..MAX_TOKENS).contains(&expected) || sample.tokens == 0 {
            return;
        }
        self.fade();
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts are far below 2^52"
        )]
        let actual = (sample.tokens as f64).clamp(expected / MAX_SURPRISE, expected * MAX_SURPRISE);
        let suspicion = self.covariance.map(|row| dot(&row, &counts));
        let noise = (TEXT_ERROR * expected).powi(2) + FLAT_ERROR * FLAT_ERROR;
        let total = dot(&suspicion, &counts).max(0.0) + noise;
        let surprise = (actual - expected) / total;
        for ((weight, share), kind) in self.weights.iter_mut().zip(&suspicion).zip(&START) {
            *weight = (*weight + share * surprise).clamp(kind.range.0, kind.range.1);
        }
        for (row, share) in self.covariance.iter_mut().zip(&suspicion) {
            for (cell, other) in row.iter_mut().zip(&suspicion) {
                *cell -= share * other / total;
            }
        }
    }

    /// Becomes a little less sure, so that it goes on learning; never less sure than at the start.
    fn fade(&mut self) {
        for (at, (row, kind)) in self.covariance.iter_mut().zip(&START).enumerate() {
            let first = kind.spread * kind.spread;
            row[at] = (row[at].max(0.0) + (FADING * FADING) * first).min(first);
        }
    }
}

fn numbers(counts: &Counts) -> [f64; KINDS] {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    counts.to_array().map(|number| number as f64)
}

fn dot(a: &[f64; KINDS], b: &[f64; KINDS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(text: &str, tokens: usize) -> Sample {
        let counts = Counts::of_text(text);
        Sample { counts, tokens }
    }

    #[test]
    fn each_kind_learns_from_its_own_texts() {
        let code = "let found = names.iter().map(|name| name.len()).sum();\n".repeat(20);
        let chinese = "请先写测试，再改实现，最后运行全部检查。".repeat(20);
        let mut calibration = Calibration::default();
        let before = calibration.clone();
        for _ in 0..6 {
            calibration.hear(&sample(&code, 300));
            calibration.hear(&sample(&chinese, 260));
        }
        let off = |calibration: &Calibration, text: &str, actual: f64| {
            #[expect(clippy::cast_precision_loss, reason = "small")]
            let tokens = calibration.tokens(&Counts::of_text(text)) as f64;
            (tokens / actual - 1.0).abs()
        };
        assert!(off(&before, &chinese, 260.0) > 0.25);
        assert!(off(&calibration, &chinese, 260.0) < 0.03);
        assert!(off(&calibration, &code, 300.0) < 0.03);
        // Nothing was said about this script.
        let russian = Counts::of_text("Сначала напишите тест");
        assert_eq!(calibration.tokens(&russian), before.tokens(&russian));
    }

    #[test]
    fn one_lie_is_forgotten() {
        let text = "The harbour office keeps two almanacs. ".repeat(30);
        let mut calibration = Calibration::learn((0..10).map(|_| sample(&text, 260)));
        let sure = calibration.tokens(&Counts::of_text(&text));
        calibration.hear(&sample(&text, usize::MAX));
        let fooled = calibration.tokens(&Counts::of_text(&text));
        assert!(fooled < sure * 3 / 2, "{sure} → {fooled}");
        (0..10).for_each(|_| calibration.hear(&sample(&text, 260)));
        let again = calibration.tokens(&Counts::of_text(&text));
        assert!(again.abs_diff(260) < 20, "{again}");
    }

    #[test]
    fn what_says_nothing_teaches_nothing() {
        let mut calibration = Calibration::default();
        calibration.hear(&sample("", 100));
        calibration.hear(&sample("some words", 0));
        calibration.hear(&Sample {
            counts: Counts::from_array([usize::MAX; KINDS]),
            tokens: 1,
        });
        assert_eq!(calibration, Calibration::default());
    }

    proptest! {
        #[test]
        fn no_weight_leaves_its_range(
            samples in prop::collection::vec((prop::array::uniform11(0_usize..2_000_000), any::<u32>()), 0..60),
        ) {
            let calibration = Calibration::learn(samples.into_iter().map(|(counts, tokens)| Sample {
                counts: Counts::from_array(counts),
                tokens: tokens as usize,
            }));
            for (weight, kind) in calibration.weights.iter().zip(&START) {
                prop_assert!((kind.range.0..=kind.range.1).contains(weight));
            }
            prop_assert!(calibration.covariance.iter().flatten().all(|cell| cell.is_finite()));
        }
    }
}
