//! Which model answers, by rules that need no model.
//!
//! Signs are looked for in the request and in how the last turns went. Each has a weight; enough of them make
//! a request hard. Every sign that counted is named, so that a person can see why.

mod signs;

use std::collections::HashSet;

use analects_world::model::{Body, Content, Part};
use serde_json::Value;

use super::{Decision, Pick, Source, Tier};
use crate::shape::is_response;

/// How much of a request is read.
const READ_CHARS: usize = 20_000;
/// How far back failures count.
const RECENT_TURNS: usize = 20;
/// From here on a request is hard.
const HARD: i32 = 2;
/// A request that is this long, traces and code left out, has much to think about in it.
const LONG_CHARS: usize = 1_500;
const MANY_FILES: usize = 4;
const MANY_STEPS: usize = 4;
const MANY_FAILURES: usize = 3;

/// Something that speaks for one of the models.
struct Sign {
    weight: i32,
    name: String,
}

/// Decides by rules.
pub(super) fn decide(history: &[Content], request: &Content) -> Decision {
    let text: String = request.texts().collect::<Vec<_>>().join("\n");
    let text: String = text.chars().take(READ_CHARS).collect();
    let mut signs = signs_of(&text);
    let n_failures = failures(history);
    if n_failures >= MANY_FAILURES {
        signs.push(sign(2, format!("{n_failures} tools failed lately")));
    }
    let weight: i32 = signs.iter().map(|sign| sign.weight).sum();
    let tier = match weight >= HARD {
        true => Tier::Pro,
        false => Tier::Flash,
    };
    Decision {
        pick: Pick::Tier(tier),
        source: Source::Rules,
        reason: reason(&signs, tier),
    }
}

fn reason(signs: &[Sign], tier: Tier) -> String {
    let speaks = |sign: &&Sign| match tier {
        Tier::Pro => sign.weight > 0,
        Tier::Flash => sign.weight < 0,
    };
    let names: Vec<_> = signs
        .iter()
        .filter(speaks)
        .map(|sign| &*sign.name)
        .collect();
    match (names.is_empty(), tier) {
        (false, _) => names.join(", "),
        (true, Tier::Pro) => "it looks hard".to_owned(),
        (true, Tier::Flash) => "nothing in it looks hard".to_owned(),
    }
}

fn signs_of(text: &str) -> Vec<Sign> {
    let mut signs = signs::in_words(text);
    let n_files = files(text);
    if n_files >= MANY_FILES {
        signs.push(sign(2, format!("it names {n_files} files")));
    }
    let n_steps = text.lines().filter(|line| is_step(line)).count();
    if n_steps >= MANY_STEPS {
        signs.push(sign(2, format!("it has {n_steps} steps")));
    }
    if prose_chars(text) >= LONG_CHARS {
        signs.push(sign(1, "it is long"));
    }
    signs
}

fn sign(weight: i32, name: impl Into<String>) -> Sign {
    Sign {
        weight,
        name: name.into(),
    }
}

/// How many different files are named: words with a dot and a short ending, or with a slash in them.
fn files(text: &str) -> usize {
    let is_edge = |c: char| !(c.is_ascii_alphanumeric() || "/._-".contains(c));
    let words = text.split(is_edge).map(|word| word.trim_matches('.'));
    words
        .filter(|word| is_file(word))
        .collect::<HashSet<_>>()
        .len()
}

fn is_file(word: &str) -> bool {
    let Some((stem, ending)) = word.rsplit_once('.') else {
        return false;
    };
    let starts_like_one = stem.chars().any(|c| c.is_ascii_alphabetic());
    let ends_like_one = (1..=5).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_lowercase())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    starts_like_one && ends_like_one && !word.starts_with("www.")
}

/// Whether a line is an entry of a list.
fn is_step(line: &str) -> bool {
    let line = line.trim_start();
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        after_number.len() < line.len() && after_number.starts_with(['.', ')', '、', '．']);
    is_numbered || line.starts_with("- ") || line.starts_with("* ")
}

/// How much is said in words: lines that begin like code, traces or logs are left out.
fn prose_chars(text: &str) -> usize {
    let mut is_fenced = false;
    let mut n_chars = 0;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced && !line.starts_with([' ', '\t', '>']) {
            n_chars += line.chars().count();
        }
    }
    n_chars
}

/// How many tools have failed in the last turns.
fn failures(history: &[Content]) -> usize {
    let recent = history.get(history.len().saturating_sub(RECENT_TURNS)..);
    let answers = recent
        .unwrap_or_default()
        .iter()
        .filter(|content| is_response(content));
    answers
        .flat_map(|content| &content.parts)
        .filter(|part| has_failed(part))
        .count()
}

fn has_failed(part: &Part) -> bool {
    let Body::Response(response) = &part.body else {
        return false;
    };
    let field = |name| response.response.get(name);
    let has_error =
        field("error").is_some_and(|error| !matches!(error, Value::Null | Value::Bool(false)));
    let exit = ["exitCode", "exit_code"].into_iter().find_map(field);
    has_error || exit.and_then(Value::as_i64).is_some_and(|code| code != 0)
}
