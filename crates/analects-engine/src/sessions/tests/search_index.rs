//! The index follows the records, and is never missed for long.

use std::sync::atomic::AtomicUsize;

use analects_testkit::FakeIndex;
use analects_world::AbsPath;
use analects_world::index::{
    Asked, DocId, Document, Entry, Index, IndexError, Known, Places, Standing, Why,
};
use expect_test::{Expect, expect};

use super::super::{Refreshed, refresh};
use super::*;
use crate::verbs::session::{Search, SearchAnswer};

fn counts(refreshed: &Refreshed) -> (usize, usize, usize) {
    (refreshed.n_records, refreshed.n_read, refreshed.n_forgotten)
}

#[test]
fn only_what_changed_is_read_again() {
    let scene = Scene::of_three();
    assert_eq!(counts(&refresh(&scene.world())), (4, 4, 0));
    assert_eq!(counts(&refresh(&scene.world())), (4, 0, 0));
    let grown = gemini(
        ONE,
        &[
            ("Count the ducks.", "Seven."),
            ("And the moorhens.", "One."),
        ],
    );
    let scene = scene.put(&chat(ONE), &grown, 1);
    assert_eq!(counts(&refresh(&scene.world())), (4, 1, 0));
    let found = ask(&scene.world(), "moorhens").unwrap();
    assert_eq!(found.hits.len(), 1);
}

#[test]
fn what_was_deleted_is_no_longer_found() {
    let mut scene = Scene::of_three();
    assert_eq!(ask(&scene.world(), "ducks").unwrap().hits.len(), 2);
    scene.flags.yes = true;
    let delete = crate::verbs::session::Delete {
        ids: vec![ONE.to_owned()],
        expired: false,
    };
    assert!(scene.run(&delete).unwrap().deleted);
    let found = ask(&scene.world(), "ducks").unwrap();
    assert_eq!((found.hits.len(), found.records), (0, 3));
}

fn ask(world: &World<'_>, query: &str) -> Result<SearchAnswer, Failure> {
    let search = Search {
        query: vec![query.to_owned()],
        ..Search::default()
    };
    search.run(world, &Flags::default())
}

/// An index that refuses: to be asked what it knows, to take in, or to answer, the first few times.
#[derive(Default)]
struct Refusing {
    index: FakeIndex,
    standing: Option<Standing>,
    known: Refusal,
    put: Refusal,
    places: Refusal,
}

#[derive(Default)]
struct Refusal {
    error: Option<IndexError>,
    n_times: AtomicUsize,
}

impl Refusal {
    fn with(error: IndexError, n_times: usize) -> Self {
        let n_times = AtomicUsize::new(n_times);
        Self {
            error: Some(error),
            n_times,
        }
    }

    fn check(&self) -> Result<(), IndexError> {
        let less = |n: usize| n.checked_sub(1);
        let refuses = self
            .n_times
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        match (&self.error, refuses) {
            (Some(error), Ok(_)) => Err(error.clone()),
            _ => Ok(()),
        }
    }
}

impl Index for Refusing {
    fn standing(&self) -> Standing {
        self.standing.clone().unwrap_or(Standing::Kept)
    }

    fn known(&self) -> Result<Vec<Known>, IndexError> {
        self.known.check()?;
        self.index.known()
    }

    fn put(&self, file: &Entry) -> Result<(), IndexError> {
        self.put.check()?;
        self.index.put(file)
    }

    fn forget(&self, paths: &[AbsPath]) -> Result<(), IndexError> {
        self.index.forget(paths)
    }

    fn purge(&self) -> Result<(), IndexError> {
        self.index.purge()
    }

    fn places(&self, asked: &Asked) -> Result<Places, IndexError> {
        self.places.check()?;
        self.index.places(asked)
    }

    fn documents(&self, ids: &[DocId]) -> Result<Vec<Option<Document>>, IndexError> {
        self.index.documents(ids)
    }
}

const ALWAYS: usize = 1000;

fn check(index: &Refusing, expected: Expect) {
    let scene = Scene::of_three();
    let world = World {
        index,
        ..scene.world()
    };
    let answer = ask(&world, "ducks");
    expected.assert_eq(&match answer {
        Ok(answer) => format!(
            "{} hits\n{}",
            answer.hits.len(),
            show(&[], &answer.problems)
        ),
        Err(failure) => format!("failed: {failure}\n"),
    });
}

#[test]
fn an_index_that_was_broken_is_filled_again() {
    let lost = || Refusal::with(IndexError::Lost, 1);
    check(
        &Refusing {
            known: lost(),
            ..Refusing::default()
        },
        expect![[r#"
            2 hits
        "#]],
    );
    check(
        &Refusing {
            put: lost(),
            ..Refusing::default()
        },
        expect![[r#"
            2 hits
        "#]],
    );
    check(
        &Refusing {
            places: lost(),
            ..Refusing::default()
        },
        expect![[r#"
            2 hits
        "#]],
    );
}

#[test]
fn an_index_that_takes_nothing_in_is_a_problem_not_a_failure() {
    for error in [IndexError::Busy, IndexError::ReadOnly, IndexError::Lost] {
        let put = Refusal::with(error.clone(), ALWAYS);
        let known = Refusal::with(error.clone(), ALWAYS);
        for index in [
            Refusing {
                put,
                ..Refusing::default()
            },
            Refusing {
                known,
                ..Refusing::default()
            },
        ] {
            let scene = Scene::of_three();
            let world = World {
                index: &index,
                ..scene.world()
            };
            let answer = ask(&world, "ducks").unwrap();
            assert_eq!(show(&[], &answer.problems), format!("! index : {error}\n"));
        }
    }
}

#[test]
fn an_index_on_a_read_only_disk_is_asked_and_not_written() {
    let index = Refusing {
        standing: Some(Standing::ReadOnly),
        put: Refusal::with(IndexError::ReadOnly, ALWAYS),
        ..Refusing::default()
    };
    check(
        &index,
        expect![[r#"
        0 hits
        ! index : the index cannot be written: what is new is not found
    "#]],
    );
}

#[test]
fn an_index_that_could_not_be_kept_answers_from_memory() {
    let refused = Why::Refused("permission denied".to_owned());
    let newer = Why::Newer { version: 9 };
    for (why, expected) in [
        (
            refused,
            expect![[r#"
        2 hits
        ! index : permission denied; the records are read for this search alone
    "#]],
        ),
        (
            newer,
            expect![[r#"
        2 hits
        ! index : the index is of a newer version (9) and was left alone; the records are read for this search alone
    "#]],
        ),
    ] {
        let index = Refusing {
            standing: Some(Standing::Passing(why)),
            ..Refusing::default()
        };
        check(&index, expected);
    }
}

#[test]
fn an_index_that_does_not_answer_is_a_failure_with_its_reason() {
    let places = Refusal::with(IndexError::Busy, ALWAYS);
    check(
        &Refusing {
            places,
            ..Refusing::default()
        },
        expect![[r#"
            failed: cannot search: the index is busy
        "#]],
    );
}

#[test]
fn a_record_that_cannot_be_read_does_not_hide_the_others() {
    let denied = format!("//- {CHATS}/session-2026-03-01T09-00-dead0000.jsonl (denied)\n");
    let scene = Scene::with(&denied).put(
        &chat(ONE),
        &gemini(ONE, &[("Count the ducks.", "Seven.")]),
        5,
    );
    let answer = ask(&scene.world(), "ducks").unwrap();
    assert_eq!(answer.hits.len(), 1);
    expect![[r#"
        ! record-unreadable /h/.gemini/tmp/app/chats/session-2026-03-01T09-00-dead0000.jsonl: permission denied
    "#]].assert_eq(&show(&[], &answer.problems));
}
