//! What is brought in again: what has changed, what has left the context, what could not be read.

mod changed;
mod forgotten;
mod resumed;

use analects_world::files::Trouble;
use expect_test::expect;

use super::live::Live;
use super::*;

#[test]
fn a_failed_read_is_tried_again_and_its_neighbours_do_not_wait_for_it() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    for trouble in [
        Trouble::Denied,
        Trouble::Other("I/O error".to_owned()),
        Trouble::Missing,
    ] {
        live.fail("/repo/api/GEMINI.md", Some(trouble));
        chat.touch(&["/repo/api/x"]);
    }
    assert!(
        chat.loader
            .tracked()
            .iter()
            .all(|row| row.path != abs("/repo/api/GEMINI.md"))
    );
    assert_eq!(chat.said(&["/repo/api/x"]), "", "the dotted one was said");
    live.fail("/repo/api/GEMINI.md", None);
    expect![[r#"
        --- Context from: api/GEMINI.md ---
        api
        --- End of Context from: api/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/api/x"]));
    assert_eq!(chat.said(&["/repo/api/x"]), "");
}

#[test]
fn a_read_that_fails_after_the_text_was_said_changes_nothing() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    chat.touch(&["/repo/web/x"]);
    live.fail("/repo/web/CLAUDE.md", Some(Trouble::Denied));
    expect![[r#"
        ! unreadable: /repo/web/CLAUDE.md: permission denied
    "#]]
    .assert_eq(&chat.said(&["/repo/web/x"]));
    live.fail("/repo/web/CLAUDE.md", None);
    assert_eq!(chat.said(&["/repo/web/x"]), "");
}

#[test]
fn an_import_that_could_not_be_read_is_tried_again() {
    let live = Live::new("//- /repo/.git/\n//- /repo/a/GEMINI.md\nsee @b.md\n");
    let mut chat = live.start();
    chat.touch(&["/repo/a"]);
    assert_eq!(chat.said(&["/repo/a"]), "");
    live.write("/repo/a/b.md", "B\n");
    expect![[r#"
        --- Context from: a/GEMINI.md ---
        [changed since it was loaded]
        see <!-- Imported from: b.md -->
        B

        <!-- End of import from: b.md -->
        --- End of Context from: a/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/a"]));
    assert_eq!(chat.said(&["/repo/a"]), "");
}

#[test]
fn many_paths_bring_in_each_file_once_in_an_order_of_its_own() {
    let paths = [
        "/repo/web/a",
        "/repo/api/v1/handler.go",
        "/repo/api/x",
        "/repo/api/v1",
    ];
    let live = Live::new(REPO);
    let shown = |paths: &[&str]| {
        let near = live.start().touch(paths);
        let paths = near
            .fragments
            .iter()
            .map(|fragment| fragment.block.path.to_string());
        paths.collect::<Vec<_>>()
    };
    let expected = [
        "/repo/api/GEMINI.md",
        "/repo/api/.gemini/GEMINI.md",
        "/repo/web/CLAUDE.md",
        "/repo/api/v1/AGENTS.md",
    ];
    assert_eq!(shown(&paths), expected);
    let reversed: Vec<_> = paths.into_iter().rev().chain(paths).collect();
    assert_eq!(shown(&reversed), expected);
    assert!(shown(&[]).is_empty());
}

#[test]
fn what_found_no_room_comes_with_the_next_touch() {
    let dirs: Vec<_> = (0..8).map(|i| format!("directory-number-{i}")).collect();
    let mut fixture = "//- /repo/.git/\n".to_owned();
    for at in 0..dirs.len() {
        let dir = dirs.get(..=at).unwrap().join("/");
        writeln!(fixture, "//- /repo/{dir}/GEMINI.md\nrule {at}").unwrap();
    }
    let live = Live::new(&fixture).limit(400);
    let mut chat = live.start();
    let path = format!("/repo/{}", dirs.join("/"));
    let mut said = String::new();
    for _ in 0..8 {
        said += &chat.said(&[&path]);
    }
    for at in 0..dirs.len() {
        assert_eq!(said.matches(&format!("\nrule {at}\n")).count(), 1, "{said}");
    }
    assert_eq!(chat.said(&[&path]), "");
}

#[test]
fn the_original_never_looks_at_a_file_again() {
    let live = Live::with(
        Profile::Head,
        "//- /repo/.git/\n//- /repo/GEMINI.md\nroot\n//- /repo/a/GEMINI.md\nA\n",
    );
    let mut chat = live.start();
    assert!(chat.said(&["/repo/a"]).contains("\nA\n"));
    live.write("/repo/a/GEMINI.md", "B\n");
    live.write("/repo/GEMINI.md", "other\n");
    assert_eq!(chat.said(&["/repo/a"]), "");
}

#[test]
fn thousands_of_touches_and_edits_leave_one_row_a_file() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    for edition in 0..2000 {
        live.replace("/repo/web/CLAUDE.md", &format!("web, edition {edition}\n"));
        assert_eq!(chat.touch(&["/repo/web/x"]).fragments.len(), 1);
    }
    assert_eq!(chat.loader.tracked().len(), 1);
    assert!(chat.loader.duplicates().is_empty());
}
