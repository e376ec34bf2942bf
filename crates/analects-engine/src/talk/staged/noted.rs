//! Our notes on entries, after somebody edited files freely.
//!
//! An entry that went to another file, or that was said otherwise in its place, keeps its name. What was forgotten on
//! purpose does not come back unasked. What is gone is not buried: only a person forgets.

use std::collections::HashMap;

use analects_memory::entry;
use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::Files;

use crate::World;
use crate::book::{self, Book};
use crate::verbs::Failure;

/// A file that holds something else.
pub(crate) struct Edited {
    /// As memory is loaded by.
    path: AbsPath,
    /// The entries that are no longer there, with their place among all.
    gone: Vec<Placed>,
    /// The entries that were not there.
    new: Vec<Placed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Placed {
    at: usize,
    text: String,
}

/// More doubts than these nobody reads.
const MAX_DOUBTS: usize = 10;
/// More new entries are not compared with what was forgotten, one by one.
const MAX_COMPARED: usize = 2_000;

impl Edited {
    pub(crate) fn new(path: AbsPath, old: Option<&[u8]>, new: &[u8]) -> Self {
        let (old, new) = (placed(old.unwrap_or_default()), placed(new));
        Self {
            path,
            gone: without(&old, &new),
            new: without(&new, &old),
        }
    }

    /// What stood in the place of a new entry, if nothing else changed.
    fn in_place_of(&self, entry: &Placed) -> Option<&str> {
        match self.gone.as_slice() {
            [gone] if self.new.len() == 1 && gone.at == entry.at => Some(&gone.text),
            _ => None,
        }
    }
}

/// What speaks against these changes, and the changes of our notes that go with them.
pub(crate) fn note(
    world: &World<'_>,
    files: &dyn Files,
    edited: &[Edited],
) -> Result<(Vec<String>, Vec<Change>), Failure> {
    let mut book = Book::read(world, files)?;
    let mut doubts = Vec::new();
    let gone: HashMap<&str, &AbsPath> = edited
        .iter()
        .flat_map(|file| {
            file.gone
                .iter()
                .map(|gone| (gone.text.as_str(), &file.path))
        })
        .collect();
    let n_new: usize = edited.iter().map(|file| file.new.len()).sum();
    if n_new > MAX_COMPARED {
        doubts.push(format!(
            "there are {n_new} new entries, too many to tell whether one was forgotten on purpose"
        ));
    }
    for file in edited {
        for entry in &file.new {
            if let Some(from) = gone.get(entry.text.as_str()) {
                let kept = book.name_of(from, &entry.text).map(ToOwned::to_owned);
                if let Some(id) = kept {
                    book.keep_name(&id, &file.path, &entry.text);
                }
                continue;
            }
            if n_new <= MAX_COMPARED && book.is_forgotten(&entry.text) {
                let said: String = entry.text.chars().take(80).collect();
                doubts.push(format!("this was forgotten on purpose: \"{said}\""));
                book.raise(&entry.text);
            }
            if let Some(was) = file.in_place_of(entry) {
                let kept = book.name_of(&file.path, was).map(ToOwned::to_owned);
                let id = kept.unwrap_or_else(|| book::derived(was, 0));
                book.keep_name(&id, &file.path, &entry.text);
            }
        }
    }
    doubts.truncate(MAX_DOUBTS);
    Ok((doubts, book.change(world, files)?))
}

fn placed(bytes: &[u8]) -> Vec<Placed> {
    let text = String::from_utf8_lossy(bytes);
    let entries = entry::entries(&text).into_iter().enumerate();
    let placed = entries.map(|(at, entry)| Placed {
        at,
        text: entry.text,
    });
    placed.collect()
}

/// Those of `all` that are not among `others`; each of the others stands for one.
fn without(all: &[Placed], others: &[Placed]) -> Vec<Placed> {
    let mut counts = HashMap::<&str, usize>::new();
    for other in others {
        *counts.entry(&other.text).or_default() += 1;
    }
    let is_left = |placed: &&Placed| match counts.get_mut(placed.text.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    all.iter().filter(is_left).cloned().collect()
}
