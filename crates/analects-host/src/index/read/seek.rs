//! Finds the places of words without reading all of a common word's.
//!
//! A rare word is read place by place. A common one would take longer than all the rest together; of it
//! is asked only in which turns it stands beside other words of the question, and which are the newest.

use std::collections::{HashMap, HashSet};

use analects_world::index::{Asked, Common, Field, Place, Sought, Word, WordPlaces};
use rusqlite::{Connection, Rows};

use super::filter::{Demand, Times, demand, quoted};
use crate::index::number;

/// The columns in which words are looked for.
pub(super) const TEXT: &str = "{title prompt answer input output}";

/// For each turn that is wanted, this many of other times are passed over.
const MOST_PASSED: usize = 8;

/// How many common words of a question are looked at, the rarest of them.
const MOST_COMMON: usize = 3;

/// Words that were found to be common, with the number of their turns. It need not be right: a word that
/// is common does not become rare.
pub(in crate::index) type CommonWords = HashMap<Word, u64>;

/// The places of every word of the question.
pub(super) fn seek(
    view: &Connection,
    asked: &Asked,
    common: &mut CommonWords,
) -> rusqlite::Result<Vec<WordPlaces>> {
    let mut words = list(view, asked, common)?;
    let seek = Seek {
        view,
        asked,
        demand: demand(asked),
        times: Times::of(view, &asked.filter)?,
    };
    seek.keep_demanded(&mut words)?;
    seek.add_common(&mut words)?;
    let times = &seek.times;
    Ok(words
        .into_iter()
        .map(|mut word| {
            word.places.sort_unstable();
            word.places.dedup();
            let places = word.places.into_iter();
            let places = places.filter(|(id, _)| times.allow(*id));
            WordPlaces {
                n_docs: word.n_docs,
                places: places
                    .map(|(id, spot)| Place {
                        doc: number::read(id),
                        spot,
                    })
                    .collect(),
            }
        })
        .collect())
}

/// Turn by turn, and where in each.
type Spots = Vec<(i64, Option<(Field, u32)>)>;

struct Listed {
    n_docs: u64,
    is_common: bool,
    places: Spots,
}

/// How many common words are remembered.
const MOST_REMEMBERED: usize = 20_000;

/// All places of every word, unless they are too many.
fn list(
    view: &Connection,
    asked: &Asked,
    common: &mut CommonWords,
) -> rusqlite::Result<Vec<Listed>> {
    let whole = "SELECT doc, col, offset FROM temp.place WHERE term = ?";
    let range = "SELECT doc, col, offset FROM temp.place WHERE term >= ? AND term < ?";
    let (mut whole, mut begins) = (view.prepare(whole)?, None);
    let mut words = Vec::new();
    for sought in &asked.words {
        let known = common.get(&sought.word).copied();
        let most = sought.most_places as u64;
        if let Some(n_docs) = known.filter(|n_docs| *n_docs > most) {
            words.push(Listed::common(n_docs));
            continue;
        }
        let rows = match &sought.word {
            Word::Whole(word) => whole.query([word])?,
            Word::Begins(start) => {
                let begins = match &mut begins {
                    Some(begins) => begins,
                    None => begins.insert(view.prepare(range)?),
                };
                begins.query([start.clone(), format!("{start}\u{10FFFF}")])?
            }
        };
        let listed = match read(rows, sought.most_places)? {
            Some(listed) => listed,
            None => {
                let n_docs = n_docs(view, sought)?;
                if common.len() < MOST_REMEMBERED {
                    common.insert(sought.word.clone(), n_docs);
                }
                Listed::common(n_docs)
            }
        };
        words.push(listed);
    }
    Ok(words)
}

/// In how many turns a common word stands.
fn n_docs(view: &Connection, sought: &Sought) -> rusqlite::Result<u64> {
    let least = sought.most_places as u64 + 1;
    let Word::Whole(word) = &sought.word else {
        return Ok(least);
    };
    let mut count = view.prepare("SELECT doc FROM temp.word WHERE term = ?")?;
    let mut rows = count.query([word])?;
    let n_docs = rows.next()?.map(|row| row.get::<_, i64>(0)).transpose()?;
    Ok(n_docs.map_or(least, i64::cast_unsigned))
}

impl Listed {
    fn common(n_docs: u64) -> Self {
        Self {
            n_docs,
            is_common: true,
            places: Spots::new(),
        }
    }
}

/// The places in these rows; `None` if they are more than `most`.
fn read(mut rows: Rows<'_>, most: usize) -> rusqlite::Result<Option<Listed>> {
    let mut listed = Listed {
        n_docs: 0,
        is_common: false,
        places: Spots::new(),
    };
    let mut last = None;
    let mut n_read = 0;
    while let Some(row) = rows.next()? {
        n_read += 1;
        if n_read > most {
            return Ok(None);
        }
        let Some(field) = field(row.get_ref(1)?.as_bytes().unwrap_or_default()) else {
            continue;
        };
        let id = row.get(0)?;
        if last != Some(id) {
            listed.n_docs += 1;
            last = Some(id);
        }
        listed.places.push((id, Some((field, row.get(2)?))));
    }
    Ok(Some(listed))
}

fn field(column: &[u8]) -> Option<Field> {
    Some(match column {
        b"title" => Field::Title,
        b"prompt" => Field::Prompt,
        b"answer" => Field::Answer,
        b"input" => Field::Input,
        b"output" => Field::Output,
        _ => return None,
    })
}

struct Seek<'a> {
    view: &'a Connection,
    asked: &'a Asked,
    demand: Demand,
    times: Times,
}

impl Seek<'_> {
    /// Drops the places of turns that are not wanted.
    fn keep_demanded(&self, words: &mut [Listed]) -> rusqlite::Result<()> {
        let rare = self.any_of(words, |_, listed| !listed.places.is_empty());
        if self.demand.is_empty() || rare.is_none() {
            return Ok(());
        }
        let wanted: HashSet<i64> = self.turns(&[rare], None)?.into_iter().collect();
        for listed in words {
            listed.places.retain(|(id, _)| wanted.contains(id));
        }
        Ok(())
    }

    /// Adds of the common words the turns that are most likely wanted.
    fn add_common(&self, words: &mut [Listed]) -> rusqlite::Result<()> {
        let is_wanted =
            |at: &usize| words[*at].is_common && self.asked.words[*at].common == Common::Beside;
        let mut common: Vec<usize> = (0..words.len()).filter(is_wanted).collect();
        common.sort_by_key(|at| words[*at].n_docs);
        common.truncate(MOST_COMMON);
        let Some(rarest) = common.first().copied() else {
            return Ok(());
        };
        let most = self.asked.words[rarest].most_places;
        let is_own = |at: usize| self.asked.words[at].common == Common::Beside;
        let rare = self.any_of(words, |at, listed| is_own(at) && !listed.places.is_empty());
        for &at in common.iter().filter(|_| rare.is_some()) {
            let turns = self.turns(&[rare.clone(), Some(self.expression(at))], None)?;
            words[at]
                .places
                .extend(turns.into_iter().map(|id| (id, None)));
        }
        // The newest that have them all; or at least the most telling, if there is nothing else.
        let all: Vec<_> = common.iter().map(|at| Some(self.expression(*at))).collect();
        let newest = self.turns(&all, Some(most))?;
        for &at in &common {
            words[at].places.extend(newest.iter().map(|id| (*id, None)));
        }
        if rare.is_none() && newest.len() < most && common.len() > 1 {
            let newest = self.turns(&[Some(self.expression(rarest))], Some(most))?;
            words[rarest]
                .places
                .extend(newest.into_iter().map(|id| (id, None)));
        }
        Ok(())
    }

    /// The turns in which all of these hold, and what is demanded of every turn; if they are limited,
    /// then the newest.
    fn turns(&self, all: &[Option<String>], most: Option<usize>) -> rusqlite::Result<Vec<i64>> {
        let parts: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
        let mut expression = format!("{TEXT} : ({})", parts.join(" AND "));
        if !self.demand.must.is_empty() {
            expression = format!("({expression}) AND {}", self.demand.must.join(" AND "));
        }
        for not in &self.demand.must_not {
            expression = format!("({expression}) NOT {not}");
        }
        let mut find = self.view.prepare(match most {
            Some(_) => "SELECT rowid FROM said WHERE said MATCH ? ORDER BY rowid DESC",
            None => "SELECT rowid FROM said WHERE said MATCH ?",
        })?;
        let mut rows = find.query([&expression])?;
        let mut turns = Vec::new();
        let most = most.unwrap_or(usize::MAX);
        let mut n_left = most.saturating_mul(MOST_PASSED);
        while turns.len() < most
            && n_left > 0
            && let Some(row) = rows.next()?
        {
            n_left -= 1;
            turns.extend(Some(row.get(0)?).filter(|id| self.times.allow(*id)));
        }
        Ok(turns)
    }

    /// Any of the words that are like this.
    fn any_of(&self, words: &[Listed], is_one: impl Fn(usize, &Listed) -> bool) -> Option<String> {
        let some = words
            .iter()
            .enumerate()
            .filter(|(at, listed)| is_one(*at, listed));
        let some: Vec<_> = some.map(|(at, _)| self.expression(at)).collect();
        (!some.is_empty()).then(|| format!("({})", some.join(" OR ")))
    }

    fn expression(&self, at: usize) -> String {
        match &self.asked.words[at].word {
            Word::Whole(word) => quoted(word),
            Word::Begins(start) => format!("{} *", quoted(start)),
        }
    }
}
