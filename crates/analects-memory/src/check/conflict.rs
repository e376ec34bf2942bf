//! Lint: one rule says *always* and another *never* about the same thing.
//!
//! What stands above a rule belongs to it: `force push` under `Never` is no order to do so. Where what
//! stands above denies in other words than we know, the rule is left alone.

use analects_text::likeness::{Stance, contradictions};

use super::pairs::{Words, meetings, told};
use super::said::{CROSSES, Mood, Said, places};
use super::sheet::Sheet;
use super::{Finding, codes};

const WORDS: Words = Words {
    code: &codes::CONTRADICTION,
    does: "contradicts",
    shared: "lines contradict the other file",
};

pub(super) fn check(sheets: &[Sheet<'_>], said: &[Said<'_>]) -> Vec<Finding> {
    let places = places(said);
    let mut stances = Vec::new();
    for (index, said) in places.iter().enumerate() {
        // The same line at another place gives the same order.
        let Some(said) = said.first() else { continue };
        // Under what denies, a second sentence is a reason or a remedy.
        let n_orders = match said.mood {
            Mood::Plain => usize::MAX,
            Mood::Unwanted | Mood::Doubtful => 1,
        };
        let orders = sentences(said.text).into_iter().take(n_orders);
        let orders = orders.filter_map(|sentence| stance(sentence, said.mood));
        stances.extend(orders.map(|stance| (index, stance)));
    }
    let mut opposed = contradictions(&stances);
    opposed.sort_unstable();
    opposed.dedup();
    let pairs = opposed
        .into_iter()
        .filter(|(a, b)| a != b)
        .flat_map(|(a, b)| meetings(sheets, &places[a], &places[b]));
    told(sheets, pairs.collect(), &WORDS, |_| false)
}

/// The order that a sentence gives under what stands above it.
fn stance(sentence: &str, mood: Mood) -> Option<Stance> {
    let sentence = sentence.trim_start_matches(CROSSES).trim();
    match mood {
        Mood::Plain => Stance::of(sentence),
        Mood::Unwanted => Stance::of(&format!("Never: {sentence}")),
        Mood::Doubtful => None,
    }
}

/// The sentences of a line.
fn sentences(text: &str) -> Vec<&str> {
    let ends = text.char_indices().filter(|&(at, c)| {
        let next = text
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
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
