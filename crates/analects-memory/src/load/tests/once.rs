//! No file and no text is loaded twice.

use expect_test::expect;

use super::*;

#[test]
fn empty_and_blank_files_load_and_are_no_duplicates() {
    check(
        &["/p/GEMINI.md", "/p/a/GEMINI.md", "/p/b/GEMINI.md"],
        "//- /p/GEMINI.md\n//- /p/a/GEMINI.md\n\n//- /p/b/GEMINI.md\n",
        expect![[r#"
            project GEMINI.md (0 bytes): ""
            project a/GEMINI.md (1 bytes): "\n"
            project b/GEMINI.md (0 bytes): ""
        "#]],
    );
}

#[test]
fn the_same_file_under_two_names_is_loaded_once() {
    check(
        &[
            "/home/u/.gemini/GEMINI.md",
            "/p/GEMINI.md",
            "/p/AGENTS.md",
            "/p/CLAUDE.md",
        ],
        "
//- /home/u/.gemini/GEMINI.md -> /p/CLAUDE.md
//- /p/GEMINI.md
rule
//- /p/AGENTS.md -> GEMINI.md
//- /p/CLAUDE.md
other
",
        expect![[r#"
            global ~/.gemini/GEMINI.md (6 bytes): "other\n"
            project GEMINI.md (5 bytes): "rule\n"
            = /p/AGENTS.md says what /p/GEMINI.md says
            = /p/CLAUDE.md says what /home/u/.gemini/GEMINI.md says
        "#]],
    );
}

#[test]
fn the_same_text_in_two_layers_is_loaded_once() {
    check(
        &["/home/u/.gemini/GEMINI.md", "/p/GEMINI.md", "/p/AGENTS.md"],
        "
//- /home/u/.gemini/GEMINI.md
Be brief.
//- /p/GEMINI.md

  Be brief.

//- /p/AGENTS.md
Be brief!
",
        expect![[r#"
            global ~/.gemini/GEMINI.md (10 bytes): "Be brief.\n"
            project AGENTS.md (10 bytes): "Be brief!\n"
            = /p/GEMINI.md says what /home/u/.gemini/GEMINI.md says
        "#]],
    );
}

#[test]
fn what_was_imported_is_not_loaded_again_and_what_was_loaded_is_not_imported_again() {
    check(
        &["/p/GEMINI.md", "/p/AGENTS.md", "/p/sub/GEMINI.md"],
        "
//- /p/GEMINI.md
@AGENTS.md
//- /p/AGENTS.md
rule
//- /p/sub/GEMINI.md
@../GEMINI.md @../AGENTS.md
",
        expect![[r#"
            project GEMINI.md (11 bytes): "<!-- Imported from: AGENTS.md -->\nrule\n\n<!-- End of import from: AGENTS.md -->\n"
            project sub/GEMINI.md (28 bytes): "<!-- File already processed: ../GEMINI.md --> <!-- File already processed: ../AGENTS.md -->\n"
        "#]],
    );
}

#[test]
fn two_files_that_import_by_the_same_words_are_both_loaded() {
    check(
        &["/p/a/CLAUDE.md", "/p/b/CLAUDE.md"],
        "
//- /p/a/CLAUDE.md
@rules.md
//- /p/a/rules.md
A
//- /p/b/CLAUDE.md
@rules.md
//- /p/b/rules.md
B
",
        expect![[r#"
            project a/CLAUDE.md (10 bytes): "<!-- Imported from: rules.md -->\nA\n\n<!-- End of import from: rules.md -->\n"
            project b/CLAUDE.md (10 bytes): "<!-- Imported from: rules.md -->\nB\n\n<!-- End of import from: rules.md -->\n"
        "#]],
    );
}

#[test]
fn a_file_of_two_workspaces_leads_out_of_none() {
    let tree = Fixture::parse("//- /p/all.md\nrule\n//- /p/sub/GEMINI.md -> ../all.md\n");
    let mut load = Load::of(&["/p/sub/GEMINI.md", "/p/sub/GEMINI.md"], &tree);
    load.candidates[0].home = Home::Below(abs("/p/sub"));
    for _ in 0..2 {
        let (loaded, problems) =
            Loader::new(&load.disk, &load.options).load(&load.candidates, Format::Tree);
        assert_eq!((loaded.len(), problems.len()), (1, 0));
        load.candidates.reverse();
    }
}
