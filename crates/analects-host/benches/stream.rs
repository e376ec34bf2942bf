//! How fast the stream of an answer is read, from the bytes of the socket to the events that are heard.
//!
//! The promise is at least 100 MB/s on every wire, and a time that grows with the bytes and not with the
//! number of chunks that they come in.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reads what it made itself and prints its figures"
)]

use std::fs;
use std::time::Duration;

use analects_host::http_models::{Limits, read_stream};
use analects_world::models::{Event, Wire};
use bytes::Bytes;
use divan::counter::BytesCount;

const MB: usize = 1_000_000;
const SIZES: [usize; 3] = [MB, 10 * MB, 100 * MB];
const CHUNKS: [usize; 3] = [64, 1_024, 16_384];
const WIRES: [Wire; 3] = [Wire::Gemini, Wire::OpenAi, Wire::Anthropic];

/// No answer is as long as the longest one here; what is measured is the reading.
const LIMITS: Limits = Limits {
    answer_bytes: usize::MAX,
    ..Limits::USUAL
};

fn main() {
    match std::env::args().any(|arg| arg == "--test") {
        true => WIRES.into_iter().for_each(judge),
        false => WIRES.into_iter().for_each(show),
    }
    divan::main();
}

/// Whatever grows faster than its input would be far beyond this.
const MAX_RATIO: f64 = 8.0;

/// Ratios hold on any machine: small chunks cost little more than large ones, and ten times the bytes ten times as much.
fn judge(wire: Wire) {
    let best = |size, chunk_bytes| {
        let chunks = chunks(wire, size, chunk_bytes);
        let times = (0..3).map(|_| time(wire, chunks.clone()));
        times.min().unwrap_or(Duration::MAX).as_secs_f64()
    };
    // Long enough for a clock that ticks in milliseconds.
    let (small, large) = (best(20 * MB, 64), best(20 * MB, 16_384));
    let tenth = best(2 * MB, 16_384).max(0.004);
    for (what, ratio) in [("chunks", small / large), ("bytes", large / tenth / 10.0)] {
        let name = wire.name();
        println!("{name:9} {what}: {ratio:.1}");
        assert!(ratio < MAX_RATIO, "{name}: the time grows with its {what}");
    }
}

/// The figures that the promise is about, each the best of three. They are in time of the processor: others may
/// be at work on this machine.
fn show(wire: Wire) {
    for size in SIZES {
        for chunk_bytes in CHUNKS {
            let chunks = chunks(wire, size, chunk_bytes);
            let times = (0..3).map(|_| time(wire, chunks.clone()));
            let best = times.min().unwrap_or(Duration::MAX);
            let rate = size as f64 / 1e6 / best.as_secs_f64();
            println!(
                "{:9} {:3} MB in chunks of {chunk_bytes:5} bytes: {rate:5.0} MB/s",
                wire.name(),
                size / MB
            );
        }
    }
}

fn time(wire: Wire, chunks: Vec<Bytes>) -> Duration {
    let start = busy();
    read(wire, chunks);
    busy() - start
}

/// How long this thread has been at work.
fn busy() -> Duration {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanos = times.split(' ').next().unwrap();
    Duration::from_nanos(nanos.parse().unwrap())
}

#[divan::bench(args = CHUNKS, sample_count = 10)]
fn gemini(bencher: divan::Bencher<'_, '_>, chunk_bytes: usize) {
    bench(bencher, Wire::Gemini, chunk_bytes);
}

#[divan::bench(args = CHUNKS, sample_count = 10)]
fn openai(bencher: divan::Bencher<'_, '_>, chunk_bytes: usize) {
    bench(bencher, Wire::OpenAi, chunk_bytes);
}

#[divan::bench(args = CHUNKS, sample_count = 10)]
fn anthropic(bencher: divan::Bencher<'_, '_>, chunk_bytes: usize) {
    bench(bencher, Wire::Anthropic, chunk_bytes);
}

fn bench(bencher: divan::Bencher<'_, '_>, wire: Wire, chunk_bytes: usize) {
    bencher
        .counter(BytesCount::new(MB))
        .with_inputs(|| chunks(wire, MB, chunk_bytes))
        .bench_local_values(|chunks| read(wire, chunks));
}

/// How many events there are.
fn read(wire: Wire, chunks: Vec<Bytes>) -> usize {
    let mut n_events = 0;
    let mut hear = |event: Event| n_events += usize::from(!matches!(event, Event::Finish(_)));
    read_stream(wire, chunks, LIMITS, &mut hear).unwrap();
    assert!(n_events > 0);
    n_events
}

/// A stream of about this size, cut into chunks that share its bytes.
fn chunks(wire: Wire, size: usize, chunk_bytes: usize) -> Vec<Bytes> {
    let (piece, end) = piece(wire);
    let mut stream = piece.repeat(size / piece.len());
    stream.push_str(end);
    let stream = Bytes::from(stream);
    let starts = (0..stream.len()).step_by(chunk_bytes);
    starts
        .map(|start| stream.slice(start..stream.len().min(start + chunk_bytes)))
        .collect()
}

/// What a server says again and again, and what it says at the end.
fn piece(wire: Wire) -> (&'static str, &'static str) {
    match wire {
        Wire::Gemini => (
            concat!(
                r#"data: {"candidates": [{"content": {"parts": [{"text": "The loader reads every file once, and what it "#,
                r#"has read it does not read again: \"src/load.rs\" keeps a list.\n"}],"role": "model"},"index": 0}],"#,
                r#""usageMetadata": {"promptTokenCount": 1234,"candidatesTokenCount": 56,"totalTokenCount": 1290},"#,
                r#""modelVersion": "gemini-2.5-flash","responseId": "x8-VaN_vJ5Pp7M8Pq5fO4Ag"}"#,
                "\r\n\r\n"
            ),
            "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"\"}]},\"finishReason\": \"STOP\"}]}\r\n\r\n",
        ),
        Wire::OpenAi => (
            concat!(
                r#"data: {"id":"chatcmpl-9f","object":"chat.completion.chunk","created":1760000000,"model":"gpt-x","#,
                r#""system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":" every file once, and"},"#,
                r#""logprobs":null,"finish_reason":null}]}"#,
                "\n\n"
            ),
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        ),
        Wire::Anthropic => (
            concat!(
                "event: content_block_delta\n",
                r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" every file once, and"}}"#,
                "\n\n"
            ),
            concat!(
                "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
                "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
                "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
            ),
        ),
    }
}
