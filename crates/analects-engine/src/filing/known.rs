//! What is remembered already, in all layers, and how a new fact stands to it.

use std::collections::HashMap;

use analects_memory::clash::{Claim, Clash};
use analects_memory::note::{Fact, Style};
use analects_text::likeness::Gist;
use analects_text::problem::Problem;
use analects_world::AbsPath;

use crate::book::Book;
use crate::consent::Decided;
use crate::entries::{self, Noted};
use crate::load_memory::Started;
use crate::place::Place;
use crate::remember::{self, Remembered};
use crate::verbs::Failure;
use crate::{World, codes};

/// More clashes than this are not told: the first ones say enough.
const MAX_CLASHES: usize = 3;

/// Every entry that a fact is held against.
pub(super) struct Known {
    pub(super) book: Book,
    pub(super) noted: Vec<Noted>,
    /// Whether an entry of this file is heard where the fact would be.
    is_heard: HashMap<AbsPath, bool>,
}

/// An entry that says the same as a fact.
pub(super) struct Twin<'a> {
    entry: &'a Noted,
    problem: Problem,
}

impl Known {
    /// Reads all entries; the fact would speak for the directory `reach`.
    pub(super) fn read(
        world: &World<'_>,
        started: &Started<'_>,
        reach: AbsPath,
    ) -> Result<Self, Failure> {
        let book = Book::read(world, world.files)?;
        let pages = entries::pages(world.files, started);
        let noted = entries::entries(&pages, &book);
        let heard = pages.into_iter().map(|page| {
            let meets = page.scope.is_within(&reach) || reach.is_within(&page.scope);
            (page.path, meets)
        });
        Ok(Self {
            book,
            noted,
            is_heard: heard.collect(),
        })
    }

    /// The entries that are heard where the fact would be: what holds in another directory is no concern of it.
    fn heard(&self) -> impl Iterator<Item = &Noted> {
        let is_heard = |noted: &&Noted| self.is_heard.get(&noted.path).copied().unwrap_or(true);
        self.noted.iter().filter(is_heard)
    }

    /// The entry that says the same, word for word or nearly so.
    pub(super) fn twin_of(&self, fact: &Fact) -> Option<Twin<'_>> {
        let wanted = remember::said(fact);
        if let Some(entry) = self.heard().find(|noted| noted.entry.text == wanted) {
            let message = "this is remembered already, word for word";
            let problem = remember::at(&codes::ALREADY_KNOWN, message.to_owned(), entry);
            return Some(Twin { entry, problem });
        }
        let gist = Gist::of(fact.as_str());
        let mut heard = self.heard();
        let entry = heard.find(|noted| gist.is_twin_of_text(&noted.entry.text))?;
        let (id, text) = (&entry.id, &entry.entry.text);
        let message = format!(
            "nearly the same is remembered: \"{text}\"; `analects memory edit {id}` changes it, and `--to` writes a \
             second one"
        );
        let problem = remember::at(&codes::SIMILAR, message, entry);
        Some(Twin { entry, problem })
    }

    /// What cannot hold beside the fact.
    pub(super) fn clashes(&self, fact: &Fact) -> Vec<Problem> {
        let claim = Claim::of(fact.as_str());
        let clashes = self.heard().filter_map(|noted| {
            let text = &noted.entry.text;
            let message = match claim.clash(&Claim::of(text))? {
                Clash::Opposite => format!("it says the opposite of \"{text}\""),
                Clash::Values(new, old) => {
                    format!("it says \"{new}\" where \"{text}\" says \"{old}\"")
                }
            };
            let message = format!("{message} ({} in {})", noted.id, noted.path);
            Some(remember::at(&codes::CLASHING, message, noted))
        });
        clashes.take(MAX_CLASHES).collect()
    }
}

impl Twin<'_> {
    /// The answer: nothing is written, and there it is.
    pub(super) fn remembered(self, mut problems: Vec<Problem>) -> Remembered {
        problems.push(self.problem);
        Remembered {
            id: self.entry.id.clone(),
            text: self.entry.entry.text.clone(),
            place: Place {
                path: self.entry.path.clone(),
                layer: self.entry.layer,
                style: Style::Plain,
                because: "it is remembered there already".to_owned(),
            },
            decided: Decided {
                diff: String::new(),
                doubts: Vec::new(),
                receipt: None,
                is_declined: false,
                is_edited: false,
                is_waiting: false,
            },
            problems,
        }
    }
}
