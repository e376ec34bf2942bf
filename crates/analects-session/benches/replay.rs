//! How fast a record is replayed, and how much memory that takes beside the file itself.
//!
//! Judge by the ratio to `plain_pass`, which only looks at every byte, and to `serde_typed`, which reads the
//! same facts of each line with serde.
#![expect(
    clippy::unwrap_used,
    reason = "a bench stops at once if its set-up is broken"
)]

use std::fmt::Write;
use std::hint::black_box;

use analects_session::replay::replay;
use analects_session::{from_gemini, history};
use divan::counter::BytesCount;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

const MEGABYTES: [usize; 3] = [1, 10, 50];

fn main() {
    divan::main();
}

/// A record as sessions leave them: prompts, answers that are written twice, tools with long outputs.
fn record(megabytes: usize) -> Vec<u8> {
    let header = json!({ "sessionId": "s", "projectHash": "p", "startTime": "2026-08-21T10:00:00.000Z",
        "lastUpdated": "2026-08-21T10:00:00.000Z", "kind": "main" });
    let mut record = format!("{header}\n");
    let output =
        "error[E0308]: mismatched types\n  --> src/lib.rs:10:5\n   |\n10 |     \"quoted\"\n"
            .repeat(60);
    let answer =
        "The function returns early, so the lock is never taken. 原因是锁没有被获取。\n".repeat(12);
    let mut id = 0_u64;
    while record.len() < megabytes << 20 {
        id += 1;
        let at = "2026-08-21T10:01:00.000Z";
        let response = json!([{ "functionResponse": { "id": id, "name": "run_shell_command",
            "response": { "output": output } } }]);
        let call = json!({ "id": format!("c{id}"), "name": "run_shell_command", "status": "success",
            "args": { "command": "cargo test -p analects-session" }, "result": response, "timestamp": at,
            "description": "runs the tests", "displayName": "Shell", "renderOutputAsMarkdown": false });
        let uuid = format!("{id:08x}-0000-4000-8000-000000000000");
        let prompt = json!({ "id": format!("u-{uuid}"), "timestamp": at, "type": "user",
            "content": [{ "text": format!("fix number {id} please") }] });
        let said = json!({ "id": format!("g-{uuid}"), "timestamp": at, "type": "gemini", "content": answer,
            "thoughts": [{ "subject": "Plan", "description": "look first", "timestamp": at }],
            "tokens": null, "model": "gemini-3-pro" });
        let mut used = said.clone();
        used.as_object_mut()
            .unwrap()
            .insert("toolCalls".to_owned(), json!([call]));
        let touched = json!({ "$set": { "lastUpdated": at } });
        for line in [&prompt, &touched, &said, &touched, &used] {
            writeln!(record, "{line}").unwrap();
        }
    }
    record.into_bytes()
}

#[divan::bench(args = MEGABYTES, sample_count = 10, sample_size = 1)]
fn plain_pass(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let bytes = record(megabytes);
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| {
        let text = std::str::from_utf8(&bytes).unwrap();
        memchr::memchr_iter(b'\n', text.as_bytes()).count()
    });
}

#[divan::bench(args = MEGABYTES, sample_count = 10, sample_size = 1)]
fn plain_copy(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let bytes = record(megabytes);
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| black_box(bytes.clone()).len());
}

#[divan::bench(args = MEGABYTES, sample_count = 10, sample_size = 1)]
fn replay_it(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let bytes = record(megabytes);
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .with_inputs(|| bytes.clone())
        .bench_values(replay);
}

#[divan::bench(args = MEGABYTES, sample_count = 10, sample_size = 1)]
fn serde_typed(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "read, not used")]
    struct Line<'a> {
        #[serde(borrow)]
        id: Option<&'a str>,
        #[serde(rename = "type")]
        kind: Option<&'a str>,
        content: Option<IgnoredAny>,
        #[serde(rename = "$set")]
        set: Option<IgnoredAny>,
    }
    let bytes = record(megabytes);
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| {
        let lines = bytes.split(|&byte| byte == b'\n');
        let read = lines.filter_map(|line| serde_json::from_slice::<Line<'_>>(line).ok());
        read.filter(|line| line.id.is_some()).count()
    });
}

#[divan::bench(args = [1, 10], sample_count = 10, sample_size = 1)]
fn transcript(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let bytes = record(megabytes);
    let replayed = replay(bytes.clone());
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| from_gemini::transcript(&replayed));
}

#[divan::bench(args = [1, 10], sample_count = 10, sample_size = 1)]
fn to_history(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let bytes = record(megabytes);
    let replayed = replay(bytes.clone());
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| history::history(&replayed));
}
