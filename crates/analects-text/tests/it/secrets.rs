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
fn a_token_between_marks_of_emphasis_is_found() {
    let patterns = [
        ("ghp_{a36}", "github-pat"),
        ("AKIA{u16}", "aws-access-key-id"),
        ("SK{h32}", "twilio-api-key"),
        ("AIza{w35}", "gcp-api-key"),
        ("pat{a14}.{h64}", "airtable-pat"),
    ];
    for mark in ["_", "__", "___", "*", "**", "_**", "~~"] {
        for (pattern, rule) in patterns {
            let secret = fill(pattern, &mut Random(3));
            let closing: String = mark.chars().rev().collect();
            let text = format!("use {mark}{secret}{closing} here");
            let masked = mask(&text, &scan(&text));
            assert_eq!(
                masked,
                format!("use {mark}[redacted: {rule}]{closing} here")
            );
            // Underscores at the end may belong to the token: with it, they may go.
            let text = format!("{mark}the old {secret}{closing}");
            let masked = mask(&text, &scan(&text));
            let start = format!("{mark}the old [redacted: {rule}]");
            assert!(masked.starts_with(&start), "{text}: {masked}");
        }
    }
}

#[test]
fn a_token_after_an_escape_is_found() {
    for escape in [
        "\\n",
        "\\t",
        "\\r\\n",
        "\\u0022",
        "\\x1b[1;32m",
        "%20",
        "%3D",
        "\u{1b}[0m",
        "\u{1b}[32m",
        "\u{1b}[1;32m",
        "\\n_",
    ] {
        for (pattern, rule) in [
            ("ghp_{a36}", "github-pat"),
            ("AKIA{u16}", "aws-access-key-id"),
        ] {
            let secret = fill(pattern, &mut Random(4));
            let text = format!("{{\"content\": \"line{escape}{secret}\"}}");
            let masked = mask(&text, &scan(&text));
            assert_eq!(
                masked,
                text.replace(&secret, &format!("[redacted: {rule}]"))
            );
        }
    }
}

#[test]
fn a_token_that_ends_in_an_underscore_is_found_whole() {
    let secret = format!("{}_", fill("AIza{w34}", &mut Random(5)));
    let text = format!("_see_ the key {secret} _there_");
    assert_eq!(
        mask(&text, &scan(&text)),
        "_see_ the key [redacted: gcp-api-key] _there_"
    );
}

#[test]
fn a_whole_kubeconfig_loses_its_keys_and_keeps_its_certificates() {
    let certificate = fill(
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b800}=",
        &mut Random(1),
    );
    let key = fill(
        "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt{b800}=",
        &mut Random(2),
    );
    let config = |key: &str| {
        format!(
            "clusters:\n- cluster:\n    certificate-authority-data: {certificate}\n    \
             server: https://10.0.0.1:6443\nusers:\n- name: admin\n  user:\n    \
             client-certificate-data: {certificate}\n    client-key-data: {key}\n"
        )
    };
    let text = config(&key);
    assert_eq!(
        mask(&text, &scan(&text)),
        config("[redacted: encoded-private-key]")
    );
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
