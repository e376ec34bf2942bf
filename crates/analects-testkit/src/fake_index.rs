//! An index in memory that looks at everything each time. Ranking is for the room that asks.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use analects_world::AbsPath;
use analects_world::index::{
    Asked, Doc, DocId, Document, Entry, Filter, Index, IndexError, Known, Place, Places, Standing,
    Why, Word, WordPlaces,
};

/// An index over what was put in, gone with the test.
#[derive(Debug, Default)]
pub struct FakeIndex(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    /// By number; a file that is put in again gets a new one.
    files: BTreeMap<u32, Entry>,
    last: u32,
}

impl FakeIndex {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index for FakeIndex {
    fn standing(&self) -> Standing {
        Standing::Passing(Why::Wished)
    }

    fn known(&self) -> Result<Vec<Known>, IndexError> {
        let held = self.held();
        let known = held.files.values().map(|entry| Known {
            path: entry.path.clone(),
            measure: entry.measure,
        });
        Ok(known.collect())
    }

    fn put(&self, file: &Entry) -> Result<(), IndexError> {
        let mut held = self.held();
        held.files.retain(|_, entry| entry.path != file.path);
        held.last += 1;
        let number = held.last;
        held.files.insert(number, file.clone());
        Ok(())
    }

    fn forget(&self, paths: &[AbsPath]) -> Result<(), IndexError> {
        let mut held = self.held();
        held.files.retain(|_, entry| !paths.contains(&entry.path));
        Ok(())
    }

    fn purge(&self) -> Result<(), IndexError> {
        Ok(())
    }

    fn places(&self, asked: &Asked) -> Result<Places, IndexError> {
        let held = self.held();
        let all: Vec<_> = held
            .files
            .iter()
            .flat_map(|(&file, entry)| entry.docs.iter().map(move |doc| (file, entry, doc)))
            .collect();
        let n_words: usize = all.iter().map(|(_, _, doc)| count(doc)).sum();
        let wanted = |entry: &Entry, doc: &Doc| {
            is_wanted(&asked.filter, entry, doc)
                && asked.phrases.iter().all(|phrase| has(doc, phrase))
                && !asked.without.iter().any(|phrase| has(doc, phrase))
        };
        let words = asked.words.iter().map(|word| {
            let mut found = WordPlaces::default();
            for (file, entry, doc) in &all {
                let spots = spots(doc, &word.word);
                found.n_docs += u64::from(!spots.is_empty());
                if wanted(entry, doc) {
                    found.places.extend(spots.into_iter().map(|spot| Place {
                        doc: id(*file, doc),
                        spot: Some(spot),
                    }));
                }
            }
            found.places.sort_unstable();
            found
        });
        Ok(Places {
            n_docs: all.len() as u64,
            mean_words: n_words as f64 / all.len().max(1) as f64,
            words: words.collect(),
        })
    }

    fn documents(&self, ids: &[DocId]) -> Result<Vec<Option<Document>>, IndexError> {
        let held = self.held();
        let document = |id: &DocId| {
            let entry = held.files.get(&id.file)?;
            let doc = entry.docs.iter().find(|doc| doc.turn == id.turn)?;
            Some(Document {
                path: entry.path.clone(),
                session: entry.session.clone(),
                name: doc.name.clone(),
                at_ms: doc.at_ms,
                span: doc.span.clone(),
            })
        };
        Ok(ids.iter().map(document).collect())
    }
}

fn id(file: u32, doc: &Doc) -> DocId {
    DocId {
        file,
        turn: doc.turn,
        n_words: u32::try_from(count(doc)).unwrap_or(u32::MAX),
        role: doc.role,
    }
}

fn count(doc: &Doc) -> usize {
    let words = doc.words.iter();
    words.map(|(_, words)| words.split(' ').count()).sum()
}

fn spots(doc: &Doc, word: &Word) -> Vec<(analects_world::index::Field, u32)> {
    let is_it = |held: &str| match word {
        Word::Whole(word) => held == word,
        Word::Begins(start) => held.starts_with(start.as_str()),
    };
    let mut spots = Vec::new();
    for (field, words) in &doc.words {
        let hits = (0..).zip(words.split(' ')).filter(|(_, held)| is_it(held));
        spots.extend(hits.map(|(at, _)| (*field, at)));
    }
    spots
}

fn has(doc: &Doc, phrase: &[String]) -> bool {
    let phrase = format!(" {} ", phrase.join(" "));
    let mut fields = doc.words.iter();
    fields.any(|(_, words)| format!(" {words} ").contains(&phrase))
}

fn is_wanted(filter: &Filter, entry: &Entry, doc: &Doc) -> bool {
    let session = &entry.session;
    let at = doc.at_ms.or(session.updated_ms);
    let in_project = |root: &String| {
        let project = session.project.as_deref().unwrap_or_default();
        project == root || project.starts_with(&format!("{root}/"))
    };
    filter.project.as_ref().is_none_or(in_project)
        && filter
            .agent
            .as_ref()
            .is_none_or(|agent| session.agent == *agent)
        && filter.session.as_ref().is_none_or(|id| session.id == *id)
        && filter.role.is_none_or(|role| doc.role == role)
        && filter
            .since_ms
            .is_none_or(|since| at.is_some_and(|at| at >= since))
        && filter
            .until_ms
            .is_none_or(|until| at.is_some_and(|at| at < until))
        && filter
            .tool
            .as_ref()
            .is_none_or(|tool| doc.tools.contains(tool))
        && filter
            .path
            .as_ref()
            .is_none_or(|path| doc.paths.iter().any(|held| held.contains(path)))
}
