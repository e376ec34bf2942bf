//! A conversation of any agent becomes a session of this project, in Gemini CLI's format.
//!
//! The same conversation becomes the same session each time: its id follows from where it comes from. What was said
//! there since is added, unless somebody went on with the copy meanwhile.

use analects_session::into_gemini::{self, Renewal, renew};
use analects_session::record::{By, Start, file_name};
use analects_session::replay::replay;
use analects_session::stamp::Stamp;
use analects_text::problem::Problem;
use analects_world::changes::{Change, Changes, ContentHash, Trace};
use analects_world::files::Files;
use analects_world::{AbsPath, Agent};

use super::compress::write as write_lines;
use super::{Exactness, Found, Stored, Subagents, Which, open, stored};
use crate::load_memory::Prepared;
use crate::pins::{self, Of};
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, identity, write};

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
    /// What a person should know.
    pub problems: Vec<Problem>,
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

/// Imports a conversation that was found; and the record as it stands then, where that is new.
pub(super) fn import_found(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    found: &Found,
) -> Result<(Imported, Option<Vec<u8>>), Failure> {
    let head = &found.opened.transcript.head;
    let records = records(world, prepared);
    let of_project = there(world, &records, &head.id);
    if let Some(own) = of_project.filter(|_| head.agent == Agent::Gemini) {
        // It is one of this project's own, and needs no copy.
        return Ok((is_there(found, own.stored.path), None));
    }
    let id = id_for(found);
    let imported = match there(world, &records, &id) {
        Some(copy) => renewed(world, flags, prepared, found, &copy)?,
        None => anew(world, flags, prepared, found, id)?,
    };
    if !flags.dry_run {
        pin(world, flags, found, &imported.0.id);
    }
    Ok(imported)
}

fn is_there(found: &Found, path: AbsPath) -> Imported {
    Imported {
        id: found.opened.transcript.head.id.clone(),
        title: found.opened.title(),
        path,
        is_written: false,
        was_there: true,
        problems: Vec::new(),
    }
}

/// A new copy.
fn anew(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    found: &Found,
    id: String,
) -> Result<(Imported, Option<Vec<u8>>), Failure> {
    let trust = prepared.decision.trust;
    let now = super::now(world)?;
    let claimed = identity::claim(world, flags, &prepared.root, None, trust, "session import")?;
    let chats = claimed.memory.parent().unwrap_or_else(AbsPath::root);
    let name = file_name(&id, began(found, now));
    let name = name.map_err(|error| Failure::failed(error.to_string()))?;
    let path = chats.join("chats").join(&name);
    let lines = lines(prepared, found, &id, now);
    let is_written = !flags.dry_run;
    if is_written {
        commit(world, &path, &lines)?;
    }
    let imported = Imported {
        id,
        is_written,
        was_there: false,
        ..is_there(found, path)
    };
    Ok((imported, Some(lines)))
}

/// The copy that was made before, with what was said since. One that went its own way stays as it is.
fn renewed(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    found: &Found,
    copy: &Found,
) -> Result<(Imported, Option<Vec<u8>>), Failure> {
    let transcript = &found.opened.transcript;
    let mut imported = Imported {
        id: copy.opened.transcript.head.id.clone(),
        ..is_there(found, copy.stored.path.clone())
    };
    let Some(record) = copy.opened.replayed.as_ref() else {
        return Ok((imported, None));
    };
    let now = super::now(world)?;
    let fresh = replay(lines(prepared, found, &imported.id, now));
    match renew(record, &fresh, transcript, now) {
        Renewal::Current => Ok((imported, None)),
        Renewal::Apart => {
            let agent = transcript.head.agent.as_str();
            let message = format!(
                "the session went on in {agent} after it was copied, and so did the copy: what was said there since is not in it"
            );
            let problem = Problem::new(&codes::COPY_APART, message);
            imported.problems.push(problem.in_file(&imported.path));
            Ok((imported, None))
        }
        Renewal::Behind(lines) => {
            imported.is_written = !flags.dry_run;
            if imported.is_written {
                write_lines(world, copy, record, &lines)?;
            }
            let after = format!("{}{}", record.text(), lines.as_str());
            Ok((imported, Some(after.into_bytes())))
        }
    }
}

/// What is pinned to a conversation is pinned to its copy.
fn pin(world: &World<'_>, flags: &Flags, found: &Found, copy: &str) {
    let head = &found.opened.transcript.head;
    let (agent, session) = (head.agent, &*head.id);
    let of = Of {
        agent: Agent::Gemini,
        session: copy,
    };
    for pin in pins::read(world, Of { agent, session }).unwrap_or_default() {
        // One that cannot be kept there is still read from where it is, as long as the conversation is named so.
        let _ = pins::add(world, flags, of, &pin.text, "session import");
    }
}

fn began(found: &Found, now: Stamp) -> Stamp {
    let head = &found.opened.transcript.head;
    head.started.or(head.updated).unwrap_or(now)
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
fn there(world: &World<'_>, records: &[Stored], id: &str) -> Option<Found> {
    let short: String = id.chars().take(8).collect();
    let may_be = records
        .iter()
        .filter(|record| record.path.file_name().contains(&short));
    let found = may_be.filter_map(|record| {
        let opened = open(world, record).ok()?;
        let stored = record.clone();
        (opened.transcript.head.id == id).then_some(Found { stored, opened })
    });
    found.max_by_key(Found::reach)
}

/// The copy that would be made of it now.
fn lines(prepared: &Prepared, found: &Found, id: &str, now: Stamp) -> Vec<u8> {
    let hash = ContentHash::of(prepared.root.as_str().as_bytes()).to_string();
    let start = Start {
        session_id: id,
        project_hash: &hash,
        at: began(found, now),
        by: By::Person,
    };
    let transcript = &found.opened.transcript;
    let allowed = prepared.settings.list(&keys::ALLOWED_SECRETS);
    let guarded = Guarded { allowed };
    let redact = |text: &str| guarded.mask(text);
    let lines = match &found.opened.replayed {
        Some(replayed) => into_gemini::copy(replayed, transcript, start, now, &redact),
        None => {
            let title = found.opened.title();
            into_gemini::record(&found.opened.standing(), &title, start, now, &redact)
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
