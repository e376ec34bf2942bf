//! How far estimates lie from what real tokenizers count.
//!
//! Texts are cut into passages, and every second passage is kept for the test: neither the first weights nor
//! the calibration have seen it. `cargo test -p analects-chat --test it tokens -- --nocapture` prints the table
//! of `docs/reference/tokens.md`.

use std::fmt::Write as _;

use analects_chat::budget::{Calibration, Gauge};
use analects_chat::weigh::Counts;
use analects_text::tokens;
use analects_world::Profile;
use analects_world::model::{Content, Role};
use serde_json::Value;

const REFERENCE: &str = include_str!("../../../../docs/reference/tokens.md");
const GOLDENS: &str = include_str!("goldens/tokens.json");
const TOKENIZERS: [&str; 5] = ["o200k", "gemma3", "claude", "llama3", "qwen3"];
const PASSAGE_BYTES: usize = 300;
/// What is sent besides the history: what the gauge is told, and what it really is.
const TOLD: usize = 2_000;
const OVERHEAD: usize = 2_600;
/// What stands around a turn.
const AROUND: usize = 4;

macro_rules! texts {
    ($($kind:literal),+) => { [$(($kind, include_str!(concat!("texts/", $kind, ".txt")))),+] };
}

const TEXTS: [(&str, &str); 20] = texts![
    "arabic",
    "base64",
    "chinese",
    "emoji",
    "english",
    "german",
    "hex",
    "hindi",
    "japanese",
    "json",
    "korean",
    "log",
    "markdown",
    "mixed",
    "numbers",
    "python",
    "russian",
    "rust",
    "typescript",
    "vietnamese"
];

/// A piece of a text, and what each tokenizer makes of it.
struct Passage {
    text: &'static str,
    counts: [usize; 5],
}

/// The passages to learn from, and those to be judged by.
struct Kind {
    name: &'static str,
    seen: Vec<Passage>,
    unseen: Vec<Passage>,
}

fn kinds() -> Vec<Kind> {
    let goldens: Vec<Value> = serde_json::from_str(GOLDENS).unwrap();
    assert_eq!(goldens.len(), TEXTS.len());
    let of = |(golden, (name, text)): (&Value, (&'static str, &'static str))| {
        assert_eq!(golden["kind"], name);
        let mut kind = Kind {
            name,
            seen: Vec::new(),
            unseen: Vec::new(),
        };
        for (at, text) in passages(text).into_iter().enumerate() {
            assert_eq!(
                golden["bytes"][at],
                text.len(),
                "{name} was changed: record it anew"
            );
            let count =
                |tokenizer| usize::try_from(golden[tokenizer][at].as_u64().unwrap()).unwrap();
            let passage = Passage {
                text,
                counts: TOKENIZERS.map(count),
            };
            if at % 2 == 0 {
                kind.seen.push(passage);
            } else {
                kind.unseen.push(passage);
            }
        }
        kind
    };
    goldens.iter().zip(TEXTS).map(of).collect()
}

fn passages(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            end += line.len();
            if end >= PASSAGE_BYTES {
                break;
            }
        }
        let (passage, after) = rest.split_at(end);
        found.push(passage);
        rest = after;
    }
    found
}

/// Talks in passages of these kinds, one per turn, as long as there are any, and learns from each prompt.
fn talk(kinds: &[Kind], tokenizer: usize, profile: Profile, rounds: usize) -> Gauge {
    let mut gauge = Gauge::new(TOLD);
    let (mut history, mut prompt) = (Vec::new(), OVERHEAD);
    let longest = kinds
        .iter()
        .map(|kind| kind.seen.len())
        .max()
        .unwrap_or_default();
    for round in 0..rounds.min(longest) {
        for passage in kinds.iter().filter_map(|kind| kind.seen.get(round)) {
            let id = history.len().to_string();
            prompt += passage.counts[tokenizer] + AROUND;
            if history.len() % 2 == 0 {
                history.push(Content::text(id, Role::User, passage.text));
            } else {
                let sent = prompt - passage.counts[tokenizer] - AROUND;
                history.push(Content::text(id, Role::Model, passage.text));
                gauge.answered(sent, passage.counts[tokenizer], &history, profile);
            }
        }
    }
    gauge.changed();
    gauge
}

/// By how many percent an estimate of what was not seen is off.
fn error(kind: &Kind, tokenizer: usize, estimate: impl Fn(&str) -> usize) -> f64 {
    let estimated: usize = kind
        .unseen
        .iter()
        .map(|passage| estimate(passage.text))
        .sum();
    let actual: usize = kind
        .unseen
        .iter()
        .map(|passage| passage.counts[tokenizer])
        .sum();
    // A zero has no sign in a table.
    ((estimated as f64 / actual as f64 - 1.0) * 100.0).round() + 0.0
}

fn calibrated(calibration: &Calibration) -> impl Fn(&str) -> usize {
    |text| calibration.tokens(&Counts::of_text(text))
}

/// One weight for everything, as the original learns it.
fn weighed(gauge: &Gauge) -> impl Fn(&str) -> usize {
    |text| gauge.cost(&[Content::text("", Role::User, text)], Profile::Head)
}

/// The errors in a text, with one tokenizer.
struct Errors {
    plain: f64,
    one_weight: f64,
    start: f64,
    learned: f64,
}

fn errors(kinds: &[Kind], tokenizer: usize) -> Vec<Errors> {
    let one_weight = talk(kinds, tokenizer, Profile::Head, usize::MAX);
    let start = Calibration::default();
    let learned = talk(kinds, tokenizer, Profile::Analects, usize::MAX);
    let of = |kind| Errors {
        plain: error(kind, tokenizer, tokens::estimate),
        one_weight: error(kind, tokenizer, weighed(&one_weight)),
        start: error(kind, tokenizer, calibrated(&start)),
        learned: error(kind, tokenizer, calibrated(learned.calibration())),
    };
    kinds.iter().map(of).collect()
}

fn mean(errors: &[Errors], of: impl Fn(&Errors) -> f64) -> f64 {
    errors.iter().map(|errors| of(errors).abs()).sum::<f64>() / errors.len() as f64
}

fn chosen(names: &[&str]) -> Vec<Kind> {
    let chosen = kinds()
        .into_iter()
        .filter(|kind| names.contains(&kind.name));
    chosen.collect()
}

#[test]
fn estimates_are_learned_for_twenty_kinds_of_text_at_once() {
    let kinds = kinds();
    for (tokenizer, name) in TOKENIZERS.iter().enumerate() {
        let errors = errors(&kinds, tokenizer);
        let learned = mean(&errors, |errors| errors.learned);
        assert!(learned < 15.0, "{name}: {learned}");
        assert!(
            learned < mean(&errors, |errors| errors.one_weight) * 0.4,
            "{name}"
        );
        assert!(mean(&errors, |errors| errors.start) < 25.0, "{name}");
        for (kind, errors) in kinds.iter().zip(&errors) {
            let Errors { start, learned, .. } = *errors;
            // Too little is worse than too much: a request that does not fit is refused.
            assert!(start > -57.0, "{name}, {}: {start}", kind.name);
            assert!(
                (-41.0..45.0).contains(&learned),
                "{name}, {}: {learned}",
                kind.name
            );
        }
    }
}

#[test]
fn a_talk_about_code_in_two_languages_is_soon_estimated_well() {
    let kinds = chosen(&["chinese", "english", "log", "mixed", "rust"]);
    for (tokenizer, name) in TOKENIZERS.iter().enumerate() {
        let gauge = talk(&kinds, tokenizer, Profile::Analects, 3);
        for kind in &kinds {
            let error = error(kind, tokenizer, calibrated(gauge.calibration()));
            assert!(error.abs() < 12.5, "{name}, {}: {error}", kind.name);
        }
    }
}

#[test]
fn a_changed_history_is_measured_with_what_was_learned_of_all_that_goes_with_it() {
    let kinds = chosen(&["english", "log", "rust"]);
    for (tokenizer, name) in TOKENIZERS.iter().enumerate() {
        let gauge = talk(&kinds, tokenizer, Profile::Analects, usize::MAX);
        let used = gauge.used(&[], Profile::Analects);
        assert!(
            used.abs_diff(OVERHEAD) < OVERHEAD.abs_diff(TOLD) / 3,
            "{name}: {used}"
        );
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is what one looks for")]
fn the_reference_has_these_figures() {
    let kinds = kinds();
    let all: Vec<_> = (0..TOKENIZERS.len()).map(|at| errors(&kinds, at)).collect();
    let mut table = format!(
        "| text | {} |\n|---|{}\n",
        TOKENIZERS.join(" | "),
        "---:|".repeat(5)
    );
    for (at, kind) in kinds.iter().enumerate() {
        let cell = |errors: &Vec<Errors>| {
            let Errors {
                plain,
                start,
                learned,
                ..
            } = errors[at];
            format!("{plain:+.0} / {start:+.0} / **{learned:+.0}**")
        };
        let cells: Vec<_> = all.iter().map(cell).collect();
        writeln!(table, "| {} | {} |", kind.name, cells.join(" | ")).unwrap();
    }
    let cell = |errors: &Vec<Errors>| {
        let of = [
            mean(errors, |errors| errors.plain),
            mean(errors, |errors| errors.start),
            mean(errors, |errors| errors.learned),
        ];
        format!("{:.0} / {:.0} / **{:.0}**", of[0], of[1], of[2])
    };
    let cells: Vec<_> = all.iter().map(cell).collect();
    writeln!(table, "| mean, without sign | {} |", cells.join(" | ")).unwrap();
    let ones = all
        .iter()
        .map(|errors| mean(errors, |errors| errors.one_weight));
    let ones: Vec<_> = ones.map(|mean| format!("{mean:.0}")).collect();
    writeln!(
        table,
        "| the same, one weight learned | {} |",
        ones.join(" | ")
    )
    .unwrap();
    println!("{table}");
    assert!(
        REFERENCE.contains(&table),
        "docs/reference/tokens.md has other figures:\n{table}"
    );
}
