//! Codex' records: `~/.codex/sessions/YYYY/MM/DD/` and `archived_sessions/`.
//!
//! Which project one belongs to, and whether a sub-agent made it, only the record itself tells.

use std::collections::BTreeMap;

use analects_session::foreign::name::{Form, Named};
use analects_session::foreign::{Base, Limits, codex, name};
use analects_session::transcript::Turn;
use analects_world::files::{Want, Within};
use analects_world::{AbsPath, Agent};

use super::{Stored, dirs_in, files_in};
use crate::World;
use crate::host;

pub(super) fn places(world: &World<'_>) -> Vec<Stored> {
    let home = host::dir(Agent::Codex, world.around);
    let archive = home.join("archived_sessions");
    let mut dirs = vec![archive.clone()];
    for top in [home.join("sessions"), archive] {
        let years = dirs_in(world.files, &[top]);
        let months = dirs_in(world.files, &years);
        dirs.extend(dirs_in(world.files, &months));
    }
    let mut places = Vec::new();
    for dir in dirs {
        for file in files_in(world.files, &dir) {
            places.extend(place(world, &dir.join(&file)));
        }
    }
    places
}

/// What a path says about a record that lies there.
pub(super) fn place(world: &World<'_>, path: &AbsPath) -> Option<Stored> {
    let home = host::dir(Agent::Codex, world.around);
    let named = name::codex(path.relative_to(&home)?)?;
    Some(Stored {
        named: Some(named),
        ..Stored::anywhere(Agent::Codex, path.clone())
    })
}

/// The most that is read of the list of titles.
const TITLES_BYTES: usize = 16 * 1024 * 1024;

/// What sessions are called, by their ids.
pub(super) fn titles(world: &World<'_>) -> BTreeMap<String, String> {
    let path = host::dir(Agent::Codex, world.around).join("session_index.jsonl");
    let blob = world.files.read_one(Want {
        path: &path,
        within: Within::Anywhere,
        limit_bytes: TITLES_BYTES,
    });
    blob.map(|blob| codex::titles(&blob.bytes).0)
        .unwrap_or_default()
}

/// What was said before a record goes on: the older record of the same conversation, up to where it counts.
pub(super) fn before(world: &World<'_>, stored: &Stored, base: &Base) -> Vec<Turn> {
    let is_older = |place: &Stored| {
        let named = place.named.as_ref();
        place.path != stored.path && named.is_some_and(|named| named.id == base.id)
    };
    let end = base.end.and_then(|end| usize::try_from(end).ok());
    let mut older: Vec<_> = places(world).into_iter().filter(is_older).collect();
    // Names begin with the time.
    older.sort_by(|a, b| a.path.file_name().cmp(b.path.file_name()));
    let named = older.iter().rev().find_map(|place| {
        let is_plain = |named: &&Named| named.form == Form::Plain;
        Some((&place.path, place.named.as_ref().filter(is_plain)?))
    });
    let (Some((path, named)), Some(end)) = (named, end) else {
        return Vec::new();
    };
    match world.files.piece(path, 0, end) {
        Ok(bytes) => codex::read(&bytes, named, Limits::USUAL).0.transcript.turns,
        Err(_) => Vec::new(),
    }
}
