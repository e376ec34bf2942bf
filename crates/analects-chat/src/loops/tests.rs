//! Streams and what is seen in them, by the original's rules and by ours.

mod false_alarms;
mod model_view;
mod soup;
mod strikes;
mod vectors;

use analects_world::Profile;
use analects_world::model::{Body, Call, Part, Response};
use serde_json::Value;

use super::{Detector, Event, Loop, Options, Switch};

fn detector(profile: Profile) -> Detector {
    Detector::new(Options {
        profile,
        switch: Switch::On,
        exempt_tools: vec!["wait".to_owned()],
        checks_per_prompt: 2,
    })
}

fn call(name: &str, args: Value) -> Call {
    match Part::call("", name, args).body {
        Body::Call(call) => Call { id: None, ..call },
        _ => unreachable!("a call is a call"),
    }
}

fn response(name: &str, value: Value) -> Response {
    match Part::response("", name, value).body {
        Body::Response(response) => Response {
            id: None,
            ..response
        },
        _ => unreachable!("a response is a response"),
    }
}

/// Which of these chunks, from 1 on, shows a loop; and the loop.
fn first<'a>(profile: Profile, chunks: impl IntoIterator<Item = &'a str>) -> Option<(usize, Loop)> {
    let mut detector = detector(profile);
    let chunks = chunks.into_iter().enumerate();
    chunks
        .map(|(idx, chunk)| (idx + 1, detector.observe(Event::Text(chunk))))
        .find_map(|(n, seen)| Some((n, seen?)))
}

/// The same for calls.
fn first_call(profile: Profile, calls: &[Call]) -> Option<usize> {
    let mut detector = detector(profile);
    let mut calls = calls.iter();
    (calls.position(|call| detector.observe(Event::Call(call)).is_some())).map(|idx| idx + 1)
}

/// Text in which no stretch comes twice.
fn counted(units: usize) -> String {
    let words: String = (0..units).map(|n| format!("word{n} ")).collect();
    words.chars().take(units).collect()
}
