//! Files that are damaged, old, new, or cannot be written.

use std::fs;

use analects_world::index::{IndexError, Known, Why};
use rusqlite::Connection;

use super::*;

fn filled(path: &AbsPath) {
    let index = SqliteIndex::open(path);
    for n in 0..40 {
        let words = format!("word{n} {}", "filler ".repeat(50).trim());
        index
            .put(&entry(&format!("/s/{n}"), &[&words, "answer"]))
            .unwrap();
    }
}

/// Uses the index as a caller does: what is lost is put in again, once.
fn use_it(index: &SqliteIndex) -> Result<Vec<Known>, IndexError> {
    let mut result = Ok(Vec::new());
    for _ in 0..2 {
        result = index
            .put(&entry("/s/1", &["word1", "fresh"]))
            .and_then(|()| index.places(&asked(&["word1", "fresh", "filler"])))
            .and_then(|_| index.forget(&[AbsPath::new("/s/2").unwrap()]))
            .and_then(|()| index.known());
        if result != Err(IndexError::Lost) {
            break;
        }
    }
    result
}

#[test]
fn what_is_no_database_is_begun_anew() {
    let (_dir, path) = place();
    for junk in [&b"not a database at all, but long enough to be read as a header of one........................................"[..], b"x", b""] {
        fs::create_dir_all(path.parent().unwrap().as_str()).unwrap();
        fs::write(path.as_str(), junk).unwrap();
        let index = SqliteIndex::open(&path);
        assert_eq!(index.standing(), &Standing::Kept);
        assert_eq!(use_it(&index).unwrap().len(), 1);
    }
}

#[test]
fn a_file_cut_off_anywhere_never_stops_the_work() {
    let (dir, path) = place();
    filled(&path);
    let whole = fs::read(path.as_str()).unwrap();
    for n in 0..60 {
        let path = AbsPath::new(dir.path().to_str().unwrap())
            .unwrap()
            .join(&format!("cut{n}.sqlite"));
        fs::write(path.as_str(), &whole[..whole.len() * n / 60 + n]).unwrap();
        let index = SqliteIndex::open(&path);
        assert_eq!(index.standing(), &Standing::Kept);
        assert!(!use_it(&index).unwrap().is_empty(), "cut {n}");
        assert_eq!(find(&index, "fresh"), ["/s/1-1"], "cut {n}");
    }
}

#[test]
fn damaged_pages_never_stop_the_work() {
    let (dir, path) = place();
    filled(&path);
    let whole = fs::read(path.as_str()).unwrap();
    let mut seed = 7_u64;
    for n in 0..60 {
        let path = AbsPath::new(dir.path().to_str().unwrap())
            .unwrap()
            .join(&format!("bad{n}.sqlite"));
        let mut bytes = whole.clone();
        for _ in 0..4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Behind the header: there stands the version, and a newer one is left alone.
            let at = 100 + (seed >> 33) as usize % (bytes.len() - 200);
            bytes[at..at + 64].fill(seed as u8);
        }
        fs::write(path.as_str(), &bytes).unwrap();
        let index = SqliteIndex::open(&path);
        assert!(!use_it(&index).unwrap().is_empty(), "damage {n}");
    }
}

#[test]
fn an_older_one_is_begun_anew_and_a_newer_one_left_alone() {
    let (_dir, path) = place();
    filled(&path);
    let set = |version: u32| {
        let connection = Connection::open(path.as_str()).unwrap();
        connection
            .pragma_update(None, "user_version", version)
            .unwrap();
    };
    set(super::super::schema::VERSION + 1);
    let before = fs::read(path.as_str()).unwrap();
    let index = SqliteIndex::open(&path);
    assert!(matches!(
        index.standing(),
        Standing::Passing(Why::Newer { .. })
    ));
    assert_eq!(use_it(&index).unwrap().len(), 1, "it works in memory");
    drop(index);
    assert!(fs::read(path.as_str()).unwrap() == before, "left alone");

    set(0);
    let index = SqliteIndex::open(&path);
    assert_eq!(index.standing(), &Standing::Kept);
    assert_eq!(index.known().unwrap(), []);
}

#[test]
fn a_table_that_is_missing_is_a_broken_index() {
    let (_dir, path) = place();
    filled(&path);
    Connection::open(path.as_str())
        .unwrap()
        .execute_batch("DROP TABLE doc")
        .unwrap();
    let index = SqliteIndex::open(&path);
    assert_eq!(index.known().unwrap(), []);
}

#[test]
fn where_nothing_can_be_written_it_works_in_memory() {
    let path = AbsPath::new("/proc/analects/index.sqlite").unwrap();
    let index = SqliteIndex::open(&path);
    assert!(matches!(
        index.standing(),
        Standing::Passing(Why::Refused(_))
    ));
    assert_eq!(use_it(&index).unwrap().len(), 1);
}

#[test]
fn on_a_disk_that_cannot_be_written_it_answers_and_takes_nothing_in() {
    let (_dir, path) = place();
    filled(&path);
    let (connection, standing) = super::super::file::read_only(&path, "read-only").unwrap();
    let index = SqliteIndex {
        open: super::super::Open::new(connection),
        path: Some(path.clone()),
        standing,
    };
    assert_eq!(find(&index, "word7"), ["/s/7-0"]);
    assert_eq!(
        index.put(&entry("/s/99", &["x"])),
        Err(IndexError::ReadOnly)
    );
    assert_eq!(index.known().unwrap().len(), 40);
}

#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, path) = place();
    filled(&path);
    let mode = fs::metadata(path.as_str()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
