//! A conversation that is being recorded, with a scripted model: killed, or on a disk that refuses.

use std::collections::BTreeMap;
use std::process::Command;

use analects_testkit::model_server::{KEY, Reply, Script};
use analects_testkit::{ModelServer, say};
use analects_world::models::Wire;
use nix::errno::Errno;
use serde_json::Value;

use crate::fault::{Fault, HowLong, Time};
use crate::place::{Place, Ran, Thing, run};
use crate::sound::{age_locks, ended_well, journal_is_true, lines_are_whole, no_litter, worked};
use crate::tally::{Dice, Extent, Row, Tally};

pub(crate) fn rows() -> Vec<Row> {
    vec![Row {
        fault: "killed or refused",
        running: "a recording chat".to_owned(),
        means: "what was answered is recorded, one line at most is torn, and it can be resumed",
        is_traced: true,
        attempt: Box::new(recording),
    }]
}

const CHATS: &str = "home/.gemini/tmp/repo/chats/";

fn recording(tally: &mut Tally, extent: Extent) {
    let place = Place::new();
    place.write("repo/GEMINI.md", "Write short sentences.\n");
    let answer = || Reply::say([say::text("Seven ducks."), say::usage(900, 10), say::done()]);
    let server = ModelServer::start(Script::new().otherwise(move |_| answer()));
    let before = place.tree();
    let clean = place.trace(&talk(&place, &server, &[]), Fault::None, Time::Real);
    assert_eq!(clean.ran.out, "Seven ducks.\n", "{}", clean.ran.err);
    let steps = 0..clean.steps.len();
    let errno = Errno::ENOSPC;
    let faults: Vec<_> = steps
        .flat_map(|at| {
            let refuse = |how_long| Fault::Refuse {
                at,
                errno,
                how_long,
            };
            [
                Fault::Kill { at },
                Fault::Tear { at },
                refuse(HowLong::Once),
                refuse(HowLong::ForGood),
            ]
        })
        .collect();
    let mut dice = Dice::new(extent.seed, "chat");
    for fault in dice.some(faults.len(), 8 * extent.rounds) {
        let Some(fault) = faults.get(fault).copied() else {
            continue;
        };
        place.restore(&before);
        let traced = place.trace(&talk(&place, &server, &[]), fault, Time::Real);
        tally.count(judge(&place, &server, &traced.ran), || {
            let step = traced.steps.last().cloned().unwrap_or_default();
            format!("{fault:?}, {step}")
        });
    }
}

fn talk(place: &Place, server: &ModelServer, more: &[&str]) -> Command {
    let args = ["--trust", "-m", "a-model", "-p", "How many ducks?"];
    let mut command = place.command(&[&args[..], more].concat());
    command.env("GEMINI_API_KEY", KEY);
    command.env("GOOGLE_GEMINI_BASE_URL", server.base_url(Wire::Gemini));
    command
}

fn judge(place: &Place, server: &ModelServer, ran: &Ran) -> Result<(), String> {
    ended_well(ran)?;
    let recorded = records(place)?;
    // Who cannot be recorded is told, and talks on.
    let is_told = ran.err.contains("record");
    let holds = |text: &str| recorded.values().any(|record| record.contains(text));
    if ran.code == Some(0) && !is_told && !holds("Seven ducks.") {
        return Err(format!("it was answered, but not recorded: {}", ran.err));
    }
    age_locks(place);
    worked(&place.run(&["session", "list"]))?;
    worked(&run(talk(place, server, &[])))?;
    worked(&run(talk(place, server, &["--resume", "latest"])))?;
    let listed = place.run(&["session", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.out).map_err(|error| error.to_string())?;
    if listed["sessions"].as_array().is_none_or(Vec::is_empty) {
        return Err(format!("no session is listed: {listed}"));
    }
    let now = records(place)?;
    let is_kept = |(name, was): (&String, &String)| {
        now.get(name)
            .is_some_and(|now| now.starts_with(was.as_str()))
    };
    if !recorded.iter().all(is_kept) {
        return Err("what was recorded has changed".to_owned());
    }
    if !now
        .values()
        .any(|record| record.matches("How many ducks?").count() >= 2)
    {
        return Err("what was resumed was not recorded".to_owned());
    }
    no_litter(&place.tree())?;
    journal_is_true(place)
}

/// All that is recorded, by file; each made of whole lines.
fn records(place: &Place) -> Result<BTreeMap<String, String>, String> {
    let mut all = BTreeMap::new();
    for (name, node) in place.tree() {
        let Thing::File(bytes) = &node.thing else {
            continue;
        };
        if name.starts_with(CHATS) {
            lines_are_whole(bytes).map_err(|why| format!("{name}: {why}"))?;
            if node.mode != 0o600 {
                return Err(format!("{name} has mode {:o}", node.mode));
            }
            all.insert(name, String::from_utf8_lossy(bytes).into_owned());
        }
    }
    Ok(all)
}
