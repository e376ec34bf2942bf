//! Texts that left the context.

use super::*;

#[test]
fn what_left_the_context_comes_again_as_new() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    chat.touch(&["/repo/api/v1"]);
    chat.forget(&["/repo/api/v1/AGENTS.md", "/never/heard/of.md"]);
    expect![[r#"
        --- Context from: api/v1/AGENTS.md ---
        v1
        --- End of Context from: api/v1/AGENTS.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/api/v1"]));
    assert_eq!(chat.said(&["/repo/api/v1"]), "");
}

#[test]
fn its_imports_and_all_that_leaned_on_it_go_with_it() {
    let live = Live::new(
        "
//- /repo/.git/
//- /repo/docs/style.md
tabs
//- /repo/a/GEMINI.md
A @../docs/style.md
//- /repo/a/AGENTS.md
copy
//- /repo/b/GEMINI.md
B @../docs/style.md
//- /repo/c/GEMINI.md
copy
",
    );
    let mut chat = live.start();
    chat.touch(&["/repo/a", "/repo/b", "/repo/c"]);
    chat.forget(&["/repo/a/GEMINI.md"]);
    assert_eq!(chat.said(&["/repo/c"]), "", "it leans on another file");
    expect![[r#"
        --- Context from: b/GEMINI.md ---
        B <!-- Imported from: ../docs/style.md -->
        tabs

        <!-- End of import from: ../docs/style.md -->
        --- End of Context from: b/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/b"]));
    chat.forget(&["/repo/a/AGENTS.md"]);
    expect![[r#"
        --- Context from: c/GEMINI.md ---
        copy
        --- End of Context from: c/GEMINI.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/c"]));
    expect![[r#"
        --- Context from: a/GEMINI.md ---
        A <!-- File already processed: ../docs/style.md -->
        --- End of Context from: a/GEMINI.md ---
        --- Context from: a/AGENTS.md ---
        <!-- File already processed: c/GEMINI.md -->
        --- End of Context from: a/AGENTS.md ---
    "#]]
    .assert_eq(&chat.said(&["/repo/a"]));
}

#[test]
fn when_a_newer_text_of_start_up_memory_leaves_the_older_one_is_out_of_date_again() {
    let live = Live::new(REPO);
    let mut chat = live.start();
    live.write("/repo/GEMINI.md", "root 2\n");
    let said = chat.said(&["/repo/x"]);
    chat.forget(&["/repo/GEMINI.md"]);
    assert_eq!(chat.said(&["/repo/x"]), said);
    chat.forget(&["/repo/GEMINI.md"]);
    live.write("/repo/GEMINI.md", "root\n");
    assert_eq!(chat.said(&["/repo/x"]), "", "the system text says so");
}
