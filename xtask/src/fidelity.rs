//! How much of a long session is left after it was compressed.
//!
//! Sessions are made up from a seed, in words that exist nowhere else, with facts planted among idle talk
//! and the output of tools. A session grows until its window wants it compressed, is compressed once or three
//! times in a row, and every fact whose strings are all still there counts. What a fact is worth to a reader
//! is not judged, and neither is what stands around it.
//!
//! Seeds 1 to 8 are for those who work on compression; the figures come from 1001 on.

mod agenda;
mod dice;
mod emit;
mod fact;
mod frames;
mod model;
mod outputs;
mod score;
mod session;
mod squeeze;
mod table;
mod tools;
mod words;
mod work;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};

use crate::shell::Done;
use model::Helper;
use score::{Outcome, Trial, run};
use squeeze::{Everything, Newest, Ours, Squeeze};
use table::Row;

const WINDOWS: [usize; 3] = [8_192, 128_000, 1_048_576];
const DEPTHS: [usize; 2] = [1, 3];
const FIRST_SCORED: u64 = 1_001;
const FIRST_OPEN: u64 = 1;

/// What is tried, and how it is told.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How many seeds.
    #[arg(long, value_name = "N", default_value_t = 16)]
    seeds: u64,
    /// The seeds for those who work on compression: 1, 2, … instead of 1001, 1002, ….
    #[arg(long)]
    open: bool,
    /// What compresses.
    #[arg(long, value_enum, default_value_t = Subject::Ours)]
    subject: Subject,
    /// Only this window.
    #[arg(long, value_name = "TOKENS")]
    window: Option<usize>,
    /// Only this many compressions.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Tell it as JSON.
    #[arg(long)]
    json: bool,
    /// Name every fact that was lost; only for open seeds.
    #[arg(long, requires = "open")]
    lost: bool,
    /// Instead: write a session record and its facts into this directory.
    #[arg(long, value_name = "DIR", requires = "seed", requires = "window")]
    emit: Option<PathBuf>,
    /// The seed of that session.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// What compresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// What we ship.
    Ours,
    /// Keeps everything.
    Everything,
    /// Keeps the newest 15 %.
    Newest,
}

impl Subject {
    fn squeeze(self) -> &'static dyn Squeeze {
        match self {
            Self::Ours => &Ours,
            Self::Everything => &Everything,
            Self::Newest => &Newest,
        }
    }
}

/// Tries everything on every seed and tells what came of it.
pub(crate) fn fidelity(options: &Options) -> Done {
    if let (Some(dir), Some(seed), Some(window)) = (&options.emit, options.seed, options.window) {
        return emit::emit(dir, seed, window);
    }
    let first = match options.open {
        true => FIRST_OPEN,
        false => FIRST_SCORED,
    };
    let seeds: Vec<u64> = (first..first + options.seeds).collect();
    let squeeze = options.subject.squeeze();
    let rows: Vec<_> = trials(options)
        .map(|trial| Row {
            trial,
            outcomes: on_all(trial, &seeds, squeeze),
        })
        .collect();
    match (options.json, options.lost) {
        (true, _) => println!("{:#}", table::to_value(&rows)),
        (false, true) => table::show_lost(&rows),
        (false, false) => table::show(&rows),
    }
    Ok(())
}

fn trials(options: &Options) -> impl Iterator<Item = Trial> {
    let windows = options
        .window
        .map_or_else(|| WINDOWS.to_vec(), |one| vec![one]);
    let depths = options
        .depth
        .map_or_else(|| DEPTHS.to_vec(), |one| vec![one]);
    windows.into_iter().flat_map(move |window_tokens| {
        let depths = depths.clone();
        depths.into_iter().flat_map(move |depth| {
            Helper::ALL.into_iter().map(move |helper| Trial {
                window_tokens,
                depth,
                helper,
            })
        })
    })
}

/// One trial on all seeds, as many at once as the machine takes.
fn on_all(trial: Trial, seeds: &[u64], squeeze: &dyn Squeeze) -> Vec<Outcome> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = run(trial, seed, squeeze);
                    done.lock()
                        .unwrap_or_else(|poison| poison.into_inner())
                        .push(outcome);
                }
            });
        }
    });
    let mut outcomes = done.into_inner().unwrap_or_default();
    outcomes.sort_by_key(|outcome| outcome.seed);
    outcomes
}

#[cfg(test)]
mod tests;
