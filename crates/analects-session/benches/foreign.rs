//! What reading a long record costs, beside looking at its bytes once.

use analects_session::foreign::name::Named;
use analects_session::foreign::{Limits, claude, codex, name};
use divan::Bencher;
use divan::counter::BytesCount;

const SIZE: usize = 20_000_000;

fn main() {
    divan::main();
}

/// The measure for the others: every byte is compared, nothing is understood.
#[divan::bench(sample_count = 5)]
fn count_lines(bencher: Bencher<'_, '_>) {
    let bytes = claude_record();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| bytes.iter().filter(|&&byte| byte == b'\n').count());
}

#[divan::bench(sample_count = 5)]
fn claude_20_mb(bencher: Bencher<'_, '_>) {
    let bytes = claude_record();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| claude::read(&bytes, &named(), Limits::USUAL));
}

#[divan::bench(sample_count = 5)]
fn codex_20_mb(bencher: Bencher<'_, '_>) {
    let bytes = codex_record();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| codex::read(&bytes, &named(), Limits::USUAL));
}

#[divan::bench(sample_count = 5)]
fn claude_one_line_of_20_mb(bencher: Bencher<'_, '_>) {
    let text = "a line of output\\n".repeat(SIZE / 18);
    let line = format!(
        "{}\n{{\"type\":\"user\",\"uuid\":\"2\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{text}\"}}]}}}}\n",
        r#"{"type":"assistant","uuid":"1","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"yes"}}]}}"#,
    );
    bencher
        .counter(BytesCount::new(line.len()))
        .bench(|| claude::read(line.as_bytes(), &named(), Limits::USUAL));
}

fn named() -> Named {
    name::claude("one.jsonl").expect("a good name")
}

fn claude_record() -> Vec<u8> {
    repeat(|n| {
        let output = "The pond is long.\\n".repeat(100);
        format!(
            "{{\"parentUuid\":\"{n}\",\"isSidechain\":false,\"type\":\"user\",\"uuid\":\"u{n}\",\"sessionId\":\"one\",\"cwd\":\"/repo\",\"gitBranch\":\"main\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"Look at the pond.\"}}}}\n\
             {{\"type\":\"assistant\",\"uuid\":\"a{n}\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":{{\"id\":\"m{n}\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t{n}\",\"name\":\"Read\",\"input\":{{\"file_path\":\"/repo/pond\"}}}}],\"usage\":{{\"input_tokens\":5}}}}}}\n\
             {{\"type\":\"user\",\"uuid\":\"r{n}\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t{n}\",\"content\":\"{output}\"}}]}},\"toolUseResult\":{{\"stdout\":\"{output}\"}}}}\n"
        )
    })
}

fn codex_record() -> Vec<u8> {
    repeat(|n| {
        let output = "The pond is long.\\n".repeat(100);
        format!(
            "{{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"message\",\"role\":\"user\",\"content\":[{{\"type\":\"input_text\",\"text\":\"Look {n}.\"}}]}}}}\n\
             {{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"user_message\",\"message\":\"Look {n}.\"}}}}\n\
             {{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call\",\"name\":\"exec_command\",\"arguments\":\"{{\\\"cmd\\\":\\\"cat pond\\\"}}\",\"call_id\":\"c{n}\"}}}}\n\
             {{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call_output\",\"call_id\":\"c{n}\",\"output\":\"{output}\"}}}}\n"
        )
    })
}

fn repeat(block: impl Fn(usize) -> String) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(SIZE);
    for n in 0.. {
        if bytes.len() >= SIZE {
            break;
        }
        bytes.extend_from_slice(block(n).as_bytes());
    }
    bytes
}
