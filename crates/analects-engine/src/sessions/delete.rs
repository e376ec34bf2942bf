//! Deletes conversations: by full id, with everything that belongs to them, and never one that may be in use.
//!
//! Only records in Gemini CLI's format are deleted. Those of other agents are theirs.

use analects_memory::discover::Trust;
use analects_session::foreign::resume::is_safe;
use analects_session::replay::Standing;
use analects_session::transcript::Kind;
use analects_world::ask::{Answer, Deed, Proposal};
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::{Files, Kind as FileKind, Pick, Subdirs, Trouble, Want, Within};
use analects_world::log::Logged;
use analects_world::{AbsPath, Agent};

use super::find::find_in_full;
use super::{Found, Stored, is_live, open};
use crate::World;
use crate::identity;
use crate::pins::{self, Of};
use crate::verbs::{Failure, Flags};
use crate::write;

/// A conversation with everything that goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doomed {
    /// Its name.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The files, the record first.
    pub files: Vec<AbsPath>,
    /// The directories that are empty then, the innermost first.
    pub dirs: Vec<AbsPath>,
    /// How many bytes the record has.
    pub n_bytes: u64,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    /// The conversations.
    pub sessions: Vec<Doomed>,
    /// Whether they are gone.
    pub is_done: bool,
    /// Whether the person said no.
    pub is_declined: bool,
}

/// What belongs to conversations that are named in full.
pub fn doom(
    world: &World<'_>,
    project: &AbsPath,
    trust: Trust,
    ids: &[String],
) -> Result<Vec<Doomed>, Failure> {
    let mut doomed: Vec<Doomed> = Vec::new();
    for id in ids {
        let found = find_in_full(world, project, trust, id)?;
        if !doomed.iter().any(|other| other.id == *id) {
            doomed.push(one(world, found)?);
        }
    }
    Ok(doomed)
}

/// Deletes them, once the person has agreed.
pub fn delete(
    world: &World<'_>,
    flags: &Flags,
    doomed: Vec<Doomed>,
    who: &str,
) -> Result<Deleted, Failure> {
    let mut deleted = Deleted {
        sessions: doomed,
        is_done: false,
        is_declined: false,
    };
    if flags.dry_run || deleted.sessions.is_empty() {
        return Ok(deleted);
    }
    if !flags.yes {
        match ask(world, &deleted.sessions) {
            Answer::Yes | Answer::Always => {}
            Answer::No | Answer::Edit => {
                deleted.is_declined = true;
                return Ok(deleted);
            }
            Answer::Nobody => {
                return Err(Failure::failed(
                    "nothing was deleted: it needs your consent, and nobody gave it",
                )
                .hint("consent with `--yes`, or look at what would go with `--dry-run`"));
            }
        }
    }
    // Somebody may have gone on with it while the person thought.
    if let Some(session) = deleted.sessions.iter().find(|one| one.is_in_use(world)) {
        return Err(running(&session.id));
    }
    for session in &deleted.sessions {
        remove(world, session, who)?;
        // An index that cannot be written now forgets them at the next search.
        let _ = world.index.forget(&session.files);
    }
    deleted.is_done = true;
    Ok(deleted)
}

fn ask(world: &World<'_>, doomed: &[Doomed]) -> Answer {
    let title = match doomed {
        [one] => format!("Delete the session \"{}\" for good", one.title),
        several => format!("Delete {} sessions for good", several.len()),
    };
    let list: String = doomed
        .iter()
        .flat_map(|session| &session.files)
        .map(|file| format!("- {file}\n"))
        .collect();
    world.person.consent(&Proposal {
        deed: Deed::Delete,
        title: &title,
        diff: &list,
        always: "",
        doubts: &[],
        is_unwanted: false,
        is_anew: false,
        may_edit: false,
    })
}

/// Everything that belongs to a conversation, if it may be deleted at all.
fn one(world: &World<'_>, found: Found) -> Result<Doomed, Failure> {
    let Found { stored, opened } = found;
    let id = opened.transcript.head.id.clone();
    if stored.agent != Agent::Gemini {
        let agent = stored.agent.as_str();
        return Err(
            Failure::bad_input(format!("`{id}` is a session of {agent}"))
                .hint("delete it there; here it is only read"),
        );
    }
    let loads = opened.replayed.as_ref().map(|record| record.standing());
    if loads != Some(Standing::Loadable) {
        return Err(Failure::failed(format!("`{}` cannot be read", stored.path))
            .hint("what cannot be read is not deleted; look at the file yourself"));
    }
    if is_live(world, &stored) {
        return Err(running(&id));
    }
    let mut doomed = Doomed {
        id,
        title: opened.title(),
        n_bytes: stored.measure.len,
        files: vec![stored.path.clone()],
        dirs: Vec::new(),
    };
    let pins = pins::path(
        world,
        Of {
            agent: stored.agent,
            session: &doomed.id,
        },
    );
    if is_itself(world.files, &pins) {
        doomed.files.push(pins);
    }
    let is_main = opened.transcript.head.kind == Kind::Main;
    // A name that is more than a word leads nowhere but to its own record.
    if let (true, true, Some(chats)) = (is_main, is_safe(&doomed.id), stored.path.parent()) {
        for chats in others(world, &stored, chats) {
            doomed.add_twins(world, &chats);
            doomed.add_belongings(world, &chats);
        }
    }
    Ok(doomed)
}

/// Where records of the same conversation may lie: beside this one, and where older versions put them, or newer ones
/// their copy.
fn others(world: &World<'_>, stored: &Stored, chats: AbsPath) -> Vec<AbsPath> {
    let project = stored.project.as_ref();
    let folders = project.map(|it| identity::session_folders(world, it, Trust::Untrusted));
    let folders = folders.unwrap_or_default().into_iter();
    let more = folders.map(|folder| folder.join("chats"));
    let more = more.filter(|other| *other != chats).collect::<Vec<_>>();
    std::iter::once(chats).chain(more).collect()
}

fn running(id: &str) -> Failure {
    Failure::failed(format!("the session `{id}` may still be running"))
        .hint("end it first; a record that was just written is left alone for ten minutes")
}

impl Doomed {
    fn is_in_use(&self, world: &World<'_>) -> bool {
        let record = self.files.get(..1).unwrap_or_default();
        let measures = world.files.measure(record);
        let mut measured = record.iter().zip(measures);
        measured.any(|(path, measure)| {
            measure.is_ok_and(|measure| super::is_in_use(world, path, &measure))
        })
    }

    /// Other records of the same conversation: an old one that was resumed lies beside the new one.
    fn add_twins(&mut self, world: &World<'_>, chats: &AbsPath) {
        let short: String = self.id.chars().take(8).collect();
        let names = super::files_in(world.files, chats);
        for name in names.iter().filter(|name| name.contains(&short)) {
            let path = chats.join(name);
            let Some(stored) = super::at(world, Agent::Gemini, &path) else {
                continue;
            };
            let same = |id: &str| id == self.id && !self.files.contains(&path);
            let is_twin = open(world, &stored).is_ok_and(|opened| same(&opened.transcript.head.id));
            if is_twin && !is_live(world, &stored) {
                self.files.push(path);
            }
        }
    }

    /// What Gemini CLI keeps about a conversation elsewhere.
    fn add_belongings(&mut self, world: &World<'_>, chats: &AbsPath) {
        let Some(folder) = chats.parent() else { return };
        let id = &self.id;
        let log = folder.join(&format!("logs/session-{id}.jsonl"));
        if is_itself(world.files, &log) {
            self.files.push(log);
        }
        let mut dirs = vec![
            chats.join(id),
            folder.join(&format!("tool-outputs/session-{id}")),
        ];
        // What all conversations share lies beside: "memory", "plans". No such name has this form.
        if is_uuid(id) {
            dirs.push(folder.join(id));
        }
        dirs.retain(|dir| is_itself(world.files, dir));
        for dir in dirs {
            self.add_tree(world.files, &dir);
        }
    }

    /// All files below a directory. Links stay, and are not followed.
    fn add_tree(&mut self, files: &dyn Files, top: &AbsPath) {
        let pick = Pick {
            subdirs: Subdirs::Report,
            ..Pick::ending("")
        };
        let mut dirs = vec![top.clone()];
        let mut at = 0;
        while let Some(dir) = dirs.get(at).cloned() {
            at += 1;
            let Ok(listing) = files.list_one(&dir, &pick) else {
                continue;
            };
            let found = listing.found.iter();
            let plain = found.filter(|found| found.kind == FileKind::File);
            self.files.extend(plain.map(|found| dir.join(&found.name)));
            dirs.extend(listing.subdirs.iter().map(|name| dir.join(name)));
        }
        self.dirs.extend(dirs.into_iter().rev());
    }
}

/// Whether something is there, and not a link to what lies elsewhere.
fn is_itself(files: &dyn Files, path: &AbsPath) -> bool {
    let parent = path.parent().unwrap_or_else(AbsPath::root);
    let (Ok(real), Ok(parent)) = (files.real(path), files.real(&parent)) else {
        return false;
    };
    real == parent.join(path.file_name())
}

fn is_uuid(id: &str) -> bool {
    let lengths: Vec<_> = id.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && id.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// How the reason of a commit begins that deletes a conversation: nothing of it is kept.
const WHY: &str = "delete session ";

/// Whether a commit deleted a conversation for good.
pub(crate) fn is_deletion(commit: &Logged) -> bool {
    commit.why.starts_with(WHY) && commit.files.iter().all(|file| file.after.is_none())
}

/// Removes the files of a conversation together.
fn remove(world: &World<'_>, doomed: &Doomed, who: &str) -> Result<(), Failure> {
    let mut unreadable = None;
    let mut plan = |files: &dyn Files| {
        let mut removed = Vec::new();
        for path in &doomed.files {
            let want = Want {
                path,
                within: Within::Anywhere,
                limit_bytes: usize::MAX,
            };
            let blob = match files.read_one(want) {
                Ok(blob) => blob,
                Err(trouble @ (Trouble::Denied | Trouble::Other(_))) => {
                    let message = format!("cannot read `{path}`: {trouble}");
                    unreadable = Some(Failure::failed(message).hint("nothing was deleted"));
                    return None;
                }
                // Gone already, or no file: nothing to remove.
                Err(_) => continue,
            };
            let mut change = Change::new(path, Some(&blob.bytes), None);
            change.trace = Trace::Fingerprint;
            removed.push(change);
        }
        let mut changes = Changes::new(who, format!("{WHY}{}", doomed.id), removed);
        changes.emptied.clone_from(&doomed.dirs);
        Some(changes)
    };
    let committed = world.desk.commit(&[], &mut plan);
    if let Some(failure) = unreadable {
        return Err(failure);
    }
    committed.map(drop).map_err(|error| write::failure(&error))
}
