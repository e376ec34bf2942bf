//! Which session goes on.

use analects_session::history::{history, name_calls};
use analects_session::record::in_lines;
use analects_session::replay::Replayed;
use analects_text::problem::Problem;
use analects_world::model::Content;
use analects_world::{AbsPath, Agent};

use super::record::Record;
use crate::load_memory::Prepared;
use crate::sessions::{self, Exactness, Found};
use crate::verbs::{Failure, Flags};
use crate::{World, codes};

/// A session to go on with.
pub(super) struct Resumed {
    /// Its id.
    pub(super) id: String,
    /// What was said in it.
    pub(super) history: Vec<Content>,
    /// Where it goes on.
    pub(super) record: Record,
    /// What a person should know.
    pub(super) problems: Vec<Problem>,
}

/// The session that is meant: `latest`, a number in the order in which sessions began, or an id. One of another
/// agent, or of another project, goes on in a copy; `latest` is none of those, and without any session a new one.
pub(super) fn resume(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    folder: &AbsPath,
    wanted: &str,
) -> Result<Result<Resumed, Problem>, Failure> {
    let wanted = wanted.trim();
    let id = match wanted {
        "" | "latest" => match latest(world, prepared) {
            Some(found) => found.opened.transcript.head.id,
            None => {
                let message = "there is no session of this project yet; a new one begins";
                return Ok(Err(Problem::new(&codes::NO_SESSION, message)));
            }
        },
        _ => match number(wanted) {
            Some(number) => nth(world, prepared, number)?,
            None => wanted.to_owned(),
        },
    };
    let imported = sessions::import(world, flags, prepared, &id)?;
    let trust = prepared.decision.trust;
    let found = sessions::find(world, &prepared.root, trust, &imported.id, Exactness::Full)?;
    let replayed = replayed(&found)?;
    let mut turns = history(&in_lines(replayed));
    name_calls(&mut turns);
    let record = Record::resume(world, &found, folder.clone())?;
    Ok(Ok(Resumed {
        id: imported.id,
        history: turns,
        record,
        problems: imported.problems,
    }))
}

fn replayed(found: &Found) -> Result<&Replayed, Failure> {
    let replayed = found.opened.replayed.as_ref();
    replayed.ok_or_else(|| Failure::bad_input("this session has no record that can go on"))
}

/// A number that is none of an id's beginning: no id is that short.
fn number(wanted: &str) -> Option<usize> {
    let is_short = wanted.len() < 4 && wanted.bytes().all(|byte| byte.is_ascii_digit());
    is_short.then(|| wanted.parse().ok()).flatten()
}

fn latest(world: &World<'_>, prepared: &Prepared) -> Option<Found> {
    let trust = prepared.decision.trust;
    sessions::latest(world, &prepared.root, trust, Some(Agent::Gemini))
}

fn nth(world: &World<'_>, prepared: &Prepared, number: usize) -> Result<String, Failure> {
    let mut all = sessions::numbered(world, prepared);
    let n_all = all.len();
    match number.checked_sub(1).filter(|at| *at < n_all) {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(Failure::bad_input(format!(
            "there is no session number {number}; there are {n_all}"
        ))
        .hint("`analects session list` shows them, with their numbers")),
    }
}
