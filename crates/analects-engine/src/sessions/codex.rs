//! Codex' records: `~/.codex/sessions/YYYY/MM/DD/` and `archived_sessions/`.
//!
//! Which project one belongs to, and whether a sub-agent made it, only the record itself tells.

use std::collections::BTreeMap;

use analects_session::foreign::{codex, name};
use analects_session::transcript::Agent;
use analects_world::AbsPath;
use analects_world::files::{Want, Within};

use super::{Place, Which, dirs_in, files_in};
use crate::World;
use crate::host::Host;

pub(super) fn places(world: &World<'_>, _which: &Which<'_>) -> Vec<Place> {
    let home = Host::Codex.dir(world.around);
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
pub(super) fn place(world: &World<'_>, path: &AbsPath) -> Option<Place> {
    let home = Host::Codex.dir(world.around);
    let named = name::codex(path.relative_to(&home)?)?;
    Some(Place {
        agent: Agent::Codex,
        path: path.clone(),
        project: None,
        is_subagent: false,
        named: Some(named),
    })
}

/// The most that is read of the list of titles.
const TITLES_BYTES: usize = 16 * 1024 * 1024;

/// What sessions are called, by their ids.
pub(super) fn titles(world: &World<'_>) -> BTreeMap<String, String> {
    let path = Host::Codex.dir(world.around).join("session_index.jsonl");
    let blob = world.files.read_one(Want {
        path: &path,
        within: Within::Anywhere,
        limit_bytes: TITLES_BYTES,
    });
    blob.map(|blob| codex::titles(&blob.bytes).0)
        .unwrap_or_default()
}
