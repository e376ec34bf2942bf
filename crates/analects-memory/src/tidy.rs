//! Plans how to tidy memory: merge duplicates, move entries to the layer they belong to, mark stale ones.
//!
//! What could be done is a list of [`Step`]s, each of which a person may take or leave, whatever becomes of
//! the others. Only list items are touched, and every other byte stays. Nothing gets lost: an entry goes
//! only where another one says the same to everybody who heard it. Where that is not clear, a note is made
//! of it and nothing else. What was tidied once is tidy.

mod apply;
mod duplicates;
mod hearing;
mod item;
mod layers;
mod lost;
mod mark;
mod rewrite;
mod same;
mod stale;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use analects_text::problem::Problem;
use analects_world::files::Files;
use analects_world::{AbsPath, Profile};

use crate::check::Survey;
use crate::check::sheet::Sheet;
use crate::entry::Entry;
use crate::label::Labels;
use crate::note::Style;
use crate::page::Page;

pub use apply::{Applied, apply, each};
pub use lost::{Lost, lost};
pub use rewrite::{Rewrite, rewrite};

/// What may be done, and what only a person can decide.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// What may be done, in the order of the files.
    pub steps: Vec<Step>,
    /// What looks wrong, but not clearly enough.
    pub notes: Vec<Problem>,
}

/// Something that is done as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is for.
    pub kind: Kind,
    /// What it is about: the entry, or the lines that go.
    pub subject: String,
    /// Why, in words that stand on their own.
    pub reason: String,
    /// What is done to which file.
    pub edits: Vec<Edit>,
}

/// What a step is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An entry goes because another one says the same.
    Duplicate,
    /// An entry is taken to the layer it belongs to.
    Layer,
    /// An entry that names what is gone is marked, or its mark is taken away.
    Stale,
    /// Somebody proposed another text.
    Proposed,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file; it need not exist.
    pub path: AbsPath,
    /// What is done to it.
    pub deed: Deed,
}

/// What is done to a file. Places are those of the text that the plan was made on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// An entry goes.
    Remove(Entry),
    /// Bytes are replaced by others.
    Replace(Range<usize>, String),
    /// A fact is noted as an entry of its own.
    Note(String, Style),
}

impl Step {
    /// The files that it changes.
    #[must_use]
    pub fn files(&self) -> BTreeSet<&AbsPath> {
        self.edits.iter().map(|edit| &edit.path).collect()
    }

    /// Whether both do the same to the same entry, wherever that stands by now.
    #[must_use]
    pub fn does_the_same_as(&self, other: &Self) -> bool {
        let same = |(a, b): (&Edit, &Edit)| {
            let same_deed = match (&a.deed, &b.deed) {
                (Deed::Remove(a), Deed::Remove(b)) => a.text == b.text,
                (Deed::Replace(_, a), Deed::Replace(_, b)) => a == b,
                (a, b) => a == b,
            };
            a.path == b.path && same_deed
        };
        self.kind == other.kind
            && self.subject == other.subject
            && self.edits.len() == other.edits.len()
            && self.edits.iter().zip(&other.edits).all(same)
    }
}

/// What tidying wants to know.
#[derive(Debug, Clone)]
pub struct TidyOptions {
    /// Whose import rules apply.
    pub profile: Profile,
    /// How places are called in reasons; also the project's root.
    pub labels: Labels,
    /// The name of the project at hand, if it is one.
    pub project: Option<String>,
    /// The pages that may be changed.
    pub editable: HashSet<AbsPath>,
    /// Where facts of this project alone go, if there is such a place.
    pub private: Option<Shelf>,
    /// What is wanted.
    pub kinds: BTreeSet<Kind>,
}

/// The file of a person's private notes on a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The file; it need not exist.
    pub path: AbsPath,
    /// How it keeps its facts.
    pub style: Style,
}

/// The project around the pages.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// What was found on it.
    pub survey: &'a Survey,
}

/// At most this many steps are planned at once: whoever has more tidies again.
const MAX_STEPS: usize = 1000;

/// What may be done to put `pages` in order. Without a ground, nothing is called stale.
#[must_use]
pub fn plan(pages: &[Page], ground: Option<Ground<'_>>, options: &TidyOptions) -> Plan {
    let sheets: Vec<_> = pages
        .iter()
        .map(|page| Sheet::new(page, &options.labels))
        .collect();
    let mut items = item::all(&sheets, options);
    let mut placed = layers::judge(&sheets, &mut items, options);
    let duplicates = duplicates::find(&sheets, &items, options);
    // What goes need not be moved.
    let goes: HashSet<_> = duplicates.gone.iter().map(|gone| gone.item).collect();
    placed.moves.retain(|step| !goes.contains(step));
    let mut found = Vec::new();
    found.extend(duplicates::steps(&sheets, &items, &duplicates));
    found.extend(layers::steps(
        &sheets,
        &items,
        &placed.moves,
        ground,
        options,
    ));
    if let Some(ground) = ground {
        found.extend(stale::steps(&sheets, ground, options));
    }
    found.retain(|(_, step)| options.kinds.contains(&step.kind));
    found.sort_by_key(|(place, step)| (*place, step.kind));
    found.truncate(MAX_STEPS);
    let mut steps: Vec<_> = found.into_iter().map(|(_, step)| step).collect();
    // What cannot be done without changing how the rest is read is not offered.
    let left = apply(pages, &steps, &vec![true; steps.len()]).left;
    let mut index = 0;
    steps.retain(|_| {
        index += 1;
        !left.contains(&(index - 1))
    });
    let mut notes = Vec::new();
    if options.kinds.contains(&Kind::Duplicate) {
        notes.extend(duplicates.notes);
    }
    if options.kinds.contains(&Kind::Layer) {
        notes.extend(placed.notes);
    }
    Plan { steps, notes }
}

/// Where a step has its place among the others: the page, and the byte on it.
type Place = (usize, usize);

/// What an entry says without the marks of this room: the same before and after it was marked.
#[must_use]
pub fn unmarked(text: &str) -> String {
    mark::without(text)
}

/// The beginning of what an entry says, for a reason.
fn short(text: &str) -> String {
    const MAX_CHARS: usize = 48;
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(MAX_CHARS).collect();
    match chars.next() {
        None => start,
        Some(_) => format!("{}…", start.trim_end()),
    }
}
