//! Our insertion of facts beside the original `save_memory`, recorded by `cargo xtask goldens`.
//!
//! Where the original destroys text or writes where nobody reads, we differ on purpose; each class of such
//! cases is named here, and must really differ. And in every case, not a byte of the file may get lost.

use std::collections::BTreeSet;

use analects_memory::note::{self, Fact, Style};
use analects_testkit::{Beside, Round};

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

/// The classes of cases that differ, and the row of the table that says why. Of the first three rows only
/// white space and brackets differ.
const DIFFERENT: [(&str, &[&str]); 8] = [
    ("save-line-ends", &["crlf", "mixed-newlines"]),
    (
        "save-blanks",
        &[
            "blank-after-header",
            "gap-before-next",
            "trailing-blank",
            "no-final-newline",
            "section-trailing-space",
            "header-trailing-space",
            "indent-after-header",
        ],
    ),
    ("save-angle", &["angle"]),
    (
        "save-nothing",
        &["empty-fact", "dash-only-fact", "empty-result"],
    ),
    ("save-hidden", &["unicode-break", "invisible", "control"]),
    (
        "save-other-headings",
        &[
            "h1-after-header",
            "h3-after-header",
            "setext-after-header",
            "h2-odd-after-header",
        ],
    ),
    (
        "save-lookalike",
        &[
            "header-in-code",
            "header-in-comment",
            "header-in-text",
            "header-in-item",
            "header-deeper",
            "header-with-tail",
            "header-lookalike",
        ],
    ),
    ("save-next-in-code", &["next-in-code"]),
];
/// How many rows are about white space and brackets alone.
const N_SPACES: usize = 3;

#[test]
fn facts_are_saved_as_by_the_original_where_it_loses_nothing() {
    let mut beside = Beside::the_original("save", include_str!("goldens/save.json"));
    let cases: Vec<Case> = serde_json::from_str(beside.answers()).unwrap();
    let mut shown = BTreeSet::new();
    let mut n_same = 0;
    for case in cases.iter().filter(|case| is_plain(case)) {
        let ours = save(case);
        let theirs = case.after.as_deref().unwrap_or_default();
        if ours == theirs {
            n_same += 1;
            beside.same();
            continue;
        }
        let rows = match words(&ours) == words(theirs) {
            true => &DIFFERENT[..],
            false => &DIFFERENT[N_SPACES..],
        };
        let tags = |row: &(_, &[&'static str])| {
            let has = |tag: &&str| case.tags.iter().any(|has| has == tag);
            row.1.iter().copied().filter(has).collect::<Vec<_>>()
        };
        let rows: Vec<_> = rows.iter().filter(|row| !tags(row).is_empty()).collect();
        if rows.is_empty() && spelled(&ours) == spelled(theirs) {
            beside.differs(&case.name, ["save-blanks"]);
            continue;
        }
        if rows.is_empty() {
            let asked = format!("{:?} + {:?}", case.before, case.facts);
            beside.compare(&case.name, &asked, &&*ours, &theirs);
            continue;
        }
        shown.extend(rows.iter().flat_map(|row| tags(row)));
        beside.differs(&case.name, rows.iter().map(|row| row.0));
    }
    if beside.round() == Round::Kept {
        let all: BTreeSet<_> = DIFFERENT.iter().flat_map(|row| row.1).copied().collect();
        assert_eq!(shown, all, "each class must really differ");
        assert!(n_same > 150, "{n_same} are the same");
    }
    beside.finish();
}

/// A text without any spacing.
fn spelled(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A text without what spacing and angle brackets do to it.
fn words(text: &str) -> Vec<String> {
    let text = text.replace("&lt;", "<");
    text.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '\u{feff}'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
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
