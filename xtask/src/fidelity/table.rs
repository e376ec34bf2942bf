//! What came of all trials, for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::fact::{Kind, Language, Place};
use super::score::{Left, Outcome, Trial};

/// What came of one trial, over all seeds.
pub(crate) struct Row {
    /// What was tried.
    pub(crate) trial: Trial,
    /// What came of it, a seed each.
    pub(crate) outcomes: Vec<Outcome>,
}

/// The mean over all seeds, and the worst of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// The mean.
    pub(crate) mean: f64,
    /// The least.
    pub(crate) min: f64,
    /// The most.
    pub(crate) max: f64,
}

impl Row {
    /// A figure over all seeds that have it.
    pub(crate) fn spread(&self, figure: impl Fn(&Outcome) -> Option<f64>) -> Option<Spread> {
        let figures: Vec<f64> = self.outcomes.iter().filter_map(figure).collect();
        let n = u32::try_from(figures.len()).ok().filter(|n| *n > 0)?;
        Some(Spread {
            mean: figures.iter().sum::<f64>() / f64::from(n),
            min: figures.iter().copied().fold(f64::INFINITY, f64::min),
            max: figures.iter().copied().fold(0.0, f64::max),
        })
    }
}

/// Prints the table: shares in hundredths, mean and worst seed of each; of the size mean and largest.
pub(crate) fn show(rows: &[Row]) {
    let cells = Kind::ALL.map(|kind| Language::ALL.map(|language| (kind, language)));
    let cells = cells.as_flattened();
    let mut head = format!(
        "{:>9} {:>5} {:<8} {:>10} {:>11}",
        "window", "depth", "model", "size", "facts"
    );
    for (kind, language) in cells {
        let name: String = kind.as_str().chars().take(8).collect();
        let _ = write!(head, " {:>11}", format!("{name} {}", language.as_str()));
    }
    for place in Place::ALL {
        let _ = write!(head, " {:>11}", place.as_str());
    }
    println!("{head}");
    for row in rows {
        let size = row.spread(|outcome| outcome.sizes.last().copied());
        let size = size.map_or_else(String::new, |size| {
            format!("{:.1}/{:.1}", size.mean * 100.0, size.max * 100.0)
        });
        let mut line = format!(
            "{:>9} {:>5} {:<8} {size:>10} {:>11}",
            row.trial.window_tokens,
            row.trial.depth,
            row.trial.helper.as_str(),
            cell(row.spread(|outcome| outcome.share(|_| true))),
        );
        for (kind, language) in cells {
            let cell = cell(row.spread(|outcome| outcome.of(*kind, *language)));
            let _ = write!(line, " {cell:>11}");
        }
        for place in Place::ALL {
            let cell = cell(row.spread(|outcome| outcome.at(place)));
            let _ = write!(line, " {cell:>11}");
        }
        println!("{line}");
    }
}

fn cell(spread: Option<Spread>) -> String {
    spread.map_or_else(
        || "-".to_owned(),
        |spread| format!("{:.1}/{:.1}", spread.mean * 100.0, spread.min * 100.0),
    )
}

/// The same as a value, with what every seed scored.
pub(crate) fn to_value(rows: &[Row]) -> Value {
    let rows = rows.iter().map(|row| {
        let kinds = Kind::ALL.iter().flat_map(|kind| {
            Language::ALL.iter().map(move |language| {
                let spread = row.spread(|outcome| outcome.of(*kind, *language));
                json!({ "kind": kind.as_str(), "language": language.as_str(), "share": value(spread) })
            })
        });
        let places = Place::ALL.iter().map(|place| {
            let spread = row.spread(|outcome| outcome.at(*place));
            json!({ "place": place.as_str(), "share": value(spread) })
        });
        let seeds = row.outcomes.iter().map(|outcome| {
            let n_left = outcome.facts.iter().filter(|(_, left)| *left == Left::Yes);
            json!({ "seed": outcome.seed, "sizes": outcome.sizes, "facts": outcome.facts.len(), "left": n_left.count() })
        });
        json!({
            "window": row.trial.window_tokens,
            "depth": row.trial.depth,
            "model": row.trial.helper.as_str(),
            "size": value(row.spread(|outcome| outcome.sizes.last().copied())),
            "facts": value(row.spread(|outcome| outcome.share(|_| true))),
            "kinds": kinds.collect::<Vec<_>>(),
            "places": places.collect::<Vec<_>>(),
            "seeds": seeds.collect::<Vec<_>>(),
        })
    });
    json!({ "schemaVersion": 1, "rows": rows.collect::<Vec<_>>() })
}

fn value(spread: Option<Spread>) -> Value {
    spread.map_or(
        Value::Null,
        |spread| json!({ "mean": spread.mean, "min": spread.min, "max": spread.max }),
    )
}

/// Prints every fact that was lost, a line each.
pub(crate) fn show_lost(rows: &[Row]) {
    for row in rows {
        for outcome in &row.outcomes {
            let lost = outcome.facts.iter().filter(|(_, left)| *left == Left::No);
            for (fact, _) in lost {
                println!(
                    "{} {}x {} seed {}: {} {} {} stage {}: {}",
                    row.trial.window_tokens,
                    row.trial.depth,
                    row.trial.helper.as_str(),
                    outcome.seed,
                    fact.place.as_str(),
                    fact.kind.as_str(),
                    fact.language.as_str(),
                    fact.stage,
                    fact.said,
                );
            }
        }
    }
}
