//! What was tried and what survived, and the table of it.

use std::fmt::Write;

/// One line of the table: a fault, and what was running.
pub(crate) struct Row {
    pub(crate) fault: &'static str,
    pub(crate) running: String,
    /// What it means to survive it.
    pub(crate) means: &'static str,
    /// Whether somebody must stand beside every step.
    pub(crate) is_traced: bool,
    pub(crate) attempt: Attempt,
}

/// Tries a fault as often as wanted, and counts.
type Attempt = Box<dyn Fn(&mut Tally, Extent) + Send + Sync>;

/// How much is tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// One in an ordinary test.
    pub(crate) rounds: usize,
    pub(crate) seed: u64,
}

/// What came of a row.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) tried: usize,
    pub(crate) survived: usize,
    /// What was lost, and how.
    pub(crate) lost: Vec<String>,
    /// Why some of it could not be tried here.
    pub(crate) skipped: Option<String>,
}

impl Tally {
    /// Counts one attempt.
    pub(crate) fn count<T>(&mut self, outcome: Result<T, String>, what: impl FnOnce() -> String) {
        self.tried += 1;
        match outcome {
            Ok(_) => self.survived += 1,
            Err(why) => self.lost.push(format!("{}: {why}", what())),
        }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.tried == self.survived && (self.tried > 0 || self.skipped.is_some())
    }
}

/// Rows with what came of them, as people read it.
pub(crate) fn table(rows: &[(&Row, Tally)]) -> String {
    let head = [
        "fault",
        "what was running",
        "tried",
        "survived",
        "survived means",
    ];
    let mut lines = vec![head.map(str::to_owned)];
    for (row, tally) in rows {
        let means = match &tally.skipped {
            Some(why) => format!("{} (left out: {why})", row.means),
            None => row.means.to_owned(),
        };
        lines.push([
            row.fault.to_owned(),
            row.running.clone(),
            tally.tried.to_string(),
            tally.survived.to_string(),
            means,
        ]);
    }
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for [fault, running, tried, survived, means] in &lines {
        let [a, b, c, d] = widths;
        let _ = writeln!(
            text,
            "{fault:a$}  {running:b$}  {tried:>c$}  {survived:>d$}  {means}"
        );
    }
    text
}

/// A die that falls the same way for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        let mix = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mix) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let n = u64::try_from(n.max(1)).unwrap_or(1);
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap_or(0)
            % usize::try_from(n).unwrap_or(1)
    }

    /// This many of the numbers below `n`, in order; all of them if there are no more.
    pub(crate) fn some(&mut self, n: usize, most: usize) -> Vec<usize> {
        let mut all: Vec<_> = (0..n).collect();
        while all.len() > most {
            let at = self.below(all.len());
            all.remove(at);
        }
        all
    }
}
