//! What must be left alone: things that look like secrets to a careless eye.

use analects_text::redact::scan;

#[test]
fn what_only_looks_like_a_secret_is_left_alone() {
    let lines = include_str!("look_alikes.txt").lines();
    let texts: Vec<_> = lines
        .filter(|line| !line.starts_with("# "))
        .map(|line| line.replace('⏎', "\n"))
        .collect();
    let mut flagged = Vec::new();
    for text in &texts {
        for finding in scan(text) {
            let seen = text.get(finding.range).unwrap();
            flagged.push(format!("{}: `{seen}` in {text}", finding.rule));
        }
    }
    assert!(texts.len() >= 110);
    assert!(
        flagged.is_empty(),
        "{} of {} flagged:\n{}",
        flagged.len(),
        texts.len(),
        flagged.join("\n")
    );
}
