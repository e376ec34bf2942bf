//! Locks that are held, lost and taken over.

use std::sync::atomic::Ordering;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::Surroundings;

use super::*;

const NOW: u64 = 1_773_144_000_000;
const MINUTE: u64 = 60_000;
const LOCK: &str = "/m/.extraction.lock";

fn scene() -> (FakeDesk, Surroundings) {
    let desk = FakeDesk::parse("//- /m/\n");
    desk.now_ms.store(NOW, Ordering::Relaxed);
    (desk, surroundings("/m", "/h", &[]))
}

fn memory() -> AbsPath {
    AbsPath::new("/m").unwrap()
}

/// A lock of Gemini CLI's.
fn theirs(pid: u32, ms: u64) -> String {
    let at = analects_session::stamp::Stamp::from_ms(ms).unwrap();
    format!(r#"{{"pid":{pid},"startedAt":"{at}"}}"#)
}

fn is_ours(taken: &Result<Taken<'_>, Failure>) -> bool {
    matches!(taken, Ok(Taken::Ours(_)))
}

#[test]
fn one_holds_it_and_gives_it_back() {
    let (desk, around) = scene();
    let world = desk.world(&around);
    let first = take(&world, &memory());
    assert!(is_ours(&first));
    let Ok(Taken::Busy(holder)) = take(&world, &memory()) else {
        panic!("two hold it");
    };
    assert_eq!(holder.pid, Some(4711));
    drop(first);
    assert_eq!(desk.text(LOCK), None);
    assert!(is_ours(&take(&world, &memory())));
}

#[test]
fn gemini_clis_lock_keeps_us_away_until_it_is_dead_or_old() {
    let (desk, around) = scene();
    desk.claims.bear(1, 1);
    let world = desk.world(&around);
    for (lock, is_free) in [
        (theirs(1, NOW), false),
        (theirs(2, NOW), true),
        (theirs(1, NOW - 36 * MINUTE), true),
        (theirs(1, NOW + 36 * MINUTE), true),
    ] {
        desk.edit(LOCK, &lock);
        let taken = take(&world, &memory());
        assert_eq!(is_ours(&taken), is_free, "{lock}");
        drop(taken);
        let left = (!is_free).then_some(lock);
        assert_eq!(desk.text(LOCK), left);
    }
}

#[test]
fn a_lock_that_says_nothing_yet_is_given_a_while() {
    let (desk, around) = scene();
    let world = desk.world(&around);
    desk.edit(LOCK, "");
    desk.date(LOCK, NOW - 1000);
    assert!(!is_ours(&take(&world, &memory())));
    desk.date(LOCK, NOW - MINUTE);
    assert!(is_ours(&take(&world, &memory())));
}

#[test]
fn it_stays_young_while_we_work() {
    let (desk, around) = scene();
    let world = desk.world(&around);
    let Ok(Taken::Ours(hold)) = take(&world, &memory()) else {
        panic!("nobody else is there");
    };
    let first = desk.text(LOCK).unwrap();
    assert!(hold.beat());
    assert_eq!(desk.text(LOCK).unwrap(), first);
    desk.now_ms.store(NOW + 6 * MINUTE, Ordering::Relaxed);
    assert!(hold.beat());
    let second = desk.text(LOCK).unwrap();
    assert!(second.contains("2026-03-10T12:06:00.000Z"), "{second}");
    // A clock that was set back makes it look old, too.
    desk.now_ms.store(NOW - 60 * MINUTE, Ordering::Relaxed);
    assert!(hold.beat());
    let third = desk.text(LOCK).unwrap();
    assert!(third.contains("2026-03-10T11:00:00.000Z"), "{third}");
    drop(hold);
    assert_eq!(desk.text(LOCK), None);
}

#[test]
fn what_somebody_took_from_us_is_theirs() {
    let (desk, around) = scene();
    let world = desk.world(&around);
    let Ok(Taken::Ours(hold)) = take(&world, &memory()) else {
        panic!("nobody else is there");
    };
    // The machine slept, and somebody came.
    desk.now_ms.store(NOW + 50 * MINUTE, Ordering::Relaxed);
    let other = theirs(2, NOW + 49 * MINUTE);
    desk.edit(LOCK, &other);
    assert!(!hold.beat());
    assert!(!hold.beat());
    drop(hold);
    assert_eq!(desk.text(LOCK), Some(other));
}

#[test]
fn what_was_taken_and_given_back_meanwhile_is_lost_all_the_same() {
    let (desk, around) = scene();
    let world = desk.world(&around);
    let Ok(Taken::Ours(hold)) = take(&world, &memory()) else {
        panic!("nobody else is there");
    };
    desk.now_ms.store(NOW + 50 * MINUTE, Ordering::Relaxed);
    desk.remove(LOCK);
    assert!(!hold.beat());
    drop(hold);
    assert_eq!(desk.text(LOCK), None);
}
