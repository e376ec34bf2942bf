//! Sessions of all agents: where they are kept, and how one is found by name.
//!
//! Nothing is copied: the records of other agents are read where they lie.

mod claude;
mod codex;
pub(crate) mod compress;
mod delete;
mod enact;
mod expire;
mod find;
mod gemini;
mod import;
mod index;
mod list;
mod masked;
mod number;
mod open;
mod recording;
mod rewind;
mod scope;
mod search;
mod summarize;
mod turns;

use analects_memory::discover::Trust;
use analects_session::foreign::name::Named;
use analects_session::stamp::Stamp;
use analects_session::transcript::Head;
use analects_world::files::{Files, Kind, Measure, Pick};
use analects_world::{AbsPath, Agent, SessionScope};

use crate::World;
use crate::verbs::Failure;

pub use compress::{Compressed, Undone, Wish, compress, undo};
pub(crate) use delete::is_deletion;
pub use delete::{Deleted, Doomed, delete, doom};
pub use enact::{Act, Enacted, Play, enact};
pub use expire::expired;
pub(crate) use find::latest;
pub use find::{Exactness, Found, find};
pub use import::{Imported, import};
pub use index::{Refreshed, refresh, refresh_one};
pub use list::{List, Listed, list};
pub(crate) use list::{is_in, may_be_in};
pub(crate) use masked::{mask_transcript, masked};
pub use number::numbered;
pub use open::{Opened, open, peek};
pub use recording::Recording;
pub use rewind::{Rewound, rewind};
pub use scope::client_scope;
pub use search::{Searched, Shown, Wanted, search};
pub use summarize::{Summary, Teller, summarize_all, summarize_next, summarize_one};
pub use turns::turns;

/// A record on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Whose it is.
    pub agent: Agent,
    /// The file.
    pub path: AbsPath,
    /// The project, where the place of the file tells.
    pub project: Option<AbsPath>,
    /// Whether the place of the file says that another conversation had it made.
    pub is_subagent: bool,
    /// What the name of the file says, where another agent gave it.
    pub named: Option<Named>,
    /// What the file looks like from outside; nothing yet where only its place is known.
    pub measure: Measure,
}

impl Stored {
    /// A file that lies anywhere, taken for a record of this agent.
    fn anywhere(agent: Agent, path: AbsPath) -> Self {
        Self {
            agent,
            path,
            project: None,
            is_subagent: false,
            named: None,
            measure: Measure::default(),
        }
    }
}

/// Which records are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Which<'a> {
    /// Those of this project; of all if there is none.
    pub project: Option<&'a AbsPath>,
    /// Those of this agent; of all if there is none.
    pub agent: Option<Agent>,
    /// Whether those of sub-agents are wanted, too.
    pub subagents: Subagents,
    /// Whether the project's own files may be asked whose checkout it is.
    pub trust: Trust,
}

/// Whether the records of sub-agents are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subagents {
    /// They are.
    Along,
    /// They are not.
    Left,
}

/// All records that may be meant, the one written last first.
///
/// Where only the record itself tells its project, it may be another's: see [`Stored::project`].
#[must_use]
pub fn stored(world: &World<'_>, which: Which<'_>) -> Vec<Stored> {
    let mut found = Vec::new();
    for agent in Agent::ALL {
        if which.agent.is_none_or(|wanted| wanted == agent) {
            found.extend(match agent {
                Agent::Gemini => gemini::places(world, &which),
                Agent::Claude => claude::places(world, &which),
                Agent::Codex => codex::places(world),
            });
        }
    }
    if which.subagents == Subagents::Left {
        found.retain(|place| !place.is_subagent);
    }
    let paths: Vec<_> = found.iter().map(|place| place.path.clone()).collect();
    let measures = world.files.measure(&paths);
    let both = found.into_iter().zip(measures);
    let mut stored: Vec<_> = both
        .filter_map(|(place, measure)| {
            let measure = measure.ok()?;
            Some(Stored { measure, ..place })
        })
        .collect();
    stored.sort_by(|a, b| {
        let newest = b.measure.written_ns.cmp(&a.measure.written_ns);
        newest.then_with(|| b.path.cmp(&a.path))
    });
    stored
}

/// True if whoever runs this command may see a session of this record.
pub(crate) fn is_visible(world: &World<'_>, record: &Stored, head: &Head) -> bool {
    let cwd = head.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
    let scope = &world.around.sessions;
    // What the record says of itself counts, and the place of its file only where it says nothing.
    scope.includes(cwd.as_ref().or(record.project.as_ref()))
}

/// The failure where no session may be seen at all.
fn none_visible(world: &World<'_>) -> Result<(), Failure> {
    if world.around.sessions != SessionScope::Nothing {
        return Ok(());
    }
    Err(
        Failure::bad_input("no sessions are visible: the server was not started in a project")
            .hint("start it in a project's directory, or let the user set `mcp.sessions` to `all`"),
    )
}

/// The files of a directory; none if it cannot be listed.
fn files_in(files: &dyn Files, dir: &AbsPath) -> Vec<String> {
    let listing = files.list_one(dir, &Pick::ending(""));
    let found = listing.map_or_else(|_| Vec::new(), |listing| listing.found);
    let is_file = |kind: Kind| matches!(kind, Kind::File | Kind::Link);
    let files = found.into_iter().filter(|found| is_file(found.kind));
    files.map(|found| found.name).collect()
}

/// The sub-directories of many directories.
fn dirs_in(files: &dyn Files, dirs: &[AbsPath]) -> Vec<AbsPath> {
    let listings = files.list(dirs, &Pick::subdirs());
    let mut found = Vec::new();
    for (dir, listing) in dirs.iter().zip(listings) {
        let mut names = listing.map_or_else(|_| Vec::new(), |listing| listing.subdirs);
        names.sort_unstable();
        found.extend(names.iter().map(|name| dir.join(name)));
    }
    found
}

/// The record of an agent at this path, if that is a place where the agent keeps records.
#[must_use]
pub fn at(world: &World<'_>, agent: Agent, path: &AbsPath) -> Option<Stored> {
    let place = match agent {
        Agent::Gemini => gemini::place(world, path)?,
        Agent::Claude => claude::place(world, path)?,
        Agent::Codex => codex::place(world, path)?,
    };
    let measure = world.files.measure(std::slice::from_ref(path)).pop()?;
    let measure = measure.ok()?;
    Some(Stored { measure, ..place })
}

/// Now, for a record.
pub(crate) fn now(world: &World<'_>) -> Result<Stamp, Failure> {
    let now = Stamp::from_ms(world.clock.now_ms());
    now.ok_or_else(|| Failure::failed("the clock of this machine is not set"))
}

/// A record that was written this recently may still be going on: other agents hold no lock on theirs.
const LIVE_MS: u64 = 10 * 60 * 1000;

/// Whether a conversation may still be going on.
#[must_use]
pub fn is_live(world: &World<'_>, record: &Stored) -> bool {
    is_in_use(world, &record.path, &record.measure)
}

fn is_in_use(world: &World<'_>, path: &AbsPath, measure: &Measure) -> bool {
    let age = world.clock.now_ms().saturating_sub(measure.written_ms());
    age < LIVE_MS || world.tapes.is_live(path)
}

#[cfg(test)]
mod tests;
