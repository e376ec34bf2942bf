//! Dismisses an item: it is removed, and not proposed again.

use std::collections::HashSet;

use analects_skill::inbox::{self, Kind, Shelf, Waiting};
use analects_skill::skill;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use super::items;
use super::propose;
use super::settle::{self, Outcome, Settlement};
use crate::World;
use crate::book::{Book, Remains};
use crate::consent::{self, Decided, Proposed};
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::verbs::{Failure, Flags};

/// Dismisses what is named, each thing by itself. A tombstone tells the same candidate from new ones; `memory undo`
/// brings the thing back, and takes the tombstone away.
pub fn dismiss(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    names: &[String],
    who: &str,
) -> Result<Vec<Settlement>, Failure> {
    let mut one = |waiting: &Waiting| {
        let decided = dismiss_one(world, flags, prepared, waiting, who);
        decided.map(Outcome::Decided)
    };
    settle::each(settle::named(world, prepared, names)?, &mut one)
}

/// What a text stands for where candidates are compared: itself, what it says as a skill, and each entry that it would
/// add as a patch.
pub(crate) fn candidates(text: &str) -> Vec<String> {
    let mut all = propose::added(text);
    all.extend([skill::gist(text), text.to_owned()]);
    all
}

fn dismiss_one(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    waiting: &Waiting,
    who: &str,
) -> Result<Decided, Failure> {
    let (shelf, _) = items::find(world, prepared, &waiting.id)?;
    let said: HashSet<String> = match waiting.kind {
        Kind::MemoryUpdate(_) => {
            let said = propose::said(world, prepared)?.into_iter();
            said.map(|(_, text)| text).collect()
        }
        Kind::Skill | Kind::SkillUpdate => HashSet::new(),
    };
    let id = &waiting.id;
    let mut plan = |files: &dyn Files| {
        let settled = inbox::dismiss(files, waiting);
        let settled = settled
            .map_err(|refused| Failure::failed(format!("cannot dismiss `{id}`: {refused}")))?;
        let mut changes = settled.changes;
        changes.extend(tombstones(world, files, &shelf, waiting, &said)?);
        let mut changes = Changes::new(who, format!("dismiss {id}"), changes);
        changes.emptied = settled.emptied;
        Ok(Proposed {
            title: format!("Dismiss {id}"),
            doubts: settled.doubts,
            is_unwanted: false,
            changes,
        })
    };
    let guarded = Guarded { allowed: &[] };
    consent::ask_person(world, flags, &guarded, &mut plan)
}

/// Notes that this candidate, and each fact of it that memory does not say, was not wanted.
fn tombstones(
    world: &World<'_>,
    files: &dyn Files,
    shelf: &Shelf,
    waiting: &Waiting,
    said: &HashSet<String>,
) -> Result<Vec<Change>, Failure> {
    let mut book = Book::read(world, files)?;
    for item in inbox::look(files, shelf, std::slice::from_ref(waiting)) {
        if item.gist.is_empty() {
            continue;
        }
        book.bury(&waiting.tomb(), &item.gist, Remains::Whole);
        if let Kind::MemoryUpdate(_) = waiting.kind {
            let facts = propose::added(&item.gist).into_iter();
            for fact in facts.filter(|fact| !said.contains(fact)) {
                book.bury(&waiting.id, &fact, Remains::of(&fact));
            }
        }
    }
    book.change(world, files)
}
