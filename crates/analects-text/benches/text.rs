//! How fast a text is measured, cut and searched for secrets.

use analects_text::mix::Mix;
use analects_text::{markdown, redact, tokens, truncate};

fn main() {
    divan::main();
}

fn megabyte() -> String {
    "Prefer `let … else` over nesting; 注释说明为什么。\n".repeat(20_000)
}

#[divan::bench]
fn estimate_1_mb(bencher: divan::Bencher<'_, '_>) {
    let text = megabyte();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| tokens::estimate(&text));
}

#[divan::bench]
fn mix_1_mb(bencher: divan::Bencher<'_, '_>) {
    let text = megabyte();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| Mix::of(&text));
}

#[divan::bench]
fn cut_1_mb_in_half(bencher: divan::Bencher<'_, '_>) {
    let text = megabyte();
    let budget = tokens::estimate(&text) / 2;
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| truncate::head(&text, budget).len());
}

#[divan::bench]
fn shield_1_mb(bencher: divan::Bencher<'_, '_>) {
    let text = megabyte();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| markdown::shielded(&text));
}

#[divan::bench]
fn scan_1_mb_for_secrets(bencher: divan::Bencher<'_, '_>) {
    let text = megabyte();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| redact::scan(&text));
}
