//! What happens when a loop was seen.

use analects_world::Profile;
use serde_json::json;

use super::{call, counted, detector};
use crate::loops::{Detector, Event, Kind, Switch, Verdict};

/// Calls until something is seen.
fn calls_until_seen(detector: &mut Detector) -> (usize, Verdict) {
    let asked = call("ls", json!({ "path": "." }));
    let mut n = 0;
    loop {
        n += 1;
        if let Some(seen) = detector.observe(Event::Call(&asked)) {
            return (n, seen.verdict);
        }
    }
}

#[test]
fn the_first_time_it_is_said_and_the_second_time_it_is_over() {
    let mut detector = detector(Profile::Analects);
    assert!(matches!(
        calls_until_seen(&mut detector),
        (5, Verdict::Nudge(_))
    ));
    detector.resume();
    assert_eq!(calls_until_seen(&mut detector), (5, Verdict::Stop));
    detector.observe(Event::Prompt);
    assert!(matches!(
        calls_until_seen(&mut detector),
        (5, Verdict::Nudge(_))
    ));
}

#[test]
fn head_needs_one_more_call_and_the_seed_gives_no_second_chance() {
    let mut head = detector(Profile::Head);
    assert!(matches!(
        calls_until_seen(&mut head),
        (5, Verdict::Nudge(_))
    ));
    head.resume();
    assert_eq!(calls_until_seen(&mut head), (1, Verdict::Stop));
    assert_eq!(
        calls_until_seen(&mut detector(Profile::Seed)),
        (5, Verdict::Stop)
    );
}

#[test]
fn a_loop_stands_until_something_is_done_about_it() {
    let mut detector = detector(Profile::Analects);
    let unit = counted(50);
    let seen = (0..10)
        .find_map(|_| detector.observe(Event::Text(&unit)))
        .unwrap();
    assert_eq!(
        (seen.kind, seen.times, seen.strike),
        (Kind::Chanting, 10, 1)
    );
    assert_eq!(detector.observe(Event::Text("new")), Some(seen.clone()));
    assert_eq!(detector.observe(Event::Turn), Some(seen));
    detector.resume();
    assert_eq!(detector.observe(Event::Text(&unit)), None);
}

#[test]
fn nothing_is_counted_for_exempt_tools_or_when_it_is_switched_off() {
    let mut detector = detector(Profile::Analects);
    let wait = call("wait", json!({}));
    assert!((0..100).all(|_| detector.observe(Event::Call(&wait)).is_none()));
    detector.switch(Switch::Off);
    let ls = call("ls", json!({}));
    assert!((0..100).all(|_| detector.observe(Event::Call(&ls)).is_none()));
    detector.switch(Switch::On);
    assert!((0..4).all(|_| detector.observe(Event::Call(&ls)).is_none()));
    assert!(detector.observe(Event::Call(&ls)).is_some());
}
