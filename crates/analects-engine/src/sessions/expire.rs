//! Which sessions of a project need not be kept any longer, as `general.sessionRetention` has it.

use analects_session::replay::Standing;
use analects_session::retention::{self, RetentionOptions, RetentionSettings};
use analects_session::stamp::Stamp;
use analects_session::transcript::Kind;
use analects_world::Agent;

use super::{Opened, Stored, Subagents, Which, is_live, open, stored};
use crate::World;
use crate::load_memory::Prepared;
use crate::settings::keys;
use crate::verbs::Failure;

/// The full ids of sessions that may go. Whatever is in doubt stays.
pub fn expired(world: &World<'_>, prepared: &Prepared) -> Result<Vec<String>, Failure> {
    let settings = &prepared.settings;
    if !settings.flag(&keys::RETENTION_ENABLED) {
        return Err(Failure::bad_input("sessions are kept for ever here")
            .hint("the setting `general.sessionRetention.enabled` is false"));
    }
    if let Some(problem) = prepared.doubt_about("general.sessionRetention") {
        return Err(Failure::bad_input(format!("nothing is deleted: {problem}"))
            .hint("a value that counts for nothing could mean that more is to be kept"));
    }
    let text = |key| Some(settings.text(key)).filter(|text| !text.is_empty());
    let count = settings.count(&keys::RETENTION_MAX_COUNT);
    let options = RetentionOptions::new(RetentionSettings {
        max_age: text(&keys::RETENTION_MAX_AGE),
        max_count: count.map(|count| i64::try_from(count).unwrap_or(i64::MAX)),
        min_retention: text(&keys::RETENTION_MIN),
    })
    .map_err(|error| {
        Failure::bad_input(format!("nothing is deleted: {error}"))
            .hint("look at `general.sessionRetention` with `analects config show`")
    })?;
    let now = super::now(world)?;
    let which = Which {
        project: Some(&prepared.root),
        agent: Some(Agent::Gemini),
        subagents: Subagents::Left,
        trust: prepared.decision.trust,
    };
    let records: Vec<_> = stored(world, which)
        .into_iter()
        .filter_map(|record| {
            let opened = open(world, &record).ok()?;
            Some(judged(world, &record, &opened))
        })
        .collect();
    let doomed = retention::doomed(&records, options, None, now);
    let ids = doomed.iter().filter_map(|doomed| {
        let record = records.get(doomed.record_idx)?;
        record.session_id.clone()
    });
    Ok(ids.collect())
}

fn judged(world: &World<'_>, record: &Stored, opened: &Opened) -> retention::Stored {
    let head = &opened.transcript.head;
    let standing = opened.replayed.as_ref().map(|replayed| replayed.standing());
    retention::Stored {
        session_id: Some(head.id.clone()),
        parent_id: None,
        is_subagent: head.kind != Kind::Main,
        updated: head.updated,
        written: Stamp::from_ms(record.measure.written_ms()),
        standing: standing.unwrap_or(Standing::Unreadable),
        is_empty: opened.transcript.turns.is_empty(),
        is_live: is_live(world, record),
    }
}
