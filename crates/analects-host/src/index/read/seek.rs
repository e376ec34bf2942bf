//! Finds the places of words without reading all of a common word's.
//!
//! A rare word is read place by place. A common one would take longer than all the rest together; of it
//! is asked only in which turns it stands beside other words of the question, and which are the newest.

use std::collections::{HashMap, HashSet};

use analects_world::AbsPath;
use analects_world::index::{Asked, Field, Filter, Place, Word, WordPlaces};
use rusqlite::{Connection, Statement, ToSql};

use crate::index::number;
use crate::index::write::mark;

/// The columns in which words are looked for.
const TEXT: &str = "{title prompt answer input output}";

/// For each turn that is wanted, so many of other times are passed over.
const MOST_PASSED: usize = 8;

/// The places of every word of the question.
pub(super) fn seek(view: &Connection, asked: &Asked) -> rusqlite::Result<Vec<WordPlaces>> {
    let mut words: Vec<_> = asked
        .words
        .iter()
        .map(|word| listed(view, word, asked.most_places))
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let seek = Seek {
        view,
        asked,
        demand: demand(asked),
        times: Times::of(view, &asked.filter)?,
        most: asked.most_places,
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

/// All places of a word, unless they are more than `most`.
fn listed(view: &Connection, word: &Word, most: usize) -> rusqlite::Result<Listed> {
    let (mut find, bounds) = match word {
        Word::Whole(word) => (
            view.prepare("SELECT doc, col, offset FROM temp.place WHERE term = ?")?,
            vec![word.clone()],
        ),
        Word::Begins(start) => (
            view.prepare("SELECT doc, col, offset FROM temp.place WHERE term >= ? AND term < ?")?,
            vec![start.clone(), format!("{start}\u{10FFFF}")],
        ),
    };
    let mut rows = find.query(rusqlite::params_from_iter(&bounds))?;
    let mut places = Spots::new();
    let mut n_docs = 0;
    let mut last = None;
    let mut n_read = 0;
    while let Some(row) = rows.next()? {
        n_read += 1;
        if n_read > most {
            let n_docs = n_docs_of(view, word)?.unwrap_or(n_docs);
            return Ok(Listed {
                n_docs,
                is_common: true,
                places: Spots::new(),
            });
        }
        let Some(field) = field(row.get_ref(1)?.as_bytes().unwrap_or_default()) else {
            continue;
        };
        let id = row.get(0)?;
        if last != Some(id) {
            n_docs += 1;
            last = Some(id);
        }
        places.push((id, Some((field, row.get(2)?))));
    }
    Ok(Listed {
        n_docs,
        is_common: false,
        places,
    })
}

fn n_docs_of(view: &Connection, word: &Word) -> rusqlite::Result<Option<u64>> {
    let Word::Whole(word) = word else {
        return Ok(None);
    };
    let mut count = view.prepare("SELECT doc FROM temp.word WHERE term = ?")?;
    let mut rows = count.query([word])?;
    let n_docs = rows.next()?.map(|row| row.get::<_, i64>(0)).transpose()?;
    Ok(n_docs.map(i64::cast_unsigned))
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
    most: usize,
}

impl Seek<'_> {
    /// Drops the places of turns that are not wanted.
    fn keep_demanded(&self, words: &mut [Listed]) -> rusqlite::Result<()> {
        let rare = self.any_of(words, |listed| {
            !listed.is_common && !listed.places.is_empty()
        });
        if self.demand.is_empty() || rare.is_none() {
            return Ok(());
        }
        let all = words.iter().map(|listed| listed.places.len()).sum();
        let wanted: HashSet<i64> = self.turns(&[rare], all)?.into_iter().collect();
        for listed in words {
            listed.places.retain(|(id, _)| wanted.contains(id));
        }
        Ok(())
    }

    /// Adds of the common words the turns that are most likely wanted.
    fn add_common(&self, words: &mut [Listed]) -> rusqlite::Result<()> {
        let common: Vec<usize> = (0..words.len()).filter(|at| words[*at].is_common).collect();
        if common.is_empty() {
            return Ok(());
        }
        let rare = self.any_of(words, |listed| {
            !listed.is_common && !listed.places.is_empty()
        });
        let n_rare = words
            .iter()
            .map(|listed| listed.places.len())
            .sum::<usize>();
        let mut found: HashMap<usize, Vec<i64>> = HashMap::new();
        for &at in &common {
            let word = self.expression(at);
            let turns = found.entry(at).or_default();
            if rare.is_some() {
                turns.extend(self.turns(&[rare.clone(), Some(word.clone())], n_rare)?);
            }
            let others = common.iter().filter(|other| **other != at);
            let others: Vec<_> = others.map(|other| self.expression(*other)).collect();
            if !others.is_empty() {
                let others = Some(format!("({})", others.join(" OR ")));
                turns.extend(self.turns(&[Some(word.clone()), others], self.most)?);
            }
            turns.extend(self.turns(&[Some(word)], self.most / 4)?);
        }
        let all = common.iter().map(|at| Some(self.expression(*at)));
        let all = self.turns(&all.collect::<Vec<_>>(), self.most)?;
        for (at, turns) in found {
            let turns = turns.into_iter().chain(all.iter().copied());
            words[at].places.extend(turns.map(|id| (id, None)));
        }
        Ok(())
    }

    /// The newest turns in which all of these hold, and what is demanded of every turn.
    fn turns(&self, all: &[Option<String>], most: usize) -> rusqlite::Result<Vec<i64>> {
        let parts: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
        let mut expression = format!("{TEXT} : ({})", parts.join(" AND "));
        if !self.demand.must.is_empty() {
            expression = format!("({expression}) AND {}", self.demand.must.join(" AND "));
        }
        for not in &self.demand.must_not {
            expression = format!("({expression}) NOT {not}");
        }
        let mut find = self
            .view
            .prepare("SELECT rowid FROM said WHERE said MATCH ? ORDER BY rowid DESC")?;
        let mut rows = find.query([&expression])?;
        let mut turns = Vec::new();
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
    fn any_of(&self, words: &[Listed], is_one: impl Fn(&Listed) -> bool) -> Option<String> {
        let some = words
            .iter()
            .enumerate()
            .filter(|(_, listed)| is_one(listed));
        let some: Vec<_> = some.map(|(at, _)| self.expression(at)).collect();
        (!some.is_empty()).then(|| format!("({})", some.join(" OR ")))
    }

    fn expression(&self, at: usize) -> String {
        match &self.asked.words[at] {
            Word::Whole(word) => quoted(word),
            Word::Begins(start) => format!("{} *", quoted(start)),
        }
    }
}

fn ids(find: &mut Statement<'_>, values: &[&dyn ToSql]) -> rusqlite::Result<Vec<i64>> {
    find.query_map(values, |row| row.get(0))?.collect()
}

/// What is demanded of every turn, as expressions.
struct Demand {
    must: Vec<String>,
    must_not: Vec<String>,
}

impl Demand {
    fn is_empty(&self) -> bool {
        self.must.is_empty() && self.must_not.is_empty()
    }
}

fn demand(asked: &Asked) -> Demand {
    let row = |words: &Vec<String>| format!("({TEXT} : {})", quoted(&words.join(" ")));
    let filter = &asked.filter;
    let mut must: Vec<_> = asked.phrases.iter().map(row).collect();
    let marks = [
        filter.agent.as_deref().map(|agent| mark('a', agent)),
        filter.session.as_deref().map(|session| mark('s', session)),
        filter.project.as_deref().map(project),
        filter.role.map(|role| format!("r{}", role & 3)),
    ];
    must.extend(
        marks
            .into_iter()
            .flatten()
            .map(|mark| format!("(mark : {})", quoted(&mark))),
    );
    let tool = filter
        .tool
        .iter()
        .map(|tool| format!("(tool : {})", quoted(tool)));
    let path = filter
        .path
        .iter()
        .map(|path| format!("(path : {})", quoted(path)));
    must.extend(tool.chain(path));
    Demand {
        must,
        must_not: asked.without.iter().map(row).collect(),
    }
}

fn project(dir: &str) -> String {
    let dir = AbsPath::new(dir).map_or_else(|_| dir.to_owned(), |dir| dir.as_str().to_owned());
    mark('p', &dir)
}

/// A string of FTS5's language, whatever is in it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(['"', '\0'], " "))
}

/// Which turns are of the wanted time.
enum Times {
    All,
    Some {
        /// Files all of whose turns are.
        files: HashSet<i64>,
        /// Turns of other files.
        turns: HashSet<i64>,
    },
}

impl Times {
    fn of(view: &Connection, filter: &Filter) -> rusqlite::Result<Self> {
        if filter.since_ms.is_none() && filter.until_ms.is_none() {
            return Ok(Self::All);
        }
        let since = filter
            .since_ms
            .unwrap_or(0)
            .min(i64::MAX as u64)
            .cast_signed();
        let until = filter
            .until_ms
            .unwrap_or(u64::MAX)
            .min(i64::MAX as u64)
            .cast_signed();
        // The time of a file stands in for what a record does not say.
        let end = "coalesce(updated_ms, mtime_ns / 1000000)";
        let whole =
            format!("SELECT no FROM file WHERE coalesce(started_ms, -1) >= ?1 AND {end} < ?2");
        let part = format!(
            "SELECT id FROM file JOIN doc ON id BETWEEN no << 32 AND ((no + 1) << 32) - 1
             WHERE NOT (coalesce(started_ms, -1) >= ?1 AND {end} < ?2)
                 AND {end} >= ?1 AND coalesce(started_ms, -1) < ?2
                 AND coalesce(at_ms, {end}) >= ?1 AND coalesce(at_ms, {end}) < ?2"
        );
        let range: [&dyn ToSql; 2] = [&since, &until];
        let files = ids(&mut view.prepare(&whole)?, &range)?;
        let turns = ids(&mut view.prepare(&part)?, &range)?;
        Ok(Self::Some {
            files: files.into_iter().collect(),
            turns: turns.into_iter().collect(),
        })
    }

    fn allow(&self, id: i64) -> bool {
        match self {
            Self::All => true,
            Self::Some { files, turns } => files.contains(&number::file(id)) || turns.contains(&id),
        }
    }
}
