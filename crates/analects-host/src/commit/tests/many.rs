//! Many writers at once.

use std::thread;

use super::faults::{child, given};
use super::*;

const N_PROCESSES: usize = 16;
const N_COMMITS: usize = 100;

#[test]
fn sixteen_processes_lose_nothing() {
    let place = Place::new();
    thread::scope(|scope| {
        for number in 0..N_PROCESSES {
            let place = &place;
            scope.spawn(move || {
                assert!(child("commit::tests::many::adds_its_lines", place, number).success());
            });
        }
    });
    let text = place.read("shared.md").unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), N_PROCESSES * N_COMMITS);
    let journal = place.read("state/journal.jsonl").unwrap();
    let n_intents = journal
        .lines()
        .filter(|line| line.contains("\"files\""))
        .count();
    assert_eq!(n_intents, N_PROCESSES * N_COMMITS);
    assert!(place.leftovers().is_empty());
}

/// Not a test of its own: what a child of `sixteen_processes_lose_nothing` does.
#[test]
fn adds_its_lines() {
    let Some((dir, number)) = given() else { return };
    let root = AbsPath::new(dir.to_str().unwrap()).unwrap();
    let desk = CommitDesk::new(&root.join("state"), &OpenGate);
    for n in 0..N_COMMITS {
        let line = format!("{number}:{n}\n");
        let mut plan = |_: &dyn Files| {
            let old = fs::read(dir.join("shared.md")).ok();
            let text = [old.as_deref().unwrap_or_default(), line.as_bytes()].concat();
            let change = Change::new(&root.join("shared.md"), old.as_deref(), Some(text));
            Some(Changes::new("test", "", vec![change]))
        };
        desk.commit(&[], &mut plan).unwrap();
    }
}
