//! The vectors of the original, and what we answer to them.

use analects_world::Profile;
use serde_json::json;

use super::{call, counted, first, first_call};

/// Each chunk is told over and over; the numbers are the events at which a loop is seen.
fn check_text(chunks: &[&str], head: Option<usize>, ours: Option<usize>) {
    let stream = || chunks.iter().copied().cycle().take(300);
    let at = |profile| first(profile, stream()).map(|(n, _)| n);
    assert_eq!(at(Profile::Head), head, "head: {chunks:?}");
    assert_eq!(at(Profile::Analects), ours, "ours: {chunks:?}");
}

/// The same after a beginning that is told once.
fn check_after(start: &[&str], chunk: &str, head: Option<usize>, ours: Option<usize>) {
    let stream = || (start.iter().copied()).chain(std::iter::repeat_n(chunk, 300));
    let at = |profile| first(profile, stream()).map(|(n, _)| n);
    assert_eq!(at(Profile::Head), head, "head: {start:?} {chunk:?}");
    assert_eq!(at(Profile::Analects), ours, "ours: {start:?} {chunk:?}");
}

#[test]
fn a_unit_is_a_chant_the_tenth_time() {
    check_text(&[&counted(50)], Some(10), Some(10));
    check_text(&["a"], Some(59), Some(59));
    check_text(&[&counted(200)], Some(10), Some(10));
    check_text(&[&counted(250)], Some(10), Some(10));
    check_text(&[&counted(260)], None, None);
}

#[test]
fn items_are_lines_whatever_their_mark() {
    let item = format!("\n- {}", counted(49));
    check_text(&[&item], Some(10), Some(11));
    check_text(&[&item.replace('-', "*")], None, Some(11));
    check_text(&[&item.replace('-', "1.")], None, Some(11));
    check_text(&["- [ ] fix it\n"], Some(13), Some(10));
}

#[test]
fn capitals_are_words() {
    check_text(
        &["CAPITALS-ONLY-AND-NOTHING-BUT-CAPITALS-IN-THIS-ONE"],
        None,
        Some(10),
    );
}

#[test]
fn fences_are_seen_wherever_they_are_cut() {
    let unit = counted(46);
    check_after(&["```\n"], &unit, None, None);
    check_after(&["``", "`\n"], &unit, Some(13), None);
    check_after(&["~~~", "~sh\n"], &unit, Some(13), None);
    check_after(&["```sh\nls\n``", "`\n"], &unit, None, Some(13));
    check_after(&["Use ```ls``` now. "], &unit, Some(12), Some(12));
}

#[test]
fn a_cycle_of_calls_is_a_loop_in_its_fifth_round() {
    let calls = |n: usize| -> Vec<_> {
        let of = |idx| call(&format!("tool{}", idx % n), json!({ "path": "." }));
        (0..60).map(of).collect()
    };
    for (n, head) in [(1, 5), (2, 10), (3, 15), (4, 20), (5, 25)] {
        assert_eq!(first_call(Profile::Head, &calls(n)), Some(head));
        assert_eq!(first_call(Profile::Analects, &calls(n)), Some(head));
    }
    assert_eq!(first_call(Profile::Head, &calls(6)), None);
    assert_eq!(first_call(Profile::Analects, &calls(6)), None);
    assert_eq!(first_call(Profile::Seed, &calls(1)), Some(5));
    assert_eq!(first_call(Profile::Seed, &calls(2)), None);
}

#[test]
fn the_order_of_arguments_is_nothing() {
    let of = |idx: usize| match idx % 2 {
        0 => call("read", json!({ "path": "a", "limit": 1 })),
        _ => call("read", json!({ "limit": 1, "path": "a" })),
    };
    let calls: Vec<_> = (0..12).map(of).collect();
    assert_eq!(first_call(Profile::Head, &calls), Some(10));
    assert_eq!(first_call(Profile::Analects, &calls), Some(5));
}

#[test]
fn the_seed_does_not_ask_what_lies_between() {
    let shared = counted(60);
    let items: Vec<_> = (0..30).map(|n| format!("{shared}{n}; ")).collect();
    let at = |profile| first(profile, items.iter().map(|item| &**item)).map(|(n, _)| n);
    assert_eq!(at(Profile::Seed), Some(10));
    assert_eq!(at(Profile::Head), None);
    assert_eq!(at(Profile::Analects), None);
}
