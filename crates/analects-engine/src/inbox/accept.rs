//! Accepts an item: a skill moves to where skills are used, a patch is applied, and the item is gone.

use analects_skill::inbox::{self, Item, Kind, Settled, Shelf, To, Waiting};
use analects_world::AbsPath;
use analects_world::changes::{Access, Base, Changes};
use analects_world::files::Files;

use super::settle::{self, Outcome, Settlement, Which};
use super::{is_spent, items};
use crate::World;
use crate::book::Book;
use crate::consent::{Decided, Proposed};
use crate::load_memory::Prepared;
use crate::talk::staged::noted;
use crate::verbs::{Failure, Flags};
use crate::write;

/// How things are accepted.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// Whose skill a new one becomes.
    pub to: To,
    /// Fingerprints of findings that are no secrets.
    pub allowed: &'a [String],
    /// Who asks, for the journal.
    pub who: &'a str,
}

/// Accepts what is meant, each thing by itself: its diff is shown, the person agrees, and one commit writes the
/// files and takes away what waited. A file that changed meanwhile is planned and shown again.
///
/// A setting never agrees in the person's place: what waits is there to be looked at.
pub fn accept(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    which: Which<'_>,
    wish: Wish<'_>,
) -> Result<Vec<Settlement>, Failure> {
    let names = match which {
        Which::Named(names) => names,
        Which::All => return all(world, flags, prepared, wish),
    };
    let named = settle::named(world, prepared, names)?;
    let is_alone = named.len() == 1;
    let mut one = |waiting: &Waiting| match waiting.is_quarantined && !is_alone {
        true => Ok(Outcome::Skipped(ALONE.to_owned())),
        false => accept_one(world, flags, prepared, waiting, wish).map(Outcome::Decided),
    };
    settle::each(named, &mut one)
}

/// Why something in quarantine is not accepted together with others.
const ALONE: &str = "it lies in quarantine: accept it by itself, by its whole name";

fn all(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wish: Wish<'_>,
) -> Result<Vec<Settlement>, Failure> {
    let mut settlements = Vec::new();
    for item in items::items(world, prepared)? {
        let waiting = Waiting {
            id: item.id.clone(),
            kind: item.kind,
            path: item.path.clone(),
            is_quarantined: item.taint.is_some(),
        };
        let outcome = match reason_to_wait(&item) {
            Some(reason) => Outcome::Skipped(reason),
            None => accept_one(world, flags, prepared, &waiting, wish)
                .map_or_else(Outcome::Failed, Outcome::Decided),
        };
        settlements.push(Settlement { waiting, outcome });
    }
    Ok(settlements)
}

/// Why something is not accepted together with others.
fn reason_to_wait(item: &Item) -> Option<String> {
    if item.taint.is_some() {
        return Some(ALONE.to_owned());
    }
    if item.was_dismissed {
        return Some("you dismissed the same before: accept it by name".to_owned());
    }
    let problem = item.problems.first();
    problem.map(|problem| problem.message.clone())
}

fn accept_one(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    waiting: &Waiting,
    wish: Wish<'_>,
) -> Result<Decided, Failure> {
    let (shelf, _) = items::find(world, prepared, &waiting.id)?;
    let mut plan = |files: &dyn Files| {
        let settled = inbox::accept(files, &shelf, waiting, wish.to);
        let settled = settled.map_err(|refused| settle::failure(waiting, &refused))?;
        proposed(world, files, &shelf, waiting, settled, wish.who)
    };
    settle::propose(world, flags, prepared, waiting, wish.allowed, &mut plan)
}

fn proposed(
    world: &World<'_>,
    files: &dyn Files,
    shelf: &Shelf,
    waiting: &Waiting,
    settled: Settled,
    who: &str,
) -> Result<Proposed, Failure> {
    let id = &waiting.id;
    let Settled {
        changes: mut written,
        emptied,
        mut doubts,
    } = settled;
    if matches!(waiting.kind, Kind::MemoryUpdate(_)) {
        let mut texts = Vec::new();
        for change in written.iter_mut().filter(|change| !is_spent(change)) {
            if change.base == Base::Absent {
                // Nobody else's business, and made by us.
                change.access = Access::OwnerOnly;
            }
            let old = write::bytes_of(files, &change.path)?;
            let new = change.text.as_deref().unwrap_or_default();
            let path = called(files, shelf, &change.path);
            texts.push(noted::Edited::new(path, old.as_deref(), new));
        }
        let (found, notes) = noted::note(world, files, &texts)?;
        doubts.extend(found);
        written.extend(notes);
    }
    let looked_at = inbox::look(files, shelf, std::slice::from_ref(waiting));
    let book = Book::read(world, files)?;
    if looked_at.iter().any(|item| book.is_buried(&item.gist)) {
        doubts.push("you dismissed the very same before".to_owned());
    }
    let title = match waiting.kind {
        Kind::Skill if waiting.stays() => format!("Accept a copy of the skill {id}"),
        Kind::Skill => format!("Accept the skill {id}, and take it out of the inbox"),
        Kind::SkillUpdate | Kind::MemoryUpdate(_) => {
            format!("Apply {id}, and take it out of the inbox")
        }
    };
    let mut changes = Changes::new(who, format!("accept {id}"), written);
    changes.emptied = emptied;
    Ok(Proposed {
        title,
        is_unwanted: !doubts.is_empty(),
        doubts,
        changes,
    })
}

/// The name under which memory is loaded: our notes on entries have it, and not where links lead.
fn called(files: &dyn Files, shelf: &Shelf, path: &AbsPath) -> AbsPath {
    let real = files.real_or_same(&shelf.memory);
    let below = path.relative_to(&real);
    below.map_or_else(|| path.clone(), |rest| shelf.memory.join(rest))
}
