//! Changes an entry: forget it, edit it, or move it.

use analects_memory::entry;
use analects_memory::note::Fact;
use analects_text::redact;
use analects_world::AbsPath;
use analects_world::ask::Draft;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use crate::World;
use crate::book::{Book, Remains};
use crate::consent::{self, Decided, Proposed};
use crate::entries::{self, Noted};
use crate::find_entries;
use crate::load_memory::{self, Prepared};
use crate::place::{self, Place, Target};
use crate::remember::{self, By};
use crate::secrets::{self, Guarded};
use crate::verbs::{Failure, Flags};
use crate::write;

/// What to do with an entry.
#[derive(Debug, Clone, Copy)]
pub enum Wish<'a> {
    /// Remove it, and never learn it again by oneself.
    Forget,
    /// Let it say this; without a text the person is given an editor.
    Say(Option<&'a str>),
    /// Take it there.
    Move(&'a str),
}

/// Who wants an entry to change.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    /// Whose choice it is.
    pub by: By,
    /// The words for the journal; the verb's own if none.
    pub who: Option<&'a str>,
}

impl Caller<'_> {
    /// A person who uses a verb.
    pub const PERSON: Self = Self {
        by: By::Person,
        who: None,
    };
}

/// What became of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The entry as it was.
    pub was: Noted,
    /// What it says now; `None` if it is gone.
    pub text: Option<String>,
    /// Where it stands now.
    pub path: AbsPath,
    /// The change, and whether it was made.
    pub decided: Decided,
}

/// Does to the entry that `wanted` means what `wish` says.
pub fn change_entry(
    world: &World<'_>,
    flags: &Flags,
    wanted: &str,
    wish: Wish<'_>,
    allowed: &[String],
    caller: Caller<'_>,
) -> Result<Changed, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let consent = remember::consent_of(&prepared, caller.by)?;
    let started = prepared.start(*world);
    let all = find_entries::of(world, &started)?;
    let was = entries::find(world, &all, wanted)?.clone();
    let allowed = remember::allowed(&prepared, allowed);
    let guarded = Guarded { allowed: &allowed };
    let deed = deed(world, flags, &prepared, &was, wish, &guarded)?;
    let title = format!("{} {} in {}", deed.verb(), was.id, was.path);
    let who = caller.who.unwrap_or(deed.who());
    let mut plan = |files: &dyn Files| {
        let changes = deed.plan(world, files, &was)?;
        let changes = write::hold(world, files, &prepared.root, changes)?;
        Ok(Proposed {
            title: title.clone(),
            doubts: Vec::new(),
            is_unwanted: false,
            changes: Changes::new(who, format!("{} {}", deed.verb(), was.id), changes),
        })
    };
    let mut ready = || match &deed {
        Deed::Move(place) if place.layer == analects_memory::layer::Layer::Private => {
            place::claim(world, flags, &prepared).map(drop)
        }
        _ => Ok(()),
    };
    let decided = consent::propose(world, flags, consent, &guarded, &mut plan, &mut ready)?;
    let (text, path) = match &deed {
        Deed::Forget => (None, was.path.clone()),
        Deed::Say(fact) => (Some(fact.as_str().to_owned()), was.path.clone()),
        Deed::Move(place) => (Some(was.entry.text.clone()), place.path.clone()),
    };
    Ok(Changed {
        was,
        text,
        path,
        decided,
    })
}

/// A wish that makes sense.
enum Deed {
    Forget,
    Say(Fact),
    Move(Place),
}

fn deed(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    was: &Noted,
    wish: Wish<'_>,
    guarded: &Guarded<'_>,
) -> Result<Deed, Failure> {
    match wish {
        Wish::Forget => Ok(Deed::Forget),
        Wish::Say(text) => {
            let text = match text {
                Some(text) => text.to_owned(),
                None => edited(world, flags, was)?,
            };
            let fact = remember::clean(&text)?;
            let found = guarded.find(fact.as_str());
            match found.is_empty() {
                true => Ok(Deed::Say(fact)),
                false => Err(secrets::refuse(&found)),
            }
        }
        Wish::Move(to) => {
            let target = Target::named(to);
            let place = place::place(world, flags, prepared, &was.entry.text, target)?;
            if world.files.real_or_same(&place.path) == world.files.real_or_same(&was.path) {
                let message = format!("`{}` stands in {} already", was.id, was.path);
                return Err(Failure::bad_input(message));
            }
            Ok(Deed::Move(place))
        }
    }
}

fn edited(world: &World<'_>, flags: &Flags, was: &Noted) -> Result<String, Failure> {
    if flags.yes {
        return Err(Failure::bad_input("what should it say?")
            .hint("give the new text, or leave `--yes` away to get an editor"));
    }
    let draft = Draft {
        name: "entry.md",
        text: &format!("{}\n", was.entry.text),
    };
    world.person.edit(&draft).map_err(|error| {
        Failure::failed(error).hint("give the new text: `analects memory edit ID TEXT`")
    })
}

impl Deed {
    fn verb(&self) -> &'static str {
        match self {
            Self::Forget => "forget",
            Self::Say(_) => "edit",
            Self::Move(_) => "move",
        }
    }

    fn who(&self) -> &'static str {
        match self {
            Self::Forget => "memory forget",
            Self::Say(_) => "memory edit",
            Self::Move(_) => "memory move",
        }
    }

    fn plan(
        &self,
        world: &World<'_>,
        files: &dyn Files,
        was: &Noted,
    ) -> Result<Vec<Change>, Failure> {
        let mut book = Book::read(world, files)?;
        let old = write::text_of(files, &was.path)?.unwrap_or_default();
        let entry = still_there(&old, was)?;
        let without = || entry::without(&old, &entry, book.frame(&was.path).as_ref());
        let mut changes = Vec::new();
        match self {
            Self::Forget => {
                changes.push(replaced(&was.path, &old, without()));
                let remains = match redact::scan(&entry.text).is_empty() {
                    true => Remains::Words,
                    false => Remains::Whole,
                };
                book.bury(&was.id, &entry.text, remains);
            }
            Self::Say(fact) => {
                changes.push(replaced(&was.path, &old, entry::with(&old, &entry, fact)));
                book.keep_name(&was.id, &was.path, fact.as_str());
            }
            Self::Move(place) => {
                changes.push(replaced(&was.path, &old, without()));
                changes.push(received(files, place, &entry.text, &mut book)?);
                book.keep_name(&was.id, &place.path, &entry.text);
            }
        }
        changes.retain(|change| change.text.as_deref() != Some(old.as_bytes()));
        changes.extend(book.change(world, files)?);
        Ok(changes)
    }
}

/// The same entry in the text as it is by now.
fn still_there(text: &str, was: &Noted) -> Result<entry::Entry, Failure> {
    let now = entry::entries(text);
    let same = |entry: &&entry::Entry| entry.text == was.entry.text;
    let nearest = |entry: &&entry::Entry| entry.line.abs_diff(was.entry.line);
    let found = now.iter().filter(same).min_by_key(nearest);
    found.cloned().ok_or_else(|| {
        Failure::failed(format!(
            "`{}` has changed in {} meanwhile",
            was.id, was.path
        ))
        .hint("look again with `analects memory list --entries`")
    })
}

fn replaced(path: &AbsPath, old: &str, new: String) -> Change {
    Change::new(path, Some(old.as_bytes()), Some(new.into_bytes()))
}

/// The file that an entry is taken to, with the entry in it.
fn received(
    files: &dyn Files,
    place: &Place,
    text: &str,
    book: &mut Book,
) -> Result<Change, Failure> {
    let fact = remember::clean(text)?;
    let old = write::text_of(files, &place.path)?;
    remember::inserted(place, old.as_deref(), &fact, book)
}

#[cfg(test)]
mod tests;
