//! What must hold before a change lands, and what is built from it afterwards.

use crate::bench_mcp::{Extent, bench_mcp};
use crate::shell::{Done, output, root, run, run_with, target, watch, write};
use crate::small_model::SmallModel;
use crate::{docs, extract_peer, fuzz, gemini_wire, hosts, mcp_peers, tidy};

/// Runs every check, cheapest first; with `is_fuzzed`, libFuzzer after them all.
pub(crate) fn ci(is_fuzzed: bool) -> Done {
    run("cargo", &["fmt", "--all", "--check"])?;
    tidy::tidy()?;
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
    hosts::hosts(None, Some(target().join("release/analects")))?;
    extract_peer::extract_peer(Some(target().join("release/analects")))?;
    gemini_wire::gemini_wire()?;
    mcp_peers::mcp_peers()?;
    bench_mcp(&Extent::SMOKE, None, None)?;
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

/// Builds the binary that is shipped, with its completions and manual pages.
pub(crate) fn dist() -> Done {
    run(
        "cargo",
        &[
            "build",
            "--profile",
            "dist",
            "--locked",
            "--package",
            "analects-cli",
        ],
    )?;
    let dir = target().join("dist");
    let binary = dir.join("analects");
    let binary = binary.to_str().ok_or("the target directory is not UTF-8")?;
    for shell in ["bash", "zsh", "fish"] {
        let script = output(binary, &["completions", shell])?;
        write(&dir.join(format!("completions/analects.{shell}")), &script)?;
    }
    for page in [
        "",
        "memory",
        "memory show",
        "memory list",
        "memory cost",
        "memory reload",
        "memory tidy",
        "session",
        "session list",
        "session show",
        "session search",
        "session delete",
        "session import",
        "session summarize",
        "session compress",
        "session pin",
        "prompt",
        "trust",
        "doctor",
        "context",
        "config show",
        "mcp",
    ] {
        let words: Vec<_> = std::iter::once("man")
            .chain(page.split_whitespace())
            .collect();
        let name = format!("analects {page}").trim_end().replace(' ', "-");
        write(&dir.join(format!("man/{name}.1")), &output(binary, &words)?)?;
    }
    println!(
        "built in {}",
        dir.strip_prefix(root()).unwrap_or(&dir).display()
    );
    Ok(())
}
