//! What is deleted leaves nothing behind in the files of the index.

use std::fs;
use std::path::Path;

use super::*;

/// A word of which no part occurs in any other.
const WORD: &str = "zyqxwvutkj7319";

/// The files beside the index, and itself, that hold the end of the word. FTS5 leaves out what a term has in
/// common with the one before it.
fn files_holding(path: &AbsPath, word: &str) -> Vec<String> {
    let tail = word.get(4..).unwrap().as_bytes();
    let dir = Path::new(path.as_str()).parent().unwrap();
    let mut holding = Vec::new();
    for file in fs::read_dir(dir).unwrap() {
        let file = file.unwrap();
        let bytes = fs::read(file.path()).unwrap();
        if bytes.windows(tail.len()).any(|window| window == tail) {
            holding.push(file.file_name().to_str().unwrap().to_owned());
        }
    }
    holding
}

/// An index with many conversations, one of which says the word.
fn full_index(path: &AbsPath, said: &Entry) -> SqliteIndex {
    let index = SqliteIndex::open(path);
    for n in 0..40 {
        let words: Vec<_> = (0..60)
            .map(|word| format!("word{n} other{word} third{}", n * word))
            .collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        index.put(&entry(&format!("/s/{n}"), &words)).unwrap();
        if n == 20 {
            index.put(said).unwrap();
        }
    }
    assert!(!files_holding(path, WORD).is_empty());
    index
}

fn saying(word: &str) -> Entry {
    let mut said = entry("/s/said", &["red green", word, "blue"]);
    said.session.title = Some(format!("About {word}"));
    said
}

#[test]
fn a_conversation_that_is_forgotten_leaves_nothing_in_any_file() {
    let (_dir, path) = place();
    let index = full_index(&path, &saying(WORD));
    index.forget(&[AbsPath::new("/s/said").unwrap()]).unwrap();
    assert_eq!(files_holding(&path, WORD), <[&str; 0]>::default());
    assert_eq!(find(&index, "word7").len(), 60);
    drop(index);
    assert_eq!(files_holding(&path, WORD), <[&str; 0]>::default());
}

#[test]
fn what_a_rewritten_file_no_longer_says_leaves_nothing_in_any_file() {
    let (_dir, path) = place();
    let index = full_index(&path, &saying(WORD));
    let mut rewritten = saying("clean");
    rewritten.measure.len = 5;
    index.put(&rewritten).unwrap();
    index.purge().unwrap();
    assert_eq!(files_holding(&path, WORD), <[&str; 0]>::default());
    assert_eq!(find(&index, "clean"), ["/s/said-1"]);
}

#[test]
fn a_file_that_was_replaced_counts_as_rewritten() {
    let (_dir, path) = place();
    let index = full_index(&path, &saying(WORD));
    let mut replaced = saying("clean");
    replaced.measure.len = 700;
    replaced.measure.id.ino = 3;
    index.put(&replaced).unwrap();
    index.purge().unwrap();
    assert_eq!(files_holding(&path, WORD), <[&str; 0]>::default());
}

#[test]
fn a_reader_that_stands_in_the_way_only_delays_it() {
    let (_dir, path) = place();
    let index = full_index(&path, &saying(WORD));
    let reader = rusqlite::Connection::open(path.as_str()).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM doc;")
        .unwrap();
    let gone = [AbsPath::new("/s/said").unwrap()];
    index
        .lock()
        .connection
        .busy_timeout(std::time::Duration::ZERO)
        .unwrap();
    index.forget(&gone).unwrap();
    reader.execute_batch("COMMIT").unwrap();
    index.purge().unwrap();
    assert_eq!(files_holding(&path, WORD), <[&str; 0]>::default());
}

#[test]
fn a_purge_with_nothing_to_do_writes_nothing() {
    let (_dir, path) = place();
    let index = full_index(&path, &saying(WORD));
    let len = |tail: &str| fs::metadata(format!("{path}{tail}")).unwrap().len();
    let before = (len(""), len("-wal"));
    index.purge().unwrap();
    assert_eq!((len(""), len("-wal")), before);
}
