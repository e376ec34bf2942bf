//! Editors that save a file while we change it: no save is lost.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use analects_world::changes::Trace;
use rustix::io::Errno;

use super::faults::Breaks;
use super::inside::Meanwhile;
use super::*;

/// How an editor saves a file.
#[derive(Debug, Clone, Copy)]
enum SaveMethod {
    /// Writes a new file beside it and renames that over it.
    Rename,
    /// Truncates the file and writes it again.
    InPlace,
}

const METHODS: [SaveMethod; 2] = [SaveMethod::Rename, SaveMethod::InPlace];

fn save(place: &Place, name: &str, method: SaveMethod, text: &str) {
    match method {
        SaveMethod::InPlace => place.write(name, text),
        SaveMethod::Rename => {
            place.write("editor.swp", text);
            let path = |name: &str| place.dir.path().join(name);
            fs::rename(path("editor.swp"), path(name)).unwrap();
        }
    }
}

/// The number of the editor's save that a file holds; `None` in the middle of a save.
fn save_number(text: &str) -> Option<usize> {
    let line = text.strip_suffix('\n')?;
    line.split(' ').next()?.parse().ok()
}

/// Saves a file many times while a commit loop marks every version it sees, and counts the saves that were lost.
fn count_lost_saves(method: SaveMethod, n_saves: usize) -> (usize, usize) {
    let place = Place::new();
    place.write("a.md", "0\n");
    let (n_commits, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut n_lost = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            let desk = place.desk(&OpenGate);
            while !is_over.load(Ordering::Relaxed) {
                let _ = desk.commit(&[], &mut |_| {
                    let old = place.read("a.md")?;
                    let number = save_number(&old)?;
                    let mark = n_commits.load(Ordering::Relaxed);
                    let new = format!("{number} {mark}\n").into_bytes();
                    let change = Change::new(&place.path("a.md"), Some(old.as_bytes()), Some(new));
                    let change = change.leaving(Trace::Fingerprint);
                    Some(Changes::new("test", "", vec![change]))
                });
                n_commits.fetch_add(1, Ordering::Relaxed);
            }
        });
        for number in 1..=n_saves {
            // Saves come at any point of a commit.
            for _ in 0..number * 37 % 400 {
                thread::yield_now();
            }
            save(&place, "a.md", method, &format!("{number}\n"));
            // The commit that may have been under way is over, and another one came after it.
            let then = n_commits.load(Ordering::Relaxed);
            while n_commits.load(Ordering::Relaxed) < then + 2 {
                thread::yield_now();
            }
            let now = loop {
                // Our own writes are never seen half.
                let text = place.read("a.md").unwrap();
                if let Some(number) = save_number(&text) {
                    break number;
                }
            };
            n_lost += usize::from(now != number);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    (n_lost, n_commits.load(Ordering::Relaxed))
}

#[test]
fn no_save_is_lost_in_a_race() {
    for method in METHODS {
        let n_saves = std::env::var("ANALECTS_TEST_SAVES").map_or(300, |n| n.parse().unwrap());
        let (n_lost, n_commits) = count_lost_saves(method, n_saves);
        let measured =
            format!("{method:?}: {n_lost} of {n_saves} saves lost over {n_commits} commits");
        {
            use std::io::Write;
            writeln!(io::stderr(), "editor race, {measured}").unwrap();
        }
        assert_eq!(n_lost, 0, "{measured}");
    }
}

/// Appends our line to a file, whatever it holds, through the commit point.
fn append(place: &Place, gate: &dyn Gate, name: &str) -> Result<Receipt, CommitError> {
    place.desk(gate).commit(&[], &mut |_| {
        let text = place.read(name).unwrap_or_default() + "ours\n";
        Some(place.changes(&[(name, Some(&text))]))
    })
}

#[test]
fn a_save_right_before_the_rename_is_kept_and_ours_comes_after_it() {
    for name in ["a.md", "inside/deep/a.md"] {
        for method in METHODS {
            let place = Place::new();
            place.write(name, "old\n");
            let edit = || save(&place, name, method, "edited\n");
            append(&place, &Meanwhile::new("rename staged file", edit), name).unwrap();
            assert_eq!(
                place.read(name).as_deref(),
                Some("edited\nours\n"),
                "{method:?}"
            );
            assert!(place.leftovers().is_empty());
            assert!(place.desk(&OpenGate).repair().unwrap().is_empty());
        }
    }
}

#[test]
fn a_file_that_appears_right_before_ours_is_made_is_not_replaced() {
    for name in ["a.md", "inside/a.md"] {
        let place = Place::new();
        place.write("inside/x", "");
        let edit = || save(&place, name, SaveMethod::Rename, "edited\n");
        append(&place, &Meanwhile::new("rename staged file", edit), name).unwrap();
        assert_eq!(place.read(name).as_deref(), Some("edited\nours\n"));
        assert!(place.leftovers().is_empty());
    }
}

#[test]
fn a_save_right_before_a_removal_is_not_removed() {
    for method in METHODS {
        let place = Place::new();
        place.write("a.md", "old\n");
        let edit = || save(&place, "a.md", method, "edited\n");
        let gate = Meanwhile::new("remove file", edit);
        let given_up = place.desk(&gate).commit(&[], &mut |_| {
            let is_old = place.read("a.md").as_deref() == Some("old\n");
            is_old.then(|| place.changes(&[("a.md", None)]))
        });
        assert_eq!(given_up, Err(CommitError::Abandoned));
        assert_eq!(place.read("a.md").as_deref(), Some("edited\n"));
        assert!(place.leftovers().is_empty());
    }
}

#[test]
fn a_save_of_the_last_file_puts_all_others_back() {
    let place = Place::new();
    place.write("a.md", "old\n");
    place.write("gone.md", "bye\n");
    place.write("z.md", "old\n");
    // The last of four steps: a file is replaced, one is made, one is removed, one is replaced.
    let n_seen = AtomicUsize::new(0);
    let edit = |step: &str| {
        let n = n_seen.fetch_add(usize::from(step == "rename staged file"), Ordering::Relaxed);
        if step == "rename staged file" && n == 2 {
            save(&place, "z.md", SaveMethod::Rename, "edited\n");
        }
    };
    let gate = StepObserver(&edit);
    let mut seen = Vec::new();
    let given_up = place.desk(&gate).commit(&[], &mut |_| {
        seen.push(["a.md", "new.md", "gone.md", "z.md"].map(|name| place.read(name)));
        let files = [
            ("a.md", Some("ours\n")),
            ("new.md", Some("ours\n")),
            ("gone.md", None),
            ("z.md", Some("ours\n")),
        ];
        (seen.len() == 1).then(|| place.changes(&files))
    });
    assert_eq!(given_up, Err(CommitError::Abandoned));
    let texts = |texts: [Option<&str>; 4]| texts.map(|text| text.map(str::to_owned));
    let then = [Some("old\n"), None, Some("bye\n"), Some("edited\n")];
    assert_eq!(seen[1], texts(then), "all is as the editor left it");
    assert!(place.leftovers().is_empty());
    let journal = place.read("state/journal.jsonl").unwrap();
    assert_eq!(journal, "", "and the journal does not mention it");
}

/// Calls a function before every step.
struct StepObserver<'a>(&'a (dyn Fn(&str) + Sync));

impl Gate for StepObserver<'_> {
    fn pass(&self, step: &str, _: &Path) -> io::Result<()> {
        (self.0)(step);
        Ok(())
    }
}

#[test]
fn of_two_saves_in_one_exchange_none_is_lost() {
    for method in METHODS {
        let place = Place::new();
        place.write("a.md", "old\n");
        let edit = |step: &str| match step {
            "rename staged file" => save(&place, "a.md", method, "first\n"),
            "put back old version" => save(&place, "a.md", method, "second\n"),
            _ => {}
        };
        let unfinished = append(&place, &StepObserver(&edit), "a.md");
        assert!(
            matches!(unfinished, Err(CommitError::Unfinished { .. })),
            "{unfinished:?}"
        );
        assert_eq!(place.read("a.md").as_deref(), Some("second\n"));
        for _ in 0..2 {
            let kept = place.leftovers();
            let kept = kept.iter().find(|name| *name != "staging.json").unwrap();
            assert_eq!(place.read(kept).as_deref(), Some("first\n"));
            let repaired = place.desk(&OpenGate).repair().unwrap();
            let conflict = Outcome::Conflicts(vec![place.path("a.md")]);
            assert!(repaired.iter().all(|repaired| repaired.outcome == conflict));
        }
        append(&place, &OpenGate, "a.md").unwrap();
        assert_eq!(place.read("a.md").as_deref(), Some("second\nours\n"));
    }
}

#[test]
fn a_writer_that_dies_with_a_save_in_its_hands_loses_nothing() {
    for removes in [false, true] {
        let place = Place::new();
        place.write("a.md", "old\n");
        let step = if removes {
            "remove file"
        } else {
            "rename staged file"
        };
        let gate = BreaksAfter {
            edit: Meanwhile::new(step, || {
                save(&place, "a.md", SaveMethod::Rename, "edited\n");
            }),
            dies: Breaks::at("put back old version"),
        };
        let text = (!removes).then_some("ours\n");
        let unfinished = place.put(&gate, &[("a.md", text)]);
        assert!(
            matches!(unfinished, Err(CommitError::Unfinished { .. })),
            "{unfinished:?}"
        );
        assert_eq!(place.read("a.md").as_deref(), text, "the save is beside it");
        let repaired = place.desk(&OpenGate).repair().unwrap();
        assert_eq!(repaired[0].outcome, Outcome::Withdrawn);
        assert_eq!(place.read("a.md").as_deref(), Some("edited\n"));
        assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
    }
}

/// An editor that saves, and a writer that dies soon after.
struct BreaksAfter<'a> {
    edit: Meanwhile<'a>,
    dies: Breaks,
}

impl Gate for BreaksAfter<'_> {
    fn pass(&self, step: &str, path: &Path) -> io::Result<()> {
        self.edit.pass(step, path)?;
        self.dies.pass(step, path)
    }
}

#[test]
fn anything_that_takes_the_place_of_a_file_stays_there() {
    let deeds: [fn(&Path); 3] = [
        |path| fs::create_dir(path).unwrap(),
        |path| symlink("elsewhere", path).unwrap(),
        |_| {},
    ];
    for (n, deed) in deeds.into_iter().enumerate() {
        let place = Place::new();
        place.write("inside/a.md", "old\n");
        let path = place.dir.path().join("inside/a.md");
        let edit = || {
            fs::remove_file(&path).unwrap();
            deed(&path);
        };
        let gate = Meanwhile::new("rename staged file", edit);
        let changes = place.changes(&[("inside/a.md", Some("ours\n"))]);
        let outcome = place
            .desk(&gate)
            .commit(&[], &mut |_| Some(changes.clone()));
        assert!(outcome.is_err(), "{n}: {outcome:?}");
        let is_there = [
            path.is_dir(),
            path.is_symlink(),
            !path.is_symlink() && !path.exists(),
        ];
        assert!(is_there[n], "{n}: {is_there:?}");
        assert!(place.leftovers().is_empty(), "{n}: {:?}", place.leftovers());
    }
}

#[test]
fn without_an_exchange_a_last_look_is_taken() {
    for errno in [Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP] {
        for name in [
            "a.md",
            "inside/a.md",
            "new.md",
            "inside/new.md",
            "inside/x.link",
        ] {
            let place = Place::new();
            place.write("a.md", "old\n");
            place.write("inside/a.md", "old\n");
            let gate = Breaks::at_with("rename staged file", errno);
            place.put(&gate, &[(name, Some("ours"))]).unwrap();
            assert_eq!(place.read(name).as_deref(), Some("ours"), "{name}");
            assert!(place.leftovers().is_empty(), "{name}");
            let place = Place::new();
            place.write("inside/y", "");
            if !name.contains("new") && !name.ends_with(".link") {
                place.write(name, "old\n");
            }
            if name.ends_with(".link") {
                continue;
            }
            let gate = BreaksAfter {
                edit: Meanwhile::new("replace file", || {
                    save(&place, name, SaveMethod::Rename, "edited\n");
                }),
                dies: Breaks::at_with("rename staged file", errno),
            };
            append(&place, &gate, name).unwrap();
            assert_eq!(
                place.read(name).as_deref(),
                Some("edited\nours\n"),
                "{name}"
            );
        }
    }
}
