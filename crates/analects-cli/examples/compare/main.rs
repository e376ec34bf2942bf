//! Our side of `cargo xtask compare`: does one thing as often as it is asked to, and says how long that took.
//!
//! A line of JSON on stdin names a task, its inputs and how often it is done; a line on stdout says the nanoseconds of
//! one time and what came out of it. `xtask/peer/compare.mjs` answers the same questions for the others. What is
//! allocated is freed within the time.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "measures on a real disk with a real clock, and stops at once if its inputs are broken"
)]

mod memory;
mod sessions;
mod texts;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

/// What is wanted.
#[derive(Deserialize)]
struct Request {
    task: String,
    /// A file to read, or the text to work on.
    #[serde(default)]
    file: String,
    /// Where the tree lies, and the home beside it.
    #[serde(default)]
    dir: String,
    /// The names of memory files.
    #[serde(default)]
    names: Vec<String>,
    /// In how many characters a text arrives, or how many are shown of it.
    #[serde(default)]
    chars: usize,
    times: u32,
}

fn main() {
    let mut texts = Texts::default();
    for line in std::io::stdin().lines() {
        let request: Request = serde_json::from_str(&line.unwrap()).unwrap();
        let (took, answer) = answer(&request, &mut texts);
        let nanoseconds = took.as_secs_f64() * 1e9 / f64::from(request.times);
        println!(
            "{}",
            json!({ "nanoseconds": nanoseconds, "answer": answer })
        );
    }
}

fn answer(request: &Request, texts: &mut Texts) -> (Duration, Value) {
    match request.task.as_str() {
        "load" => memory::load(request),
        "discover" => memory::discover(request),
        "walk" => memory::walk(request),
        "imports" => memory::imports(request),
        "read all" => memory::read_all(request),
        "replay" => sessions::replay(request),
        "resume" => sessions::resume(request),
        "read" => sessions::read(request),
        "index" => sessions::index(request),
        "loops" => texts::loops(request, texts.get(&request.file)),
        "estimate" => texts::estimate(request, texts.get(&request.file)),
        "cut" => texts::cut(request, texts.get(&request.file)),
        "cut bytes" => texts::cut_bytes(request, texts.get(&request.file)),
        "pass" => texts::pass(request, texts.get(&request.file)),
        other => panic!("there is no task {other}"),
    }
}

/// Does something some times; `tell` says outside the time what came out of it.
fn timed<T>(
    times: u32,
    mut job: impl FnMut() -> T,
    tell: impl Fn(&T) -> Value,
) -> (Duration, Value) {
    let mut took = Duration::ZERO;
    let mut told = Value::Null;
    for at in 0..times {
        let start = Instant::now();
        let made = job();
        took += start.elapsed();
        if at == 0 {
            told = tell(&made);
        }
        let start = Instant::now();
        drop(made);
        took += start.elapsed();
    }
    (took, told)
}

/// Texts that were read once and stay in memory.
#[derive(Default)]
struct Texts(HashMap<String, String>);

impl Texts {
    fn get(&mut self, file: &str) -> &str {
        let read = || std::fs::read_to_string(file).unwrap();
        self.0.entry(file.to_owned()).or_insert_with(read)
    }
}
