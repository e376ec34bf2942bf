//! What the index answers: the files it knows, and where words occur in them.

mod filter;
mod seek;

pub(super) use seek::CommonWords;

use analects_world::AbsPath;
use analects_world::files::{FileId, Measure};
use analects_world::index::{Asked, DocId, Document, Known, Places, Session};
use rusqlite::{Connection, Row};

use super::number;

/// The files that the index holds.
pub(super) fn known(connection: &Connection) -> rusqlite::Result<Vec<Known>> {
    let mut files = connection.prepare("SELECT path, len, mtime_ns, dev, ino FROM file")?;
    let rows = files.query_map([], |row| {
        Ok(Known {
            path: path(row, 0)?,
            measure: Measure {
                len: unsigned(row, 1)?,
                written_ns: unsigned(row, 2)?,
                id: FileId {
                    dev: unsigned(row, 3)?,
                    ino: unsigned(row, 4)?,
                },
            },
        })
    })?;
    rows.collect()
}

/// Where words occur.
pub(super) fn places(
    connection: &mut Connection,
    asked: &Asked,
    common: &mut CommonWords,
) -> rusqlite::Result<Places> {
    // One view of the database for all that follows, whoever writes meanwhile.
    let view = connection.transaction()?;
    let words = seek::seek(&view, asked, common)?;
    let (n_docs, n_words) = view.query_one("SELECT n_docs, n_words FROM total", [], |row| {
        Ok((row.get::<_, i64>(0)?.max(0), row.get::<_, i64>(1)?.max(0)))
    })?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "an average needs no more than fifteen digits"
    )]
    let mean_words = n_words as f64 / n_docs.max(1) as f64;
    Ok(Places {
        n_docs: n_docs.cast_unsigned(),
        mean_words,
        words,
    })
}

/// What is known about documents.
pub(super) fn documents(
    connection: &Connection,
    ids: &[DocId],
) -> rusqlite::Result<Vec<Option<Document>>> {
    let mut find = connection.prepare(
        "SELECT path, session, agent, title, project, started_ms, updated_ms,
             name, at_ms, span_start, span_end
         FROM doc JOIN file ON file.no = ?1 WHERE doc.id BETWEEN ?2 AND ?3",
    )?;
    ids.iter()
        .map(|id| {
            let (first, last) = number::around(*id);
            let mut rows = find.query([i64::from(id.file), first, last])?;
            rows.next()?.map(document).transpose()
        })
        .collect()
}

fn document(row: &Row<'_>) -> rusqlite::Result<Document> {
    Ok(Document {
        path: path(row, 0)?,
        session: Session {
            id: row.get(1)?,
            agent: row.get(2)?,
            title: row.get(3)?,
            project: row.get(4)?,
            started_ms: optional(row, 5)?,
            updated_ms: optional(row, 6)?,
        },
        name: row.get(7)?,
        at_ms: optional(row, 8)?,
        span: unsigned(row, 9)?..unsigned(row, 10)?,
    })
}

fn path(row: &Row<'_>, at: usize) -> rusqlite::Result<AbsPath> {
    let text: String = row.get(at)?;
    AbsPath::new(&text).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(at, kind, Box::new(error))
    })
}

fn unsigned(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get(at).map(i64::cast_unsigned)
}

fn optional(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<u64>> {
    let number: Option<i64> = row.get(at)?;
    Ok(number.map(i64::cast_unsigned))
}
