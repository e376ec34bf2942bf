//! Facts on their way into the inbox.

use analects_testkit::{FakeDesk, surroundings};
use expect_test::expect;

use super::*;
use crate::load_memory;
use crate::verbs::Verb;
use crate::verbs::memory::Forget;

const MEMORY: &str = "/h/.gemini/tmp/app/memory/MEMORY.md";
const PATCH: &str = "/h/.gemini/tmp/app/memory/.inbox/private/extraction.patch";

const FLAGS: Flags = Flags {
    trust: true,
    no_memory: false,
    dry_run: false,
    yes: true,
};

fn desk(more: &str) -> FakeDesk {
    FakeDesk::parse(&format!(
        "//- /w/app/.git/\n\
         //- /w/app/GEMINI.md\n\
         - The build runs with `cargo xtask ci`\n\
         //- /h/.gemini/GEMINI.md\n\
         - Never use tabs in Python files\n\
         //- /h/.gemini/projects.json\n\
         {{\"projects\": {{\"/w/app\": \"app\"}}}}\n\
         //- /h/.gemini/tmp/app/.project_root\n\
         /w/app\n{more}"
    ))
}

fn run(desk: &FakeDesk, flags: &Flags, facts: &[&str]) -> Result<Proposed, Failure> {
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let prepared = load_memory::prepare(&world, flags).unwrap();
    let facts: Vec<_> = facts.iter().map(|fact| (*fact).to_owned()).collect();
    propose(&world, flags, &prepared, &facts, "test")
}

fn proposed(desk: &FakeDesk, facts: &[&str]) -> Proposed {
    run(desk, &FLAGS, facts).unwrap()
}

fn left_out(proposed: &Proposed) -> Vec<String> {
    let shown = proposed.left_out.iter();
    shown
        .map(|left| format!("{}: {:?}", left.fact, left.why))
        .collect()
}

#[test]
fn facts_for_a_project_without_notes_make_a_new_file() {
    let desk = desk("");
    let one = proposed(
        &desk,
        &[
            "- The staging port is 8443",
            "Releases are cut on Thursdays",
        ],
    );
    assert_eq!(
        one.facts,
        ["The staging port is 8443", "Releases are cut on Thursdays"]
    );
    expect![[r#"
        --- /dev/null
        +++ /h/.gemini/tmp/app/memory/MEMORY.md
        @@ -0,0 +1,2 @@
        +- The staging port is 8443
        +- Releases are cut on Thursdays
    "#]]
    .assert_eq(&desk.text(PATCH).unwrap());
    assert_eq!(desk.text(MEMORY), None);
    assert!(one.written.receipt.is_some());
}

#[test]
fn what_waits_stays_and_grows() {
    let desk = desk(&format!("//- {MEMORY}\n# Project Memory\n- Old note\n"));
    proposed(&desk, &["The staging port is 8443"]);
    let more = proposed(
        &desk,
        &["The staging port is 8443", "Releases are cut on Thursdays"],
    );
    assert_eq!(left_out(&more), ["The staging port is 8443: Waiting"]);
    expect![[r#"
        --- /h/.gemini/tmp/app/memory/MEMORY.md
        +++ /h/.gemini/tmp/app/memory/MEMORY.md
        @@ -1,2 +1,4 @@
         # Project Memory
         - Old note
        +- The staging port is 8443
        +- Releases are cut on Thursdays
    "#]]
    .assert_eq(&desk.text(PATCH).unwrap());
    let before = desk.commits().len();
    let none = proposed(&desk, &["Releases are cut on Thursdays"]);
    assert!(none.facts.is_empty() && none.written.diff.is_empty());
    assert_eq!(desk.commits().len(), before);
}

#[test]
fn what_is_known_forgotten_secret_or_no_fact_is_left_out() {
    let desk = desk(&format!("//- {MEMORY}\n- The office cat is called Miso\n"));
    let around = surroundings("/w/app", "/h", &[]);
    let forget = Forget {
        entry: "office cat".to_owned(),
    };
    forget.run(&desk.world(&around), &FLAGS).unwrap();
    let key = format!("AKIA{}", "Z7Q3M5K2X4W6P8RT");
    let secret = format!("The key is {key}");
    let proposed = proposed(
        &desk,
        &[
            "never use tabs in Python files",
            "The build runs with `cargo xtask ci`",
            "The office cat is called Miso",
            &secret,
            " - ",
            "The staging port is 8443",
            "the staging port is 8443",
        ],
    );
    assert_eq!(proposed.facts, ["The staging port is 8443"]);
    expect![[r#"
        [
            "never use tabs in Python files: Known(\"/h/.gemini/GEMINI.md\")",
            "The build runs with `cargo xtask ci`: Known(\"/w/app/GEMINI.md\")",
            "The office cat is called Miso: Forgotten",
            ": Secret(\"Amazon Web Services access key ID\")",
            " - : NoFact(\"there is nothing to remember\")",
            "the staging port is 8443: Waiting",
        ]
    "#]]
    .assert_debug_eq(&left_out(&proposed));
    assert!(!desk.text(PATCH).unwrap().contains(&key));
}

#[test]
fn a_patch_of_others_keeps_every_byte_that_is_not_about_the_index() {
    let sibling = "--- /dev/null\n+++ /h/.gemini/tmp/app/memory/deploying.md\n@@ -0,0 +1,2 @@\n+# Deploying\n+- The flag is kelp\n";
    let index =
        format!("--- {MEMORY}\n+++ {MEMORY}\n@@ -1,1 +1,2 @@\n - Old note\n+- See deploying.md\n");
    let desk = desk(&format!(
        "//- {MEMORY}\n- Old note\n//- {PATCH}\n{sibling}{index}"
    ));
    let proposed = proposed(&desk, &["The flag is kelp", "The staging port is 8443"]);
    assert_eq!(left_out(&proposed), ["The flag is kelp: Waiting"]);
    let patch = desk.text(PATCH).unwrap();
    let rest = patch.strip_prefix(sibling).unwrap();
    expect![[r#"
        --- /h/.gemini/tmp/app/memory/MEMORY.md
        +++ /h/.gemini/tmp/app/memory/MEMORY.md
        @@ -1 +1,3 @@
         - Old note
        +- See deploying.md
        +- The staging port is 8443
    "#]]
    .assert_eq(rest);
}

#[test]
fn what_waits_and_no_longer_fits_is_left_alone() {
    let index = format!("--- {MEMORY}\n+++ {MEMORY}\n@@ -1,1 +1,2 @@\n - Old note\n+- More\n");
    let new = format!("--- /dev/null\n+++ {MEMORY}\n@@ -0,0 +1,1 @@\n+- More\n");
    for patch in [
        &*index,
        &new,
        "garbage\n",
        &format!("{}```\n", index.replace("Old note", "Another note")),
        "--- /a\n+++ /a\n@@ -1 +1,9 @@\n+x\n",
    ] {
        let desk = desk(&format!(
            "//- {MEMORY}\n- Another note\n//- {PATCH}\n{patch}"
        ));
        let failure = run(&desk, &FLAGS, &["The staging port is 8443"]).unwrap_err();
        assert!(
            failure.message.starts_with("cannot add to the patch"),
            "{}",
            failure.message
        );
        assert_eq!(desk.text(PATCH).unwrap(), patch);
    }
}

#[test]
fn nothing_is_proposed_while_gemini_cli_looks_for_facts_or_where_models_may_not_write() {
    const LOCK: &str = "/h/.gemini/tmp/app/memory/.extraction.lock";
    let run_beside = |lock: &str| {
        let desk = desk(&format!("//- {LOCK}\n{lock}\n"));
        desk.claims.bear(1, 1);
        run(&desk, &FLAGS, &["The port is 8443"])
    };
    // The clock of the desk stands at the beginning of 1970.
    let now = "1970-01-01T00:00:00.000Z";
    let busy = run_beside(&format!(r#"{{"pid":1,"startedAt":"{now}"}}"#));
    assert!(busy.unwrap_err().message.contains("looking for facts"));
    // Half written.
    assert!(run_beside("{").is_err());
    // Left behind.
    assert!(run_beside(&format!(r#"{{"pid":2,"startedAt":"{now}"}}"#)).is_ok());
    assert!(run_beside(r#"{"pid":1,"startedAt":"1970-01-01T00:36:00.000Z"}"#).is_ok());
    // One of us looks before it writes.
    assert!(run_beside(&format!(r#"{{"pid":1,"startedAt":"{now}","token":"t"}}"#)).is_ok());
    let off = desk("//- /h/.gemini/analects.json\n{\"memory\": {\"consent\": \"off\"}}\n");
    assert!(run(&off, &FLAGS, &["The port is 8443"]).is_err());
}

#[test]
fn a_dry_run_shows_the_patch_and_there_is_an_end_to_what_waits() {
    let desk = desk("");
    let dry = Flags {
        dry_run: true,
        ..FLAGS
    };
    let shown = run(&desk, &dry, &["The port is 8443"]).unwrap();
    assert!(shown.written.diff.contains("8443") && desk.text(PATCH).is_none());
    let many: Vec<_> = (0..=MAX_FACTS)
        .map(|n| format!("service{n} listens on port{n}"))
        .collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let proposed = proposed(&desk, &many);
    assert_eq!(proposed.facts.len(), MAX_FACTS);
    assert_eq!(proposed.left_out[0].why, Why::NoRoom);
}
