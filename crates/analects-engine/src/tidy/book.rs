//! The changes of files that new texts mean, and the names that entries keep through them.

use std::collections::{BTreeMap, HashMap};

use analects_memory::layer::Layer;
use analects_memory::page::Page;
use analects_memory::tidy::unmarked;
use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::Files;

use crate::World;
use crate::book::Book;
use crate::entries::{self, Noted};
use crate::mark::Mark;
use crate::verbs::Failure;
use crate::{secrets, write};

/// What is written.
#[derive(Debug, Default)]
pub(super) struct Planned {
    /// The changes, our own notes on entries among them.
    pub(super) changes: Vec<Change>,
    /// Files with a secret among what changes: the journal keeps nothing of that, so there is no way back.
    pub(super) sealed: Vec<AbsPath>,
}

/// The changes that give files these texts.
pub(super) fn changes(
    world: &World<'_>,
    files: &dyn Files,
    pages: &[Page],
    texts: &BTreeMap<AbsPath, String>,
) -> Result<Planned, Failure> {
    let mut planned = Planned::default();
    for (path, text) in texts {
        let old = write::bytes_of(files, path)?;
        let mark = Mark::of(old.as_deref().unwrap_or_default());
        let new = mark.before(text.clone()).into_bytes();
        let change = Change::new(path, old.as_deref(), Some(new));
        if secrets::touches_secret(old.as_deref(), &change) {
            planned.sealed.push(path.clone());
        }
        planned.changes.push(write::closed_if_new(world, change));
    }
    if planned.changes.is_empty() {
        return Ok(planned);
    }
    let mut book = Book::read(world, files)?;
    keep_names(&mut book, pages, texts);
    planned.changes.extend(book.change(world, files)?);
    Ok(planned)
}

/// Lets every entry keep its name, whether it was marked or moved, or is alone now where it was one of two.
fn keep_names(book: &mut Book, pages: &[Page], texts: &BTreeMap<AbsPath, String>) {
    let before = entries::entries(pages, book);
    let mut after_pages = pages.to_vec();
    for (path, text) in texts {
        match after_pages.iter_mut().find(|page| page.path == *path) {
            Some(page) => page.text.clone_from(text),
            None => after_pages.push(Page::new(path.clone(), Layer::Private, path, text.clone())),
        }
    }
    let after = entries::entries(&after_pages, book);
    let mut names = Names::new(&before);
    let (mut settled, mut moved) = (Vec::new(), Vec::new());
    for noted in &after {
        match names.take_here(noted) {
            Some(id) => settled.push((noted, id)),
            None => moved.push(noted),
        }
    }
    settled.extend(
        moved
            .iter()
            .filter_map(|noted| Some((*noted, names.take_anywhere(noted)?))),
    );
    for (noted, id) in settled {
        if noted.id != id {
            book.keep_name(&id, &noted.path, &noted.entry.text);
        }
    }
}

/// The names of entries by what they say, each to be given once.
struct Names<'a> {
    before: &'a [Noted],
    by_text: HashMap<String, Vec<usize>>,
}

impl<'a> Names<'a> {
    fn new(before: &'a [Noted]) -> Self {
        let mut by_text: HashMap<_, Vec<_>> = HashMap::new();
        // The last one first, so that they are taken in order.
        for (index, noted) in before.iter().enumerate().rev() {
            by_text
                .entry(unmarked(&noted.entry.text))
                .or_default()
                .push(index);
        }
        Self { before, by_text }
    }

    /// The name of an entry of the same file that said this.
    fn take_here(&mut self, now: &Noted) -> Option<String> {
        let all = self.by_text.get_mut(&unmarked(&now.entry.text))?;
        let here = all
            .iter()
            .rposition(|&index| self.before[index].path == now.path)?;
        Some(self.before[all.remove(here)].id.clone())
    }

    /// The name of an entry that said this in a file where nothing does any more.
    fn take_anywhere(&mut self, now: &Noted) -> Option<String> {
        let all = self.by_text.get_mut(&unmarked(&now.entry.text))?;
        Some(self.before[all.pop()?].id.clone())
    }
}
