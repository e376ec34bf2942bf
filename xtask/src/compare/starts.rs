//! Whole processes, from their start to their end.

use std::process::{Command, Stdio};
use std::time::Instant;

use super::figures::{Group, Promise, Row, Samples, Unit, Versus};
use super::program::said;
use super::{Extent, Ground};
use crate::hosts::GEMINI;
use crate::shell::write;

/// What is started, by turns.
struct Start {
    command: Command,
    /// What it must print.
    says: &'static str,
}

/// Starts all of them by turns.
pub(super) fn measure(ground: &Ground, extent: &Extent) -> Result<Vec<Row>, String> {
    println!("start processes …");
    let mut starts = starts(ground)?;
    let mut samples = starts.each_ref().map(|_| Samples::default());
    // The first time is the disk's.
    for round in 0..=extent.n_starts {
        for (start, samples) in starts.iter_mut().zip(&mut samples) {
            let milliseconds = start.run()?;
            if round > 0 {
                samples.push(milliseconds);
            }
        }
    }
    let [gemini, version, list, nothing] = samples;
    let row = |name: &str, other, versus, samples| Row {
        group: Group::Start,
        name: name.to_owned(),
        other,
        versus,
        unit: Unit::Milliseconds,
        samples,
        promises: match versus {
            Versus::Peer => &[Promise::Ratio(50.0), Promise::Median(10.0)],
            Versus::Limit => &[],
        },
        n_bytes: None,
    };
    const OTHER: &str = "gemini --version, 0.61.0";
    const LIMIT: &str = "a process that does nothing";
    let (says, lists) = ("analects --version", "analects memory list");
    Ok(vec![
        row(says, OTHER, Versus::Peer, [gemini.clone(), version.clone()]),
        row(lists, OTHER, Versus::Peer, [gemini, list.clone()]),
        row(says, LIMIT, Versus::Limit, [nothing.clone(), version]),
        row(lists, LIMIT, Versus::Limit, [nothing, list]),
    ])
}

/// Theirs; our version; our memory in a small repository; and a process that has nothing to do.
fn starts(ground: &Ground) -> Result<[Start; 4], String> {
    let dir = ground.dir.join("start");
    let repo = dir.join("repo");
    let rule = "Names are nouns.\n";
    write(
        &dir.join("home/.gemini/GEMINI.md"),
        "Write short sentences.\n",
    )?;
    write(
        &repo.join("GEMINI.md"),
        "Built with cargo.\n\n@docs/style.md\n",
    )?;
    write(&repo.join("docs/style.md"), rule)?;
    for number in 0..40 {
        let file = repo.join(format!("src/part{}/file{number}.rs", number % 8));
        write(&file, "fn nothing() {}\n")?;
    }
    std::fs::create_dir_all(repo.join(".git")).map_err(said)?;
    let script = "node_modules/@google/gemini-cli/bundle/gemini.js";
    let mut gemini = ground.peers.node();
    gemini
        .arg(ground.peers.gemini.join(script))
        .arg("--version");
    let ours = |words: &[&str]| {
        let mut command = Command::new(&ground.binary);
        command.args(words);
        command
    };
    let starts = [
        (gemini, GEMINI.version),
        (ours(&["--version"]), "analects "),
        (ours(&["--trust", "memory", "list"]), "docs/style.md"),
        (Command::new("true"), ""),
    ];
    Ok(starts.map(|(mut command, says)| {
        command.current_dir(&repo).stdin(Stdio::null());
        command.env("HOME", dir.join("home"));
        command.env_remove("GEMINI_CLI_HOME");
        Start { command, says }
    }))
}

impl Start {
    /// How many milliseconds it takes to do it and to hear all that it says.
    fn run(&mut self) -> Result<f64, String> {
        let since = Instant::now();
        let output = self.command.output().map_err(said)?;
        let time = since.elapsed();
        let stdout = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !stdout.contains(self.says) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{:?} says: {stdout}{stderr}", self.command));
        }
        Ok(time.as_secs_f64() * 1e3)
    }
}
