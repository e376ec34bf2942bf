//! What a model reads of files that were found by their names.

use analects_testkit::Fixture;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;
use crate::tools::trees::fixture::{NOW_MS, call};

const TREE: &str = "\
//- /ws/.gitignore
*.log
//- /ws/.geminiignore
secret/
//- /ws/b.rs
//- /ws/a.rs
//- /ws/30-hours.rs
//- /ws/src/2-hours.rs
//- /ws/src/1-hour.rs
//- /ws/src/A.RS
//- /ws/src/x.log
//- /ws/src/[id]/page.tsx
//- /ws/secret/key.rs
//- /ws/node_modules/m/m.rs
//- /ws/out -> /away
//- /else/e.rs
//- /away/w.rs
";

fn find(tree: Fixture, args: Value) -> String {
    let args: Args = serde_json::from_value(args).unwrap();
    call(tree, |bench| run(&args, bench, NOW_MS * 1_000_000))
}

fn check(args: Value, expected: Expect) {
    expected.assert_eq(&find(Fixture::parse(TREE), args));
}

#[test]
fn new_files_come_first_and_the_rest_in_order() {
    check(json!({"pattern": "**/*.rs"}), expect![[]]);
    check(json!({"pattern": "*.rs", "dir_path": "src"}), expect![[]]);
    check(
        json!({"pattern": "**/a.rs", "case_sensitive": true}),
        expect![[]],
    );
}

#[test]
fn what_is_ignored_is_told_and_can_be_brought_back() {
    check(json!({"pattern": "**/{key,x}.*", "path": "."}), expect![[]]);
    check(
        json!({"pattern": "**/{key,x}.*", "respect_git_ignore": false, "respect_gemini_ignore": false}),
        expect![[]],
    );
    check(
        json!({"pattern": "node_modules/**/*.rs", "dir_path": "."}),
        expect![[]],
    );
}

#[test]
fn a_pattern_may_be_a_path() {
    check(
        json!({"pattern": "src/[id]/page.tsx", "dir_path": "."}),
        expect![[]],
    );
    check(
        json!({"pattern": "/ws/src/*.rs", "dir_path": "/ws"}),
        expect![[]],
    );
}

#[test]
fn every_refusal_says_what_to_do() {
    for args in [
        json!({"pattern": "  "}),
        json!({"pattern": "a[b"}),
        json!({"pattern": "../*.rs"}),
        json!({"pattern": "/etc/*"}),
        json!({"pattern": "x".repeat(5000)}),
        json!({"pattern": "*", "dir_path": "none"}),
        json!({"pattern": "*", "dir_path": "a.rs"}),
        json!({"pattern": "*", "dir_path": "out"}),
    ] {
        let told = find(Fixture::parse(TREE), args.clone());
        assert!(told.len() < 500, "{told}");
    }
    check(json!({"pattern": " "}), expect![[]]);
    check(json!({"pattern": "a[b"}), expect![[]]);
    check(json!({"pattern": "../*.rs"}), expect![[]]);
    check(json!({"pattern": "/etc/*"}), expect![[]]);
    check(json!({"pattern": "*", "dir_path": "none"}), expect![[]]);
    check(json!({"pattern": "*", "dir_path": "a.rs"}), expect![[]]);
    check(json!({"pattern": "*", "dir_path": "out"}), expect![[]]);
}

#[test]
fn no_name_can_pass_for_something_else() {
    let tree = Fixture::default()
        .file("/ws/a\nb.rs", "")
        .file("/ws/[Shortened: x].rs", "")
        .file("/else/x", "");
    expect![[]].assert_eq(&find(tree, json!({"pattern": "*.rs", "dir_path": "."})));
}

#[test]
fn a_long_list_is_cut_after_the_newest() {
    let mut tree = Fixture::default().file("/ws/1-hour-z", "");
    for at in 0..600 {
        tree = tree.file(&format!("/ws/a{at:03}"), "");
    }
    let told = find(tree, json!({"pattern": "*", "dir_path": "."}));
    assert_eq!(told.lines().nth(1), Some("1-hour-z"));
    let ends: Vec<_> = told.lines().skip(500).collect();
    expect![[]].assert_eq(&ends.join("\n"));
}
