//! Times our replay of a large session beside Gemini CLI's own loader, on the same file in one run.

use crate::npm::{self, Package};
use crate::shell::{Done, run, target, watch};

const PACKAGE: Package = Package {
    name: "@google/gemini-cli-core",
    version: "0.61.0",
};
const MEGABYTES: &str = "50";
/// A busy machine slows the shorter run more; then both are asked again.
const TRIES: usize = 3;
/// What is promised.
const TIMES_FASTER: f64 = 5.0;

/// Measures both, and fails if we are not as much faster as promised.
pub(crate) fn session_peer() -> Done {
    let peers = target().join("peers");
    let peer = peers.join(PACKAGE.version);
    npm::install(&peer, &[PACKAGE])?;
    let file = peers.join("session.jsonl");
    let utf8 = "the target directory is not UTF-8";
    let (peer, file) = (peer.to_str().ok_or(utf8)?, file.to_str().ok_or(utf8)?);
    let build = [
        "build",
        "--release",
        "-p",
        "analects-session",
        "--example",
        "time_replay",
    ];
    run("cargo", &build)?;
    let ours = target().join("release/examples/time_replay");
    let ours = ours.to_str().ok_or(utf8)?;
    let script = "xtask/peer/time-session.mjs";
    for _ in 0..TRIES {
        let theirs = milliseconds("node", &[script, peer, file, MEGABYTES])?;
        let ours = milliseconds(ours, &[file])?;
        let times = theirs / ours;
        println!("replay of {MEGABYTES} MB: {times:.1} times as fast as Gemini CLI's loader");
        if times >= TIMES_FASTER {
            return Ok(());
        }
    }
    Err(format!("we promise {TIMES_FASTER} times"))
}

/// The time that a program says it took, in its first line.
fn milliseconds(program: &str, args: &[&str]) -> Result<f64, String> {
    let mut said = None;
    watch(program, args, &[], |line| {
        said = said.or_else(|| line.strip_suffix(" ms")?.parse().ok());
    })?;
    said.ok_or_else(|| format!("{program} does not say how long it took"))
}
