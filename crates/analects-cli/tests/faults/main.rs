//! The fault suite: the real binary on a real disk, and everything that can go wrong around it.
//!
//! Processes die at each of their steps, disks are full or broken, rights are lost, clocks jump, many write at once,
//! locks outlive their holders, records are torn. What must hold afterwards is written down once, in `judge`. It always
//! prints its table. `cargo xtask faults` runs more of it; `--seed` makes it meet other steps.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "this suite drives the real binary on a real disk, stops at the first surprise, and tells what it tried"
)]

mod chat;
mod clock;
mod control;
mod crowd;
mod fault;
mod full;
mod judge;
mod kill;
mod locks;
mod place;
mod refuse;
mod rights;
mod sound;
mod tally;
mod torn;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_tracer.rs")]
mod tracer;
mod writers;

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use tally::{Extent, Row, Tally, table};

fn main() -> ExitCode {
    let wanted = Wanted::read(std::env::args().skip(1));
    if let Some(binary) = &wanted.binary {
        let _ = place::BINARY.set(binary.clone());
    }
    if let Some(dir) = &wanted.small_disk {
        let lines = full::inside(dir, wanted.extent);
        println!("{}", lines.join("\n"));
        return ExitCode::SUCCESS;
    }
    let rows: Vec<_> = rows().into_iter().filter(|row| wanted.has(row)).collect();
    if wanted.is_list {
        for row in &rows {
            println!("{}: test", name(row));
        }
        return ExitCode::SUCCESS;
    }
    let since = Instant::now();
    let Extent { rounds, seed } = wanted.extent;
    println!(
        "\nrunning {} tests (seed {seed}, rounds {rounds})",
        rows.len()
    );
    let done = run(&rows, wanted.extent);
    let n_failed = done.iter().filter(|(_, tally)| !is_good(tally)).count();
    println!("\n{}", table(&done));
    // That the suite itself can tell is no fault that anybody survived.
    let faults = || done.iter().filter(|(row, _)| row.fault != control::FAULT);
    let sum = |of: fn(&Tally) -> usize| faults().map(|(_, tally)| of(tally)).sum::<usize>();
    let (tried, survived) = (sum(|it| it.tried), sum(|it| it.survived));
    println!("faults: {survived} of {tried} survived (seed {seed}, rounds {rounds})\n");
    let outcome = if n_failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {outcome}. {} passed; {n_failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in {:.2}s\n",
        done.len() - n_failed,
        since.elapsed().as_secs_f32()
    );
    match n_failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn rows() -> Vec<Row> {
    let rows = [
        control::rows(),
        kill::rows(),
        refuse::rows(),
        full::rows(),
        rights::rows(),
        clock::rows(),
        crowd::rows(),
        locks::rows(),
        torn::rows(),
        chat::rows(),
    ];
    rows.into_iter().flatten().collect()
}

/// What the caller wants, in the words of Rust's own test harness.
struct Wanted {
    extent: Extent,
    binary: Option<PathBuf>,
    small_disk: Option<PathBuf>,
    is_list: bool,
    only: Vec<String>,
}

impl Wanted {
    fn read(mut words: impl Iterator<Item = String>) -> Self {
        let mut wanted = Self {
            extent: Extent { rounds: 1, seed: 1 },
            binary: None,
            small_disk: None,
            is_list: false,
            only: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|n| n.parse().ok());
            match word.as_str() {
                "--rounds" => wanted.extent.rounds = number().expect("a number of rounds"),
                "--seed" => {
                    wanted.extent.seed = number().expect("a seed").try_into().unwrap_or(1);
                }
                "--binary" => wanted.binary = words.next().map(PathBuf::from),
                full::INSIDE => wanted.small_disk = words.next().map(PathBuf::from),
                "--list" => wanted.is_list = true,
                "--test-threads" | "--format" | "--skip" | "--color" => drop(words.next()),
                // All the rest of that harness says nothing about what is run.
                word if word.starts_with('-') => {}
                word => wanted.only.push(word.to_owned()),
            }
        }
        wanted
    }

    fn has(&self, row: &Row) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| name(row).contains(word))
    }
}

fn name(row: &Row) -> String {
    format!("{}: {}", row.fault, row.running)
}

/// Tries all rows, a few at a time, and answers them in their order.
fn run(rows: &[Row], extent: Extent) -> Vec<(&Row, Tally)> {
    let traceable = tracer::can_trace();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Tally)>> = Mutex::new(Vec::new());
    let n_threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some((at, row)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    rows.get(at).map(|row| (at, row))
                } {
                    let mut tally = Tally::default();
                    if let (true, Err(why)) = (row.is_traced, &traceable) {
                        tally.skipped = Some(why.clone());
                        tell(row, &tally);
                        done.lock().unwrap().push((at, tally));
                        continue;
                    }
                    let attempt = AssertUnwindSafe(|| (row.attempt)(&mut tally, extent));
                    if panic::catch_unwind(attempt).is_err() {
                        tally.tried += 1;
                        tally.lost.push("the suite itself stumbled".to_owned());
                    }
                    tell(row, &tally);
                    done.lock().unwrap().push((at, tally));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    let row = |(at, tally)| Some((rows.get(at)?, tally));
    done.into_iter().filter_map(row).collect()
}

/// Says what came of a row as soon as it is known, with the evidence.
fn tell(row: &Row, tally: &Tally) {
    let outcome = if is_good(tally) { "ok" } else { "FAILED" };
    let lost = tally.lost.iter().take(5);
    let lost: String = lost.map(|why| format!("    {why}\n")).collect();
    print!("test {} ... {outcome}\n{lost}", name(row));
}

/// Everything that was tried survived. What could not be tried is bad luck, but not where it must be.
fn is_good(tally: &Tally) -> bool {
    tally.is_good() && !(is_ci() && tally.skipped.is_some())
}

fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}
