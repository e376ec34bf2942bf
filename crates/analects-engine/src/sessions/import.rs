//! A conversation of any agent becomes a session of this project, in Gemini CLI's format.
//!
//! The same conversation becomes the same session each time: its id follows from where it comes from.

use analects_session::into_gemini;
use analects_session::record::{By, Start, file_name};
use analects_session::stamp::Stamp;
use analects_world::changes::{Change, Changes, ContentHash, Trace};
use analects_world::files::Files;
use analects_world::{AbsPath, Agent};

use super::{Exactness, Found, Opened, Stored, Subagents, Which, open, stored};
use crate::World;
use crate::identity;
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::write;

/// A session that was imported, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The id it has here.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Its record.
    pub path: AbsPath,
    /// Whether it was written.
    pub is_written: bool,
    /// Whether it was there before.
    pub was_there: bool,
}

/// Imports the conversation that is meant into this project.
pub fn import(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wanted: &str,
) -> Result<Imported, Failure> {
    let trust = prepared.decision.trust;
    let found = super::find(world, &prepared.root, trust, wanted, Exactness::Beginning)?;
    import_found(world, flags, prepared, &found).map(|(imported, _)| imported)
}

/// Imports a conversation that was found; and the lines of its new record, where there was none.
pub(super) fn import_found(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    found: &Found,
) -> Result<(Imported, Option<Vec<u8>>), Failure> {
    let trust = prepared.decision.trust;
    let head = &found.opened.transcript.head;
    let records = records(world, prepared);
    let id = match there(world, &records, &head.id) {
        // It is one of this project's own, and needs no copy.
        Some(_) if head.agent == Agent::Gemini => head.id.clone(),
        _ => id_for(found),
    };
    let title = found.opened.title();
    if let Some(path) = there(world, &records, &id) {
        let imported = Imported {
            id,
            title,
            path,
            is_written: false,
            was_there: true,
        };
        return Ok((imported, None));
    }
    let now = super::now(world)?;
    let began = head.started.or(head.updated).unwrap_or(now);
    let claimed = identity::claim(world, flags, &prepared.root, None, trust, "session import")?;
    let chats = claimed.memory.parent().unwrap_or_else(AbsPath::root);
    let name = file_name(&id, began).map_err(|error| Failure::failed(error.to_string()))?;
    let path = chats.join("chats").join(&name);
    let hash = ContentHash::of(prepared.root.as_str().as_bytes()).to_string();
    let start = Start {
        session_id: &id,
        project_hash: &hash,
        at: began,
        by: By::Person,
    };
    let lines = lines(prepared, &found.opened, &title, start, now);
    let is_written = !flags.dry_run;
    if is_written {
        commit(world, &path, &lines)?;
    }
    let imported = Imported {
        id,
        title,
        path,
        is_written,
        was_there: false,
    };
    Ok((imported, Some(lines)))
}

/// An id in the form of a UUID that follows from the agent and its id.
pub(super) fn id_for(found: &Found) -> String {
    let head = &found.opened.transcript.head;
    let name = format!("{}:{}", head.agent.as_str(), head.id);
    let hex = ContentHash::of(name.as_bytes()).to_string();
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default().to_owned();
    // Version 8: made up by whoever made it.
    [
        part(0..8),
        part(8..12),
        format!("8{}", part(13..16)),
        format!("8{}", part(17..20)),
        part(20..32),
    ]
    .join("-")
}

/// The records of this project.
fn records(world: &World<'_>, prepared: &Prepared) -> Vec<Stored> {
    let which = Which {
        project: Some(&prepared.root),
        agent: Some(Agent::Gemini),
        subagents: Subagents::Left,
        trust: prepared.decision.trust,
    };
    stored(world, which)
}

/// The record of a session among these, if there is one.
fn there(world: &World<'_>, records: &[Stored], id: &str) -> Option<AbsPath> {
    let short: String = id.chars().take(8).collect();
    records
        .iter()
        .filter(|record| record.path.file_name().contains(&short))
        .find(|record| open(world, record).is_ok_and(|opened| opened.transcript.head.id == id))
        .map(|record| record.path.clone())
}

fn lines(
    prepared: &Prepared,
    opened: &Opened,
    title: &str,
    start: Start<'_>,
    now: Stamp,
) -> Vec<u8> {
    let transcript = &opened.transcript;
    let lines = match &opened.replayed {
        Some(replayed) => into_gemini::copy(replayed, transcript, start, now),
        None => {
            let allowed = prepared.settings.list(&keys::ALLOWED_SECRETS);
            let guarded = Guarded { allowed };
            let redact = |text: &str| guarded.mask(text);
            into_gemini::record(transcript, title, start, now, &redact)
        }
    };
    lines.into_bytes()
}

fn commit(world: &World<'_>, path: &AbsPath, lines: &[u8]) -> Result<(), Failure> {
    let mut plan = |_: &dyn Files| {
        let mut change = Change::new(path, None, Some(lines.to_vec())).owner_only();
        // A conversation is no memory: the journal need not hold it twice.
        change.trace = Trace::Fingerprint;
        Some(Changes::new(
            "session import",
            "a session of another agent",
            vec![change],
        ))
    };
    let committed = world.desk.commit(&[], &mut plan);
    committed.map(drop).map_err(|error| write::failure(&error))
}
