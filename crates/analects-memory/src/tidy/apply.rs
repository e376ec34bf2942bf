//! The texts that any choice of steps makes.
//!
//! Every text is made anew from the one that the plan was made on, so a choice depends on nothing but itself.
//! It is then read again: if the rest of a page would mean something else than before (an item that becomes
//! code, a heading that was a line), the step that does it is left.

use std::collections::{BTreeMap, HashMap, HashSet};

use analects_text::markdown;
use analects_world::AbsPath;

use super::{Deed, Edit, Kind, Step, item, mark};
use crate::check::said::{self, Mood};
use crate::check::sheet::Sheet;
use crate::entry;
use crate::label::Labels;
use crate::note::{self, SECTION};
use crate::page::Page;
use analects_world::Profile;

/// What a choice of steps makes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The new text of every file that changes.
    pub texts: BTreeMap<AbsPath, String>,
    /// Steps that were chosen and cannot be done, by their places in the list.
    pub left: Vec<usize>,
}

/// The texts that those `steps` make that are `taken`. Pages are those that the steps were planned on.
#[must_use]
pub fn apply(pages: &[Page], steps: &[Step], taken: &[bool]) -> Applied {
    let mut job = Job {
        texts: pages
            .iter()
            .map(|page| (&page.path, page.text.as_str()))
            .collect(),
        steps,
        readings: HashMap::new(),
        done: Vec::new(),
        applied: Applied::default(),
    };
    let chosen = taken
        .iter()
        .take(steps.len())
        .enumerate()
        .filter(|(_, taken)| **taken);
    let chosen: Vec<_> = chosen.map(|(step, _)| step).collect();
    job.settle(&chosen);
    job.applied.left.sort_unstable();
    let texts = &job.texts;
    job.applied
        .texts
        .retain(|path, text| texts.get(path).copied().unwrap_or_default() != text);
    job.applied
}

struct Job<'a> {
    texts: HashMap<&'a AbsPath, &'a str>,
    steps: &'a [Step],
    readings: HashMap<&'a AbsPath, Reading>,
    /// The steps that are in the texts.
    done: Vec<usize>,
    applied: Applied,
}

impl<'a> Job<'a> {
    /// Takes all of these steps that can be taken. Nearly always that is all of them at once.
    fn settle(&mut self, batch: &[usize]) {
        if batch.is_empty() {
            return;
        }
        if let Some(texts) = self.tried(batch) {
            self.done.extend(batch);
            self.applied.texts.extend(texts);
            return;
        }
        match batch {
            [step] => self.applied.left.push(*step),
            _ => {
                let (first, second) = batch.split_at(batch.len() / 2);
                self.settle(first);
                self.settle(second);
            }
        }
    }

    /// The texts with these steps in them, too; `None` if one of the texts would not be what it should be.
    fn tried(&mut self, batch: &[usize]) -> Option<Vec<(AbsPath, String)>> {
        let steps = self.steps;
        let edits = |wanted: &[usize]| -> Vec<&'a Edit> {
            let wanted = wanted.iter().filter_map(|&step| steps.get(step));
            wanted.flat_map(|step| &step.edits).collect()
        };
        let mut all = self.done.clone();
        all.extend(batch);
        all.sort_unstable();
        let is_proposed =
            |&step: &usize| steps.get(step).is_some_and(|it| it.kind == Kind::Proposed);
        let is_free = all.iter().any(is_proposed);
        let mut deeds: HashMap<&AbsPath, Vec<&Deed>> = HashMap::new();
        for edit in edits(&all) {
            deeds.entry(&edit.path).or_default().push(&edit.deed);
        }
        let mut touched: Vec<_> = edits(batch).iter().map(|edit| &edit.path).collect();
        touched.sort_unstable();
        touched.dedup();
        let mut texts = Vec::new();
        for path in touched {
            let old = self.texts.get(path).copied().unwrap_or_default();
            let deeds = deeds.get(path).map_or(&[][..], Vec::as_slice);
            let new = composed(old, deeds)?;
            let before = self
                .readings
                .entry(path)
                .or_insert_with(|| Reading::of(path, old));
            if !is_free && !before.after(deeds).is_like(&Reading::of(path, &new)) {
                return None;
            }
            texts.push((path.clone(), new));
        }
        Some(texts)
    }
}

/// A text with these things done to it.
fn composed(text: &str, deeds: &[&Deed]) -> Option<String> {
    let removed: Vec<_> = deeds
        .iter()
        .filter_map(|deed| match deed {
            Deed::Remove(entry) => Some(entry),
            _ => None,
        })
        .collect();
    let starts: HashSet<_> = removed.iter().map(|entry| entry.range.start).collect();
    if starts.len() < removed.len() {
        // Two entries on one line: no lines of their own that could go.
        return None;
    }
    let mut places: Vec<_> = deeds
        .iter()
        .filter_map(|deed| Some((place(deed)?, *deed)))
        .collect();
    // From the end, so that places before stay what they are.
    places.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    let mut made = text.to_owned();
    for (_, deed) in places {
        match deed {
            Deed::Remove(entry) => made = entry::without(&made, entry, None),
            Deed::Replace(range, new) => {
                let is_gone = removed.iter().any(|entry| {
                    entry.range.start <= range.start
                        && range.end <= entry.range.end
                        && !entry.range.is_empty()
                });
                if !is_gone {
                    made.get(range.clone())?;
                    made.replace_range(range.clone(), new);
                }
            }
            Deed::Note(..) => {}
        }
    }
    noted(made, deeds)
}

fn place(deed: &Deed) -> Option<usize> {
    match deed {
        Deed::Remove(entry) => Some(entry.range.start),
        Deed::Replace(range, _) => Some(range.start),
        Deed::Note(..) => None,
    }
}

/// A text with all new facts in it, one below the other.
fn noted(text: String, deeds: &[&Deed]) -> Option<String> {
    let mut notes = deeds.iter().filter_map(|deed| match deed {
        Deed::Note(fact, style) => Some((fact, *style)),
        _ => None,
    });
    let Some((first, style)) = notes.next() else {
        return Some(text);
    };
    let mut insertion = note::insert(&text, first, style)?;
    let end = match insertion.line.ends_with("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    for (fact, _) in notes {
        insertion.line.push_str(&["- ", fact, end].concat());
    }
    Some(insertion.apply(&text))
}

/// How a text is read: what its entries say and how that is meant, and what its headings say.
struct Reading {
    /// By the places they begin at.
    entries: Vec<(usize, String, Option<Mood>)>,
    headings: Vec<(u8, String)>,
}

impl Reading {
    fn of(path: &AbsPath, text: &str) -> Self {
        let page = Page {
            path: path.clone(),
            layer: crate::layer::Layer::Private,
            scope: AbsPath::root(),
            text: text.to_owned(),
        };
        let labels = Labels {
            profile: Profile::Analects,
            root: AbsPath::root(),
            cwd: AbsPath::root(),
            home: AbsPath::root(),
        };
        let sheets = [Sheet::new(&page, &labels)];
        let said = said::all(&sheets);
        let read = |entry: entry::Entry| {
            let mood = item::in_range(&said, &entry.range)
                .first()
                .map(|said| said.mood);
            (entry.range.start, mark::without(&entry.text), mood)
        };
        let headings = markdown::skeleton(text).headings.into_iter();
        Self {
            entries: entry::entries(text).into_iter().map(read).collect(),
            headings: headings
                .map(|heading| (heading.level, heading.text))
                .collect(),
        }
    }

    /// How it should be read after these deeds.
    fn after(&self, deeds: &[&Deed]) -> Self {
        let mut removed = HashSet::new();
        let mut noted = Vec::new();
        for deed in deeds {
            match deed {
                Deed::Remove(entry) => {
                    removed.insert(entry.range.start);
                }
                Deed::Note(fact, _) => noted.push((0, mark::without(fact), Some(Mood::Plain))),
                Deed::Replace(..) => {}
            }
        }
        let kept = self
            .entries
            .iter()
            .filter(|(start, ..)| !removed.contains(start));
        Self {
            entries: kept.cloned().chain(noted).collect(),
            headings: self.headings.clone(),
        }
    }

    /// Whether both say the same in the same way, wherever it stands; the heading of facts may be new.
    fn is_like(&self, other: &Self) -> bool {
        let told = |reading: &Self| {
            let mut told: Vec<_> = reading
                .entries
                .iter()
                .map(|(_, text, mood)| (text.clone(), mood.map(|mood| mood as u8)))
                .collect();
            told.sort_unstable();
            told
        };
        let headings = |reading: &Self| {
            let others = reading
                .headings
                .iter()
                .filter(|(_, text)| text.trim() != SECTION);
            others.cloned().collect::<Vec<_>>()
        };
        told(self) == told(other) && headings(self) == headings(other)
    }
}
