//! What an index promises, on a real disk.

mod broken;
mod erased;
mod many;

use analects_world::AbsPath;
use analects_world::files::{FileId, Measure};
use analects_world::index::{
    Asked, Common, Doc, Entry, Field, Filter, Index, Places, Session, Sought, Standing, Word,
};
use tempfile::TempDir;

use super::SqliteIndex;

fn place() -> (TempDir, AbsPath) {
    let dir = tempfile::tempdir().unwrap();
    let home = AbsPath::new(dir.path().to_str().unwrap()).unwrap();
    (dir, home.join("analects/index.sqlite"))
}

fn entry(path: &str, turns: &[&str]) -> Entry {
    let docs = turns.iter().zip(0..).map(|(words, turn)| Doc {
        turn,
        name: format!("{path}-{turn}"),
        role: u8::from(turn % 2 == 1),
        at_ms: Some(1_000 + u64::from(turn)),
        span: u64::from(turn) * 10..u64::from(turn) * 10 + 9,
        words: vec![(
            if turn % 2 == 0 {
                Field::Prompt
            } else {
                Field::Answer
            },
            (*words).to_owned(),
        )],
        tools: Vec::new(),
        paths: Vec::new(),
    });
    Entry {
        path: AbsPath::new(path).unwrap(),
        measure: Measure {
            len: 7,
            written_ns: u64::MAX / 2,
            id: FileId {
                dev: 1,
                ino: u64::MAX,
            },
        },
        session: Session {
            id: format!("session of {path}"),
            agent: "gemini".to_owned(),
            title: None,
            project: Some("/home/me/repo".to_owned()),
            started_ms: Some(1_000),
            updated_ms: Some(2_000),
        },
        docs: docs.collect(),
    }
}

fn asked(words: &[&str]) -> Asked {
    asked_at_most(words, 100)
}

fn sought(word: Word, most_places: usize) -> Sought {
    Sought {
        word,
        most_places,
        common: Common::Beside,
    }
}

fn asked_at_most(words: &[&str], most_places: usize) -> Asked {
    let words = words.iter().map(|word| Word::Whole((*word).to_owned()));
    Asked {
        words: words.map(|word| sought(word, most_places)).collect(),
        phrases: Vec::new(),
        without: Vec::new(),
        filter: Filter::default(),
    }
}

/// The names of the turns in which any of the words stands.
fn names(index: &SqliteIndex, asked: &Asked) -> Vec<String> {
    let places = index.places(asked).unwrap();
    let mut docs: Vec<_> = places
        .words
        .iter()
        .flat_map(|word| &word.places)
        .map(|place| place.doc)
        .collect();
    docs.sort_unstable();
    docs.dedup();
    let documents = index.documents(&docs).unwrap();
    documents
        .into_iter()
        .map(|document| document.unwrap().name)
        .collect()
}

fn find(index: &SqliteIndex, word: &str) -> Vec<String> {
    names(index, &asked(&[word]))
}

#[test]
fn what_was_put_in_is_found_until_it_is_replaced_or_forgotten() {
    let (_dir, path) = place();
    let index = SqliteIndex::open(&path);
    assert_eq!(index.standing(), &Standing::Kept);
    let one = entry("/s/1", &["red green", "green blue"]);
    index.put(&one).unwrap();
    index.put(&entry("/s/2", &["green"])).unwrap();
    assert_eq!(find(&index, "green"), ["/s/1-0", "/s/1-1", "/s/2-0"]);
    assert_eq!(find(&index, "blue"), ["/s/1-1"]);
    assert_eq!(find(&index, "none"), <[&str; 0]>::default());
    let known = index.known().unwrap();
    assert_eq!(known.len(), 2);
    assert!(
        known
            .iter()
            .any(|known| known.path == one.path && known.measure == one.measure)
    );

    index
        .put(&entry("/s/1", &["red green", "yellow", "black"]))
        .unwrap();
    assert_eq!(find(&index, "blue"), <[&str; 0]>::default());
    assert_eq!(find(&index, "red"), ["/s/1-0"]);
    assert_eq!(find(&index, "black"), ["/s/1-2"]);
    index.put(&entry("/s/1", &["red"])).unwrap();
    assert_eq!(find(&index, "black"), <[&str; 0]>::default());

    index
        .forget(&[
            AbsPath::new("/s/1").unwrap(),
            AbsPath::new("/s/none").unwrap(),
        ])
        .unwrap();
    assert_eq!(find(&index, "red"), <[&str; 0]>::default());
    assert_eq!(find(&index, "green"), ["/s/2-0"]);
    assert_eq!(index.known().unwrap().len(), 1);
    let places = index.places(&asked(&["green"])).unwrap();
    assert_eq!((places.n_docs, places.mean_words), (1, 1.0));
}

#[test]
fn it_is_there_again_after_it_was_closed() {
    let (_dir, path) = place();
    SqliteIndex::open(&path)
        .put(&entry("/s/1", &["red"]))
        .unwrap();
    assert_eq!(find(&SqliteIndex::open(&path), "red"), ["/s/1-0"]);
}

#[test]
fn a_place_tells_the_field_and_the_number_of_the_word() {
    let index = SqliteIndex::in_memory();
    index.put(&entry("/s/1", &["a b c a", "a"])).unwrap();
    let Places { words, .. } = index.places(&asked(&["a", "数据"])).unwrap();
    let spots: Vec<_> = words[0]
        .places
        .iter()
        .map(|place| (place.doc.turn, place.spot.unwrap()))
        .collect();
    assert_eq!(
        spots,
        [
            (0, (Field::Prompt, 0)),
            (0, (Field::Prompt, 3)),
            (1, (Field::Answer, 0))
        ]
    );
    assert_eq!((words[0].n_docs, words[1].n_docs), (2, 0));
    let doc = words[0].places[0].doc;
    assert_eq!((doc.n_words, doc.role), (4, 0));
}

#[test]
fn the_beginning_of_a_word_finds_all_of_them() {
    let index = SqliteIndex::in_memory();
    index
        .put(&entry("/s/1", &["数据 据库 库", "据 x"]))
        .unwrap();
    let mut begins = asked(&[]);
    begins.words = vec![sought(Word::Begins("据".to_owned()), 100)];
    assert_eq!(names(&index, &begins), ["/s/1-0", "/s/1-1"]);
}

#[test]
fn phrases_must_be_there_and_others_must_not() {
    let index = SqliteIndex::in_memory();
    index
        .put(&entry("/s/1", &["a b c", "b a c", "a b d"]))
        .unwrap();
    let row = |words: &str| vec![words.split(' ').map(str::to_owned).collect::<Vec<_>>()];
    let with = Asked {
        phrases: row("a b"),
        ..asked(&["a"])
    };
    assert_eq!(names(&index, &with), ["/s/1-0", "/s/1-2"]);
    let without = Asked {
        without: row("d"),
        ..with
    };
    assert_eq!(names(&index, &without), ["/s/1-0"]);
    let odd = Asked {
        phrases: row("a \" b"),
        ..asked(&["a", "\"", "*", "a OR", "\0"])
    };
    assert_eq!(names(&index, &odd), ["/s/1-0", "/s/1-2"]);
}

#[test]
fn filters_leave_what_is_asked_for() {
    let index = SqliteIndex::in_memory();
    let mut one = entry("/s/1", &["x", "x"]);
    one.docs[1].tools = vec!["run_shell_command".to_owned()];
    one.docs[1].paths = vec!["/home/me/repo/src/main.rs".to_owned()];
    let mut two = entry("/s/2", &["x", "x"]);
    two.session.agent = "claude".to_owned();
    two.session.project = Some("/home/me/repo/deep".to_owned());
    two.session.started_ms = None;
    two.session.updated_ms = Some(5_000);
    two.docs[0].at_ms = Some(4_000);
    two.docs[1].at_ms = None;
    index.put(&one).unwrap();
    index.put(&two).unwrap();
    let check = |filter: Filter, expected: &[&str]| {
        // Common words take another road than rare ones.
        for most_places in [100, 3] {
            let asked = Asked {
                filter: filter.clone(),
                ..asked_at_most(&["x"], most_places)
            };
            assert_eq!(names(&index, &asked), expected, "{filter:?}");
        }
    };
    let some = |text: &str| Some(text.to_owned());
    check(
        Filter {
            agent: some("claude"),
            ..Filter::default()
        },
        &["/s/2-0", "/s/2-1"],
    );
    check(
        Filter {
            project: some("/home/me/repo/deep"),
            ..Filter::default()
        },
        &["/s/2-0", "/s/2-1"],
    );
    check(
        Filter {
            project: some("/home/me/repo/"),
            role: Some(1),
            ..Filter::default()
        },
        &["/s/1-1", "/s/2-1"],
    );
    check(
        Filter {
            project: some("/home/me/re"),
            ..Filter::default()
        },
        &[],
    );
    check(
        Filter {
            session: some("session of /s/1"),
            ..Filter::default()
        },
        &["/s/1-0", "/s/1-1"],
    );
    check(
        Filter {
            tool: some("run_shell_command"),
            ..Filter::default()
        },
        &["/s/1-1"],
    );
    check(
        Filter {
            tool: some("run_shell"),
            ..Filter::default()
        },
        &[],
    );
    for path in ["main.rs", "src/main.rs", "/home/me/repo/src", "SRC"] {
        check(
            Filter {
                path: some(path),
                ..Filter::default()
            },
            &["/s/1-1"],
        );
    }
    check(
        Filter {
            path: some("rc/main.rs"),
            ..Filter::default()
        },
        &[],
    );
    check(
        Filter {
            since_ms: Some(1_001),
            ..Filter::default()
        },
        &["/s/1-1", "/s/2-0", "/s/2-1"],
    );
    check(
        Filter {
            since_ms: Some(4_000),
            until_ms: Some(5_000),
            ..Filter::default()
        },
        &["/s/2-0"],
    );
    check(
        Filter {
            until_ms: Some(1_001),
            ..Filter::default()
        },
        &["/s/1-0"],
    );
}

#[test]
fn common_words_are_found_beside_rare_ones_and_where_they_are_newest() {
    let index = SqliteIndex::in_memory();
    for n in 0..60 {
        let rare = if n == 3 {
            "common rare"
        } else {
            "common often"
        };
        index.put(&entry(&format!("/s/{n}"), &[rare])).unwrap();
    }
    let few = |words: &[&str]| asked_at_most(words, 20);
    let places = index.places(&few(&["common", "rare"])).unwrap();
    assert_eq!((places.words[0].n_docs, places.words[1].n_docs), (60, 1));
    let files: Vec<u32> = places.words[0]
        .places
        .iter()
        .map(|place| place.doc.file)
        .collect();
    assert_eq!(files, [&[4], &(41..=60).collect::<Vec<_>>()[..]].concat());
    let both = index.places(&few(&["common", "often"])).unwrap();
    assert_eq!(both.words[1].places.len(), 20);
}
