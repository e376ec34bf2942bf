//! Putting files in and taking them out.

use std::collections::HashMap;

use analects_world::AbsPath;
use analects_world::index::{Doc, Entry, Field};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::number;
use crate::fnv;

/// Holds this of a file from now on.
pub(super) fn put(connection: &mut Connection, file: &Entry) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let has_grown = has_grown(&transaction, file)?;
    let no = put_file(&transaction, file)?;
    let marks = marks(file);
    let mut had = held(&transaction, no)?;
    let mut fresh = Vec::new();
    for doc in &file.docs {
        let print = print(doc, &marks);
        match had.get(&doc.turn) {
            Some(held) if held.print == print => {
                had.remove(&doc.turn);
            }
            _ => fresh.push((doc, print)),
        }
    }
    let mut total = Total {
        // What a file that only grew said before, it still says.
        has_remains: !had.is_empty() && !has_grown,
        ..Total::default()
    };
    remove(&transaction, had.into_values(), &mut total)?;
    insert(&transaction, no, &fresh, &marks, &mut total)?;
    total.add_to(&transaction)?;
    transaction.commit()
}

/// Holds nothing of these files any more.
pub(super) fn forget(connection: &mut Connection, paths: &[AbsPath]) -> rusqlite::Result<()> {
    for path in paths {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let no = transaction
            .query_one(
                "SELECT no FROM file WHERE path = ?",
                [path.as_str()],
                |row| row.get(0),
            )
            .optional()?;
        if let Some(no) = no {
            let mut total = Total {
                has_remains: true,
                ..Total::default()
            };
            remove(
                &transaction,
                held(&transaction, no)?.into_values(),
                &mut total,
            )?;
            total.add_to(&transaction)?;
            transaction.execute("DELETE FROM file WHERE no = ?", [no])?;
        }
        transaction.commit()?;
    }
    purge(connection)
}

/// Takes the words of deleted rows from the disk.
///
/// FTS5 only marks rows of this table as deleted; to merge everything into one segment leaves them out. The pages
/// that are freed are overwritten, and the log, which still has them, is emptied. Where a reader stands in the way of
/// that, it is tried again the next time.
pub(super) fn purge(connection: &mut Connection) -> rusqlite::Result<()> {
    let has_remains = "SELECT has_remains FROM total";
    if !connection.query_one(has_remains, [], |row| row.get::<_, bool>(0))? {
        return Ok(());
    }
    connection.execute("INSERT INTO said(said) VALUES('optimize')", [])?;
    let is_busy: bool =
        connection.query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if !is_busy {
        connection.execute("UPDATE total SET has_remains = 0", [])?;
    }
    Ok(())
}

/// Whether a file was known before and has only become longer.
fn has_grown(transaction: &Transaction<'_>, file: &Entry) -> rusqlite::Result<bool> {
    let measure = "SELECT len, dev, ino FROM file WHERE path = ?";
    let known = transaction.query_one(measure, [file.path.as_str()], |row| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, i64>(1)?,
            row.get::<_, i64>(2)?,
        ))
    });
    let new = &file.measure;
    Ok(known.optional()?.is_some_and(|(len, dev, ino)| {
        let is_same = (dev, ino) == (new.id.dev.cast_signed(), new.id.ino.cast_signed());
        is_same && len.cast_unsigned() <= new.len
    }))
}

fn put_file(transaction: &Transaction<'_>, file: &Entry) -> rusqlite::Result<i64> {
    let session = &file.session;
    transaction.query_one(
        "INSERT INTO file(path, len, mtime_ns, dev, ino, session, agent, title, project, started_ms, updated_ms)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT(path) DO UPDATE SET len = ?2, mtime_ns = ?3, dev = ?4, ino = ?5, session = ?6,
             agent = ?7, title = ?8, project = ?9, started_ms = ?10, updated_ms = ?11
         RETURNING no",
        params![
            file.path.as_str(),
            file.measure.len.cast_signed(),
            file.measure.written_ns.cast_signed(),
            file.measure.id.dev.cast_signed(),
            file.measure.id.ino.cast_signed(),
            session.id,
            session.agent,
            session.title,
            session.project,
            session.started_ms.map(u64::cast_signed),
            session.updated_ms.map(u64::cast_signed),
        ],
        |row| row.get(0),
    )
}

/// A turn as the index has it.
struct Held {
    id: i64,
    n_words: i64,
    print: i64,
}

fn held(transaction: &Transaction<'_>, no: i64) -> rusqlite::Result<HashMap<u32, Held>> {
    let mut docs =
        transaction.prepare("SELECT id, n_words, print FROM doc WHERE id BETWEEN ? AND ?")?;
    docs.query_map(<[i64; 2]>::from(number::range(no)), |row| {
        let id = row.get(0)?;
        let held = Held {
            id,
            n_words: row.get(1)?,
            print: row.get(2)?,
        };
        Ok((number::turn(id), held))
    })?
    .collect()
}

/// By how much the totals change.
#[derive(Default)]
struct Total {
    n_docs: i64,
    n_words: i64,
    /// Whether words were deleted that no file holds any more.
    has_remains: bool,
}

impl Total {
    fn add_to(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = "UPDATE total SET n_docs = n_docs + ?, n_words = n_words + ?, has_remains = has_remains OR ?";
        transaction.execute(sql, params![self.n_docs, self.n_words, self.has_remains])?;
        Ok(())
    }
}

fn remove(
    transaction: &Transaction<'_>,
    gone: impl Iterator<Item = Held>,
    total: &mut Total,
) -> rusqlite::Result<()> {
    let mut said = transaction.prepare("DELETE FROM said WHERE rowid = ?")?;
    let mut doc = transaction.prepare("DELETE FROM doc WHERE id = ?")?;
    for held in gone {
        said.execute([held.id])?;
        doc.execute([held.id])?;
        total.n_docs -= 1;
        total.n_words -= held.n_words;
    }
    Ok(())
}

fn insert(
    transaction: &Transaction<'_>,
    no: i64,
    fresh: &[(&Doc, i64)],
    marks: &str,
    total: &mut Total,
) -> rusqlite::Result<()> {
    let mut said = transaction.prepare(
        "INSERT INTO said(rowid, title, prompt, answer, input, output, tool, path, mark)
         VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let mut row = transaction.prepare("INSERT OR REPLACE INTO doc VALUES(?, ?, ?, ?, ?, ?, ?)")?;
    for (doc, print) in fresh {
        let n_words = n_words(doc);
        let Some(id) = number::of(no, doc, n_words) else {
            continue;
        };
        let [title, prompt, answer, input, output] = Field::ALL.map(|field| words(doc, field));
        let marks = format!("{marks} r{}", doc.role & 3);
        let (tools, paths) = (doc.tools.join(" "), doc.paths.join("\n"));
        said.execute(params![
            id, title, prompt, answer, input, output, tools, paths, marks
        ])?;
        row.execute(params![
            id,
            doc.name,
            doc.at_ms.map(u64::cast_signed),
            doc.span.start.cast_signed(),
            doc.span.end.cast_signed(),
            n_words.cast_signed(),
            print,
        ])?;
        total.n_docs += 1;
        total.n_words += n_words.cast_signed();
    }
    Ok(())
}

fn words(doc: &Doc, wanted: Field) -> Option<&str> {
    let words = doc.words.iter().find(|(field, _)| *field == wanted);
    words.map(|(_, words)| words.as_str())
}

fn n_words(doc: &Doc) -> u64 {
    let blanks = |words: &str| words.bytes().filter(|byte| *byte == b' ').count() as u64 + 1;
    doc.words.iter().map(|(_, words)| blanks(words)).sum()
}

/// Words that stand for what filters ask of a whole conversation.
fn marks(file: &Entry) -> String {
    let session = &file.session;
    let mut marks = vec![mark('s', &session.id), mark('a', &session.agent)];
    let project = session
        .project
        .as_deref()
        .and_then(|dir| AbsPath::new(dir).ok());
    let mut dir = project;
    while let Some(at) = dir {
        marks.push(mark('p', at.as_str()));
        dir = at.parent();
    }
    marks.join(" ")
}

/// A word for a name of any shape.
pub(super) fn mark(kind: char, name: &str) -> String {
    format!("{kind}{:016x}", fnv::add(fnv::START, name.as_bytes()))
}

/// Tells whether a turn is as it was.
fn print(doc: &Doc, marks: &str) -> i64 {
    let mut print = fnv::add(fnv::START, marks.as_bytes());
    let mut add = |part: &[u8]| {
        print = fnv::add(print, part);
        print = fnv::add(print, &[0xFF]);
    };
    add(doc.name.as_bytes());
    for number in [
        doc.at_ms.map_or(u64::MAX, |at| at),
        doc.span.start,
        doc.span.end,
        u64::from(doc.role),
    ] {
        add(&number.to_le_bytes());
    }
    for (field, words) in &doc.words {
        add(&[*field as u8]);
        add(words.as_bytes());
    }
    for name in doc.tools.iter().chain(&doc.paths) {
        add(name.as_bytes());
    }
    print.cast_signed()
}
