//! Samples, their percentiles, and the table of both servers.

use std::fmt::Write;

/// How much better than theirs each figure is meant to be.
const WANTED_RATIO: f64 = 5.0;

/// What was measured of one thing.
#[derive(Default)]
pub(super) struct Samples(Vec<f64>);

impl Samples {
    pub(super) fn push(&mut self, sample: f64) {
        self.0.push(sample);
    }

    /// The smallest sample that so many hundredths of all do not exceed.
    pub(super) fn percentile(&self, hundredths: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let rank = (sorted.len() * hundredths).div_ceil(100);
        sorted
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// A line of the table.
pub(super) struct Row {
    name: &'static str,
    unit: &'static str,
    theirs: Samples,
    ours: Samples,
}

impl Row {
    pub(super) fn new(name: &'static str, unit: &'static str, samples: [Samples; 2]) -> Self {
        let [theirs, ours] = samples;
        Self {
            name,
            unit,
            theirs,
            ours,
        }
    }
}

/// All rows, with ratios of medians and of 95th percentiles.
pub(super) fn table(title: &str, rows: &[Row]) -> String {
    let mut table = format!(
        "\n{title}\n{:42} {:>5} {:>16} {:>16} {:>14}\n",
        "median / p95", "unit", "theirs", "ours", "ratio"
    );
    for row in rows {
        let [theirs, ours] = [&row.theirs, &row.ours]
            .map(|samples| [samples.percentile(50), samples.percentile(95)]);
        let ratios = [theirs[0] / ours[0], theirs[1] / ours[1]];
        let verdict = match ratios[0] >= WANTED_RATIO {
            true => "",
            false => "  less than 5×",
        };
        let _ = writeln!(
            table,
            "{:42} {:>5} {:>7.2} /{:>7.2} {:>7.2} /{:>7.2} {:>5.1}× /{:>5.1}×{verdict}",
            row.name, row.unit, theirs[0], theirs[1], ours[0], ours[1], ratios[0], ratios[1],
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_samples() {
        let samples = Samples((1..=20).rev().map(f64::from).collect());
        assert_eq!(
            (samples.percentile(50), samples.percentile(95)),
            (10.0, 19.0)
        );
        let few = Samples(vec![2.0, 1.0]);
        assert_eq!((few.percentile(50), few.percentile(95)), (1.0, 2.0));
        assert!(Samples::default().percentile(50).is_nan());
    }
}
