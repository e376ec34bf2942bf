//! Many writers at once, some of them killed.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::place::{Place, Said, wait};
use crate::sound::{ended_well, journal_is_true, no_litter, worked};
use crate::tally::{Dice, Extent, Row, Tally};

const GLOBAL: &str = "home/.gemini/GEMINI.md";
const PRIVATE: &str = "home/.gemini/tmp/repo/memory/MEMORY.md";
const TRUSTED: &str = "home/.gemini/trustedFolders.json";
const OLD: &str = "# Mine\r\n\r\nKept.\r\n";

pub(crate) fn rows() -> Vec<Row> {
    let row = |running: &str, killed| Row {
        fault: "many writers",
        running: running.to_owned(),
        means: "all that was said to be written is there, once; no file is torn",
        is_traced: false,
        attempt: Box::new(move |tally, extent| crowd(tally, extent, killed)),
    };
    vec![
        row("12 at memory and trust", false),
        row("12, and one in four killed", true),
    ]
}

const WRITERS: usize = 12;

fn crowd(tally: &mut Tally, extent: Extent, is_killed: bool) {
    let place = Place::new();
    place.write(GLOBAL, OLD).mode(GLOBAL, 0o640);
    place.write(TRUSTED, "{\"/elsewhere\":\"DO_NOT_TRUST\"}");
    let written: Vec<_> = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let place = &place;
                scope.spawn(move || write_all(place, writer, extent, is_killed))
            })
            .collect();
        let joined = writers.into_iter().map(|writer| writer.join().unwrap());
        joined.flatten().collect()
    });
    let next = place.run(&["memory", "add", "the last", "--scope", "global", "--yes"]);
    tally.count(worked(&next), || "the next command".to_owned());
    let global = String::from_utf8(place.read(GLOBAL).unwrap()).unwrap();
    let private = String::from_utf8(place.read(PRIVATE).unwrap()).unwrap();
    let trusted: BTreeMap<String, Value> =
        serde_json::from_slice(&place.read(TRUSTED).unwrap()).unwrap();
    for what in &written {
        let judged = match what {
            Err(why) => Err(why.clone()),
            Ok((what, is_told)) => {
                let line = format!("- {what}");
                let n = match trusted.contains_key(what) {
                    true => 1,
                    false => [&global, &private]
                        .into_iter()
                        .flat_map(|text| text.lines())
                        .filter(|there| **there == line)
                        .count(),
                };
                match (n, is_told) {
                    (1, _) | (0, false) => Ok(()),
                    (n, _) => Err(format!("{what} is there {n} times")),
                }
            }
        };
        tally.count(judged, || "a fact".to_owned());
    }
    tally.count(is_sound(&place, &global), || "all of it".to_owned());
}

fn is_sound(place: &Place, global: &str) -> Result<(), String> {
    no_litter(&place.tree())?;
    journal_is_true(place)?;
    if !global.starts_with(OLD) {
        return Err("what stood there before is gone".to_owned());
    }
    let is_fact = |line: &str| line.starts_with("- writer ") && line.ends_with('.');
    let mut rest = global.lines().filter(|line| !is_fact(line));
    match rest.find(|line| line.starts_with("- ") && *line != "- the last") {
        Some(torn) => Err(format!("torn: {torn}")),
        None => Ok(()),
    }
}

/// What was written, and whether the binary said so.
type Written = Result<(String, bool), String>;

fn write_all(place: &Place, writer: usize, extent: Extent, is_killed: bool) -> Vec<Written> {
    let mut dice = Dice::new(extent.seed, &format!("writer {writer}"));
    let mut written = Vec::new();
    for n in 0..3 * extent.rounds {
        let fact = format!("writer {writer} says number {n}.");
        let folder = place.path(&format!("folders/{writer}-{n}"));
        let (what, args) = match writer % 4 {
            0 => {
                fs::create_dir_all(&folder).unwrap();
                let folder = folder.to_str().unwrap().to_owned();
                (
                    folder.clone(),
                    vec!["trust".to_owned(), "add".to_owned(), folder],
                )
            }
            scope => {
                let to = if scope == 1 { "private" } else { "global" };
                let args = ["memory", "add", &fact, "--to", to, "--yes"];
                (fact.clone(), args.map(str::to_owned).to_vec())
            }
        };
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let mut command = place.command(&args);
        let said = Said::of(&mut command);
        let mut child = command.spawn().unwrap();
        let dies = is_killed && dice.below(4) == 0;
        if dies {
            thread::sleep(Duration::from_micros(dice.below(60_000) as u64));
            let _ = child.kill();
        }
        let (status, is_stuck) = wait(child);
        let ran = said.ran(status, is_stuck);
        written.push(match (ended_well(&ran), ran.code) {
            (Err(why), _) => Err(why),
            (Ok(()), Some(0)) => Ok((what, true)),
            (Ok(()), None) if dies => Ok((what, false)),
            (Ok(()), code) => Err(format!("{what}: {code:?} {}", ran.err)),
        });
    }
    written
}
