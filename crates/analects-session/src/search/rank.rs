//! Which places answer a question best.
//!
//! BM25 over the fields of a turn, word by word of the question; then what the turns beside it add, how
//! much of the question is covered, how near its words stand to each other, how old it is and who said it.
//! All of it from the index: no file is read. A search by vectors would add wishes of its own here.

mod score;

use std::collections::HashMap;

use analects_world::Index;
use analects_world::index::{
    Asked, Common, DocId, Document, Filter, IndexError, Places, Sought, Word, WordPlaces,
};

use super::document;
use super::query::{Query, Way};
use crate::stamp::Stamp;
use crate::transcript::Role;
use score::{Scored, score};

/// How to search.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Which turns are wanted at all.
    pub filter: Filter,
    /// Not more hits than this.
    pub limit: usize,
    /// Not more of one conversation.
    pub limit_per_session: usize,
    /// What counts as now; without it, age does not matter.
    pub now: Option<Stamp>,
}

/// A turn that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// What is known about it.
    pub document: Document,
    /// Which turn of the conversation, from 0.
    pub turn: usize,
    /// Who said it.
    pub role: Role,
    /// How well it answers; comparable within one search.
    pub score: f64,
}

/// How many turns for each hit are looked up, because age and conversation are known only then.
const LOOKED_UP: usize = 6;
const LEAST_LOOKED_UP: usize = 60;

/// After this many days the advantage of being new is halved.
const HALF_LIFE_DAYS: f64 = 45.0;
/// What being new can add at most.
const NEWNESS: f64 = 0.15;
/// What notices of the program are worth beside what was said.
const PROGRAM: f64 = 0.7;

const DAY_MS: f64 = 86_400_000.0;

/// The turns that answer `query` best, the best first.
pub fn find(index: &dyn Index, query: &Query, options: &Options) -> Result<Vec<Hit>, IndexError> {
    if query.is_empty() || options.limit == 0 {
        return Ok(Vec::new());
    }
    let (asked, numbers) = ask(query, options);
    let places = index.places(&asked)?;
    let mut scored = score(query, &places, |way| rows(way, &numbers, &places));
    scored.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(b.doc.cmp(&a.doc)));
    scored.truncate(options.limit.saturating_mul(LOOKED_UP).max(LEAST_LOOKED_UP));
    let ids: Vec<DocId> = scored.iter().map(|scored| scored.doc).collect();
    let documents = index.documents(&ids)?;
    let found = scored.iter().zip(documents);
    let mut hits: Vec<(DocId, Hit)> = found
        .filter_map(|(scored, document)| Some((scored.doc, hit(scored, document?, options.now))))
        .collect();
    hits.sort_by(|(a_id, a), (b_id, b)| b.score.total_cmp(&a.score).then(b_id.cmp(a_id)));
    Ok(spread(hits, options))
}

/// What the index is asked, and the number of every word therein.
fn ask(query: &Query, options: &Options) -> (Asked, HashMap<Word, usize>) {
    let mut numbers: HashMap<Word, usize> = HashMap::new();
    let mut words: Vec<Sought> = Vec::new();
    for wish in &query.wishes {
        for (at, way) in wish.ways.iter().enumerate() {
            let (most_places, common) = effort(wish.weight * way.weight, at == 0);
            for word in words_of(way) {
                let at = *numbers.entry(word.clone()).or_insert(words.len());
                match words.get_mut(at) {
                    Some(sought) => {
                        sought.most_places = sought.most_places.max(most_places);
                        sought.common = sought.common.max(common);
                    }
                    None => words.push(Sought {
                        word,
                        most_places,
                        common,
                    }),
                }
            }
        }
    }
    let asked = Asked {
        words,
        phrases: query.phrases.clone(),
        without: query.without.clone(),
        filter: options.filter.clone(),
    };
    (asked, numbers)
}

/// How many places of a word are worth reading, and what becomes of it if there are more. A word that
/// stands nearly everywhere tells little, and another word for it even less.
fn effort(weight: f32, is_own: bool) -> (usize, Common) {
    match (weight, is_own) {
        (0.4.., true) => (2_000, Common::Beside),
        (0.4.., false) => (1_000, Common::Skip),
        (_, true) => (500, Common::Skip),
        (_, false) => (300, Common::Skip),
    }
}

fn words_of(way: &Way) -> impl Iterator<Item = Word> {
    way.terms.iter().map(|term| match way.is_start {
        true => Word::Begins(term.clone()),
        false => Word::Whole(term.clone()),
    })
}

/// The places of each word of a way.
fn rows<'a>(way: &Way, numbers: &HashMap<Word, usize>, places: &'a Places) -> Vec<&'a WordPlaces> {
    let numbers = words_of(way).filter_map(|word| numbers.get(&word).copied());
    numbers.filter_map(|at| places.words.get(at)).collect()
}

fn hit(scored: &Scored, document: Document, now: Option<Stamp>) -> Hit {
    let at = document.at_ms.or(document.session.updated_ms);
    let newness = now.zip(at).map_or(0.0, |(now, at)| {
        #[expect(clippy::cast_precision_loss, reason = "days, not milliseconds")]
        let days = now.as_ms().saturating_sub(at) as f64 / DAY_MS;
        NEWNESS * (-days / HALF_LIFE_DAYS).exp2()
    });
    let role = document::role(scored.doc.role);
    let worth = match role {
        Role::Program => PROGRAM,
        Role::User | Role::Model => 1.0,
    };
    Hit {
        document,
        turn: scored.doc.turn as usize,
        role,
        score: f64::from(scored.score) * worth * (1.0 + newness),
    }
}

/// The first hits, but of each conversation only its best.
fn spread(hits: Vec<(DocId, Hit)>, options: &Options) -> Vec<Hit> {
    let mut n_of: HashMap<u32, usize> = HashMap::new();
    hits.into_iter()
        .filter(|(id, _)| {
            let n = n_of.entry(id.file).or_default();
            *n += 1;
            *n <= options.limit_per_session.max(1)
        })
        .map(|(_, hit)| hit)
        .take(options.limit)
        .collect()
}
