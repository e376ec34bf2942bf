//! Secrets: found, named, never shown.

use super::*;

/// In two parts, so that nobody takes this file for a leak.
const KEY: &str = concat!("gh", "p_16C7e42F292c6912E7710c838347Ae178B4a");

fn look() -> Look {
    let tree = format!("//- /repo/GEMINI.md\nHello.\nUse {KEY} for CI, see `docs/{KEY}.md`.\n");
    Look::at(&tree)
}

#[test]
fn a_secret_is_named_by_its_fingerprint_and_shown_nowhere() {
    let findings = look().findings();
    let codes: Vec<_> = findings.iter().map(|f| f.problem.code.name).collect();
    assert!(codes.contains(&"secret"), "{codes:?}");
    assert!(codes.contains(&"missing-file"), "{codes:?}");
    for finding in &findings {
        assert!(!finding.problem.message.contains(KEY), "{finding:?}");
        assert_eq!(finding.problem.line, Some(2));
    }
}

#[test]
fn what_is_allowed_is_no_finding() {
    let mut look = look();
    let fingerprints = look.findings().into_iter();
    let fingerprints = fingerprints.filter(|f| f.problem.code == &codes::SECRET);
    look.options.allowed_secrets = fingerprints
        .filter_map(|f| {
            let (_, fingerprint) = f.problem.message.split_once('(')?;
            Some(fingerprint.trim_end_matches(')').to_owned())
        })
        .collect();
    assert!(!look.options.allowed_secrets.is_empty());
    let mut findings = look.findings().into_iter();
    assert!(findings.all(|f| f.problem.code != &codes::SECRET));
}
