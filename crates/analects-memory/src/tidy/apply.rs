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
    let chosen = taken
        .iter()
        .take(steps.len())
        .enumerate()
        .filter(|(_, taken)| **taken);
    let chosen: Vec<_> = chosen.map(|(step, _)| step).collect();
    Job::new(pages, steps).applied(&chosen)
}

/// The texts that each of `steps` makes if it is the only one that is taken. Pages are read once for all of them.
pub fn each<'a>(pages: &'a [Page], steps: &'a [Step]) -> impl Iterator<Item = Applied> + use<'a> {
    let mut job = Job::new(pages, steps);
    (0..steps.len()).map(move |step| job.applied(&[step]))
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
    fn new(pages: &'a [Page], steps: &'a [Step]) -> Self {
        Self {
            texts: pages
                .iter()
                .map(|page| (&page.path, page.text.as_str()))
                .collect(),
            steps,
            readings: HashMap::new(),
            done: Vec::new(),
            applied: Applied::default(),
        }
    }

    /// What these steps make, whatever was taken before.
    fn applied(&mut self, chosen: &[usize]) -> Applied {
        self.done.clear();
        self.settle(chosen);
        let mut applied = std::mem::take(&mut self.applied);
        applied.left.sort_unstable();
        let texts = &self.texts;
        applied
            .texts
            .retain(|path, text| texts.get(path).copied().unwrap_or_default() != text);
        applied
    }

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
            let is_kept = || match deeds {
                [Deed::Remove(entry)] if before.is_amid_its_like(old, entry) => true,
                _ => before.after(deeds).is_like(&Reading::of(path, &new)),
            };
            if !is_free && !is_kept() {
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
    /// By the places they begin at, in order.
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

    /// Whether an entry is one line between two others of the same list. Without it the rest is read as before, and to
    /// read a long file again for each of its entries takes its time.
    fn is_amid_its_like(&self, text: &str, entry: &entry::Entry) -> bool {
        let rest = text.get(entry.range.start..).unwrap_or_default();
        let bullets = ["- ", "* ", "+ "];
        let Some(bullet) = bullets.into_iter().find(|it| rest.starts_with(it)) else {
            return false;
        };
        let line = |from: usize| {
            let rest = text.get(from..)?;
            let line = rest.get(..=rest.find('\n')?)?;
            // What is empty may end a list or underline what stands before it, and a second carriage return is a line.
            let said = line.strip_prefix(bullet)?.trim_end_matches(['\r', '\n']);
            let is_plain = said.starts_with(char::is_alphanumeric) && !said.contains('\r');
            is_plain.then_some(line.len())
        };
        let at = |start: usize| {
            self.entries
                .binary_search_by_key(&start, |(start, ..)| *start)
        };
        let start = |at: usize| self.entries.get(at).map(|(start, ..)| *start);
        let around = || {
            let at = at(entry.range.start).ok()?;
            Some((start(at.checked_sub(1)?)?, start(at + 1)?))
        };
        around().is_some_and(|(before, after)| {
            let ends_at = |from, to| line(from).is_some_and(|n_bytes| from + n_bytes == to);
            ends_at(before, entry.range.start)
                && ends_at(entry.range.start, after)
                && entry.range.end == after
                && line(after).is_some()
        })
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(vec![
            "- a",
            "- a",
            "- b",
            "- b c",
            "-",
            "- ",
            "---",
            "- - x",
            "- # h",
            "- ```",
            "```",
            "  more",
            "more",
            "",
            "    - in",
            "* a",
            "* b",
            "+ a",
            "1. n",
            "# Never",
            "Avoid:",
            "- Avoid:",
            "<!--",
            "-->",
            "<div>",
            "> - q",
            "\t- t",
            "- [x]: /u",
            "===",
            "- a\r",
            "- a\r- b",
            "- ❌ x",
            "| t |",
        ]);
        prop::collection::vec(odd, 0..12).prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_stands_amid_its_like_goes_without_a_change_of_the_rest(text in lines()) {
            let path = AbsPath::root().join("r/GEMINI.md");
            let before = Reading::of(&path, &text);
            for entry in entry::entries(&text) {
                if before.is_amid_its_like(&text, &entry) {
                    let deed = Deed::Remove(entry);
                    let new = composed(&text, &[&deed]).expect("one entry can go");
                    prop_assert!(before.after(&[&deed]).is_like(&Reading::of(&path, &new)), "{:?}", deed);
                }
            }
        }
    }

    #[test]
    fn an_entry_of_a_long_list_stands_amid_its_like() {
        let path = AbsPath::root().join("r/GEMINI.md");
        let text = "- a\n- b\n- c\n";
        let reading = Reading::of(&path, text);
        let entries = entry::entries(text);
        let amid = entries
            .iter()
            .map(|entry| reading.is_amid_its_like(text, entry));
        assert_eq!(amid.collect::<Vec<_>>(), [false, true, false]);
    }
}
