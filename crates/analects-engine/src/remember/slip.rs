//! A fact on its way into a file: where it goes, what that changes, and what it is called once it stands there.

use std::cell::RefCell;
use std::collections::HashSet;

use analects_memory::entry;
use analects_memory::layer::Layer;
use analects_memory::note::Fact;
use analects_memory::page::Page;
use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::Files;

use super::{Reference, inserted, referred, said};
use crate::World;
use crate::book::{self, Book};
use crate::consent::Decided;
use crate::entries::{self, Noted as Entry};
use crate::find_entries;
use crate::load_memory::Prepared;
use crate::place::{self, Place};
use crate::verbs::{Failure, Flags};
use crate::write;

/// A fact with the place that it goes to.
pub(crate) struct Slip {
    fact: Fact,
    /// Known for sure only once the project has its private folder.
    place: RefCell<Place>,
    /// The file as it was before.
    before: String,
    /// What the last plan came to.
    planned: RefCell<Planned>,
}

/// What a plan comes to.
enum Planned {
    /// Nothing is to be done: an entry of this name says it already.
    Known(String),
    /// The file would be this text.
    New(String),
}

/// What became of it.
pub(crate) struct Noted {
    /// The name of the entry.
    pub(crate) id: String,
    /// What it says.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) place: Place,
    /// Whether the file said it before.
    pub(crate) is_known: bool,
}

impl Slip {
    pub(crate) fn new(world: &World<'_>, place: Place, fact: Fact) -> Self {
        Self {
            before: before(world.files, &place.path),
            planned: RefCell::new(Planned::New(String::new())),
            place: RefCell::new(place),
            fact,
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("Remember in {}", self.place.borrow().path)
    }

    pub(crate) fn why(&self) -> String {
        let because = &self.place.borrow().because;
        format!("a fact to remember; there because {because}")
    }

    /// The changes that note the fact in its file, and in another where that is; none if it says so already.
    pub(crate) fn plan(
        &self,
        world: &World<'_>,
        files: &dyn Files,
        reference: Option<&Reference>,
    ) -> Result<Vec<Change>, Failure> {
        let place = self.place.borrow();
        let old = write::text_of(files, &place.path)?;
        let mut book = Book::read(world, files)?;
        let wanted = said(&self.fact);
        let text = old.as_deref().unwrap_or_default();
        if let Some(id) = name(&place, text, &wanted, &book) {
            self.planned.replace(Planned::Known(id));
            return Ok(Vec::new());
        }
        let change = inserted(&place, old.as_deref(), &self.fact, &mut book)?;
        let new = String::from_utf8_lossy(change.text.as_deref().unwrap_or_default());
        self.planned.replace(Planned::New(new.into_owned()));
        book.raise(&wanted);
        let told = reference.map(|reference| referred(files, reference, &mut book));
        let told = told.transpose()?.flatten();
        let own = book.change(world, files)?;
        let said = [Some(change), told].into_iter().flatten();
        Ok(said.chain(own).collect())
    }

    /// Gives the place all that it needs. If it becomes another one by that, the next plan says so.
    pub(crate) fn make_ready(
        &self,
        world: &World<'_>,
        flags: &Flags,
        prepared: &Prepared,
    ) -> Result<(), Failure> {
        let ready = place::made_ready(world, flags, prepared, &self.place.borrow())?;
        self.place.replace(ready);
        Ok(())
    }

    /// What is to be told of it: of what was written, how it is found from now on.
    pub(crate) fn noted(self, world: &World<'_>, flags: &Flags, decided: &Decided) -> Noted {
        let place = self.place.into_inner();
        let wanted = said(&self.fact);
        let mut text = self.fact.as_str().to_owned();
        let (id, is_known) = match self.planned.into_inner() {
            Planned::Known(id) => (Some(id), true),
            Planned::New(_) if decided.is_written() => {
                let at = (place.layer, &place.path);
                let entry = read_back(world, flags, at, &wanted, &self.before);
                let id = entry.map(|entry| {
                    if entry.entry.text != wanted {
                        text = entry.entry.text;
                    }
                    entry.id
                });
                (id, false)
            }
            Planned::New(new) => {
                let book = Book::read(world, world.files).ok();
                let id = book.and_then(|book| name(&place, &new, &wanted, &book));
                (id, false)
            }
        };
        Noted {
            id: id.unwrap_or_else(|| book::derived(&wanted, 0)),
            text,
            place,
            is_known,
        }
    }
}

/// The entry that was put into a file: the one that says what was wanted, or whatever a person made of it.
pub(crate) fn read_back(
    world: &World<'_>,
    flags: &Flags,
    (layer, path): (Layer, &AbsPath),
    wanted: &str,
    before: &str,
) -> Option<Entry> {
    // It is written: that it cannot be read now is no failure any more.
    let all = find_entries::in_file(world, flags, layer, path).unwrap_or_default();
    let says = |entry: &&Entry| entry.entry.text == wanted;
    all.iter().rfind(says).cloned().or_else(|| {
        let before = entry::entries(before).into_iter().map(|entry| entry.text);
        let before: HashSet<_> = before.collect();
        let is_new = |entry: &&Entry| !before.contains(&entry.entry.text);
        all.iter().find(is_new).cloned()
    })
}

/// A file as it is before it is changed; empty if it cannot be read.
pub(crate) fn before(files: &dyn Files, path: &AbsPath) -> String {
    let text = write::text_of(files, path).ok().flatten();
    text.unwrap_or_default()
}

/// The name of the entry of a text that says this.
fn name(place: &Place, text: &str, wanted: &str, book: &Book) -> Option<String> {
    // To take a text apart costs more than to look for words: only if none of them is missing.
    if !wanted.split(' ').all(|word| text.contains(word)) {
        return None;
    }
    let path = place.path.clone();
    let page = Page::new(path, place.layer, &place.path, text.to_owned());
    let mut noted = entries::entries(&[page], book).into_iter();
    noted
        .find(|noted| noted.entry.text == wanted)
        .map(|noted| noted.id)
}
