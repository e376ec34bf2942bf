//! What filters demand of turns.

use std::collections::HashSet;

use analects_world::AbsPath;
use analects_world::index::{Asked, Filter};
use rusqlite::{Connection, Statement, ToSql};

use super::seek::TEXT;
use crate::index::number;
use crate::index::write::mark;

/// What is demanded of every turn, as expressions.
pub(super) struct Demand {
    pub(super) must: Vec<String>,
    pub(super) must_not: Vec<String>,
}

impl Demand {
    pub(super) fn is_empty(&self) -> bool {
        self.must.is_empty() && self.must_not.is_empty()
    }
}

/// What a question demands.
pub(super) fn demand(asked: &Asked) -> Demand {
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
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(['"', '\0'], " "))
}

/// Which turns are of the wanted time.
pub(super) enum Times {
    All,
    Some {
        /// Files all of whose turns are.
        files: HashSet<i64>,
        /// Turns of other files.
        turns: HashSet<i64>,
    },
}

impl Times {
    /// Of the filter.
    pub(super) fn of(view: &Connection, filter: &Filter) -> rusqlite::Result<Self> {
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

    /// Whether this turn is.
    pub(super) fn allow(&self, id: i64) -> bool {
        match self {
            Self::All => true,
            Self::Some { files, turns } => files.contains(&number::file(id)) || turns.contains(&id),
        }
    }
}

fn ids(find: &mut Statement<'_>, values: &[&dyn ToSql]) -> rusqlite::Result<Vec<i64>> {
    find.query_map(values, |row| row.get(0))?.collect()
}
