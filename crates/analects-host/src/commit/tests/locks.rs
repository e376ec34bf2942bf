//! The lock that Gemini CLI takes too.

use std::time::{Duration, SystemTime};

use super::*;

fn guard(place: &Place) -> [Guard; 1] {
    [Guard(place.path("projects.json"))]
}

fn commit(place: &Place) -> Result<Receipt, CommitError> {
    let mut plan = |_: &dyn Files| {
        assert!(
            place.dir.path().join("projects.json.lock").is_dir(),
            "held while planning"
        );
        Some(place.changes(&[("projects.json", Some("{}"))]))
    };
    place.desk(&OpenGate).commit(&guard(place), &mut plan)
}

#[test]
fn the_lock_is_held_and_given_back() {
    let place = Place::new();
    commit(&place).unwrap();
    assert!(!place.dir.path().join("projects.json.lock").exists());
}

#[test]
fn the_lock_of_a_crashed_program_is_taken_over() {
    let place = Place::new();
    let lock = place.dir.path().join("projects.json.lock");
    fs::create_dir(&lock).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(60);
    fs::File::open(&lock)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    commit(&place).unwrap();
    assert!(!lock.exists());
}

#[test]
fn the_lock_lies_beside_what_a_link_leads_to() {
    let place = Place::new();
    place.write("real/projects.json", "{}");
    symlink("real/projects.json", place.dir.path().join("projects.json")).unwrap();
    let mut plan = |_: &dyn Files| {
        assert!(place.dir.path().join("real/projects.json.lock").is_dir());
        None
    };
    let _ = place.desk(&OpenGate).commit(&guard(&place), &mut plan);
}

#[test]
fn the_lock_of_a_dead_writer_of_ours_is_free() {
    let place = Place::new();
    place.put(&OpenGate, &[("a.md", Some("1"))]).unwrap();
    // The file stays behind with a process number in it; only a living process holds the lock.
    place.write("state/lock", "999999");
    place.put(&OpenGate, &[("a.md", Some("2"))]).unwrap();
    assert_eq!(place.read("a.md").as_deref(), Some("2"));
}

#[test]
fn a_writer_whose_lock_vanished_takes_it_again_before_it_commits() {
    for lock in ["state/lock", "projects.json.lock"] {
        let place = Place::new();
        let path = place.dir.path().join(lock);
        let mut n_plans = 0;
        let mut plan = |_: &dyn Files| {
            n_plans += 1;
            if n_plans == 1 {
                // Another program cleans up, and a third one takes the lock.
                let removed = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
                removed.unwrap();
                place.write("a.md", "theirs");
            }
            Some(place.changes(&[("a.md", Some(&format!("plan {n_plans}")))]))
        };
        let desk = place.desk(&OpenGate);
        desk.commit(&guard(&place), &mut plan).unwrap();
        assert_eq!(n_plans, 2, "{lock}");
        assert_eq!(place.read("a.md").as_deref(), Some("plan 2"));
        assert!(place.leftovers().is_empty());
    }
}

#[test]
fn a_lock_that_vanishes_again_and_again_is_reported() {
    let place = Place::new();
    place.write("a.md", "old");
    let mut plan = |_: &dyn Files| {
        fs::remove_file(place.dir.path().join("state/lock")).unwrap();
        Some(place.changes(&[("a.md", Some("new"))]))
    };
    let refused = place.desk(&OpenGate).commit(&[], &mut plan);
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("keeps removing the lock"), "{message}");
    assert_eq!(place.read("a.md").as_deref(), Some("old"));
    place.put(&OpenGate, &[("a.md", Some("new"))]).unwrap();
    assert!(place.leftovers().is_empty());
}

#[test]
fn who_has_little_time_hears_soon_that_somebody_is_writing() {
    let place = Place::new();
    let patience = Duration::from_millis(20);
    let mut hurried = None;
    let mut plan = |_: &dyn Files| {
        let desk = place.desk(&OpenGate).patient_for(patience);
        hurried = Some(desk.commit(&[], &mut |_| None));
        None
    };
    let _ = place.desk(&OpenGate).commit(&[], &mut plan);
    assert!(
        matches!(hurried, Some(Err(CommitError::Busy { .. }))),
        "{hurried:?}"
    );
}
