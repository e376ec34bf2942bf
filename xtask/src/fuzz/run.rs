//! One target, run by libFuzzer, and what it told.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Bench, files, grow};

/// What is longer is tried only as something grown.
const MAX_LEN: usize = 16 * 1024;
/// Longer than this no input of that length may take; nor may anything that has grown.
const TIMEOUT_SECS: u64 = 20;
/// More memory than this nothing may want.
const MAX_MIB: u64 = 2_048;

/// What came of a run.
pub(super) struct Told {
    pub(super) name: String,
    /// How many inputs were tried.
    pub(super) n_runs: u64,
    /// How much of the code the corpus reached.
    pub(super) covered_before: u64,
    /// How much of it was reached in the end.
    pub(super) covered: u64,
    /// How many inputs reached something new.
    pub(super) n_new: u64,
    /// How many grown inputs were tried.
    pub(super) n_grown: usize,
    /// What broke it.
    pub(super) crashes: Vec<PathBuf>,
}

/// Runs a target from its corpus on, then feeds it with what its inputs become when they grow.
pub(super) fn fuzz_one(bench: &Bench, seconds: u64) -> Result<Told, String> {
    for dir in [&bench.found, &bench.crashes] {
        std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
    }
    let mut args = limits(bench);
    args.extend([
        format!("-max_len={MAX_LEN}"),
        format!("-max_total_time={seconds}"),
        "-print_final_stats=1".to_owned(),
    ]);
    let log = run(bench, &args, &[&bench.found, &bench.corpus])?.log;
    let grown = grow::grown(bench)?;
    try_grown(bench, &grown)?;
    let covered: Vec<_> = log
        .lines()
        .filter_map(|line| number(line, " cov: "))
        .collect();
    let stat = |name: &str| {
        log.lines()
            .find_map(|line| number(line, &format!("stat::{name}: ")))
    };
    Ok(Told {
        name: bench.name.clone(),
        n_runs: stat("number_of_executed_units").unwrap_or(0),
        covered_before: covered.first().copied().unwrap_or(0),
        covered: covered.last().copied().unwrap_or(0),
        n_new: stat("new_units_added").unwrap_or(0),
        n_grown: grown.len(),
        crashes: files(&bench.crashes)?,
    })
}

/// Feeds it with what has grown. What breaks it then is kept beside other crashes: libFuzzer keeps only what it made.
fn try_grown(bench: &Bench, grown: &[PathBuf]) -> Result<(), String> {
    let inputs: Vec<_> = grown.iter().map(PathBuf::as_path).collect();
    let ran = run(bench, &limits(bench), &inputs)?;
    if ran.is_broken {
        let last = ran.log.lines().rev();
        let last = last.filter_map(|line| line.strip_prefix("Running: "));
        let Some(input) = last.map(Path::new).next() else {
            return Err(format!("{} broke before it began", bench.name));
        };
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        let kept = bench.crashes.join(format!("grown-{name}"));
        std::fs::copy(input, kept).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn limits(bench: &Bench) -> Vec<String> {
    vec![
        format!("-artifact_prefix={}/", bench.crashes.display()),
        format!("-timeout={TIMEOUT_SECS}"),
        format!("-rss_limit_mb={MAX_MIB}"),
        // Only what is too slow is of interest, not what is a little slow on a busy machine.
        format!("-report_slow_units={TIMEOUT_SECS}"),
    ]
}

/// What a run said, and whether it ended by itself.
pub(super) struct Ran {
    pub(super) log: String,
    pub(super) is_broken: bool,
}

/// Runs it and answers what it said. If it broke, the end of that is shown.
pub(super) fn run(bench: &Bench, args: &[String], inputs: &[&Path]) -> Result<Ran, String> {
    let mut command = Command::new(&bench.binary);
    command.args(args).args(inputs);
    let done = command
        .output()
        .map_err(|error| format!("cannot run {}: {error}", bench.binary.display()))?;
    let log = String::from_utf8_lossy(&done.stderr).into_owned();
    let is_broken = !done.status.success();
    if is_broken {
        let said: Vec<_> = log.lines().collect();
        let from = said.iter().position(|line| line.contains("panicked at"));
        let from = from.unwrap_or(said.len().saturating_sub(20));
        for line in said.iter().skip(from).take(20) {
            eprintln!("{line}");
        }
    }
    Ok(Ran { log, is_broken })
}

/// The number that follows a word in a line.
fn number(line: &str, word: &str) -> Option<u64> {
    let (_, rest) = line.split_once(word)?;
    let digits: String = rest
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}
