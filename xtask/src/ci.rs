//! What must hold before a change lands, and what is built from it afterwards.

use crate::compare::{self, compare};
use crate::shell::{Done, output, run, run_with, target, watch};
use crate::small_model::SmallModel;
use crate::{deny, differ, dist, docs, extract_peer, fuzz, gemini_wire, hosts, mcp_peers, tidy};

/// Runs every check, cheapest first; with `is_fuzzed`, libFuzzer after them all.
pub(crate) fn ci(is_fuzzed: bool) -> Done {
    run("cargo", &["fmt", "--all", "--check"])?;
    tidy::tidy()?;
    deny::deny()?;
    docs::docs(true)?;
    run(
        "cargo",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
    )?;
    let n_passed = tests()?;
    let deny = [("RUSTDOCFLAGS", "-D warnings")];
    run_with(
        "cargo",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &deny,
    )?;
    // Each bench once: a bench that no longer runs is worse than none.
    let every_bench = ["bench", "--workspace", "--locked", "--bench", "*"];
    run("cargo", &[&every_bench[..], &["--", "--test"]].concat())?;
    first_command()?;
    dist::install()?;
    dist::dist(&dist::Options::of(target().join("release/analects")))?;
    hosts::hosts(None, Some(target().join("release/analects")))?;
    extract_peer::extract_peer(Some(target().join("release/analects")))?;
    differ::one_round(differ::Build::Workspace)?;
    gemini_wire::gemini_wire()?;
    mcp_peers::mcp_peers()?;
    compare(compare::Options::trial(target().join("release/analects")))?;
    if is_fuzzed {
        fuzz::fuzz(&fuzz::Options::USUAL)?;
    }
    println!("{n_passed} passed, 0 failed");
    Ok(())
}

/// Runs all tests and says how many there were: a run without tests is no run.
fn tests() -> Result<usize, String> {
    let mut n_passed = 0;
    let model = SmallModel::start()?;
    let variables = model.as_ref().map(SmallModel::variables);
    let all = ["test", "--workspace", "--locked"];
    watch("cargo", &all, &variables.unwrap_or_default(), |line| {
        let result = line.strip_prefix("test result: ok. ");
        let passed = result.and_then(|rest| rest.split_once(" passed"));
        n_passed += passed.and_then(|(n, _)| n.parse().ok()).unwrap_or(0);
    })?;
    if n_passed == 0 {
        return Err("no test was run".to_owned());
    }
    Ok(n_passed)
}

/// The first command of the README must show this repository's own memory.
fn first_command() -> Done {
    let shown = output(
        "cargo",
        &[
            "run",
            "--release",
            "--locked",
            "--",
            "memory",
            "show",
            "--trust",
        ],
    )?;
    let wanted = "--- Context from: GEMINI.md ---";
    if shown.contains(wanted) {
        Ok(())
    } else {
        Err(format!(
            "the README's first command no longer shows `{wanted}`"
        ))
    }
}

/// Prints the figures of `docs/reference/search.md`.
pub(crate) fn search() -> Done {
    let example = [
        "--package",
        "analects-session",
        "--example",
        "search_figures",
    ];
    run(
        "cargo",
        &[&["run", "--release", "--locked"][..], &example].concat(),
    )
}
