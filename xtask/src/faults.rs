//! The fault suite at length: more of every fault, other seeds, any binary.

use std::path::PathBuf;

use clap::Args;

use crate::shell::{Done, run};

/// How much is tried, and with what.
#[derive(Args)]
pub(crate) struct Options {
    /// How many times as much as an ordinary test; 60 walks over every step of every command.
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Which steps and moments are met, if not all of them are.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only faults and commands with one of these words in their names.
    words: Vec<String>,
    /// The binary to try; else the one that the tests are built with.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Runs it, and fails if anything did not survive.
pub(crate) fn faults(options: &Options) -> Done {
    let (rounds, seed) = (options.rounds.to_string(), options.seed.to_string());
    let mut args = vec!["test", "--locked", "--package", "analects-cli", "--test"];
    args.extend(["faults", "--", "--rounds", &rounds, "--seed", &seed]);
    let binary = options.binary.as_ref().map(std::path::absolute);
    let binary = binary.transpose().map_err(|error| error.to_string())?;
    if let Some(binary) = &binary {
        let binary = binary.to_str().ok_or("the binary's path is not UTF-8")?;
        args.extend(["--binary", binary]);
    }
    args.extend(options.words.iter().map(String::as_str));
    run("cargo", &args)
}
