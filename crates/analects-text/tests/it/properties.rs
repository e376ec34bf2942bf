//! What holds for any text.

use analects_text::redact::{mask, rules, scan};
use proptest::prelude::*;

use crate::made_up::{Random, fill};

/// Pieces that rules react to, in any order and number.
const PIECES: &[&str] = &[
    "password",
    "token",
    "secret=",
    ": ",
    " is ",
    "=",
    "\"",
    "'",
    "`",
    "**",
    "[redacted: password]",
    "[redacted: ",
    "]",
    "密码",
    "是",
    "：",
    "\u{200B}",
    "\n",
    " ",
    "\\n",
    "://",
    "@",
    "a:b",
    "ghp_",
    "sk-",
    "AKIA",
    "eyJ",
    ".",
    "/",
    ";",
    "Bearer ",
    "postgres://",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "hunter2!Xy7",
    "Kx9!",
    "é",
    "\u{FEFF}",
    "&x=",
];

fn soup() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(PIECES).prop_map(str::to_owned);
    let made_up = any::<u64>().prop_map(|seed| fill("{a24}", &mut Random(seed)));
    let piece = prop_oneof![6 => known, 2 => made_up, 1 => "(?s).{0,6}"];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let found = scan(text);
    prop_assert!(
        found
            .windows(2)
            .all(|pair| pair[0].range.end <= pair[1].range.start)
    );
    for finding in &found {
        prop_assert!(
            text.get(finding.range.clone())
                .is_some_and(|secret| !secret.is_empty())
        );
    }
    let masked = mask(text, &found);
    let again = scan(&masked);
    prop_assert!(again.is_empty(), "{text:?}\n{masked:?}\n{again:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_scanned_and_nothing_is_left_after_masking(text in "(?s).{0,300}") {
        check(&text)?;
    }

    #[test]
    fn a_soup_of_what_rules_react_to_is_masked_in_one_go(text in soup()) {
        check(&text)?;
    }

    #[test]
    fn findings_of_another_text_do_no_harm(text in "(?s).{0,40}", other in soup()) {
        let _ = mask(&text, &scan(&other));
    }
}

#[test]
fn endless_repetition_takes_linear_time() {
    for piece in [
        "token=",
        "password: ",
        "-----BEGIN PRIVATE KEY-----",
        "[redacted: ",
        "`*\u{200B}",
        "eyJ.",
        "https://a:",
        "aws ",
        "密码",
    ] {
        let _ = scan(&piece.repeat(50_000 / piece.len()));
    }
}

#[test]
fn the_reference_can_name_every_rule() {
    assert!(rules().count() >= 45);
    assert!(rules().all(|(id, description)| !id.is_empty() && !description.is_empty()));
}
