//! Measures us beside our peers, and beside what this machine takes at least, on the same inputs in one run.
//!
//! The peers are installed by name below `target/`. What is a function is called in a process that is already warm
//! (`xtask/peer/compare.mjs` has theirs, the example `compare` of `analects-cli` ours); what is a program is started.
//! Both take turns, and both must have given the same answer, or nothing is told. Only ratios are judged.

mod contests;
mod figures;
mod inputs;
mod mcp;
mod page;
mod plot;
mod program;
mod starts;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

use crate::hosts::GEMINI;
use crate::npm::{self, Package};
use crate::shell::{Done, must_install, root, run, target, write};
use contests::Contest;
use figures::{Group, Promise, Row, Samples, Unit, Versus};
use program::{Program, said};

/// What is measured, and what becomes of it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Everything once on small inputs, to see that it runs; promises are not judged.
    #[arg(long)]
    test: bool,
    /// Put table and plot into docs/reference/performance.md and its picture.
    #[arg(long, conflicts_with_all = ["test", "only"])]
    write: bool,
    /// Only this.
    #[arg(long, value_name = "GROUP")]
    only: Vec<Group>,
    /// The binary to measure; else one is built.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the MCP servers keep their files: another file system, say.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Options {
    /// Only to see that it runs, with this binary.
    pub(crate) fn trial(binary: PathBuf) -> Self {
        Self {
            test: true,
            write: false,
            only: Vec::new(),
            binary: Some(binary),
            dir: None,
        }
    }
}

/// How much is done.
struct Extent {
    n_dirs: [usize; 3],
    n_imports: usize,
    session_kib: [usize; 3],
    n_sessions: usize,
    text_kib: usize,
    output_kib: usize,
    n_rounds: usize,
    n_starts: usize,
    n_facts: usize,
    n_calls: usize,
}

const FULL: Extent = Extent {
    n_dirs: [200, 1_000, 5_000],
    n_imports: 200,
    session_kib: [1 << 10, 10 << 10, 50 << 10],
    n_sessions: 500,
    text_kib: 1 << 10,
    output_kib: 8 << 10,
    n_rounds: 15,
    n_starts: 15,
    n_facts: 200,
    n_calls: 200,
};
const SMALL: Extent = Extent {
    n_dirs: [10, 20, 40],
    n_imports: 5,
    session_kib: [16, 32, 64],
    n_sessions: 5,
    text_kib: 16,
    output_kib: 64,
    n_rounds: 1,
    n_starts: 1,
    n_facts: 3,
    n_calls: 2,
};

/// Rounds before the ones that count: a compiler that compiles while it runs needs some.
const N_WARM_UPS: usize = 4;

const CORE: &str = "@google/gemini-cli-core";
const CURRENT: Package = Package {
    name: CORE,
    version: "0.61.0",
};
/// The last one with the loader that scans downward.
const EAGER: Package = Package {
    name: CORE,
    version: "0.40.0",
};

/// Measures everything, prints the tables, and fails if a promise does not hold.
pub(crate) fn compare(options: Options) -> Done {
    let peers = match Peers::install() {
        Ok(peers) => peers,
        Err(why) if must_install() => return Err(why),
        Err(why) => {
            println!("compare: skipped ({why})");
            return Ok(());
        }
    };
    let extent = match options.test {
        true => SMALL,
        false => FULL,
    };
    let wants = |group: Group| options.only.is_empty() || options.only.contains(&group);
    let ground = Ground::new(peers, options.binary)?;
    let machine = page::machine();
    let mut rows = Vec::new();
    if wants(Group::Start) {
        rows.extend(starts::measure(&ground, &extent)?);
    }
    for contest in contests::all(&ground, &extent, wants)? {
        let measured = measure(&ground, &extent, &contest)?;
        let Contest { name, other, .. } = &contest;
        println!("{name} beside {other}: {:.2}", measured[0].ratio());
        rows.extend(measured);
    }
    if wants(Group::Mcp) {
        rows.extend(mcp::measure(&ground, &extent, options.dir.as_deref())?);
    }
    if options.test {
        rows.iter_mut().for_each(|row| row.promises = &[]);
    }
    println!("\n{machine}\n\n{}", page::tables(&rows));
    if options.write {
        page::write(&root().join(page::PAGE), &machine, &rows)?;
        write(&root().join(page::PICTURE), &plot::plot(&rows))?;
    }
    let broken = rows
        .iter()
        .filter(|row| row.promises.iter().any(|it| !row.holds(it)));
    let broken: Vec<_> = broken.map(|row| row.name.as_str()).collect();
    match broken.as_slice() {
        [] => Ok(()),
        broken => Err(format!("not as promised: {}", broken.join("; "))),
    }
}

/// Where the packages lie.
struct Peers {
    current: PathBuf,
    eager: PathBuf,
    gemini: PathBuf,
    mcp: PathBuf,
}

impl Peers {
    fn install() -> Result<Self, String> {
        let dir = std::path::absolute(target().join("peers")).map_err(said)?;
        let peers = Self {
            current: dir.join(CURRENT.version),
            eager: dir.join(EAGER.version),
            gemini: dir.join("hosts/gemini"),
            mcp: dir.join("bench-mcp"),
        };
        npm::install(&peers.current, &[CURRENT])?;
        npm::install(&peers.eager, &[EAGER])?;
        npm::install(&peers.gemini, &[GEMINI])?;
        npm::install(&peers.mcp, &mcp::PACKAGES)?;
        Ok(peers)
    }

    /// The newest Node, for all of them.
    fn node(&self) -> Command {
        Command::new(npm::node(&self.mcp))
    }
}

/// All that is needed for any measurement.
struct Ground {
    peers: Peers,
    binary: PathBuf,
    driver: PathBuf,
    /// Where inputs are written.
    dir: PathBuf,
}

impl Ground {
    fn new(peers: Peers, binary: Option<PathBuf>) -> Result<Self, String> {
        let build = [
            "build",
            "--release",
            "--locked",
            "--package",
            "analects-cli",
        ];
        run("cargo", &[&build[..], &["--example", "compare"]].concat())?;
        let binary = match binary {
            Some(binary) => binary,
            None => {
                run("cargo", &[&build[..], &["--bin", "analects"]].concat())?;
                target().join("release/analects")
            }
        };
        let dir = target().join("compare");
        inputs::empty(&dir)?;
        Ok(Self {
            peers,
            binary: std::path::absolute(binary).map_err(said)?,
            driver: target().join("release/examples/compare"),
            // Neither has to follow links to get there.
            dir: dir.canonicalize().map_err(said)?,
        })
    }

    fn theirs(&self, home: &Path) -> Command {
        let mut command = self.peers.node();
        command.arg(root().join("xtask/peer/compare.mjs"));
        command.args([&self.peers.current, &self.peers.eager]);
        command.env("HOME", home).env_remove("GEMINI_CLI_HOME");
        command
    }

    fn ours(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.driver);
        command.env("HOME", home).env_remove("GEMINI_CLI_HOME");
        command
    }
}

/// Has both do the same by turns.
fn measure(ground: &Ground, extent: &Extent, contest: &Contest) -> Result<Vec<Row>, String> {
    let other = match contest.versus {
        Versus::Peer => ground.theirs(&contest.home),
        Versus::Limit => ground.ours(&contest.home),
    };
    let mut programs = [
        Program::start(other)?,
        Program::start(ground.ours(&contest.home))?,
    ];
    let mut samples = [Samples::default(), Samples::default()];
    for round in 0..N_WARM_UPS + extent.n_rounds {
        // Whoever goes first finds the caches as the other left them.
        let mut turns = [0, 1];
        turns.rotate_left(round % 2);
        let mut answers = [Value::Null, Value::Null];
        for at in turns {
            let (milliseconds, answer) = ask(&mut programs[at], &contest.requests[at])?;
            answers[at] = answer;
            if round >= N_WARM_UPS {
                samples[at].push(milliseconds);
            }
        }
        contest.check(&answers)?;
    }
    let row = |name: &str, unit, samples| Row {
        group: contest.group,
        name: name.to_owned(),
        other: contest.other,
        versus: contest.versus,
        unit,
        samples,
        promises: contest.promises,
        n_bytes: contest.n_bytes,
    };
    let mut rows = vec![row(&contest.name, Unit::Milliseconds, samples)];
    if let Some(n_bytes) = contest.n_bytes.filter(|_| contest.weighs_memory) {
        let mut peaks = [Samples::default(), Samples::default()];
        for (peak, program) in peaks.iter_mut().zip(&programs) {
            peak.push(program.peak_kib()? / 1024.0);
        }
        let mut file = Samples::default();
        file.push(n_bytes / (1 << 20) as f64);
        let name = format!("{}, peak memory", contest.name);
        let beside_file = [file, peaks[1].clone()];
        rows.push(Row {
            promises: &[],
            n_bytes: None,
            ..row(&name, Unit::Mebibytes, peaks)
        });
        rows.push(Row {
            other: "the length of the file",
            versus: Versus::Limit,
            promises: &[Promise::Ratio(1.5)],
            n_bytes: None,
            ..row(&name, Unit::Mebibytes, beside_file)
        });
    }
    Ok(rows)
}

/// Has a driver do something, and hears how many milliseconds it took and what came out.
fn ask(driver: &mut Program, request: &Value) -> Result<(f64, Value), String> {
    let mut line = String::new();
    driver.say(&request.to_string())?;
    if !driver.hear(&mut line)? {
        return Err(format!("a driver ended over {request}"));
    }
    let mut answer: Value = serde_json::from_str(&line).map_err(said)?;
    let nanoseconds = answer["nanoseconds"].as_f64();
    let nanoseconds =
        nanoseconds.ok_or_else(|| format!("a driver does not say how long: {line}"))?;
    Ok((nanoseconds / 1e6, answer["answer"].take()))
}
