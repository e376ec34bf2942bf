//! Looks for bytes that break a promise: the targets of `fuzz/`, built for libFuzzer and run one after another.
//!
//! The stable toolchain instruments as well as any; what libFuzzer itself is written in wants a C++ compiler. New inputs
//! stay below `target/fuzz/`, and only `--minimize` takes the best of them into the committed corpus.

mod corpus;
mod grow;
mod run;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::shell::{Done, must_install, output, root, run_with, target};
use run::{Told, fuzz_one};

/// What is fuzzed, and for how long.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// How long each target runs.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Only this one.
    #[arg(long, value_name = "TARGET")]
    only: Option<String>,
    /// Instead: take what was found into the corpus, as far as it reaches code that nothing else reaches.
    #[arg(long)]
    minimize: bool,
}

impl Options {
    /// What CI runs.
    pub(crate) const USUAL: Self = Self {
        seconds: 60,
        only: None,
        minimize: false,
    };
}

/// What makes a program tell libFuzzer where it has been, and what it compared.
const INSTRUMENTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// A target, built, with the places of its files.
struct Bench {
    name: String,
    binary: PathBuf,
    /// What is committed.
    corpus: PathBuf,
    /// What was found on this machine.
    found: PathBuf,
    /// What broke it.
    crashes: PathBuf,
    /// What its inputs become when they grow.
    grown: PathBuf,
}

/// Builds the targets and runs each of them.
pub(crate) fn fuzz(options: &Options) -> Done {
    if output("c++", &["--version"]).is_err() {
        let why = "there is no C++ compiler for libFuzzer";
        if must_install() {
            return Err(why.to_owned());
        }
        println!("fuzz: left out, {why}");
        return Ok(());
    }
    let benches = build(options.only.as_deref())?;
    if options.minimize {
        return benches.iter().try_for_each(corpus::minimize);
    }
    let mut told = Vec::new();
    for bench in &benches {
        println!("fuzz: {} for {} s", bench.name, options.seconds);
        told.push(fuzz_one(bench, options.seconds)?);
    }
    print_table(&told);
    let broken: Vec<_> = told.iter().flat_map(|told| &told.crashes).collect();
    if broken.is_empty() {
        return Ok(());
    }
    for crash in &broken {
        eprintln!("fuzz: broken by {}", crash.display());
    }
    eprintln!(
        "hint: copy it to `fuzz/corpus/<target>/crash-<what it shows>`; `cargo test -p analects-fuzz` replays it from then on"
    );
    Err(format!("{} inputs break a promise", broken.len()))
}

fn build(only: Option<&str>) -> Result<Vec<Bench>, String> {
    let mut names = names(&root().join("fuzz/fuzz_targets"))?;
    if let Some(only) = only {
        if !names.iter().any(|name| name == only) {
            return Err(format!("`{only}` is none of {}", names.join(", ")));
        }
        names.retain(|name| name == only);
    }
    let system = output("rustc", &["--print", "host-tuple"])?;
    let system = system.trim();
    let dir = target().join("fuzz");
    let place = dir.to_str().ok_or("the target directory is not UTF-8")?;
    // With a target of their own, build scripts and macros are left as they are.
    let args = [
        "build",
        "--locked",
        "--package",
        "analects-fuzz",
        "--features",
        "libfuzzer",
        "--bins",
        "--profile",
        "fuzz",
        "--target",
        system,
        "--target-dir",
        place,
    ];
    run_with("cargo", &args, &[("RUSTFLAGS", INSTRUMENTED)])?;
    let built = dir.join(system).join("fuzz");
    let bench = |name: String| Bench {
        binary: built.join(&name),
        corpus: root().join("fuzz/corpus").join(&name),
        found: dir.join("found").join(&name),
        crashes: dir.join("crashes").join(&name),
        grown: dir.join("grown").join(&name),
        name,
    };
    Ok(names.into_iter().map(bench).collect())
}

/// The names of the files in a directory, without what follows the dot, in order.
fn names(dir: &Path) -> Result<Vec<String>, String> {
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    Ok(files(dir)?.into_iter().filter_map(stem).collect())
}

/// The files of a directory, in order.
fn files(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("cannot list {}: {error}", dir.display());
    let entries = std::fs::read_dir(dir).map_err(failed)?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

fn print_table(told: &[Told]) {
    println!(
        "{:12} {:>10} {:>8} {:>8} {:>6} {:>6} {:>7}",
        "target", "runs", "before", "cover", "new", "grown", "crashes"
    );
    for told in told {
        println!(
            "{:12} {:>10} {:>8} {:>8} {:>6} {:>6} {:>7}",
            told.name,
            told.n_runs,
            told.covered_before,
            told.covered,
            told.n_new,
            told.n_grown,
            told.crashes.len()
        );
    }
}
