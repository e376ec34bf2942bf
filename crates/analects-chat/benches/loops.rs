//! How fast a stream is watched, and how much memory that takes.
//!
//! Judge by the ratio to `plain_units`, which only counts the UTF-16 units of the same text. A detector that
//! sees a loop gets the next prompt at once, so that every text is read to its end.

use analects_chat::loops::{Detector, Event, Options, Switch};
use analects_world::Profile;
use analects_world::model::{Body, Call, Part, Response};
use divan::counter::{BytesCount, ItemsCount};
use serde_json::json;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

const MEGABYTE: usize = 1 << 20;
/// What a model sends at a time.
const CHUNK_BYTES: usize = 40;
const TEXTS: [&str; 5] = ["chant", "long_chant", "prose", "list", "code"];

fn main() {
    divan::main();
}

fn megabyte(kind: &str) -> String {
    let line = |n: usize| match kind {
        "chant" => "I will look at the file once more, to be quite sure. ".to_owned(),
        "long_chant" => (0..28).map(|n| format!("{n:>10}")).collect(),
        "prose" => format!(
            "Sentence {n} says what no sentence before {n} has said, namely {}. ",
            n * n
        ),
        "list" => {
            format!("- `src/{n}.rs`: the component was moved and every import of it was updated\n")
        }
        _ if n.is_multiple_of(50) => "```\n\n```rust\n".to_owned(),
        _ => format!("    let value_{n} = compute(value_{n}, &mut context)?;\n"),
    };
    let mut text: String = (0..)
        .map(line)
        .scan(0, |length, line| {
            *length += line.len();
            (*length < MEGABYTE).then_some(line)
        })
        .collect();
    text.shrink_to_fit();
    text
}

fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

fn detector(profile: Profile) -> Detector {
    Detector::new(Options {
        profile,
        switch: Switch::On,
        exempt_tools: Vec::new(),
        checks_per_prompt: 0,
    })
}

fn observe(detector: &mut Detector, event: Event<'_>) -> usize {
    let is_loop = detector.observe(event).is_some();
    if is_loop {
        detector.observe(Event::Prompt);
    }
    usize::from(is_loop)
}

fn watch(profile: Profile, chunks: &[&str]) -> usize {
    let mut detector = detector(profile);
    (chunks.iter())
        .map(|chunk| observe(&mut detector, Event::Text(chunk)))
        .sum()
}

#[divan::bench(args = TEXTS)]
fn plain_units(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let text = megabyte(kind);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| text.encode_utf16().map(usize::from).sum::<usize>());
}

#[divan::bench(args = TEXTS)]
fn in_chunks(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let text = megabyte(kind);
    let chunks = chunks(&text);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| watch(Profile::Analects, &chunks));
}

#[divan::bench(args = TEXTS)]
fn in_chunks_as_head(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let text = megabyte(kind);
    let chunks = chunks(&text);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| watch(Profile::Head, &chunks));
}

#[divan::bench(args = ["long_chant", "prose"])]
fn in_one_chunk(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let text = megabyte(kind);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| watch(Profile::Analects, &[&text]));
}

/// Calls and their answers; every third call is the same.
#[divan::bench]
fn ten_thousand_calls(bencher: divan::Bencher<'_, '_>) {
    let pairs: Vec<(Call, Response)> = (0..10_000)
        .filter_map(|n: usize| {
            let id = format!("call-{n}");
            let n = if n.is_multiple_of(3) { 0 } else { n };
            let args = json!({ "file_path": format!("/repo/src/module_{n}.rs"), "offset": n });
            let answer = json!({ "output": "pub fn main() {}\n".repeat(20) });
            match (
                Part::call(&*id, "read_file", args).body,
                Part::response(&*id, "read_file", answer).body,
            ) {
                (Body::Call(call), Body::Response(response)) => Some((call, response)),
                _ => None,
            }
        })
        .collect();
    bencher.counter(ItemsCount::new(pairs.len())).bench(|| {
        let mut detector = detector(Profile::Analects);
        let observed = pairs.iter().map(|(call, response)| {
            observe(&mut detector, Event::Call(call))
                + observe(&mut detector, Event::Answer(response))
        });
        observed.sum::<usize>()
    });
}
