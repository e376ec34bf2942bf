//! What accept and dismiss share: which items are meant, and the outcome of each.

use analects_skill::inbox::{Kind, Waiting};
use analects_skill::{Refused, skill};
use analects_world::AbsPath;
use analects_world::files::Files;

use super::items;
use crate::World;
use crate::consent::{self, Decided, Proposed};
use crate::load_memory::Prepared;
use crate::remember;
use crate::secrets::{Guarded, Refusal};
use crate::verbs::{Failure, Flags};

/// Which of the things that wait are meant.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    /// These.
    Named(&'a [String]),
    /// All that can be accepted without a second look: nothing in quarantine, nothing that was dismissed before, nothing
    /// that has problems.
    All,
}

/// What became of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The thing.
    pub waiting: Waiting,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was shown, and written if the person agreed.
    Decided(Decided),
    /// It was not even tried, for this reason.
    Skipped(String),
    /// It could not be done. Others were done all the same.
    Failed(Failure),
}

/// Finds everything that is named before anything is done to any of it.
pub(super) fn named(
    world: &World<'_>,
    prepared: &Prepared,
    names: &[String],
) -> Result<Vec<Waiting>, Failure> {
    let mut all: Vec<Waiting> = Vec::new();
    for name in names {
        let (_, waiting) = items::find(world, prepared, name)?;
        if !all.contains(&waiting) {
            all.push(waiting);
        }
    }
    Ok(all)
}

/// Does one thing after the other. What goes wrong with the only one is a failure; with one of many it is told, and
/// the others are done.
pub(super) fn each(
    all: Vec<Waiting>,
    one: &mut dyn FnMut(&Waiting) -> Result<Outcome, Failure>,
) -> Result<Vec<Settlement>, Failure> {
    if let [only] = all.as_slice() {
        let outcome = one(only)?;
        let waiting = only.clone();
        return Ok(vec![Settlement { waiting, outcome }]);
    }
    let settle = |waiting: Waiting| {
        let outcome = one(&waiting).unwrap_or_else(Outcome::Failed);
        Settlement { waiting, outcome }
    };
    Ok(all.into_iter().map(settle).collect())
}

/// The failure that a refusal is to whoever asked for it.
pub(super) fn failure(waiting: &Waiting, refused: &Refused) -> Failure {
    let id = &waiting.id;
    let failure = Failure::failed(format!("cannot accept `{id}`: {refused}"));
    match refused {
        Refused::BadPatch(_) | Refused::BadName(_) | Refused::BadSkill(_) => failure.hint(format!(
            "repair it with `analects memory inbox edit {id}`, or dismiss it"
        )),
        Refused::Exists(_) | Refused::Missing(_) | Refused::Stale(_) => failure.hint(format!(
            "look at both with `analects memory inbox show {id}`, then edit or dismiss it"
        )),
        Refused::Untrusted => {
            failure.hint("trust it with `analects trust add`, or for this run with `--trust`")
        }
        Refused::SkillExists { .. } => {
            failure.hint("remove the other one first, or accept this one elsewhere: `--to`")
        }
        Refused::Outside { .. } => failure.hint(format!(
            "dismiss it with `analects memory inbox dismiss {id}`"
        )),
        Refused::Unreadable { .. } | Refused::Gone(_) => failure,
    }
}

/// Shows what would become of one thing, and does it once the person agrees; what is new in it goes past the guard.
/// `allowed` are fingerprints of findings that are no secrets.
pub(super) fn propose(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    waiting: &Waiting,
    allowed: &[String],
    plan: &mut dyn FnMut(&dyn Files) -> Result<Proposed, Failure>,
) -> Result<Decided, Failure> {
    let allowed = remember::allowed(prepared, allowed);
    let guarded = Guarded { allowed: &allowed };
    let mut plan = |files: &dyn Files| {
        let proposed = plan(files)?;
        refuse_secrets(files, &guarded, waiting, &proposed)?;
        Ok(proposed)
    };
    consent::ask_person(world, flags, &guarded, &mut plan)
}

/// Fails if something new is a secret; all of what would be written is looked at.
fn refuse_secrets(
    files: &dyn Files,
    guarded: &Guarded<'_>,
    waiting: &Waiting,
    proposed: &Proposed,
) -> Result<(), Failure> {
    guarded.refuse_added(files, &proposed.changes, &|change| Refusal {
        place: format!("`{}`", change.path.file_name()),
        way_out: format!("take it out first: {}", way_out(waiting, &change.path)),
    })
}

/// How the file is edited that is to be written to this path.
fn way_out(waiting: &Waiting, path: &AbsPath) -> String {
    let id = &waiting.id;
    let edit = format!("`analects memory inbox edit {id}`");
    if waiting.kind != Kind::Skill {
        return edit;
    }
    let folder = waiting.path.file_name();
    let dir = path.ancestors().find(|dir| dir.file_name() == folder);
    match dir.and_then(|dir| path.relative_to(&dir)) {
        Some(name) if name != skill::FILE => {
            format!("`analects memory inbox edit {id} --file {name}`")
        }
        _ => edit,
    }
}
