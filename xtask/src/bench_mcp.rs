//! Our MCP server beside `@modelcontextprotocol/server-memory`, in one run: ready, idle, read, write.
//!
//! Both hold the same facts on the same file system and are asked in turn. Each is started without a package
//! manager in front of it, theirs on the Node that is installed beside it.

mod client;
mod figures;
mod rivals;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::npm::{self, Package};
use crate::shell::{Done, must_install, run, target};
use client::Client;
use figures::{Row, Samples};
use rivals::{Fact, OURS, Pair, Place, THEIRS};

const PACKAGES: [Package; 2] = [
    Package {
        name: "@modelcontextprotocol/server-memory",
        version: "2026.8.31",
    },
    npm::NODE,
];

/// How much is done.
pub(crate) struct Extent {
    n_facts: usize,
    n_starts: usize,
    n_calls: usize,
}

impl Extent {
    /// Enough for a 95th percentile.
    pub(crate) const FULL: Self = Self {
        n_facts: 200,
        n_starts: 25,
        n_calls: 200,
    };
    /// Everything once or twice: does it still run?
    pub(crate) const SMOKE: Self = Self {
        n_facts: 3,
        n_starts: 1,
        n_calls: 2,
    };
}

/// A process that has said all it had to say settles down within this time.
const SETTLING: Duration = Duration::from_millis(300);

/// Calls before the ones that count.
const N_WARM_UPS: usize = 3;

/// Runs both servers below `dir` (or the build directory) and prints a table.
pub(crate) fn bench_mcp(extent: &Extent, binary: Option<PathBuf>, dir: Option<PathBuf>) -> Done {
    let peers = target().join("peers/bench-mcp");
    match npm::install(&peers, &PACKAGES) {
        Ok(()) => {}
        Err(why) if must_install() => return Err(why),
        Err(why) => {
            println!("bench-mcp: skipped ({why})");
            return Ok(());
        }
    }
    let binary = binary.map_or_else(build, Ok)?;
    let dir = dir.unwrap_or_else(|| peers.clone()).join("bench-mcp-run");
    let place = Place::new(&dir, binary, &peers)?;
    let mut rows = starts(&place, extent)?;
    rows.extend(calls(&place, extent)?);
    let title = format!(
        "{} facts, {} starts, {} calls each, by turns",
        extent.n_facts, extent.n_starts, extent.n_calls
    );
    println!("{}", figures::table(&title, &rows));
    println!("{}", floor(&dir, extent)?);
    Ok(())
}

fn build() -> Result<PathBuf, String> {
    let words = [
        "build",
        "--release",
        "--locked",
        "--package",
        "analects-cli",
    ];
    run("cargo", &words)?;
    Ok(target().join("release/analects"))
}

/// From the start of a process to its answer, and what it holds when nobody asks for anything.
fn starts(place: &Place, extent: &Extent) -> Result<Vec<Row>, String> {
    fill(place, extent)?;
    let mut ready = [Samples::default(), Samples::default()];
    let mut idle = [Samples::default(), Samples::default()];
    for _ in 0..extent.n_starts {
        for (at, rival) in [THEIRS, OURS].iter().enumerate() {
            let (mut client, time) = Client::start(place.command(rival))?;
            ready[at].push(time.as_secs_f64() * 1e3);
            client.ask("tools/list", &serde_json::json!({}))?;
            std::thread::sleep(SETTLING);
            idle[at].push(client.resident_kib()? / 1024.0);
        }
    }
    Ok(vec![
        Row::new("ready: start to answered initialize", "ms", ready),
        Row::new("idle: resident after tools/list", "MiB", idle),
    ])
}

/// Gives both servers the same facts, by their own tools.
fn fill(place: &Place, extent: &Extent) -> Done {
    for rival in [THEIRS, OURS] {
        let (mut client, _) = Client::start(place.command(&rival))?;
        for number in 0..extent.n_facts {
            client.call(&(rival.save)(&unsaved(number)))?;
        }
    }
    Ok(())
}

fn unsaved(number: usize) -> Fact {
    let id = String::new();
    Fact { number, id }
}

/// The facts that both hold by now.
fn saved(ours: &mut Client) -> Result<Vec<Fact>, String> {
    let (all, _) = ours.call(&rivals::get_all())?;
    let entries = all["structuredContent"]["entries"].as_array();
    let ids = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry["id"].as_str());
    let facts = ids.enumerate().map(|(number, id)| Fact {
        number,
        id: id.to_owned(),
    });
    Ok(facts.collect())
}

fn calls(place: &Place, extent: &Extent) -> Result<Vec<Row>, String> {
    let (mut theirs, _) = Client::start(place.command(&THEIRS))?;
    let (mut ours, _) = Client::start(place.command(&OURS))?;
    let saved = saved(&mut ours)?;
    if saved.len() != extent.n_facts {
        return Err(format!("{} facts were saved", saved.len()));
    }
    let mut rows = Vec::new();
    // Facts that are saved on the way make both memories grow alike.
    let mut next_number = extent.n_facts;
    for pair in rivals::PAIRS {
        let Pair {
            name,
            calls,
            writes,
        } = &pair;
        let mut samples = [Samples::default(), Samples::default()];
        for round in 0..N_WARM_UPS + extent.n_calls {
            let new = unsaved(next_number);
            next_number += usize::from(*writes);
            let fact = match *writes {
                true => &new,
                false => &saved[round % extent.n_facts],
            };
            for (at, client) in [&mut theirs, &mut ours].into_iter().enumerate() {
                let call = calls[at](fact);
                let (_, time) = client.call(&call)?;
                if round >= N_WARM_UPS {
                    samples[at].push(time.as_secs_f64() * 1e3);
                }
            }
        }
        rows.push(Row::new(name, "ms", samples));
    }
    Ok(rows)
}

/// What the disk itself takes for one file that is there for good: no durable save can be quicker.
fn floor(dir: &Path, extent: &Extent) -> Result<String, String> {
    let mut samples = Samples::default();
    let text = "a fact of about this length, once more\n".repeat(500);
    let (staged, file) = (dir.join("floor.new"), dir.join("floor"));
    for _ in 0..extent.n_calls {
        let since = Instant::now();
        std::fs::write(&staged, &text)
            .and_then(|()| std::fs::File::open(&staged)?.sync_all())
            .and_then(|()| std::fs::rename(&staged, &file))
            .and_then(|()| std::fs::File::open(dir)?.sync_all())
            .map_err(|error| error.to_string())?;
        let time = since.elapsed();
        samples.push(time.as_secs_f64() * 1e3);
    }
    Ok(format!(
        "one file written, synced, renamed, its directory synced: median {:.2} ms, p95 {:.2} ms",
        samples.percentile(50),
        samples.percentile(95)
    ))
}
