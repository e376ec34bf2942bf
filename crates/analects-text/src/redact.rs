//! Finds secrets in a text, so that none is stored.
//!
//! The rules are data: `rules/secrets.toml`. A rule's expression is compiled when one of its keywords
//! first occurs, and sees only the lines around it; a text without keywords costs one pass. Linear in
//! the text. What is found is a guess from the outside: nobody is asked whether a key still opens
//! anything.
//!
//! ```
//! use analects_text::redact;
//!
//! let text = "The staging password is hunter2!Xy7, ask Bob.";
//! let found = redact::scan(text);
//! assert_eq!(redact::mask(text, &found), "The staging password is [redacted: password], ask Bob.");
//! assert!(redact::scan("The password is stored in 1Password.").is_empty());
//! ```

mod gate;
mod judge;
mod long_runs;
mod rules;
mod value;
mod view;

use std::ops::Range;

use long_runs::long_runs;
use rules::{Body, RuleSet};
use view::View;

/// How often what was found is taken out and the rest looked at again.
///
/// What is left may look different once a secret is gone. Nearly always the second round finds nothing.
const MAX_ROUNDS: usize = 8;

/// A part of a text that must not be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static str,
    /// What kind of secret this is, in words.
    pub description: &'static str,
    /// The bytes of the secret itself.
    pub range: Range<usize>,
}

/// All secrets in `text` by the built-in rules, in order, without overlap.
///
/// Invisible characters and Markdown's emphasis do not hide a secret. A mark that [`mask`] left is none.
#[must_use]
pub fn scan(text: &str) -> Vec<Finding> {
    let rules = RuleSet::built_in();
    let mut view = View::new(text, |id| rules.knows(id));
    let mut found = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let runs = long_runs(view.bytes());
        let mut more = disjoint(matches(rules, view.bytes(), &runs));
        if more.is_empty() {
            more = disjoint(wrapped_matches(rules, &view, &runs));
        }
        if more.is_empty() {
            break;
        }
        for (range, _) in &more {
            view.blank(range.clone());
        }
        found.extend(more);
    }
    let found = found
        .into_iter()
        .map(|(range, at)| (view.source(range), at));
    disjoint(found.collect())
        .into_iter()
        .filter_map(|(range, at)| Some((range, rules.get(at)?)))
        .map(|(range, rule)| Finding {
            rule: rule.id,
            description: &rule.body().description,
            range,
        })
        .collect()
}

/// `text` with each secret replaced by `[redacted: <rule>]`.
///
/// `findings` come from [`scan`] of the same text; one that does not fit the text is left out.
#[must_use]
pub fn mask(text: &str, findings: &[Finding]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    for finding in findings {
        let Some(before) = text.get(copied..finding.range.start) else {
            continue;
        };
        if !text.is_char_boundary(finding.range.end) || finding.range.is_empty() {
            continue;
        }
        masked.push_str(before);
        masked.push_str(view::MARK_OPEN);
        masked.push_str(finding.rule);
        masked.push_str(view::MARK_CLOSE);
        copied = finding.range.end;
    }
    masked.push_str(text.get(copied..).unwrap_or_default());
    masked
}

/// The built-in rules, each with its description, in the order in which they name what they find.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rules = RuleSet::built_in().iter();
    rules.map(|rule| (rule.id, rule.body().description.as_str()))
}

/// What the rules match in `bytes`, which have these long runs: a range and the number of its rule.
fn matches(rules: &RuleSet, bytes: &[u8], runs: &[Range<usize>]) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    for (at, windows) in rules.suspects(bytes, runs) {
        let Some(rule) = rules.get(at) else { continue };
        for window in windows {
            let secrets = secrets_in(rules, rule.body(), bytes, window);
            found.extend(secrets.into_iter().map(|range| (range, at)));
        }
    }
    found
}

/// Like [`matches`], for tokens with an escape or with Markdown's emphasis stuck to them.
fn wrapped_matches(
    rules: &RuleSet,
    view: &View,
    runs: &[Range<usize>],
) -> Vec<(Range<usize>, usize)> {
    let Some(unwrapped) = view.unwrapped(runs) else {
        return Vec::new();
    };
    let runs = long_runs(unwrapped.bytes());
    let found = matches(rules, unwrapped.bytes(), &runs).into_iter();
    found
        .map(|(range, at)| (unwrapped.source(range), at))
        .collect()
}

fn secrets_in(
    rules: &RuleSet,
    rule: &Body,
    bytes: &[u8],
    window: Range<usize>,
) -> Vec<Range<usize>> {
    // The end is cut, the start is not: an expression may look back over the window's start.
    let Some(haystack) = bytes.get(..window.end) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut runs = value::Runs::default();
    let mut from = window.start;
    while let Some((whole, secret)) = rule.find(haystack, from) {
        let (secret, next) = if rule.follows {
            (runs.value_at(haystack, whole.end), whole.end)
        } else {
            let next = secret.end;
            (value::Value::bare(secret), next)
        };
        // An empty match would be found for ever.
        from = next.max(from + 1);
        if rules.accepts(rule, haystack, whole, &secret) {
            found.push(secret.range);
        }
    }
    found
}

/// `found` in order, with what overlaps made one; the earliest rule gives the name.
fn disjoint(mut found: Vec<(Range<usize>, usize)>) -> Vec<(Range<usize>, usize)> {
    found.sort_by_key(|(range, at)| (range.start, *at));
    let mut merged: Vec<(Range<usize>, usize)> = Vec::new();
    for (range, at) in found {
        match merged.last_mut() {
            Some((last, name)) if range.start < last.end => {
                last.end = last.end.max(range.end);
                *name = at.min(*name);
            }
            _ => merged.push((range, at)),
        }
    }
    merged
}
