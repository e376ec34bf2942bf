//! Wires a host, or takes us out of it: all its files in one commit.

use analects_memory::discover::Trust;
use analects_text::patch;
use analects_world::changes::{Change, Changes};
use analects_world::desk::Guard;
use analects_world::files::Files;
use analects_world::{AbsPath, Agent};

use super::file::File;
use super::record::Record;
use super::status;
use super::wanted::{self, Place, Scope};
use crate::World;
use crate::load_memory::{self, Prepared};
use crate::verbs::{Failure, Flags};
use crate::write;

/// Which way a host is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Wire it.
    Install,
    /// Give its files back what they held before.
    Uninstall,
}

/// What became of a host's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its files.
    pub files: Vec<FileChange>,
    /// Whether something was written.
    pub written: bool,
    /// The commit's name in the journal.
    pub id: Option<String>,
    /// What the user should know about the host.
    pub notes: Vec<String>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: AbsPath,
    /// What changes in it.
    pub diff: String,
    /// In one word.
    pub state: FileState,
}

/// What became of a file, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// It was not there before.
    Created,
    /// It says something else.
    Changed,
    /// It is as it was.
    Unchanged,
    /// It is gone.
    Removed,
}

/// Wires a host, or takes us out of it. A file that cannot be read is not touched, and then no other is.
pub fn change(
    world: &World<'_>,
    flags: &Flags,
    host: Agent,
    scope: Scope,
    direction: Direction,
) -> Result<Changed, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    if scope == Scope::Project {
        require_project(world, &prepared)?;
    }
    let place = Place {
        around: world.around,
        scope,
        root: &prepared.root,
        binary: binary(world)?,
    };
    let record_path = Record::path(world);
    let mut files = Vec::new();
    let mut unread = Vec::new();
    let mut plan = |door: &dyn Files| {
        let mut record = Record::read(door, &record_path)?;
        let mut changes = Changes::new("setup", why(host, scope, direction), Vec::new());
        files.clear();
        unread.clear();
        for config in wanted::configs(host, door, &place) {
            let old = write::text_of(door, &config.path)?;
            let entry = record.entry(&config.path);
            let file = File {
                host,
                config: &config,
                old: old.as_deref(),
                entry: entry.as_ref(),
            };
            let new = match direction {
                Direction::Install => file.install(door, &mut record)?,
                Direction::Uninstall => file.uninstall(&mut record)?,
            };
            if direction == Direction::Uninstall {
                let remains = new.as_deref().filter(|text| file.is_wired_in(text));
                unread.extend(remains.map(|_| was_there(&config.path)));
            }
            if new.is_none() {
                changes
                    .emptied
                    .extend(entry.into_iter().flat_map(|entry| entry.dirs));
            }
            unread.extend(new.as_deref().and_then(|text| config.unread(host, text)));
            files.push(told(&config.path, old.as_deref(), new.as_deref()));
            if new != old {
                let old = old.as_deref().map(str::as_bytes);
                let new = new.map(String::into_bytes);
                changes.files.push(Change::new(&config.path, old, new));
            }
        }
        changes.files.extend(record.into_change());
        changes.files = write::hold(world, door, place.root, changes.files)?;
        Ok(changes)
    };
    let locked = wanted::configs(host, world.files, &place).into_iter();
    let locked = locked.filter(|config| config.is_locked);
    let guards: Vec<_> = locked.map(|config| Guard(config.path)).collect();
    let written = write::write(world, flags, &guards, &mut plan)?;
    let id = written.receipt.and_then(|receipt| receipt.id);
    let mut notes = unread;
    if direction == Direction::Install {
        let told = wanted::notes(host, scope).iter();
        notes.extend(told.map(|note| (*note).to_owned()));
        notes.extend(twice(world, host, &place));
    }
    Ok(Changed {
        files,
        written: id.is_some(),
        id,
        notes,
    })
}

/// What was there before us is there again, even if it starts us.
fn was_there(path: &AbsPath) -> String {
    format!(
        "`{path}` started Analects before `setup` did, and does so again; `--uninstall` once more takes that out, too"
    )
}

fn why(host: Agent, scope: Scope, direction: Direction) -> String {
    let word = match direction {
        Direction::Install => "wires",
        Direction::Uninstall => "takes us out of",
    };
    format!("{word} {} for the {}", host.name(), scope.as_str())
}

/// Hooks of both scopes run, so one of them is enough.
fn twice(world: &World<'_>, host: Agent, place: &Place<'_>) -> Option<String> {
    let scope = match place.scope {
        Scope::User => Scope::Project,
        Scope::Project => Scope::User,
    };
    let is_home = place.root == &world.around.home;
    let is_wired = !is_home && status::is_wired(world, host, &Place { scope, ..*place });
    let (name, scope) = (host.name(), scope.as_str());
    is_wired.then(|| format!("{name} is wired for the {scope} too; one of them is enough"))
}

/// The program that hosts should start.
pub(super) fn binary<'a>(world: &World<'a>) -> Result<&'a AbsPath, Failure> {
    let binary = world.around.binary.as_ref();
    binary.ok_or_else(|| Failure::failed("the system does not tell where this program lies"))
}

/// A project has files of its own, and its folder must be trusted.
fn require_project(world: &World<'_>, prepared: &Prepared) -> Result<(), Failure> {
    if prepared.root == world.around.home {
        return Err(Failure::bad_input("your home directory is not a project")
            .hint("leave `--scope project` out, or go into a project"));
    }
    if prepared.decision.trust == Trust::Trusted {
        return Ok(());
    }
    let message = format!(
        "will not change files in `{}`: it is not trusted",
        prepared.root
    );
    Err(Failure::failed(message)
        .hint("`analects trust add` trusts it from now on, `--trust` for this run"))
}

fn told(path: &AbsPath, old: Option<&str>, new: Option<&str>) -> FileChange {
    let state = match (old, new) {
        (None, Some(_)) => FileState::Created,
        (Some(_), None) => FileState::Removed,
        (old, new) if old == new => FileState::Unchanged,
        _ => FileState::Changed,
    };
    let name = |text: Option<&str>| text.map_or("/dev/null", |_| path.as_str());
    let diff = patch::unified(
        old.unwrap_or_default(),
        new.unwrap_or_default(),
        name(old),
        name(new),
    );
    FileChange {
        path: path.clone(),
        diff,
        state,
    }
}
