//! Changes an entry: forget it, edit it, or move it.

use std::cell::RefCell;

use analects_memory::entry;
use analects_memory::layer::Layer;
use analects_memory::note::Fact;
use analects_text::problem::Problem;
use analects_text::redact;
use analects_world::AbsPath;
use analects_world::ask::Draft;
use analects_world::changes::{Base, Change, Changes};
use analects_world::files::Files;

use crate::World;
use crate::book::{Book, Remains};
use crate::codes;
use crate::consent::{self, Decided, Proposed};
use crate::entries::Noted;
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
    /// Its name: the one it had, unless a person made something else of it.
    pub id: String,
    /// What it says now; `None` if it is gone.
    pub text: Option<String>,
    /// Where it stands now.
    pub path: AbsPath,
    /// The change, and whether it was made.
    pub decided: Decided,
    /// What is worth knowing about it.
    pub problems: Vec<Problem>,
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
    write::finish(world, flags)?;
    let prepared = load_memory::prepare(world, flags)?;
    let consent = remember::consent_of(&prepared, caller.by)?;
    let was = find_entries::one(world, &prepared, wanted)?;
    let allowed = remember::allowed(&prepared, allowed);
    let guarded = Guarded { allowed: &allowed };
    let deed = deed(world, flags, &prepared, &was, wish, &guarded)?;
    let before = remember::before(world.files, &was.path);
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
    let mut ready = || deed.make_ready(world, flags, &prepared);
    let decided = consent::propose(world, flags, consent, &guarded, &mut plan, &mut ready)?;
    let (layer, path, text) = deed.outcome(&was);
    let mut changed = Changed {
        id: was.id.clone(),
        problems: Vec::new(),
        was,
        text,
        path,
        decided,
    };
    if changed.decided.is_written() {
        changed.read_back(world, flags, layer, &before);
    }
    Ok(changed)
}

impl Changed {
    /// Tells of what was written, not of what was meant to be.
    fn read_back(&mut self, world: &World<'_>, flags: &Flags, layer: Layer, before: &str) {
        if let Some(text) = &self.text {
            let place = (layer, &self.path);
            let now = remember::read_back(world, flags, place, text, before);
            if let Some(now) = now {
                (self.id, self.text) = (now.id, Some(now.entry.text));
            }
        }
        if !redact::scan(&self.was.entry.text).is_empty() {
            let message = "a secret stands among what changed: `memory undo` cannot take this back";
            let problem = Problem::new(&codes::NO_WAY_BACK, message);
            self.problems.push(problem.in_file(&self.was.path));
        }
    }
}

/// A wish that makes sense.
enum Deed {
    Forget,
    Say(Fact),
    /// Nothing: the person looked at it and left it as it is.
    Leave,
    /// Where to is known for sure only once the project has its private folder.
    Move(RefCell<Place>),
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
            let said = match text {
                Some(text) => Some((text.to_owned(), remember::clean(text)?)),
                None => edited(world, flags, was)?,
            };
            let Some((given, fact)) = said else {
                return Ok(Deed::Leave);
            };
            let found = remember::secrets_of(guarded, &given, &fact);
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
            Ok(Deed::Move(RefCell::new(place)))
        }
    }
}

/// What a person made of an entry in an editor, as it was given and as a fact; `None` if that is nothing new. What had
/// several lines may have several again.
fn edited(
    world: &World<'_>,
    flags: &Flags,
    was: &Noted,
) -> Result<Option<(String, Fact)>, Failure> {
    if flags.yes {
        return Err(Failure::bad_input("what should it say?")
            .hint("give the new text, or leave `--yes` away to get an editor"));
    }
    let file = write::text_of(world.files, &was.path)?.unwrap_or_default();
    let source = entry::source(&file, &still_there(&file, was)?);
    let draft = Draft {
        name: "entry.md",
        text: &format!("{source}\n"),
    };
    let given = world.person.edit(&draft).map_err(|error| {
        Failure::failed(error).hint("give the new text: `analects memory edit ID TEXT`")
    })?;
    if given.trim_end() == source {
        return Ok(None);
    }
    let fact = match source.contains('\n') {
        true => remember::cleaned_by(Fact::clean_lines, &given)?,
        false => remember::clean(&given)?,
    };
    Ok(Some((given, fact)))
}

impl Deed {
    fn verb(&self) -> &'static str {
        match self {
            Self::Forget => "forget",
            Self::Say(_) | Self::Leave => "edit",
            Self::Move(_) => "move",
        }
    }

    fn who(&self) -> &'static str {
        match self {
            Self::Forget => "memory forget",
            Self::Say(_) | Self::Leave => "memory edit",
            Self::Move(_) => "memory move",
        }
    }

    /// Gives the place that something is moved to all that it needs. If it becomes another one by that, the next plan
    /// says so.
    fn make_ready(
        &self,
        world: &World<'_>,
        flags: &Flags,
        prepared: &Prepared,
    ) -> Result<(), Failure> {
        if let Self::Move(place) = self {
            let ready = place::made_ready(world, flags, prepared, &place.borrow())?;
            place.replace(ready);
        }
        Ok(())
    }

    /// The layer and the file that the entry stands in then, and what it says.
    fn outcome(self, was: &Noted) -> (Layer, AbsPath, Option<String>) {
        let text = match &self {
            Self::Forget => None,
            Self::Say(fact) => Some(remember::said(fact)),
            Self::Leave | Self::Move(_) => Some(was.entry.text.clone()),
        };
        match self {
            Self::Move(place) => {
                let place = place.into_inner();
                (place.layer, place.path, text)
            }
            Self::Forget | Self::Say(_) | Self::Leave => (was.layer, was.path.clone(), text),
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
            Self::Leave => return Ok(changes),
            Self::Forget => {
                changes.push(replaced(&was.path, &old, without()));
                book.bury(&was.id, &entry.text, Remains::of(&entry.text));
            }
            Self::Say(fact) => {
                changes.push(replaced(&was.path, &old, entry::with(&old, &entry, fact)));
                book.keep_name(&was.id, &was.path, &remember::said(fact));
            }
            Self::Move(place) => {
                let left = replaced(&was.path, &old, without());
                let place = place.borrow();
                let source = entry::source(&old, &entry);
                // First where it goes to: whatever happens in between, it stands somewhere.
                changes.extend(received(files, &place, &source, &entry.text, &mut book)?);
                changes.push(left);
                book.keep_name(&was.id, &place.path, &entry.text);
            }
        }
        changes.retain(|change| change.base != Base::of(change.text.as_deref()));
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

/// The file that an entry is taken to, with the entry in it, line by line as it was written; `None` if it says so already.
fn received(
    files: &dyn Files,
    place: &Place,
    source: &str,
    said: &str,
    book: &mut Book,
) -> Result<Option<Change>, Failure> {
    let old = write::text_of(files, &place.path)?;
    let says = |text: &str| entry::entries(text).iter().any(|entry| entry.text == said);
    if old.as_deref().is_some_and(says) {
        return Ok(None);
    }
    if source.contains('\n') {
        let lines = remember::cleaned_by(Fact::clean_lines, source)?;
        let mut noted = book.clone();
        if let Ok(change) = remember::inserted(place, old.as_deref(), &lines, &mut noted)
            && says(&String::from_utf8_lossy(
                change.text.as_deref().unwrap_or_default(),
            ))
        {
            *book = noted;
            return Ok(Some(change));
        }
    }
    let fact = remember::clean(said)?;
    remember::inserted(place, old.as_deref(), &fact, book).map(Some)
}

#[cfg(test)]
mod tests;
