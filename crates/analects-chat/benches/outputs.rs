//! How fast outputs are weighed, cut, masked and told of.

use analects_chat::condense::{self, Budgets};
use analects_chat::keep::{Kept, Label, Shelf};
use analects_chat::limits::{Limits, Wishes};
use analects_chat::reading::Measures;
use analects_chat::reading::page::{Asked, Range, page};
use analects_chat::shorten::{self, Cap, budget};
use analects_chat::{mask, swap, weigh};
use analects_world::Profile;
use analects_world::model::{Content, Part, Role};
use divan::Bencher;
use divan::counter::BytesCount;
use serde_json::json;

const LABEL: Label<'_> = Label {
    tool: "run_shell_command",
    call_id: Some("c1"),
};
const SHELF: Shelf<'_> = Shelf {
    dir: "/home/u/.gemini/tmp/p/tool-outputs/session-1",
    profile: Profile::Analects,
};
const TEXTS: [&str; 3] = ["ascii", "cjk", "one line"];

fn main() {
    divan::main();
}

/// Eight megabytes.
fn text(kind: &str) -> String {
    let unit = match kind {
        "ascii" => "   Compiling analects-chat v0.1.0 (crates/analects-chat)\n",
        "cjk" => "编译完成：没有错误，也没有警告。\n",
        _ => "{\"key\":\"value\"},",
    };
    unit.repeat((8 << 20) / unit.len())
}

fn limits() -> Limits {
    Limits::of(1_048_576, Profile::Analects, &Wishes::default())
}

#[divan::bench(args = TEXTS)]
fn estimate(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let part = [Part::text(&*text)];
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| weigh::parts(&part, Profile::Analects));
}

#[divan::bench(args = TEXTS)]
fn estimate_a_response(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let part = [Part::response("1", "ls", json!({ "output": text }))];
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| weigh::parts(&part, Profile::Analects));
}

#[divan::bench(args = TEXTS)]
fn shorten(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let cap = Cap::of(&limits(), 0);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        shorten::plan(&text, LABEL, &SHELF, &cap).map(|plan| shorten::apply(plan, Kept::Saved))
    });
}

#[divan::bench(args = TEXTS)]
fn shorten_under_a_hash(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let cap = Cap::of(&limits(), 0);
    let label = Label {
        call_id: None,
        ..LABEL
    };
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| shorten::plan(&text, label, &SHELF, &cap));
}

#[divan::bench(args = TEXTS)]
fn page_of_a_file(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let range = Range::of(&Asked::default(), Measures::USUAL);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| page(&text, &range, Profile::Analects));
}

#[divan::bench(args = TEXTS)]
fn condense(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let budgets = Budgets {
        told_tokens: 2_000,
        read_tokens: 50_000,
    };
    let plan = condense::plan(&text, LABEL, &SHELF, &budgets).expect("it is too long");
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| condense::apply(&plan, "It was built.", Kept::Saved, &budgets));
}

/// 5,000 messages, half of them answers of 8 kB each.
fn long_history() -> Vec<Content> {
    let turn = |idx: usize| {
        let (id, n) = (format!("c{}", idx / 2), idx / 2);
        let (role, part) = match idx % 2 {
            0 => (Role::Model, Part::call(id, "ls", json!({ "path": "." }))),
            _ => {
                let output = format!("{n} said something 记\n").repeat(320);
                (
                    Role::User,
                    Part::response(id, "ls", json!({ "output": output })),
                )
            }
        };
        Content {
            id: idx.to_string(),
            role,
            parts: vec![part],
        }
    };
    (0..5_000).map(turn).collect()
}

#[divan::bench]
fn mask_5000_messages(bencher: Bencher<'_, '_>) {
    let (history, limits) = (long_history(), limits());
    bencher.bench(|| mask::plan(&history, &limits, &mask::EXEMPT, &SHELF));
}

#[divan::bench]
fn mask_again_5000_messages(bencher: Bencher<'_, '_>) {
    let (history, limits) = (long_history(), limits());
    let plan = mask::plan(&history, &limits, &mask::EXEMPT, &SHELF).expect("it is long");
    let outcomes = vec![Kept::Saved; plan.keeps.len()];
    let masked = swap::apply(history, plan, &outcomes).history;
    bencher.bench(|| mask::plan(&masked, &limits, &mask::EXEMPT, &SHELF));
}

#[divan::bench]
fn shorten_5000_messages(bencher: Bencher<'_, '_>) {
    let (history, limits) = (long_history(), limits());
    bencher.bench(|| budget::plan(&history, &limits, 0, &SHELF));
}
