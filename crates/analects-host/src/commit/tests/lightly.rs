//! Bookkeeping that may be lost: the same lock and the same road, without the journal.

use analects_world::changes::Trace;

use super::faults::Breaks;
use super::*;

const FILES: [(&str, Option<&str>); 3] = [
    ("own/a.json", Some("new")),
    ("own/list.txt", Some("a.json")),
    ("own/old.json", None),
];

fn furnish() -> Place {
    let place = Place::new();
    place.write("own/a.json", "old");
    place.write("own/old.json", "bye");
    place.put(&OpenGate, &[("kept.md", Some("1"))]).unwrap();
    place
}

fn put(place: &Place, gate: &dyn Gate) -> Result<Receipt, CommitError> {
    let mut changes = place.changes(&FILES);
    for change in &mut changes.files {
        change.trace = Trace::Nothing;
    }
    let mut plan = |_: &dyn Files| Some(changes.clone());
    place.desk(gate).commit(&[], &mut plan)
}

#[test]
fn it_is_in_place_and_the_journal_knows_nothing() {
    let place = furnish();
    let journal = place.read("state/journal.jsonl");
    put(&place, &OpenGate).unwrap();
    let now = FILES.map(|(name, _)| place.read(name));
    assert_eq!(now, FILES.map(|(_, text)| text.map(str::to_owned)));
    assert_eq!(place.read("state/journal.jsonl"), journal);
    assert!(place.leftovers().is_empty());
    assert_eq!(place.desk(&OpenGate).status(), Status::default());
}

#[test]
fn no_step_waits_for_the_disk() {
    for step in [
        "sync staged file",
        "sync staged names",
        "sync journal",
        "sync directory",
    ] {
        put(&furnish(), &Breaks::at(step)).unwrap();
    }
}

#[test]
fn a_step_that_fails_leaves_every_file_old_or_new() {
    let steps = [
        "list staged files",
        "make directory",
        "create staged file",
        "write staged file",
        "set rights of staged file",
        "rename staged file",
        "remove file",
    ];
    for step in steps {
        let place = furnish();
        put(&place, &Breaks::at(step)).unwrap_err();
        let old = [Some("old"), None, Some("bye")];
        for ((name, new), old) in FILES.into_iter().zip(old) {
            let now = place.read(name);
            assert!(
                now.as_deref() == old || now.as_deref() == new,
                "{step}: {name} {now:?}"
            );
        }
        assert!(
            place.leftovers().is_empty(),
            "{step}: {:?}",
            place.leftovers()
        );
        put(&place, &OpenGate).unwrap();
    }
}

#[test]
fn what_somebody_else_wrote_meanwhile_is_planned_anew() {
    let place = furnish();
    let mut n_plans = 0;
    let mut plan = |_: &dyn Files| {
        let mut changes = place.changes(&[("own/a.json", Some("new"))]);
        changes.files[0].trace = Trace::Nothing;
        n_plans += 1;
        if n_plans == 1 {
            place.write("own/a.json", "another");
        }
        Some(changes)
    };
    place.desk(&OpenGate).commit(&[], &mut plan).unwrap();
    assert_eq!(n_plans, 2);
    assert_eq!(place.read("own/a.json").as_deref(), Some("new"));
}
