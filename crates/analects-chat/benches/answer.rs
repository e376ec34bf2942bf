//! How fast an answer is put together, and what a history costs.
//!
//! Judge the answer by the ratio of its two rows: the same text in pieces ten times as small must not take a
//! hundred times as long. What a history costs is to be had at 200 MB/s and more.

use analects_chat::answer::Answer;
use analects_chat::budget::Gauge;
use analects_world::Profile;
use analects_world::model::{Content, Part, Role};
use analects_world::models::{Event, Finish};
use divan::counter::BytesCount;
use serde_json::json;

fn main() {
    divan::main();
}

fn megabyte() -> String {
    "Prefer `let … else` over nesting; 注释说明为什么。 0x7f3A is no word.\n".repeat(13_500)
}

#[divan::bench(args = [4, 40])]
fn hear_1_mb_in_pieces(bencher: divan::Bencher<'_, '_>, piece_chars: usize) {
    let text: Vec<char> = megabyte().chars().collect();
    let pieces = text
        .chunks(piece_chars)
        .map(|piece| Part::text(piece.iter().collect::<String>()));
    let pieces: Vec<_> = pieces.collect();
    bencher
        .counter(BytesCount::of_str(&megabyte()))
        .with_inputs(|| pieces.clone())
        .bench_values(|pieces| {
            let mut answer = Answer::default();
            pieces
                .into_iter()
                .for_each(|part| answer.hear(Event::Part(part)));
            answer.hear(Event::Finish(Finish::Done));
            answer.end()
        });
}

#[divan::bench]
fn cost_of_1_mb(bencher: divan::Bencher<'_, '_>) {
    let text = megabyte();
    let lines: Vec<_> = text.lines().collect();
    let parts = lines
        .chunks(100)
        .map(|lines| Part::response("1", "shell", json!({ "output": lines.join("\n") })));
    let history = [Content {
        id: String::new(),
        role: Role::User,
        parts: parts.collect(),
    }];
    let gauge = Gauge::new(0);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| gauge.cost(&history, Profile::Analects));
}
