//! What must be found: every kind of secret, in English and Chinese sentences.

use std::collections::BTreeSet;

use analects_text::redact::{mask, rules, scan};

use crate::made_up::{Random, fill};

/// How often each kind is made up anew: a rule must not depend on luck.
const N_ROUNDS: u64 = 8;

/// The cases: rule, sentence, pattern of the secret.
fn kinds() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = include_str!("secrets.txt").lines();
    let cases = lines.filter(|line| !line.starts_with('#'));
    cases.map(|line| {
        let mut columns = line.split(" ¦ ");
        let mut next = || columns.next().expect("a case has three columns");
        (next(), next(), next())
    })
}

#[test]
fn every_kind_of_secret_is_found_by_its_rule() {
    let mut missed = Vec::new();
    for (rule, sentence, pattern) in kinds() {
        for seed in 0..N_ROUNDS {
            let (text, secret) = embed(sentence, &fill(pattern, &mut Random(seed)));
            let found = scan(&text);
            let exact = |finding: &&analects_text::redact::Finding| {
                finding.rule == rule && text.get(finding.range.clone()) == Some(&secret)
            };
            if found.len() != 1 || found.iter().find(exact).is_none() {
                let seen: Vec<_> = found
                    .iter()
                    .map(|finding| (finding.rule, text.get(finding.range.clone()).unwrap()))
                    .collect();
                missed.push(format!("{rule}: {text}\n    saw {seen:?}"));
                break;
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn every_rule_has_its_case() {
    let tried: BTreeSet<_> = kinds().map(|(rule, ..)| rule).collect();
    let known: BTreeSet<_> = rules().map(|(rule, _)| rule).collect();
    assert_eq!(tried, known);
    assert!(kinds().count() >= 45 && known.len() >= 45);
}

#[test]
fn a_secret_is_found_through_what_hides_it() {
    for disguise in [
        "\u{200B}",
        "\u{2060}",
        "\u{AD}",
        "**",
        "`",
        "\u{FEFF}\u{200D}",
    ] {
        let secret = fill("ghp_{a36}", &mut Random(7));
        let (head, tail) = secret.split_at_checked(11).unwrap();
        let text = format!("令牌 {disguise}{head}{disguise}{tail}{disguise} ok");
        let found = scan(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            mask(&text, &found),
            format!("令牌 {disguise}[redacted: github-pat]{disguise} ok")
        );
    }
}

#[test]
fn two_secrets_in_a_line_are_two_findings() {
    let text = fill(
        "key AKIA{u16}, secret access key {b40}, password is hunter2!Xy7",
        &mut Random(1),
    );
    let masked = mask(&text, &scan(&text));
    assert_eq!(
        masked,
        "key [redacted: aws-access-key-id], secret access key [redacted: aws-secret-access-key], password is [redacted: password]"
    );
}

/// The sentence with the secret in it, and the part of it that must be found.
fn embed(sentence: &str, filled: &str) -> (String, String) {
    let inner = filled
        .split_once('«')
        .and_then(|(_, rest)| rest.split_once('»'));
    let secret = inner.map_or(filled, |(inner, _)| inner);
    let whole = filled.replace(['«', '»'], "");
    let lines = |text: &str| text.replace('⏎', "\n");
    (lines(&sentence.replace('¤', &whole)), lines(secret))
}
