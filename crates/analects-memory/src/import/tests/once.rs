//! Every file and every text enters a load once.

use expect_test::expect;

use super::*;

#[test]
fn a_second_occurrence_is_a_comment() {
    check(
        "
//- /p/GEMINI.md
@b.md then ./b.md again: @./b.md
//- /p/b.md
B
",
        expect![[r#"
            <!-- Imported from: b.md -->
            B

            <!-- End of import from: b.md --> then ./b.md again: <!-- File already processed: ./b.md -->
            = /p/b.md (2 bytes)
        "#]],
    );
}

#[test]
fn a_file_that_imports_itself_is_not_repeated() {
    check(
        "//- /p/GEMINI.md\nme: @GEMINI.md\n",
        expect![[r#"
        me: <!-- File already processed: GEMINI.md -->
    "#]],
    );
}

#[test]
fn a_cycle_ends_where_it_began() {
    check(
        "
//- /p/GEMINI.md
@a.md
//- /p/a.md
A @b.md
//- /p/b.md
B @a.md @GEMINI.md
",
        expect![[r#"
            <!-- Imported from: a.md -->
            A <!-- Imported from: b.md -->
            B <!-- File already processed: a.md --> <!-- File already processed: GEMINI.md -->

            <!-- End of import from: b.md -->

            <!-- End of import from: a.md -->
            = /p/a.md (8 bytes)
            =   /p/b.md (19 bytes)
        "#]],
    );
}

#[test]
fn a_diamond_is_said_once() {
    check(
        "
//- /p/GEMINI.md
@left.md
@right.md
//- /p/left.md
L @base.md
//- /p/right.md
R @base.md
//- /p/base.md
BASE
",
        expect![[r#"
            <!-- Imported from: left.md -->
            L <!-- Imported from: base.md -->
            BASE

            <!-- End of import from: base.md -->

            <!-- End of import from: left.md -->
            <!-- Imported from: right.md -->
            R <!-- File already processed: base.md -->

            <!-- End of import from: right.md -->
            = /p/left.md (11 bytes)
            =   /p/base.md (5 bytes)
            = /p/right.md (11 bytes)
        "#]],
    );
}

#[test]
fn another_name_for_the_same_file_is_no_second_file() {
    check(
        "
//- /p/GEMINI.md
@b.md @link.md @dir/b.md
//- /p/b.md
B
//- /p/link.md -> b.md
//- /p/dir -> .
",
        expect![[r#"
            <!-- Imported from: b.md -->
            B

            <!-- End of import from: b.md --> <!-- File already processed: link.md --> <!-- File already processed: dir/b.md -->
            = /p/b.md (2 bytes)
        "#]],
    );
}

#[test]
fn another_file_with_the_same_text_is_not_said_again() {
    check(
        "//- /p/GEMINI.md\n@b.md @copy.md\n//- /p/b.md\nB\n//- /p/copy.md\n\n  B\n\n",
        expect![[r#"
        <!-- Imported from: b.md -->
        B

        <!-- End of import from: b.md --> <!-- File already processed: copy.md -->
        = /p/b.md (2 bytes)
    "#]],
    );
}

#[test]
fn empty_files_are_not_taken_for_one_another() {
    check(
        "//- /p/GEMINI.md\n@a.md @b.md\n//- /p/a.md\n//- /p/b.md\n",
        expect![[r#"
        <!-- Imported from: a.md -->

        <!-- End of import from: a.md --> <!-- Imported from: b.md -->

        <!-- End of import from: b.md -->
        = /p/a.md (0 bytes)
        = /p/b.md (0 bytes)
    "#]],
    );
}

#[test]
fn the_same_words_that_import_other_files_are_not_the_same_text() {
    check(
        "
//- /p/GEMINI.md
@a/index.md
@b/index.md
//- /p/a/index.md
@./rules.md
//- /p/a/rules.md
rules of a
//- /p/b/index.md
@./rules.md
//- /p/b/rules.md
rules of b
",
        expect![[r#"
            <!-- Imported from: a/index.md -->
            <!-- Imported from: ./rules.md -->
            rules of a

            <!-- End of import from: ./rules.md -->

            <!-- End of import from: a/index.md -->
            <!-- Imported from: b/index.md -->
            <!-- Imported from: ./rules.md -->
            rules of b

            <!-- End of import from: ./rules.md -->

            <!-- End of import from: b/index.md -->
            = /p/a/index.md (12 bytes)
            =   /p/a/rules.md (11 bytes)
            = /p/b/index.md (12 bytes)
            =   /p/b/rules.md (11 bytes)
        "#]],
    );
}

#[test]
fn the_seeds_repeat_nothing_either() {
    Case::new("//- /p/GEMINI.md\n@b.md @b.md @GEMINI.md\n//- /p/b.md\nB\n")
        .profile(Profile::Seed)
        .check(expect![[r#"
            <!-- Imported from: b.md -->
            B

            <!-- End of import from: b.md --> <!-- File already processed: b.md --> <!-- File already processed: GEMINI.md -->
            = /p/b.md (2 bytes)
        "#]]);
}

#[test]
fn a_token_repeated_a_thousand_times_is_opened_once() {
    let repeated = "@b.md @no.md @../no.md\n".repeat(1000);
    let case = Case::on(
        &Fixture::default()
            .file("/p/GEMINI.md", repeated)
            .file("/p/b.md", "B"),
    );
    case.load();
    assert_eq!(
        case.disk.files_read(),
        3,
        "GEMINI.md, b.md, and one try for no.md"
    );
}
