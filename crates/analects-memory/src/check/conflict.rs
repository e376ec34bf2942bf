//! Two rules of which one says *always* and the other *never*, about the same thing.
//!
//! What stands above a rule belongs to it: `force push` under `Never` is no order to do so. Where what
//! stands above denies in other words than we know, the rule is left alone.

use analects_text::likeness::{Stance, contradictions};

use super::pairs::{Pair, Words, told};
use super::said::Said;
use super::sheet::Sheet;
use super::{Finding, codes};

const WORDS: Words = Words {
    code: &codes::CONTRADICTION,
    does: "contradicts",
    shared: "lines contradict the other file",
};

pub(super) fn check(sheets: &[Sheet<'_>], said: &[Said<'_>]) -> Vec<Finding> {
    let mut stances = Vec::new();
    for (index, said) in said.iter().enumerate() {
        let sentences = sentences(said.text).into_iter();
        let stances_here = sentences.filter_map(|sentence| stance(sentence, said.lead_in));
        stances.extend(stances_here.map(|stance| (index, stance)));
    }
    let mut pairs: Vec<_> = contradictions(&stances)
        .into_iter()
        .filter(|(first, again)| first != again)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let pairs = pairs.into_iter().map(|(first, again)| Pair {
        first: said[first],
        again: said[again],
    });
    let meets = |pair: &Pair<'_>| {
        let [first, again] = [pair.first, pair.again].map(|said| sheets[said.sheet].page);
        first.meets(again)
    };
    told(sheets, pairs.filter(meets).collect(), &WORDS, |_| false)
}

/// Words over a list of things that are wanted.
const WANTED: [&str; 8] = [
    "always", "do", "dos", "do's", "must", "rules", "必须", "始终",
];

/// Words over a list of things that are not wanted.
const UNWANTED: [&str; 14] = [
    "never", "don't", "don’t", "donts", "don'ts", "do not", "must not", "avoid", "forbidden",
    "禁止", "不要", "避免", "prohibited", "never do",
];

/// Parts of words over lists whose items mean the opposite of what they say, in ways we do not know.
const DOUBTFUL: [&str; 22] = [
    "not", "n't", "n’t", "never", "avoid", "anti", "bad", "wrong", "mistake", "pitfall", "forbid",
    "prohibit", "deprecat", "legacy", "instead of", "before", "old", "禁", "不", "错误", "避免", "反",
];

/// The order that a sentence gives under what stands above it.
fn stance(sentence: &str, lead_in: Option<&str>) -> Option<Stance> {
    if let Some(rest) = ["❌", "🚫", "✗"].iter().find_map(|no| sentence.strip_prefix(no)) {
        return Stance::of(&format!("Never: {}", rest.trim()));
    }
    let lead = lead_in.unwrap_or_default().to_lowercase();
    let lead = lead.trim_matches(|c: char| !c.is_alphanumeric());
    if UNWANTED.contains(&lead) {
        return Stance::of(&format!("Never: {sentence}"));
    }
    let is_doubtful = || DOUBTFUL.iter().any(|sign| lead.contains(sign));
    if !WANTED.contains(&lead) && is_doubtful() {
        return None;
    }
    Stance::of(sentence)
}

/// The sentences of a line.
fn sentences(text: &str) -> Vec<&str> {
    let ends = text.char_indices().filter(|&(at, c)| {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => next.is_some_and(char::is_whitespace),
            _ => false,
        }
    });
    let mut sentences = Vec::new();
    let mut from = 0;
    for (at, c) in ends {
        let end = at + c.len_utf8();
        sentences.extend(text.get(from..end));
        from = end;
    }
    sentences.extend(text.get(from..));
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}
