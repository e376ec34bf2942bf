//! Keeping the index up with the records.
//!
//! A record is looked at again if its length, its time or the file itself is another. What is gone from the
//! disk goes from the index.

use std::collections::{BTreeMap, HashMap};

use analects_memory::discover::Trust;
use analects_session::search::document;
use analects_text::problem::Problem;
use analects_world::files::{Measure, Trouble};
use analects_world::index::{IndexError, Standing, Why};
use analects_world::{AbsPath, Agent};

use super::{Stored, Subagents, Which, codex, open, stored};
use crate::{World, codes};

/// What bringing the index up to date came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// How many records there are.
    pub n_records: usize,
    /// How many of them were read anew.
    pub n_read: usize,
    /// How many that were gone were forgotten.
    pub n_forgotten: usize,
    /// What stood in the way.
    pub problems: Vec<Problem>,
}

/// Brings the index up to date with all records.
#[must_use]
pub fn refresh(world: &World<'_>) -> Refreshed {
    let which = Which {
        project: None,
        agent: None,
        subagents: Subagents::Along,
        trust: Trust::Untrusted,
    };
    let records = once(stored(world, which));
    let mut refreshed = Refreshed {
        n_records: records.len(),
        ..Refreshed::default()
    };
    refreshed.problems.extend(standing(world));
    // A broken index is thrown away at the first touch, and filled at the second.
    for _ in 0..2 {
        match fill(world, &records, &mut refreshed) {
            Ok(()) => return refreshed,
            Err(IndexError::Lost) => {}
            Err(error) => {
                refreshed.add(&error.to_string());
                return refreshed;
            }
        }
    }
    refreshed.add(&IndexError::Lost.to_string());
    refreshed
}

/// Without records that another one of the same name stands for: an old one that went on as lines, and one that was
/// copied when its folder got another name. They come newest first.
fn once(records: Vec<Stored>) -> Vec<Stored> {
    let key = |record: &Stored| {
        let name = record.path.file_name();
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        (record.project.clone(), stem.to_owned())
    };
    let is_twinned = |record: &Stored| record.agent == Agent::Gemini && !record.is_subagent;
    let rank = |record: &Stored| {
        let is_lines = record.path.as_str().ends_with(".jsonl");
        is_lines && record.measure.len > 0
    };
    let mut best: HashMap<_, (bool, AbsPath)> = HashMap::new();
    for record in records.iter().filter(|record| is_twinned(record)) {
        let this = (rank(record), record.path.clone());
        let known = best.entry(key(record)).or_insert_with(|| this.clone());
        if this.0 && !known.0 {
            *known = this;
        }
    }
    let mut records = records;
    records.retain(|record| {
        let best = best.get(&key(record));
        !is_twinned(record) || best.is_none_or(|(_, path)| *path == record.path)
    });
    records
}

/// Reads one record into the index, whatever the index knows of it.
pub fn refresh_one(world: &World<'_>, record: &Stored) -> Result<(), IndexError> {
    put(world, record, &BTreeMap::new())?.unwrap_or_default();
    world.index.purge()
}

fn standing(world: &World<'_>) -> Option<Problem> {
    let message = match world.index.standing() {
        Standing::Kept | Standing::Passing(Why::Wished) => return None,
        Standing::ReadOnly => "the index cannot be written: what is new is not found".to_owned(),
        Standing::Passing(why) => format!("{why}; the records are read for this search alone"),
    };
    Some(Problem::new(&codes::INDEX, message))
}

impl Refreshed {
    fn add(&mut self, message: &str) {
        self.problems.push(Problem::new(&codes::INDEX, message));
    }
}

fn fill(
    world: &World<'_>,
    records: &[Stored],
    refreshed: &mut Refreshed,
) -> Result<(), IndexError> {
    let known = world.index.known()?;
    let mut known: HashMap<AbsPath, Measure> = known
        .into_iter()
        .map(|file| (file.path, file.measure))
        .collect();
    let mut changed = Vec::new();
    for record in records {
        if known.remove(&record.path) != Some(record.measure) {
            changed.push(record);
        }
    }
    let gone: Vec<_> = known.into_keys().collect();
    if world.index.standing() == Standing::ReadOnly {
        return Ok(());
    }
    if !gone.is_empty() {
        world.index.forget(&gone)?;
        refreshed.n_forgotten = gone.len();
    }
    let titles = codex::titles(world);
    for (n_done, record) in changed.iter().enumerate() {
        world
            .progress
            .tell("reading sessions", n_done, changed.len());
        match put(world, record, &titles)? {
            Ok(()) => refreshed.n_read += 1,
            Err(trouble) => {
                let problem = Problem::new(&codes::RECORD_UNREADABLE, trouble.to_string());
                refreshed.problems.push(problem.in_file(&record.path));
            }
        }
    }
    if !changed.is_empty() {
        world.index.purge()?;
        world
            .progress
            .tell("reading sessions", changed.len(), changed.len());
    }
    Ok(())
}

/// Reads a record into the index, if it can be read.
fn put(
    world: &World<'_>,
    record: &Stored,
    titles: &BTreeMap<String, String>,
) -> Result<Result<(), Trouble>, IndexError> {
    let mut opened = match open(world, record) {
        Ok(opened) => opened,
        Err(trouble) => return Ok(Err(trouble)),
    };
    let title = titles.get(&opened.transcript.head.id).cloned();
    opened.transcript.head.title = Some(title.unwrap_or_else(|| opened.title()));
    let entry = document::entry(&record.path, record.measure, &opened.transcript);
    world.index.put(&entry).map(Ok)
}
