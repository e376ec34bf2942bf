//! One command out of all the times it was run: what belongs to it, and a placeholder for what varied.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::learn::step::{Step, Word};
use crate::learn::view::View;
use crate::learn::word;

/// One command out of all the times it was run: what belongs to it, and a placeholder for what varied.
pub(super) fn shown(view: &View<'_>, seen: &[&Step]) -> String {
    let Some(model) = typical(view, seen) else {
        return String::new();
    };
    let mut line = String::new();
    for name in common_variables(seen) {
        let _ = write!(line, "{name}=<value> ");
    }
    if let Some(runner) = &model.runner {
        let _ = write!(line, "{runner} ");
    }
    let is_once = seen.iter().all(|step| step.command() == model.command());
    let n_head = model.n_head();
    let (mut is_dropped, mut was_open) = (false, false);
    for (at, word) in model.words.iter().enumerate() {
        let is_head = at < n_head && word.kind == word::Kind::Plain;
        let belongs = is_head || is_once || view.is_stable(model, word);
        // An option that was given some of the time goes, and its value with it.
        let is_option = matches!(word.kind, word::Kind::Flag | word::Kind::Sign);
        let is_value = is_dropped && !is_option && !is_head;
        is_dropped = (word.kind == word::Kind::Flag && !belongs) || (is_value && word.is_glued);
        if (word.kind == word::Kind::Flag && !belongs) || is_value {
            continue;
        }
        let told = match word.kind {
            word::Kind::Flag => Some(quoted(&word.text)),
            word::Kind::Sign => Some(word.text.as_str().into()),
            word::Kind::Plain if belongs => Some(quoted(&word.text)),
            kind if kind.may_be_told() && is_same(seen, word) => Some(quoted(&word.text)),
            _ => None,
        };
        // Several words that vary side by side are one thing to fill in.
        let is_open = told.is_none() && word.kind != word::Kind::Secret && !word.is_glued;
        if is_open && was_open {
            continue;
        }
        was_open = is_open;
        if at > 0 && !word.is_glued {
            line.push(' ');
        }
        line.push_str(&told.unwrap_or_else(|| word.kind.placeholder().into()));
    }
    line
}

/// Whether something is to be filled into a line: a word between angle brackets.
pub(super) fn has_gap(line: &str) -> bool {
    line.split('<').skip(1).any(|rest| {
        let name = rest.split_once('>').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase())
    })
}

/// Variables that were set each time.
fn common_variables<'a>(seen: &[&'a Step]) -> Vec<&'a str> {
    let Some((first, others)) = seen.split_first() else {
        return Vec::new();
    };
    let names = first.variables.iter().map(String::as_str);
    let is_common = |name: &&str| {
        others
            .iter()
            .all(|step| step.variables.iter().any(|other| other == name))
    };
    names.filter(is_common).collect()
}

/// The way of typing a command that has most of what belongs to it, and least of the rest.
fn typical<'a>(view: &View<'_>, seen: &[&'a Step]) -> Option<&'a Step> {
    let rank = |step: &&&Step| {
        let stable = step.words.iter().filter(|word| view.is_stable(step, word));
        (
            stable.count(),
            Reverse(step.words.len()),
            Reverse(step.command()),
        )
    };
    seen.iter().max_by_key(rank).copied()
}

/// Whether a word was there each time.
fn is_same(seen: &[&Step], word: &Word) -> bool {
    seen.iter()
        .all(|step| step.words.iter().any(|other| other.text == word.text))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,[]~*{}^#".contains(c);
    match word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")).into(),
    }
}
