//! Finds one conversation by what a person calls it: an id, its beginning, a number, a path.

use std::borrow::Cow;

use analects_memory::discover::Trust;
use analects_session::record::sanitized;
use analects_session::stamp::Stamp;
use analects_world::{AbsPath, Agent};

use super::list::Newest;
use super::{Opened, Stored, Subagents, Which, is_visible, none_visible, open, stored};
use crate::World;
use crate::verbs::Failure;

/// The shortest beginning of a name that stands for it.
const MIN_NAME: usize = 4;

/// How many candidates are told where several are meant.
const MAX_TOLD: usize = 5;

/// A conversation that was asked for.
#[derive(Debug)]
pub struct Found {
    /// The record.
    pub stored: Stored,
    /// What is in it.
    pub opened: Opened,
}

impl Found {
    /// How far a record of a conversation goes: of several the one counts that goes furthest, of equals the newer
    /// format.
    pub(super) fn reach(&self) -> (Option<Stamp>, bool) {
        let is_lines = self.stored.path.as_str().ends_with(".jsonl");
        (self.opened.transcript.head.updated, is_lines)
    }
}

/// How exactly a name has to be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exactness {
    /// In full.
    Full,
    /// By its beginning, or as `latest`.
    Beginning,
}

/// The conversation that is meant: by its id, by the beginning of its id, by its file, or as `latest`, which
/// is the newest one of this project.
pub fn find(
    world: &World<'_>,
    project: &AbsPath,
    trust: Trust,
    wanted: &str,
    exactness: Exactness,
) -> Result<Found, Failure> {
    none_visible(world)?;
    let wanted = wanted.trim();
    if wanted == "latest" && exactness == Exactness::Beginning {
        return latest(world, project, trust, None).ok_or_else(|| {
            Failure::bad_input("there is no session of this project yet")
                .hint("`analects session list --all` shows those of all projects")
        });
    }
    if wanted.contains('/') && exactness == Exactness::Beginning {
        return by_file(world, &world.around.resolve(wanted));
    }
    if wanted.is_empty() {
        return Err(unknown(wanted));
    }
    // A beginning that short means too many; a whole id may be that short.
    let exactness = match wanted.len() < MIN_NAME {
        true => Exactness::Full,
        false => exactness,
    };
    let mut found = all(world, trust, wanted, exactness);
    let whole = found
        .iter()
        .position(|found| found.opened.transcript.head.id == wanted);
    match (whole, found.len()) {
        (Some(at), _) => Ok(found.swap_remove(at)),
        (None, 1) => found.pop().ok_or_else(|| unknown(wanted)),
        (None, 0) => Err(unknown(wanted)),
        (None, _) => Err(ambiguous(wanted, &found)),
    }
}

/// The same, by its id in full only; who gives the beginning of one is told the whole.
pub(super) fn find_in_full(
    world: &World<'_>,
    project: &AbsPath,
    trust: Trust,
    wanted: &str,
) -> Result<Found, Failure> {
    find(world, project, trust, wanted, Exactness::Full).map_err(|failure| {
        let start = wanted.trim();
        if start.len() < MIN_NAME {
            return failure;
        }
        let meant = all(world, trust, start, Exactness::Beginning);
        match meant.is_empty() {
            true => failure,
            false => told(
                Failure::bad_input(format!(
                    "`{start}` is no full id, and only those count here"
                )),
                &meant,
            ),
        }
    })
}

/// Every conversation that may be meant.
fn all(world: &World<'_>, trust: Trust, wanted: &str, exactness: Exactness) -> Vec<Found> {
    let which = Which {
        project: None,
        agent: None,
        subagents: Subagents::Along,
        trust,
    };
    let all = stored(world, which);
    let (candidates, rest): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|record| may_be(record, wanted));
    let mut found = among(world, candidates, wanted, exactness);
    if found.is_empty() {
        // A file may be called otherwise than the record in it: somebody copied it, or went on under another id. To read
        // them all takes time, but nobody waits for more than an answer that there is none.
        let rest = rest.into_iter().filter(|it| it.agent == Agent::Gemini);
        found = among(world, rest, wanted, exactness);
    }
    found
}

/// Those of the records that are meant, every conversation once.
fn among(
    world: &World<'_>,
    records: impl IntoIterator<Item = Stored>,
    wanted: &str,
    exactness: Exactness,
) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for record in records {
        let Ok(opened) = open(world, &record) else {
            continue;
        };
        let id = &opened.transcript.head.id;
        let is_it = match exactness {
            Exactness::Full => id == wanted,
            Exactness::Beginning => id.starts_with(wanted),
        };
        if !is_it || !is_visible(world, &record, &opened.transcript.head) {
            continue;
        }
        let twin = found.iter().position(|other| {
            other.stored.agent == record.agent && other.opened.transcript.head.id == *id
        });
        let this = Found {
            stored: record,
            opened,
        };
        match twin.and_then(|at| found.get_mut(at)) {
            Some(twin) if this.reach() > twin.reach() => *twin = this,
            Some(_) => {}
            None => found.push(this),
        }
    }
    found
}

/// Whether the name of a file speaks for this id. Gemini CLI's files have the first eight characters of it,
/// or nothing where a sub-agent wrote them.
fn may_be(record: &Stored, wanted: &str) -> bool {
    let begins = |name: &str| name.starts_with(wanted) || wanted.starts_with(name);
    match &record.named {
        Some(named) => begins(&named.id) || record.agent == Agent::Claude,
        None if record.is_subagent => true,
        None => {
            let name = record.path.file_name();
            let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
            let start = sanitized(wanted).unwrap_or_default();
            let start: String = start.chars().take(8).collect();
            // One that does not say its id goes by the name of its file.
            stem.contains(&format!("-{start}")) || begins(stem)
        }
    }
}

/// The conversation of this project in which something was said last; of this agent, if one is named.
pub(crate) fn latest(
    world: &World<'_>,
    project: &AbsPath,
    trust: Trust,
    agent: Option<Agent>,
) -> Option<Found> {
    let which = Which {
        project: Some(project),
        agent,
        subagents: Subagents::Left,
        trust,
    };
    Newest::new(world, which).next()
}

fn by_file(world: &World<'_>, path: &AbsPath) -> Result<Found, Failure> {
    let measure = world.files.measure(std::slice::from_ref(path)).pop();
    let measure = measure.and_then(Result::ok);
    let measure = measure.ok_or_else(|| unread(path, "there is no such file"))?;
    let blob = open::blob(world, path).map_err(|trouble| unread(path, &trouble.to_string()))?;
    // It is the agent's whose lines it holds.
    let mut tried = Agent::ALL.into_iter().map(|agent| {
        // Where an agent keeps it tells the project, too.
        let stored = super::at(world, agent, path).unwrap_or_else(|| Stored {
            measure,
            ..Stored::anywhere(agent, path.clone())
        });
        let opened = open::open_blob(world, &stored, Cow::Borrowed(&blob));
        Found { stored, opened }
    });
    let found = tried.find(|found| !found.opened.transcript.turns.is_empty());
    let found = found.ok_or_else(|| unread(path, "it is no record of a session"))?;
    if !is_visible(world, &found.stored, &found.opened.transcript.head) {
        return Err(unknown(path.as_str()));
    }
    Ok(found)
}

fn unread(path: &AbsPath, why: &str) -> Failure {
    Failure::bad_input(format!("cannot read `{path}`: {why}"))
}

fn unknown(wanted: &str) -> Failure {
    Failure::bad_input(format!("there is no session `{wanted}`"))
        .hint("`analects session list --all` shows them, with their ids")
}

fn ambiguous(wanted: &str, several: &[Found]) -> Failure {
    let failure = Failure::bad_input(format!("`{wanted}` may mean {} sessions", several.len()));
    told(failure, several)
}

/// With the full ids of some.
fn told(failure: Failure, several: &[Found]) -> Failure {
    several
        .iter()
        .take(MAX_TOLD)
        .fold(failure, |failure, found| {
            let head = &found.opened.transcript.head;
            failure.hint(format!("{} {}", head.id, found.opened.title()))
        })
}
