//! At the start of a chat, has a small model write the headline of one session that has none yet.
//!
//! Nobody waits for it. It is one request within the daily share for such things, over in a few seconds, and whatever
//! goes wrong with it, everything stays as it was.

use analects_world::Cancel;

use super::{Opened, Stored, Summary, Teller, is_talk, records, told_or_by_rules};
use crate::World;
use crate::extract::{self, Mode};
use crate::load_memory::{self, Prepared};
use crate::models::ledger::{self, Purpose};
use crate::sessions::open;
use crate::verbs::{Failure, Flags};

/// A small model is enough for a sentence.
const MODEL: &str = "flash-lite";
/// Longer than this a sentence is not worth.
const PATIENCE_MS: u64 = 5_000;
/// How many of the newest records are looked at.
const MAX_RECORDS: usize = 50;
/// A longer record is left to `session summarize`: it would take as much memory, unasked.
const MAX_RECORD_BYTES: u64 = 64 * 1024 * 1024;
/// All records that are looked at have together no more than this.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Whether a model may be asked about past conversations without anybody saying so: not where nothing is to be learned
/// from them at all.
fn may_summarize(world: &World<'_>, flags: &Flags, prepared: &Prepared) -> bool {
    let is_within_share = || ledger::may(world, &prepared.settings, Purpose::Summarize).is_ok();
    !flags.dry_run && extract::mode(world, prepared) != Mode::Off && is_within_share()
}

/// Has a model name the newest conversation of this project that is not summed up, or that went on since; `None` if there
/// is none, or if no model says anything. `current` is the session that goes on now, and one that was added to since
/// `began_ms` is not over.
pub fn summarize_next(
    world: &World<'_>,
    flags: &Flags,
    current: Option<&str>,
    began_ms: u64,
    cancel: &Cancel,
) -> Result<Option<Summary>, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    if !may_summarize(world, flags, &prepared) {
        return Ok(None);
    }
    let mut records = records(world, &prepared);
    records.retain(|record| record.measure.written_ms() < began_ms);
    let Some((record, opened)) = next(world, &records, current, cancel) else {
        return Ok(None);
    };
    let teller = Teller::new(world, &prepared.settings, MODEL, PATIENCE_MS, cancel)?;
    let told = match teller.sentence(world, &opened) {
        // It says nothing about any conversation: at another start it may.
        Err(silence) if silence.is_for_all => return Ok(None),
        told => told,
    };
    // What could not be named is not asked about again before it goes on.
    let is_told = told.is_ok();
    let mut summary = match is_told {
        true => told_or_by_rules(&record, &opened, told).0,
        false => super::summed_up(&record, &opened, None, opened.title()),
    };
    if cancel.is_cancelled() {
        return Ok(None);
    }
    summary.write(world, &record).map_err(Failure::failed)?;
    Ok(is_told.then_some(summary))
}

/// The newest conversation that is not summed up, or that went on since. One that somebody of ours is at is left alone.
fn next(
    world: &World<'_>,
    records: &[Stored],
    current: Option<&str>,
    cancel: &Cancel,
) -> Option<(Stored, Opened)> {
    let mut n_bytes = 0u64;
    for record in records.iter().take(MAX_RECORDS) {
        n_bytes = n_bytes.saturating_add(record.measure.len);
        if cancel.is_cancelled() || n_bytes > MAX_BYTES {
            return None;
        }
        if record.measure.len > MAX_RECORD_BYTES || world.tapes.is_live(&record.path) {
            continue;
        }
        let Ok(opened) = open(world, record) else {
            continue;
        };
        let is_current = current.is_some_and(|current| current == opened.transcript.head.id);
        if !is_current && is_talk(&opened) && !is_fresh(&opened) {
            return Some((record.clone(), opened));
        }
    }
    None
}

/// Whether nothing happened since somebody summed it up, whatever came of that.
fn is_fresh(opened: &Opened) -> bool {
    let about = opened.replayed.as_ref().map(|replayed| replayed.about());
    about.is_some_and(|about| about.scratchpad_is_stale == Some(false))
}
