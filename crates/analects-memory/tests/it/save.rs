//! Our insertion of facts beside the original `save_memory`, recorded by `cargo xtask goldens`.
//!
//! Where the original destroys text or writes where nobody reads, we differ on purpose; each class of such
//! cases is named here, and must really differ. And in every case, not a byte of the file may get lost.

use std::collections::BTreeMap;
use std::io::{self, Write};

use analects_memory::note::{self, Fact, Style};

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    tags: Vec<String>,
    scope: String,
    before: Option<String>,
    before_base64: Option<String>,
    facts: Vec<String>,
    layout: Option<String>,
    meanwhile: Option<serde_json::Value>,
    outcome: Option<serde_json::Value>,
    no_storage: Option<bool>,
    after: Option<String>,
}

/// What the original does with the text, and why we do not.
const DIFFERENT: [(&str, &str); 26] = [
    ("crlf", "line ends around the heading become LF"),
    ("mixed-newlines", "line ends around the heading become LF"),
    ("blank-after-header", "blank lines after the heading vanish"),
    (
        "gap-before-next",
        "the gap before the next section becomes one blank line",
    ),
    (
        "trailing-blank",
        "blank lines at the end of the file vanish",
    ),
    ("section-trailing-space", "blanks at line ends vanish"),
    ("header-trailing-space", "blanks at line ends vanish"),
    (
        "indent-after-header",
        "the first line of the section loses its indentation",
    ),
    (
        "empty-fact",
        "a fact that says nothing makes an empty bullet",
    ),
    (
        "dash-only-fact",
        "a fact that says nothing makes an empty bullet",
    ),
    (
        "empty-result",
        "a fact that says nothing makes an empty bullet",
    ),
    ("angle", "every angle bracket is taken away"),
    ("unicode-break", "other line breaks stay and break the line"),
    ("invisible", "hidden characters stay"),
    ("control", "control characters stay"),
    ("h1-after-header", "headings of other levels are swallowed"),
    ("h3-after-header", "headings of other levels are swallowed"),
    (
        "setext-after-header",
        "headings of other levels are swallowed",
    ),
    (
        "header-in-code",
        "what only looks like the heading counts as one",
    ),
    (
        "header-deeper",
        "what only looks like the heading counts as one",
    ),
    (
        "header-with-tail",
        "what only looks like the heading counts as one",
    ),
    (
        "next-in-code",
        "what only looks like a heading ends the section",
    ),
    (
        "header-in-comment",
        "what only looks like the heading counts as one",
    ),
    (
        "header-in-text",
        "what only looks like the heading counts as one",
    ),
    (
        "header-lookalike",
        "what only looks like the heading counts as one",
    ),
    (
        "h2-odd-after-header",
        "headings that are indented or empty are swallowed",
    ),
];

#[test]
fn facts_are_saved_as_by_the_original_where_it_loses_nothing() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("goldens/save.json")).unwrap();
    let (mut n_same, mut n_compared) = (0, 0);
    let mut differing = BTreeMap::<&str, usize>::new();
    for case in cases.iter().filter(|case| is_plain(case)) {
        n_compared += 1;
        let ours = save(case);
        if ours == case.after.as_deref().unwrap_or_default() {
            n_same += 1;
            continue;
        }
        let known = DIFFERENT
            .iter()
            .filter(|(tag, _)| case.tags.iter().any(|has| has == tag));
        let mut n_known = 0;
        for (tag, _) in known {
            n_known += 1;
            *differing.entry(tag).or_default() += 1;
        }
        assert!(
            n_known > 0,
            "{}: {:?} + {:?}\nours     {ours:?}\noriginal {:?}",
            case.name,
            case.before,
            case.facts,
            case.after
        );
    }
    let report =
        format!("save: {n_same} of {n_compared} the same; others by class: {differing:?}\n");
    io::stderr().write_all(report.as_bytes()).unwrap();
    for (tag, why) in DIFFERENT {
        assert!(
            differing.contains_key(tag),
            "nothing differs by {tag} ({why})"
        );
    }
    assert!(n_same > 150, "{n_same} are the same");
}

/// Whether a case is about text alone: no odd files, no conversation about it.
fn is_plain(case: &Case) -> bool {
    case.layout.is_none()
        && case.before_base64.is_none()
        && case.meanwhile.is_none()
        && case.outcome.is_none()
        && case.no_storage.is_none()
        && !case.facts.is_empty()
}

fn save(case: &Case) -> String {
    let style = match case.scope.as_str() {
        "project" => Style::Plain,
        _ => Style::Section,
    };
    let mut text = case.before.clone().unwrap_or_default();
    for fact in &case.facts {
        let Ok(fact) = Fact::clean(fact) else {
            continue;
        };
        let place = note::insert(&text, fact.as_str(), style).unwrap();
        let new = place.apply(&text);
        let n_put = new.len() - text.len();
        let parts = (new.get(..place.at), new.get(place.at + n_put..));
        let rest = [parts.0.unwrap(), parts.1.unwrap()].concat();
        assert_eq!(rest, text, "{}: nothing but the fact is new", case.name);
        text = new;
    }
    text
}
