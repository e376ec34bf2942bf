//! Files that were edited after they came in.

use super::*;

#[test]
fn an_edited_file_comes_again_and_says_that_it_replaces() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    chat.touch(&["/repo/api/v1"]);
    live.write("/repo/api/GEMINI.md", "api, second edition\n");
    expect![[r#"
        --- Context from: api/GEMINI.md ---
        [changed since it was loaded]
        api, second edition
        --- End of Context from: api/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/api/v1"]));
    assert_eq!(chat.said(&["/repo/api/v1"]), "");
    live.write("/repo/api/GEMINI.md", "api\n");
    let back = chat.said(&["/repo/api/v1"]);
    assert!(
        back.contains("[changed since it was loaded]\napi\n"),
        "{back}"
    );
}

#[test]
fn a_replaced_file_is_an_edited_one() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    chat.touch(&["/repo/web"]);
    live.replace("/repo/web/CLAUDE.md", "web\n\n");
    assert_eq!(
        chat.said(&["/repo/web"]),
        "",
        "a new file that says the same"
    );
    live.replace("/repo/web/CLAUDE.md", "web 2\n");
    expect![[r#"
        --- Context from: web/CLAUDE.md ---
        [changed since it was loaded]
        web 2
        --- End of Context from: web/CLAUDE.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/web"]));
    assert!(chat.loader.duplicates().is_empty());
}

#[test]
fn a_file_of_start_up_comes_again_too() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    live.write("/repo/GEMINI.md", "root 2\n");
    let said = chat.said(&["/repo/web"]);
    expect![[r#"
        --- Context from: GEMINI.md ---
        [changed since it was loaded]
        root 2
        --- End of Context from: GEMINI.md ---

        --- Context from: web/CLAUDE.md ---
        web
        --- End of Context from: web/CLAUDE.md ---
    "#]]
    .assert_eq(&said.replace("---\n---", "---\n\n---"));
}

#[test]
fn an_emptied_file_takes_back_what_it_said() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    chat.touch(&["/repo/web"]);
    live.write("/repo/web/CLAUDE.md", "");
    expect![[r#"
        --- Context from: web/CLAUDE.md ---
        [changed since it was loaded]
        --- End of Context from: web/CLAUDE.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/web"]));
    assert_eq!(chat.said(&["/repo/web"]), "");
}

const SHARED: &str = "
//- /repo/.git/
//- /repo/docs/style.md
tabs
//- /repo/a/GEMINI.md
A @../docs/style.md
//- /repo/b/GEMINI.md
B @../docs/style.md
";

#[test]
fn an_edited_import_brings_its_importer_in_again() {
    let live = Live::new(SHARED);
    let mut chat = live.start();
    chat.touch(&["/repo/a", "/repo/b"]);
    live.write("/repo/docs/style.md", "spaces\n");
    // The text is said at the first place that is touched; the others refer to it.
    expect![[r#"
        --- Context from: b/GEMINI.md ---
        [changed since it was loaded]
        B <!-- Imported from: ../docs/style.md -->
        spaces

        <!-- End of import from: ../docs/style.md -->
        --- End of Context from: b/GEMINI.md ---
        --- Context from: a/GEMINI.md ---
        [changed since it was loaded]
        A <!-- File already processed: ../docs/style.md -->
        --- End of Context from: a/GEMINI.md ---
    "#]]
    .assert_eq(&(chat.said(&["/repo/b"]) + &chat.said(&["/repo/a"])));
    assert_eq!(chat.said(&["/repo/a", "/repo/b"]), "");
}

#[test]
fn who_leaned_on_a_text_that_changed_speaks_for_itself() {
    let live =
        Live::new("//- /repo/.git/\n//- /repo/a/GEMINI.md\nrule\n//- /repo/b/GEMINI.md\nrule\n");
    let mut chat = live.start();
    chat.touch(&["/repo/a", "/repo/b"]);
    assert_eq!(chat.loader.duplicates().len(), 1);
    live.write("/repo/a/GEMINI.md", "other\n");
    chat.touch(&["/repo/a"]);
    assert!(chat.loader.duplicates().is_empty());
    expect![[r#"
        --- Context from: b/GEMINI.md ---
        rule
        --- End of Context from: b/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/b"]));
}

#[test]
fn a_file_that_now_says_what_another_says_refers_to_it() {
    let live = Live::new("//- /repo/.git/\n//- /repo/a/GEMINI.md\nA\n//- /repo/a/AGENTS.md\nB\n");
    let mut chat = live.start();
    chat.touch(&["/repo/a"]);
    live.write("/repo/a/AGENTS.md", "A\n");
    expect![[r#"
        --- Context from: a/AGENTS.md ---
        [changed since it was loaded]
        <!-- File already processed: a/GEMINI.md -->
        --- End of Context from: a/AGENTS.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/a"]));
    assert_eq!(chat.said(&["/repo/a"]), "");
}

#[test]
fn another_name_in_the_same_directory_does_not_speak_up() {
    let live = Live::new(
        "//- /repo/.git/\n//- /repo/a/GEMINI.md\nA\n//- /repo/a/AGENTS.md -> GEMINI.md\n",
    );
    let mut chat = live.start();
    chat.touch(&["/repo/a"]);
    live.write("/repo/a/GEMINI.md", "B\n");
    expect![[r#"
        --- Context from: a/GEMINI.md ---
        [changed since it was loaded]
        B
        --- End of Context from: a/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/a"]));
}

#[test]
fn a_file_that_cannot_be_read_again_is_a_changed_one_when_it_can() {
    let live = Live::new(SHARED);
    let mut chat = live.start();
    chat.touch(&["/repo/a"]);
    // The import has changed, and the file that holds it cannot be read to say so.
    live.write("/repo/docs/style.md", "spaces\n");
    live.fail("/repo/a/GEMINI.md", Some(Trouble::Denied));
    chat.touch(&["/repo/a"]);
    live.fail("/repo/a/GEMINI.md", None);
    let said = chat.said(&["/repo/a"]);
    assert!(said.contains("[changed since it was loaded]\nA "), "{said}");
}

#[test]
fn the_note_cannot_be_forged() {
    let live =
        Live::new("//- /repo/.git/\n//- /repo/a/GEMINI.md\n[changed since it was loaded]\nA\n");
    let said = live.start().said(&["/repo/a"]);
    assert!(said.contains("&#91;changed since it was loaded]"), "{said}");
}
