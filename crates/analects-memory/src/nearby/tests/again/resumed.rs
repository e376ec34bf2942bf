//! A conversation that goes on in another process.

use super::*;
use crate::load::{Stands, Tracked};
use analects_world::changes::ContentHash;

#[test]
fn what_the_other_process_said_is_not_said_again() {
    let live = Live::new(REPO);
    let mut before = live.start();
    let said = before.said(&["/repo/api/v1"]);
    let tracked = before.loader.tracked();
    let paths: Vec<_> = tracked.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "/repo/api/.gemini/GEMINI.md",
            "/repo/api/GEMINI.md",
            "/repo/api/v1/AGENTS.md"
        ],
        "start-up memory is loaded anew"
    );
    let mut after = live.start();
    after.loader.resume(tracked.clone());
    assert_eq!(after.loader.tracked(), tracked);
    assert_eq!(after.said(&["/repo/api/v1"]), "");
    assert_eq!(live.start().said(&["/repo/api/v1"]), said);
}

#[test]
fn what_changed_in_between_is_changed() {
    let live = Live::new(REPO);
    let mut before = live.start();
    before.touch(&["/repo/web"]);
    live.replace("/repo/web/CLAUDE.md", "web 2\n");
    let mut after = live.start();
    after.loader.resume(before.loader.tracked());
    assert!(
        after
            .said(&["/repo/web"])
            .contains("[changed since it was loaded]\nweb 2\n")
    );
}

#[test]
fn equal_texts_are_known_after_a_resume() {
    let live =
        Live::new("//- /repo/.git/\n//- /repo/a/GEMINI.md\nrule\n//- /repo/b/GEMINI.md\nrule\n");
    let mut before = live.start();
    before.touch(&["/repo/a"]);
    let mut after = live.start();
    after.loader.resume(before.loader.tracked());
    assert!(
        after
            .said(&["/repo/b"])
            .contains("File already processed: a/GEMINI.md")
    );
}

#[test]
fn what_leaned_on_start_up_memory_that_changed_is_said_again() {
    let live =
        Live::new("//- /repo/.git/\n//- /repo/GEMINI.md\nrule\n//- /repo/a/GEMINI.md\nrule\n");
    let mut before = live.start();
    before.touch(&["/repo/a"]);
    live.write("/repo/GEMINI.md", "other\n");
    let mut after = live.start();
    after.loader.resume(before.loader.tracked());
    expect![[r#"
        --- Context from: a/GEMINI.md ---
        rule
        --- End of Context from: a/GEMINI.md ---
    "#]]
    .assert_eq(&after.said(&["/repo/a"]));
}

#[test]
fn start_up_memory_that_came_again_is_known_from_both() {
    let live = Live::new(REPO);
    let mut before = live.start();
    live.write("/repo/GEMINI.md", "root 2\n");
    before.touch(&["/repo"]);
    let tracked = before.loader.tracked();
    assert_eq!(tracked.len(), 1);
    let mut after = live.start();
    after.loader.resume(tracked.clone());
    assert_eq!(after.said(&["/repo"]), "");
    // The system text is new, yet a text that claims to replace it is older.
    live.write("/repo/GEMINI.md", "root 3\n");
    let mut later = live.start();
    later.loader.resume(tracked);
    let said = later.said(&["/repo"]);
    assert!(
        said.contains("[changed since it was loaded]\nroot 3\n"),
        "{said}"
    );
}

#[test]
fn rows_that_make_no_sense_do_no_harm() {
    let row = |block: &str, stands| Tracked {
        block: abs(block),
        path: abs("/repo/web/CLAUDE.md"),
        root: None,
        stands,
    };
    let live = Live::new(REPO);
    let mut before = live.start();
    before.touch(&["/repo/web"]);
    let version = *before.loader.tracked()[0].version().unwrap();
    let mut other = version;
    other.hash = ContentHash::of(b"");
    let mut after = live.start();
    after.loader.resume(vec![
        row("/repo/api/GEMINI.md", Stands::Here(version)),
        row("/repo/web/CLAUDE.md", Stands::In(abs("/nowhere"), other)),
    ]);
    let said = after.said(&["/repo/web", "/repo/api"]);
    assert!(
        said.contains("\nweb\n") && said.contains("\napi\n"),
        "{said}"
    );
}
