//! Several at once, and one that dies.

use std::process::Command;
use std::thread;
use std::time::Duration;

use analects_world::index::IndexError;

use super::*;

/// Set in a process that writes until it is killed.
const WRITER: &str = "ANALECTS_TEST_INDEX";

#[test]
fn threads_and_connections_write_and_read_at_once() {
    let (_dir, path) = place();
    let shared = SqliteIndex::open(&path);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (path, shared) = (&path, &shared);
            scope.spawn(move || {
                let own = SqliteIndex::open(path);
                for n in 0..20 {
                    let index = if n % 2 == 0 { &own } else { shared };
                    index
                        .put(&entry(&format!("/s/{writer}/{n}"), &["both", "words"]))
                        .unwrap();
                    index
                        .put(&entry("/s/same", &[&format!("both by{writer}")]))
                        .unwrap();
                    let places = index.places(&asked(&["both"])).unwrap();
                    assert!(places.words[0].n_docs >= 1);
                }
            });
        }
    });
    let index = SqliteIndex::open(&path);
    assert_eq!(index.known().unwrap().len(), 81);
    assert_eq!(find(&index, "both").len(), 81);
    assert_eq!(index.places(&asked(&[])).unwrap().n_docs, 161);
}

/// Not a test by itself: what the next test starts and kills.
#[test]
fn a_writer_that_never_ends() {
    let Ok(path) = std::env::var(WRITER) else {
        return;
    };
    let index = SqliteIndex::open(&AbsPath::new(&path).unwrap());
    for n in 0..100_000 {
        let file = format!("/s/{}", n % 50);
        let words = format!("all round{n} {}", "filler ".repeat(200).trim());
        index.put(&entry(&file, &[&words, &words])).unwrap();
    }
}

#[test]
fn whoever_is_killed_leaves_whole_files_behind() {
    let (_dir, path) = place();
    for round in 0..6 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "index::tests::many::a_writer_that_never_ends"])
            .env(WRITER, path.as_str())
            .spawn()
            .unwrap();
        let before = SqliteIndex::open(&path).known().unwrap().len();
        // Until it has written something new, and then a little longer.
        let index = SqliteIndex::open(&path);
        let mut n_looks = 0;
        while index.known().unwrap().len() == before.min(49) && n_looks < 3_000 {
            n_looks += 1;
            thread::sleep(Duration::from_millis(2));
        }
        thread::sleep(Duration::from_millis(3 + 7 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let index = SqliteIndex::open(&path);
        let n_files = index.known().unwrap().len();
        assert!(n_files > 0);
        assert_eq!(
            find(&index, "all").len(),
            2 * n_files,
            "both turns of every file"
        );
        assert_ne!(
            index.put(&entry("/s/0", &["all", "all"])),
            Err(IndexError::Lost)
        );
    }
}
