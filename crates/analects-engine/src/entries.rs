//! All entries that apply here, each with its id, and how a person names one.

use std::collections::{HashMap, HashSet};

use analects_memory::entry::{self, Entry};
use analects_memory::layer::Layer;
use analects_memory::load::Loaded;
use analects_memory::page::Page;
use analects_text::likeness::Gist;
use analects_text::tokens;
use analects_world::AbsPath;
use analects_world::files::Files;

use crate::World;
use crate::book::{self, Book};
use crate::load_memory::Started;
use crate::pages;
use crate::verbs::Failure;
use crate::write;

/// An entry of a memory file, with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// Its name.
    pub id: String,
    /// The file it stands in.
    pub path: AbsPath,
    /// The layer of that file.
    pub layer: Layer,
    /// Where and what.
    pub entry: Entry,
}

impl Noted {
    /// What it costs.
    #[must_use]
    pub fn tokens(&self) -> usize {
        tokens::estimate(&self.entry.text)
    }
}

/// The memory files that were loaded, and what they import, as far as they may be written to.
#[must_use]
pub(crate) fn pages(files: &dyn Files, started: &Started<'_>) -> Vec<Page> {
    pages::read(files, started, write::LIMIT_BYTES).into_editable()
}

/// The pages of these files, and of what they import, as far as they may be written to.
pub(crate) fn pages_of<'a>(
    files: &dyn Files,
    loaded: impl IntoIterator<Item = &'a Loaded>,
) -> Vec<Page> {
    pages::read_loaded(files, loaded, write::LIMIT_BYTES).into_editable()
}

/// The entries of these pages, in order, each with a name that no other has.
#[must_use]
pub(crate) fn entries(pages: &[Page], book: &Book) -> Vec<Noted> {
    let all: Vec<_> = pages
        .iter()
        .flat_map(|page| {
            let entries = entry::entries(&page.text).into_iter();
            entries.map(move |entry| (page, entry))
        })
        .collect();
    let ids = ids(&all, book);
    let named = all.into_iter().zip(ids);
    let noted = named.map(|((page, entry), id)| Noted {
        id,
        path: page.path.clone(),
        layer: page.layer,
        entry,
    });
    noted.collect()
}

fn ids(all: &[(&Page, Entry)], book: &Book) -> Vec<String> {
    let mut taken = HashSet::with_capacity(all.len());
    // A name that somebody was told comes before all that only follow from words.
    let kept: Vec<_> = all
        .iter()
        .map(|(page, entry)| {
            let kept = book.name_of(&page.path, &entry.text)?;
            taken.insert(kept.to_owned()).then_some(kept)
        })
        .collect();
    let mut said = HashMap::<&str, usize>::with_capacity(all.len());
    let mut ids = Vec::with_capacity(all.len());
    for ((_, entry), kept) in all.iter().zip(kept) {
        let n_before = said.entry(&entry.text).or_default();
        let id = kept.map_or_else(
            || {
                let mut names = (*n_before..).map(|n| book::derived(&entry.text, n));
                names.find(|id| !taken.contains(id)).unwrap_or_default()
            },
            ToOwned::to_owned,
        );
        *n_before += 1;
        taken.insert(id.clone());
        ids.push(id);
    }
    ids
}

/// The shortest beginning of a name that stands for it.
const MIN_NAME: usize = 4;

/// How many candidates are told where several are meant.
const MAX_TOLD: usize = 5;

/// The one entry that a person means: by its name, its beginning, or what it says; `None` if there is none.
pub(crate) fn find<'a>(
    world: &World<'_>,
    all: &'a [Noted],
    wanted: &str,
) -> Result<Option<&'a Noted>, Failure> {
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Err(Failure::bad_input("which entry?")
            .hint("`analects memory list --entries` shows all of them"));
    }
    let lower = wanted.to_lowercase();
    let is_name = wanted.len() >= MIN_NAME;
    let by_name = |noted: &&Noted| is_name && noted.id.starts_with(&lower);
    let whole = |noted: &&Noted| noted.entry.text.to_lowercase() == lower;
    let part = |noted: &&Noted| noted.entry.text.to_lowercase().contains(&lower);
    let ways: [&dyn Fn(&&Noted) -> bool; 3] = [&by_name, &whole, &part];
    for way in ways {
        let found: Vec<_> = all.iter().filter(way).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(Some(one)),
            several => return Err(ambiguous(wanted, several)),
        }
    }
    by_old_name(world, all, &lower)
}

fn ambiguous(wanted: &str, several: &[&Noted]) -> Failure {
    let message = format!("`{wanted}` is said by {} entries", several.len());
    let failure = Failure::bad_input(message);
    several.iter().take(MAX_TOLD).fold(failure, |failure, one| {
        failure.hint(format!("{} ({}): {}", one.id, one.path, one.entry.text))
    })
}

/// At most this many commits are looked through for a name of the past.
const MAX_COMMITS: usize = 10_000;

/// The entry that had this name when it was written down, and was changed by hand since.
fn by_old_name<'a>(
    world: &World<'_>,
    all: &'a [Noted],
    id: &str,
) -> Result<Option<&'a Noted>, Failure> {
    if id.len() < MIN_NAME || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(None);
    }
    let mut then = None;
    let mut n_seen = 0;
    let looked = world.desk.log(&mut |commit| {
        n_seen += 1;
        for file in &commit.files {
            let put = file.new.bytes().unwrap_or_default();
            let said = entry::entries(&String::from_utf8_lossy(put));
            let mut texts = said.into_iter().map(|entry| entry.text);
            if let Some(text) = texts.find(|text| book::derived(text, 0).starts_with(id)) {
                then = Some((file.path.clone(), Gist::of(&text)));
            }
        }
        then.is_none() && n_seen < MAX_COMMITS
    });
    looked.map_err(|error| write::failure(&error))?;
    let Some((path, gist)) = then else {
        return Ok(None);
    };
    let mut near = all
        .iter()
        .filter(|noted| noted.path == path && Gist::of(&noted.entry.text).is_twin_of(&gist));
    Ok(near.next().filter(|_| near.next().is_none()))
}
