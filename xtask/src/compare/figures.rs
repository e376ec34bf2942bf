//! Samples, their percentiles, and what follows from them: ratios, and whether promises hold.

use clap::ValueEnum;

/// What belongs together in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Group {
    Start,
    Discovery,
    Imports,
    Sessions,
    Loops,
    Outputs,
    Mcp,
}

impl Group {
    /// What a reader calls it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Start => "Process start",
            Self::Discovery => "Discovery",
            Self::Imports => "Imports",
            Self::Sessions => "Sessions",
            Self::Loops => "Loop detection",
            Self::Outputs => "Tool outputs",
            Self::Mcp => "MCP server",
        }
    }
}

/// What was measured of one thing.
#[derive(Debug, Clone, Default)]
pub(super) struct Samples(Vec<f64>);

impl Samples {
    pub(super) fn push(&mut self, sample: f64) {
        self.0.push(sample);
    }

    /// The smallest sample that this many hundredths of all do not exceed.
    pub(super) fn percentile(&self, hundredths: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let rank = (sorted.len() * hundredths).div_ceil(100);
        sorted
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or(f64::NAN)
    }

    pub(super) fn median(&self) -> f64 {
        self.percentile(50)
    }
}

/// Beside whom something is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Versus {
    /// A program that does the same: the ratio is theirs over ours.
    Peer,
    /// What the machine takes at least: the ratio is ours over that.
    Limit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Milliseconds,
    Mebibytes,
}

/// What we promise of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Promise {
    /// This many times better than the peer, or at most this many times the limit.
    Ratio(f64),
    /// Our median is below this.
    Median(f64),
    /// So is our 95th percentile.
    P95(f64),
    /// Our median is at least this many megabytes (of 10⁶ bytes) in a second.
    Throughput(f64),
}

/// A line of a table.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) group: Group,
    pub(super) name: String,
    /// Who the other is.
    pub(super) other: &'static str,
    pub(super) versus: Versus,
    pub(super) unit: Unit,
    /// Of the other, of ours; where they took turns, the same place is the same round.
    pub(super) samples: [Samples; 2],
    pub(super) promises: &'static [Promise],
    /// How much was worked through, where that can be said in bytes.
    pub(super) n_bytes: Option<f64>,
}

impl Row {
    /// Of the medians.
    pub(super) fn ratio(&self) -> f64 {
        let [other, ours] = self.samples.each_ref().map(Samples::median);
        self.versus.ratio(other, ours)
    }

    /// Between which ratios the middle half of all rounds lies.
    pub(super) fn middle_half(&self) -> [f64; 2] {
        let [other, ours] = &self.samples;
        let rounds = other.0.iter().zip(&ours.0);
        let ratios = rounds.map(|(other, ours)| self.versus.ratio(*other, *ours));
        let ratios = Samples(ratios.collect());
        [25, 75].map(|hundredths| ratios.percentile(hundredths))
    }

    pub(super) fn ours(&self) -> &Samples {
        &self.samples[1]
    }

    pub(super) fn holds(&self, promise: &Promise) -> bool {
        match *promise {
            Promise::Ratio(times) => match self.versus {
                Versus::Peer => self.ratio() >= times,
                Versus::Limit => self.ratio() <= times,
            },
            Promise::Median(most) => self.ours().median() < most,
            Promise::P95(most) => self.ours().percentile(95) < most,
            Promise::Throughput(least) => self.throughput().is_some_and(|it| it >= least),
        }
    }

    /// Megabytes in a second.
    pub(super) fn throughput(&self) -> Option<f64> {
        self.n_bytes.map(|n| n / 1e3 / self.ours().median())
    }
}

impl Versus {
    fn ratio(self, other: f64, ours: f64) -> f64 {
        match self {
            Self::Peer => other / ours,
            Self::Limit => ours / other,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row in which the other always takes `other` and we take each of `ours`.
    pub(in crate::compare) fn row(versus: Versus, other: f64, ours: &[f64]) -> Row {
        let others = ours.iter().map(|_| other);
        Row {
            group: Group::Loops,
            name: "watch a text".to_owned(),
            other: "somebody",
            versus,
            unit: Unit::Milliseconds,
            samples: [Samples(others.collect()), Samples(ours.to_vec())],
            promises: &[],
            n_bytes: None,
        }
    }

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

    #[test]
    fn more_is_better_beside_a_peer_and_worse_beside_a_limit() {
        let ours = [1.0, 2.0, 2.0, 4.0];
        let (peer, limit) = (
            row(Versus::Peer, 8.0, &ours),
            row(Versus::Limit, 8.0, &ours),
        );
        assert_eq!((peer.ratio(), limit.ratio()), (4.0, 0.25));
        assert_eq!(peer.middle_half(), [2.0, 4.0]);
        assert!(peer.holds(&Promise::Ratio(4.0)) && !peer.holds(&Promise::Ratio(4.1)));
        assert!(limit.holds(&Promise::Ratio(0.25)) && !limit.holds(&Promise::Ratio(0.2)));
    }

    #[test]
    fn promises_about_ourselves_look_at_us_alone() {
        let mut row = row(Versus::Peer, 0.1, &[1.0, 2.0, 2.0, 10.0]);
        assert!(row.holds(&Promise::Median(2.5)) && !row.holds(&Promise::P95(10.0)));
        assert!(!row.holds(&Promise::Throughput(1.0)), "of how many bytes?");
        row.n_bytes = Some(4e6);
        assert!(
            row.holds(&Promise::Throughput(2000.0)) && !row.holds(&Promise::Throughput(2001.0))
        );
    }
}
