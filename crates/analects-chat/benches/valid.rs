//! What it costs to make a history valid, to curate it and to cut it, beside copying it.
//!
//! Each at three lengths: the time should grow with the length, and no faster.

use analects_chat::compress::split::{split_for_tail, split_point};
use analects_chat::curate::{Signatures, curate, merge_roles, strip_thoughts};
use analects_chat::faults::faults;
use analects_chat::harden::{HardenOptions, harden};
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use divan::Bencher;
use divan::counter::ItemsCount;
use serde_json::json;

const LENGTHS: [usize; 3] = [1_250, 5_000, 20_000];

fn main() {
    divan::main();
}

/// The measure for the others.
#[divan::bench(args = LENGTHS)]
fn copying(bencher: Bencher<'_, '_>, n_turns: usize) {
    let history = history(n_turns);
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    bencher.bench(|| history.clone());
}

#[divan::bench(args = LENGTHS)]
fn harden_valid(bencher: Bencher<'_, '_>, n_turns: usize) {
    let history = history(n_turns);
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    let bencher = bencher.with_inputs(|| history.clone());
    bencher.bench_values(|history| harden(history, &HardenOptions::ORIGINAL));
}

/// Every third turn is missing, and all calls have one id.
#[divan::bench(args = LENGTHS)]
fn harden_broken(bencher: Bencher<'_, '_>, n_turns: usize) {
    let turns = history(n_turns * 3 / 2).into_iter().enumerate();
    let turns = turns.filter(|(place, _)| place % 3 != 1);
    let history: Vec<_> = turns.map(|(_, content)| with_one_id(content)).collect();
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    let bencher = bencher.with_inputs(|| history.clone());
    bencher.bench_values(|history| harden(history, &HardenOptions::ORIGINAL));
}

#[divan::bench(args = LENGTHS)]
fn find_faults(bencher: Bencher<'_, '_>, n_turns: usize) {
    let history = history(n_turns);
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    bencher.bench(|| faults(&history));
}

#[divan::bench(args = LENGTHS)]
fn curate_strip_and_merge(bencher: Bencher<'_, '_>, n_turns: usize) {
    let history = history(n_turns);
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    let bencher = bencher.with_inputs(|| history.clone());
    bencher.bench_values(|history| {
        let curated = curate(history, Profile::Head);
        merge_roles(strip_thoughts(curated, Signatures::Synthetic))
    });
}

#[divan::bench(args = LENGTHS)]
fn split_tail(bencher: Bencher<'_, '_>, n_turns: usize) {
    let history = history(n_turns);
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    bencher.bench(|| split_for_tail(&history, 20_000));
}

#[divan::bench(args = LENGTHS)]
fn split_as_head(bencher: Bencher<'_, '_>, n_turns: usize) {
    let history = history(n_turns);
    let bencher = bencher.counter(ItemsCount::new(n_turns));
    bencher.bench(|| split_point(&history, 0.7, Profile::Head));
}

fn with_one_id(mut content: Content) -> Content {
    for part in &mut content.parts {
        match &mut part.body {
            Body::Call(call) => call.id = Some("call_0".to_owned()),
            Body::Response(response) => response.id = Some("call_0".to_owned()),
            _ => {}
        }
    }
    content
}

/// Requests, each with a run of ten calls, and what the tools said: about a kilobyte.
fn history(n_turns: usize) -> Vec<Content> {
    let output = "The pond is long.\n".repeat(60);
    let turn = |place: usize| {
        let id = format!("c{}", place / 2);
        let (role, parts) = match place % 22 {
            0 => (Role::User, vec![Part::text("Look at the pond.")]),
            21 => (Role::Model, vec![Part::text("It is long.")]),
            at if at % 2 == 1 => {
                let call = Part::call(&*id, "read_file", json!({ "path": "pond.txt" }));
                (Role::Model, vec![Part::text("I look again."), call])
            }
            _ => {
                let id = format!("c{}", (place - 1) / 2);
                let response = Part::response(id, "read_file", json!({ "output": output }));
                (Role::User, vec![response])
            }
        };
        let id = format!("t{place}");
        Content { id, role, parts }
    };
    (0..n_turns).map(turn).collect()
}
