//! How long an audit takes. Ten times the messages with ten times the facts must take about ten times as
//! long; `plain_pass` only looks at every character of the same text.

use std::hint::black_box;

use analects_chat::audit::audit;
use analects_world::model::{Content, Part, Role};
use divan::counter::BytesCount;
use serde_json::json;

const MESSAGES: [usize; 2] = [2_000, 20_000];

fn main() {
    divan::main();
}

/// Requests, calls, answers and sayings in turn; every call names a file and runs a command of its own.
fn history(n_messages: usize) -> Vec<Content> {
    let turn = |n: usize| {
        let parts = match n % 4 {
            0 => vec![Part::text(format!(
                "Look at part {n} again. Never touch src/old{n}.rs! 不要改第{n}个端口。"
            ))],
            1 => vec![Part::call(
                n.to_string(),
                "run_shell_command",
                json!({ "command": format!("cargo test -p crate{n} -- --nocapture") }),
            )],
            2 => {
                let output = format!(
                    "{}error[E0425]: cannot find value `x{n}` in this scope\nExit Code: 101",
                    "   Compiling something v0.1.0 (/home/me/something)\n".repeat(12)
                );
                vec![Part::response(
                    n.to_string(),
                    "run_shell_command",
                    json!({ "output": output }),
                )]
            }
            _ => vec![Part::text(format!("The file src/mod{n}.rs is done now."))],
        };
        let role = match n % 2 {
            0 => Role::User,
            _ => Role::Model,
        };
        Content {
            id: n.to_string(),
            role,
            parts,
        }
    };
    (0..n_messages).map(turn).collect()
}

fn text(history: &[Content]) -> String {
    serde_json::to_string(history).unwrap_or_default()
}

#[divan::bench(args = MESSAGES)]
fn against_itself(bencher: divan::Bencher<'_, '_>, n_messages: usize) {
    let history = history(n_messages);
    bencher
        .counter(BytesCount::of_str(&text(&history)))
        .bench(|| audit(black_box(&history), black_box(&history)));
}

#[divan::bench(args = MESSAGES)]
fn against_little(bencher: divan::Bencher<'_, '_>, n_messages: usize) {
    let history = history(n_messages);
    bencher
        .counter(BytesCount::of_str(&text(&history)))
        .bench(|| audit(black_box(&history), black_box(&history[..n_messages / 20])));
}

#[divan::bench(args = MESSAGES)]
fn plain_pass(bencher: divan::Bencher<'_, '_>, n_messages: usize) {
    let text = text(&history(n_messages));
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        black_box(&text)
            .chars()
            .filter(|c| c.is_alphanumeric())
            .count()
    });
}
