//! A fact on its way into a file: where it goes, what that changes, and what it is called once it stands there.

use std::cell::RefCell;

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
    /// What the file said before.
    before: Vec<String>,
    /// What the entry would be called by the last plan, and whether it is there already.
    named: RefCell<(String, bool)>,
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
            before: texts(world.files, &place.path),
            named: RefCell::new((book::derived(&said(&fact), 0), false)),
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
            self.named.replace((id, true));
            return Ok(Vec::new());
        }
        let change = inserted(&place, old.as_deref(), &self.fact, &mut book)?;
        let new = String::from_utf8_lossy(change.text.as_deref().unwrap_or_default());
        let id = name(&place, &new, &wanted, &book);
        let id = id.unwrap_or_else(|| book::derived(&wanted, 0));
        self.named.replace((id, false));
        book.raise(&wanted);
        let told = reference.map(|reference| referred(files, reference, &mut book));
        let told = told.transpose()?.flatten();
        let own = book.change(world, files)?;
        Ok([Some(change), told, own].into_iter().flatten().collect())
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
        let (id, is_known) = self.named.into_inner();
        let mut noted = Noted {
            id,
            text: self.fact.as_str().to_owned(),
            place,
            is_known,
        };
        if decided.is_written() {
            let Place { layer, path, .. } = &noted.place;
            let wanted = said(&self.fact);
            if let Some(entry) = read_back(world, flags, (*layer, path), &wanted, &self.before) {
                if entry.entry.text != wanted {
                    noted.text = entry.entry.text;
                }
                noted.id = entry.id;
            }
        }
        noted
    }
}

/// The entry that was put into a file: the one that says what was wanted, or whatever a person made of it.
pub(crate) fn read_back(
    world: &World<'_>,
    flags: &Flags,
    (layer, path): (Layer, &AbsPath),
    wanted: &str,
    before: &[String],
) -> Option<Entry> {
    // It is written: that it cannot be read now is no failure any more.
    let all = find_entries::in_file(world, flags, layer, path).unwrap_or_default();
    let says = |entry: &&Entry| entry.entry.text == wanted;
    let is_new = |entry: &&Entry| !before.contains(&entry.entry.text);
    let found = all.iter().rfind(says).or_else(|| all.iter().find(is_new));
    found.cloned()
}

/// What the entries of a file say.
pub(crate) fn texts(files: &dyn Files, path: &AbsPath) -> Vec<String> {
    let text = write::text_of(files, path).ok().flatten();
    let entries = entry::entries(&text.unwrap_or_default());
    entries.into_iter().map(|entry| entry.text).collect()
}

/// The name of the entry of a text that says this.
fn name(place: &Place, text: &str, wanted: &str, book: &Book) -> Option<String> {
    // Names are only looked for if there is one to be found.
    let mut said = entry::entries(text).into_iter();
    said.find(|entry| entry.text == wanted)?;
    let path = place.path.clone();
    let page = Page::new(path, place.layer, &place.path, text.to_owned());
    let mut noted = entries::entries(&[page], book).into_iter();
    noted
        .find(|noted| noted.entry.text == wanted)
        .map(|noted| noted.id)
}
