//! The chores of this repository, as `cargo xtask <chore>`: nothing to install, the same everywhere.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to its developer"
)]

mod ci;
mod compare;
mod deny;
mod differ;
mod dist;
mod docs;
mod extract_peer;
mod faults;
mod fidelity;
mod fuzz;
mod gemini_wire;
mod goldens;
mod hosts;
mod mcp_peers;
mod npm;
mod pypi;
mod shell;
mod small_model;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that must hold before a change lands: format, lints, tests, documents, benches.
    Ci {
        /// Fuzz every target for a minute, too.
        #[arg(long)]
        fuzz: bool,
    },
    /// Rules of the house that no compiler checks.
    Tidy,
    /// Measure us beside Gemini CLI and another memory server, and beside what the machine takes at least (installs
    /// them below `target/`).
    Compare(compare::Options),
    /// Licences, bans, sources and known holes of the crates we build on (installs `cargo-deny` below `target/`).
    Deny,
    /// Write the generated part of the reference.
    Docs {
        /// Only say whether it is up to date.
        #[arg(long)]
        check: bool,
    },
    /// Record the answers of Gemini CLI's own functions and of real tokenizers anew (installs them below `target/`).
    Goldens {
        /// Only say whether the recorded answers still are what the originals answer.
        #[arg(long)]
        check: bool,
    },
    /// Compare with Gemini CLI's own functions on new random cases (installs them below `target/`).
    Differ(differ::Options),
    /// Learn from sessions beside Gemini CLI's own functions (installs them below `target/`).
    ExtractPeer {
        /// The binary to run; else one is built.
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
    /// Kill, fill up, forbid, tear and crowd the real binary, and count what survives.
    Faults(faults::Options),
    /// Run real agents from npm, wired by `analects setup`, against a scripted model (installs them below `target/`).
    Hosts {
        /// Only this one.
        #[arg(long, value_name = "HOST", value_parser = hosts::NAMES)]
        only: Option<String>,
        /// The binary to wire; else one is built.
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
    /// Compare our requests to Gemini with those of Gemini CLI and of Google's SDK (installs both below `target/`).
    GeminiWire,
    /// Run the MCP server against the Inspector and the conformance suite (installs them below `target/`).
    McpPeers,
    /// Run the tests that want a real model, against llama.cpp with a small one (installs both below `target/`).
    SmallModel {
        /// Record what it answers instead, for the tests that run without it.
        #[arg(long)]
        record: bool,
    },
    /// Print how well and how fast search finds, beside plain FTS5.
    Search,
    /// Score how many facts of long sessions are left after they were compressed.
    Fidelity(fidelity::Options),
    /// Pack what is shipped (a static binary, completions, manual pages, notices), and try it out.
    Dist(dist::Options),
    /// Look for bytes that break a promise, with libFuzzer.
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Ci { fuzz } => ci::ci(fuzz),
        Chore::Tidy => tidy::tidy(),
        Chore::Compare(options) => compare::compare(options),
        Chore::Deny => deny::deny(),
        Chore::Docs { check } => docs::docs(check),
        Chore::Goldens { check } => goldens::goldens(check),
        Chore::Differ(options) => differ::differ(&options, differ::Build::Alone),
        Chore::ExtractPeer { binary } => extract_peer::extract_peer(binary),
        Chore::Faults(options) => faults::faults(&options),
        Chore::Hosts { only, binary } => hosts::hosts(only.as_deref(), binary),
        Chore::GeminiWire => gemini_wire::gemini_wire(),
        Chore::McpPeers => mcp_peers::mcp_peers(),
        Chore::SmallModel { record: true } => small_model::record(),
        Chore::SmallModel { record: false } => small_model::small_model(),
        Chore::Search => ci::search(),
        Chore::Fidelity(options) => fidelity::fidelity(&options),
        Chore::Dist(options) => dist::dist(&options),
        Chore::Fuzz(options) => fuzz::fuzz(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
