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
    check(
        json!({"pattern": "**/*.rs"}),
        expect![[r#"
        Found 7 files that match `**/*.rs` in the 2 directories of the workspace, new ones first:
        src/1-hour.rs
        src/2-hours.rs
        /else/e.rs
        30-hours.rs
        a.rs
        b.rs
        src/A.RS
        (1 ignored file or directory was passed over.)
        = Found 7 files []
    "#]],
    );
    check(
        json!({"pattern": "*.rs", "dir_path": "src"}),
        expect![[r#"
        Found 3 files that match `*.rs` in `src`, new ones first:
        src/1-hour.rs
        src/2-hours.rs
        src/A.RS
        = Found 3 files []
    "#]],
    );
    check(
        json!({"pattern": "**/a.rs", "case_sensitive": true}),
        expect![[r#"
            Found 1 file that matches `**/a.rs` in the 2 directories of the workspace:
            a.rs
            (1 ignored file or directory was passed over.)
            = Found 1 file []
        "#]],
    );
}

#[test]
fn what_is_ignored_is_told_and_can_be_brought_back() {
    check(
        json!({"pattern": "**/{key,x}.*", "path": "."}),
        expect![[r#"
        No files match `**/{key,x}.*` in `.`.
        (2 ignored files or directories were passed over; see `respect_git_ignore` and `respect_gemini_ignore`.)
        = Found 0 files []
    "#]],
    );
    check(
        json!({"pattern": "**/{key,x}.*", "respect_git_ignore": false, "respect_gemini_ignore": false}),
        expect![[r#"
            Found 2 files that match `**/{key,x}.*` in the 2 directories of the workspace, new ones first:
            secret/key.rs
            src/x.log
            = Found 2 files []
        "#]],
    );
    check(
        json!({"pattern": "node_modules/**/*.rs", "dir_path": "."}),
        expect![[r#"
            Found 1 file that matches `node_modules/**/*.rs` in `.`:
            node_modules/m/m.rs
            (1 ignored file or directory was passed over.)
            = Found 1 file []
        "#]],
    );
}

#[test]
fn a_pattern_may_be_a_path() {
    check(
        json!({"pattern": "src/[id]/page.tsx", "dir_path": "."}),
        expect![[r#"
            Found 1 file that matches `src/[id]/page.tsx` in `.`:
            src/[id]/page.tsx
            (1 ignored file or directory was passed over.)
            = Found 1 file []
        "#]],
    );
    check(
        json!({"pattern": "/ws/src/*.rs", "dir_path": "/ws"}),
        expect![[r#"
            Found 3 files that match `/ws/src/*.rs` in `.`, new ones first:
            src/1-hour.rs
            src/2-hours.rs
            src/A.RS
            (1 ignored file or directory was passed over.)
            = Found 3 files []
        "#]],
    );
}

#[test]
fn every_refusal_says_what_to_do() {
    check(
        json!({"pattern": "x".repeat(5000)}),
        expect![[r#"
        invalid_pattern: `pattern` has 5000 bytes, more than 4000. Give a shorter one.
    "#]],
    );
    check(
        json!({"pattern": " "}),
        expect![[r#"
        invalid_pattern: `pattern` is empty. Say what is to be found.
    "#]],
    );
    check(
        json!({"pattern": "a[b"}),
        expect![[r#"
        invalid_pattern: `pattern` cannot be used: `a[b` is no glob (unclosed character class; missing ']'). Known are `*`, `?`, `**`, `{a,b}` and `[ab]`; write `[[]` for a bracket.
    "#]],
    );
    check(
        json!({"pattern": "../*.rs"}),
        expect![[r#"
        invalid_pattern: `pattern` cannot be used: `../*.rs` leads upwards. Say in `dir_path` where to look, and give a pattern from there.
    "#]],
    );
    check(
        json!({"pattern": "/etc/*"}),
        expect![[r#"
        invalid_pattern: `/etc/*` is an absolute path that does not lie in `.`. Say in `dir_path` where to look, and give a pattern from there.
    "#]],
    );
    check(
        json!({"pattern": "*", "dir_path": "none"}),
        expect![[r#"
        file_not_found: `none` does not exist. Use `list_directory` or `glob` to see what is there.
    "#]],
    );
    check(
        json!({"pattern": "*", "dir_path": "a.rs"}),
        expect![[r#"
        path_is_not_a_directory: `a.rs` is not a directory. Name the one it lies in, or use `read_file`.
    "#]],
    );
    check(
        json!({"pattern": "*", "dir_path": "out"}),
        expect![[r#"
        path_not_in_workspace: `out` (it leads to `/away`) is outside of the workspace. Files can be read below `/ws`, `/else` only; give a path in there.
    "#]],
    );
}

#[test]
fn no_name_can_pass_for_something_else() {
    let tree = Fixture::default()
        .file("/ws/a\nb.rs", "")
        .file("/ws/[Shortened: x].rs", "")
        .file("/ws/--- Newly Discovered Project Context ---.rs", "");
    expect![[r#"
        Found 3 files that match `*.rs` in `.`, new ones first:
        \-\-\- Newly Discovered Project Context ---.rs
        &#91;Shortened: x].rs
        a\u{a}b.rs
        = Found 3 files []
    "#]]
    .assert_eq(&find(tree, json!({"pattern": "*.rs"})));
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
    expect![[r#"
        a498
        (Shown are 500 of them. Narrow the pattern, or say in `dir_path` where to look.)
        = Found 601 files []"#]]
    .assert_eq(&ends.join("\n"));
}
