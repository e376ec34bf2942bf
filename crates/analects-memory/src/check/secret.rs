//! Lint: secrets. A finding names the rule and a fingerprint, never the secret itself.

use analects_text::problem::Problem;
use analects_text::redact;

use super::sheet::Sheet;
use super::{Finding, codes};
use crate::fingerprint::fingerprint;

pub(super) fn check(sheet: &Sheet<'_>, allowed: &[String]) -> Vec<Finding> {
    let text = &sheet.page.text;
    let mut findings = Vec::new();
    for found in redact::scan(text) {
        let secret = text.get(found.range.clone()).unwrap_or_default();
        let fingerprint = fingerprint(found.rule, secret);
        if !allowed.contains(&fingerprint) {
            let message = format!("{} ({fingerprint})", found.description);
            findings.push(
                sheet
                    .problem(&codes::SECRET, found.range.start, message)
                    .into(),
            );
        }
    }
    findings
}

/// Takes secrets out of what another lint quotes.
pub(super) fn hide(problem: &mut Problem) {
    if problem.code != &codes::SECRET {
        let found = redact::scan(&problem.message);
        problem.message = redact::mask(&problem.message, &found);
    }
}
