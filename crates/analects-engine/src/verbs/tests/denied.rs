//! Directories with a rule against them, in and around a folder that may speak.

use analects_memory::discover::Trust;

use super::*;
use crate::load_memory;
use crate::place::{self, Target};

fn tree(rules: &str) -> String {
    format!(
        r#"
//- /home/u/.gemini/trustedFolders.json
{rules}
//- /home/u/.gemini/settings.json
{{"context": {{"includeDirectories": ["/inc/sub"], "loadMemoryFromIncludeDirectories": true}}}}
//- /inc/.git/
//- /inc/GEMINI.md
Around the included one.
//- /inc/sub/GEMINI.md
Included.
//- /p/.git/
//- /p/GEMINI.md
Own.
@vendor/more.md
//- /p/.gemini/settings.json
{{"context": {{"fileName": "ROOT.md"}}}}
//- /p/.gemini/skills/evil/SKILL.md
---
name: evil
description: Of the root.
---
//- /p/vendor/GEMINI.md
Theirs.
//- /p/vendor/more.md
Theirs, too.
//- /p/sub/GEMINI.md
Below.
"#
    )
}

const PROJECT: &str = r#""/p": "TRUST_FOLDER", "/p/vendor": "DO_NOT_TRUST""#;

fn check(rules: &str, cwd: &str, trust: bool, expected: Expect) {
    check_listing(&tree(&format!("{{{rules}}}")), cwd, trust, expected);
}

#[test]
fn nothing_of_a_denied_directory_is_loaded_whichever_way_leads_there() {
    check(
        PROJECT,
        "/p/sub",
        false,
        expect![[r#"
        Project /p/GEMINI.md 37
        Project /p/sub/GEMINI.md 21
        ! include-untrusted /inc/sub:0 include directory is not trusted, its memory is not loaded
        ! import-failed /p/GEMINI.md:2 `@vendor/more.md` did not load: from a folder marked DO_NOT_TRUST
    "#]],
    );
    let desk = Desk::new(&tree(&format!("{{{PROJECT}}}")), "/p");
    let touched = context::Context {
        paths: vec!["vendor/x".to_owned()],
    };
    assert_eq!(desk.ask(&touched, false).text, "");
    let search = json!({ "query": "Theirs" });
    let search: memory::Search = serde_json::from_value(search).unwrap();
    assert_eq!(desk.ask(&search, false).entries.len(), 0);
}

#[test]
fn nothing_is_written_to_where_it_would_never_be_read() {
    let place_of = |cwd: &str, rules: &str, to: &str| {
        let desk = Desk::new(&tree(&format!("{{{rules}}}")), cwd);
        let world = desk.files.world(&desk.around);
        let flags = Flags::default();
        let prepared = load_memory::prepare(&world, &flags).unwrap();
        let target = match to {
            "project" => Target::Project,
            dir => Target::Dir(dir),
        };
        let place = place::place(&world, &flags, &prepared, "Build with make", target);
        place
            .map(|place| place.path.to_string())
            .map_err(|failure| failure.to_string())
    };
    let denied = Err("`/p/vendor` is marked DO_NOT_TRUST: no memory is loaded from there".into());
    assert_eq!(place_of("/p", PROJECT, "vendor"), denied);
    assert_eq!(place_of("/p", PROJECT, "sub"), Ok("/p/sub/ROOT.md".into()));
    let root = r#""/p": "DO_NOT_TRUST", "/p/sub": "TRUST_FOLDER""#;
    for to in ["project", "/p/sub"] {
        assert_eq!(place_of("/p/sub", root, to), Ok("/p/sub/GEMINI.md".into()));
    }
    assert!(place_of("/p/sub", root, "/p").is_err());
}

#[test]
fn who_trusts_a_folder_for_a_run_trusts_no_folder_below_that_a_rule_denies() {
    let rules = r#""/": "DO_NOT_TRUST", "/p/vendor": "DO_NOT_TRUST", "/inc": "DO_NOT_TRUST""#;
    check(
        rules,
        "/p/sub",
        true,
        expect![[r#"
        Project /p/GEMINI.md 37
        Project /p/sub/GEMINI.md 21
        ! include-untrusted /inc/sub:0 include directory is not trusted, its memory is not loaded
        ! import-failed /p/GEMINI.md:2 `@vendor/more.md` did not load: from a folder marked DO_NOT_TRUST
    "#]],
    );
}

#[test]
fn a_denied_root_has_no_say_in_a_trusted_directory_of_it() {
    let rules = r#"{"/p": "DO_NOT_TRUST", "/p/sub": "TRUST_FOLDER"}"#;
    check_listing(
        &tree(rules),
        "/p/sub",
        false,
        expect![[r#"
            Project /p/sub/GEMINI.md 19
            ! include-untrusted /inc/sub:0 include directory is not trusted, its memory is not loaded
        "#]],
    );
    let desk = Desk::new(&tree(rules), "/p/sub");
    let skills = desk.ask(&skill::List { all: true }, false).skills;
    assert!(skills.iter().all(|skill| skill.name != "evil"));
    let world = desk.files.world(&desk.around);
    let prepared = load_memory::prepare(&world, &Flags::default()).unwrap();
    assert_eq!(prepared.decision.trust, Trust::Trusted);
    assert_eq!(prepared.root.as_str(), "/p/sub", "trust reaches no higher");
    assert_eq!(prepared.discover.names[0], "GEMINI.md");
}

#[test]
fn an_included_directory_is_read_no_higher_than_its_rule_reaches() {
    let rules = r#""/p/sub": "TRUST_FOLDER", "/inc/sub": "TRUST_FOLDER", "/p": "DO_NOT_TRUST""#;
    check(
        rules,
        "/p/sub",
        false,
        expect![[r#"
            Project /inc/sub/GEMINI.md 24
            Project /p/sub/GEMINI.md 19
        "#]],
    );
}
