//! What the database holds.

use rusqlite::Connection;

/// Goes up with every change of what is kept: of the tables, of the words, of the numbers.
pub(super) const VERSION: u32 = 4;

/// `doc.id` and the row of `said` are one number, see `number`. `said` keeps no text: what it indexes is
/// words that were taken apart already, so its tokenizer has nothing to decide. Rows that are deleted from
/// it leave their words behind until [`super::write::purge`]: `total.has_remains` says whether there are any.
const TABLES: &str = "
    CREATE TABLE total(n_docs INTEGER NOT NULL, n_words INTEGER NOT NULL, has_remains INTEGER NOT NULL);
    INSERT INTO total VALUES(0, 0, 0);
    CREATE TABLE file(
        no INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        len INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        dev INTEGER NOT NULL,
        ino INTEGER NOT NULL,
        session TEXT NOT NULL,
        agent TEXT NOT NULL,
        title TEXT,
        project TEXT,
        started_ms INTEGER,
        updated_ms INTEGER
    );
    CREATE TABLE doc(
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        at_ms INTEGER,
        span_start INTEGER NOT NULL,
        span_end INTEGER NOT NULL,
        n_words INTEGER NOT NULL,
        print INTEGER NOT NULL
    );
    CREATE VIRTUAL TABLE said USING fts5(
        title, prompt, answer, input, output, tool, path, mark,
        content='', contentless_delete=1, tokenize=\"ascii tokenchars '._-'\"
    );
";

/// Views of `said` by word; they belong to the connection and are not in the file.
const VIEWS: &str = "
    CREATE VIRTUAL TABLE temp.place USING fts5vocab(main, said, instance);
    CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, said, row);
";

/// Makes the tables of an empty database.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// The version that the database says it has; 0 for one that is empty or not ours.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Prepares a connection for questions; fails if the tables are not there.
pub(super) fn look(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(VIEWS)?;
    for sql in [
        "SELECT n_docs, n_words FROM total",
        "SELECT no FROM file LIMIT 1",
        "SELECT id FROM doc LIMIT 1",
        "SELECT rowid FROM said LIMIT 1",
        "SELECT doc FROM temp.place WHERE term = 'a' LIMIT 1",
    ] {
        connection.prepare(sql)?.query([])?.next()?;
    }
    Ok(())
}
