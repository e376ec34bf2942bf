//! Our MCP server beside `@modelcontextprotocol/server-memory`, in one run: ready, idle, read, write.
//!
//! Both hold the same facts on the same file system and are asked in turn. Each is started without a package
//! manager in front of it, theirs on the Node that is installed beside it.

mod client;
mod rivals;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::figures::{Group, Promise, Row, Samples, Unit, Versus};
use super::program::said;
use super::{Extent, Ground, N_WARM_UPS};
use crate::npm::{self, Package};
use crate::shell::Done;
use client::Client;
use rivals::{Fact, OURS, Pair, Place, THEIRS};

pub(super) const PACKAGES: [Package; 2] = [
    Package {
        name: "@modelcontextprotocol/server-memory",
        version: "2026.8.31",
    },
    npm::NODE,
];

const OTHER: &str = "server-memory 2026.8.31";

/// A process that has said all it had to say settles down within this time.
const SETTLING: Duration = Duration::from_millis(300);

/// Runs both servers below `dir` (or beside the other inputs).
pub(super) fn measure(
    ground: &Ground,
    extent: &Extent,
    dir: Option<&Path>,
) -> Result<Vec<Row>, String> {
    let dir = dir.unwrap_or(&ground.dir).join("mcp");
    println!("run servers …");
    let place = Place::new(&dir, ground)?;
    let mut rows = starts(&place, extent)?;
    rows.extend(calls(&place, extent, &dir)?);
    Ok(rows)
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
            client.ask("tools/list", &json!({}))?;
            std::thread::sleep(SETTLING);
            idle[at].push(client.resident_kib()? / 1024.0);
        }
    }
    let ready = row("ready: from the start to an answered initialize", ready);
    let idle = row("idle: resident memory after tools/list", idle);
    Ok(vec![
        Row {
            promises: &[Promise::Median(20.0)],
            ..ready
        },
        Row {
            unit: Unit::Mebibytes,
            promises: &[Promise::Median(15.0)],
            ..idle
        },
    ])
}

fn row(name: &str, samples: [Samples; 2]) -> Row {
    Row {
        group: Group::Mcp,
        name: name.to_owned(),
        other: OTHER,
        versus: Versus::Peer,
        unit: Unit::Milliseconds,
        samples,
        promises: &[],
        n_bytes: None,
    }
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
    let (all, _) = ours.call(&rivals::READ_ALL[1](&unsaved(0)))?;
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

fn calls(place: &Place, extent: &Extent, dir: &Path) -> Result<Vec<Row>, String> {
    let (mut theirs, _) = Client::start(place.command(&THEIRS))?;
    let (mut ours, _) = Client::start(place.command(&OURS))?;
    let saved = saved(&mut ours)?;
    if saved.len() != extent.n_facts {
        return Err(format!("{} facts were saved", saved.len()));
    }
    let mut rows = Vec::new();
    let mut saves = None;
    // Facts that are saved on the way make both memories grow alike.
    let mut next_number = extent.n_facts;
    for pair in rivals::PAIRS {
        let Pair {
            name,
            calls,
            writes,
        } = &pair;
        let mut samples = [Samples::default(), Samples::default()];
        let mut floor = Samples::default();
        for round in 0..N_WARM_UPS + extent.n_calls {
            let new = unsaved(next_number);
            next_number += usize::from(*writes);
            let fact = match *writes {
                true => &new,
                false => &saved[round % extent.n_facts],
            };
            for (at, client) in [&mut theirs, &mut ours].into_iter().enumerate() {
                let call = calls[at](fact);
                let (answer, time) = client.call(&call)?;
                tells(&answer, fact)?;
                if round >= N_WARM_UPS {
                    samples[at].push(time.as_secs_f64() * 1e3);
                }
            }
            if *writes && round >= N_WARM_UPS {
                floor.push(sync_a_file(dir)?.as_secs_f64() * 1e3);
            }
        }
        if *writes {
            saves = Some([floor, samples[1].clone()]);
        }
        rows.push(Row {
            promises: &[Promise::P95(5.0)],
            ..row(name, samples)
        });
    }
    rows.extend(saves.map(|samples| Row {
        other: "one file written, synced, renamed, its directory synced",
        versus: Versus::Limit,
        ..row("save_memory", samples)
    }));
    // What was saved last is found.
    let last = unsaved(next_number - 1);
    let [search_theirs, search_ours] = rivals::PAIRS[0].calls;
    tells(&theirs.call(&search_theirs(&last))?.0, &last)?;
    tells(&ours.call(&search_ours(&last))?.0, &last)?;
    Ok(rows)
}

/// Whether an answer is about a fact.
fn tells(answer: &Value, fact: &Fact) -> Done {
    let word = rivals::word(fact.number);
    match answer.to_string().contains(&word) {
        true => Ok(()),
        false => Err(format!("a server knows nothing of {word}")),
    }
}

/// What the disk itself takes for one file that is there for good: no durable save can be quicker.
fn sync_a_file(dir: &Path) -> Result<Duration, String> {
    let text = "a fact of about this length, once more\n".repeat(500);
    let (staged, file) = (dir.join("floor.new"), dir.join("floor"));
    let since = Instant::now();
    std::fs::write(&staged, &text)
        .and_then(|()| std::fs::File::open(&staged)?.sync_all())
        .and_then(|()| std::fs::rename(&staged, &file))
        .and_then(|()| std::fs::File::open(dir)?.sync_all())
        .map_err(said)?;
    Ok(since.elapsed())
}
