//! Imports as a list of files.

use expect_test::expect;

use super::*;

#[test]
fn every_file_stands_once_in_reading_order_and_its_tokens_stay() {
    Case::new(
        "
//- /p/GEMINI.md
Top @a.md @sub/b.md
//- /p/a.md

A @sub/b.md

//- /p/sub/b.md
B @../c.md @../GEMINI.md
//- /p/c.md
C
",
    )
    .flat()
    .check(expect![[r#"
        --- File: GEMINI.md ---
        Top @a.md @sub/b.md
        --- End of File: GEMINI.md ---

        --- File: a.md ---
        A @sub/b.md
        --- End of File: a.md ---

        --- File: sub/b.md ---
        B @../c.md @../GEMINI.md
        --- End of File: sub/b.md ---

        --- File: c.md ---
        C
        --- End of File: c.md ---
        = /p/a.md (14 bytes)
        = /p/sub/b.md (25 bytes)
        = /p/c.md (2 bytes)
    "#]]);
}

#[test]
fn a_failure_is_a_problem_and_the_token_stays() {
    Case::new("//- /p/GEMINI.md\n@no.md\n`@no.md`\n@/etc/x.md\n")
        .flat()
        .check(expect![[r#"
        --- File: GEMINI.md ---
        @no.md
        `@no.md`
        @/etc/x.md
        --- End of File: GEMINI.md ---
        ! import-failed: /p/GEMINI.md:1: `@no.md` did not load: not found
        ! import-failed: /p/GEMINI.md:3: `@/etc/x.md` did not load: outside the allowed directory
    "#]]);
}

#[test]
fn blank_files_get_no_block() {
    Case::new("//- /p/GEMINI.md\n@a.md\n//- /p/a.md\n\n\n")
        .flat()
        .check(expect![[r#"
        --- File: GEMINI.md ---
        @a.md
        --- End of File: GEMINI.md ---
        = /p/a.md (2 bytes)
    "#]]);
    Case::new("//- /p/GEMINI.md\n \n")
        .flat()
        .check(expect![[""]]);
}

#[test]
fn blocks_are_called_what_their_files_are_called() {
    Case::new("//- /p/GEMINI.md\n@x---.md\n//- /p/x---.md\nX\n")
        .flat()
        .check(expect![[r#"
        --- File: GEMINI.md ---
        @x---.md
        --- End of File: GEMINI.md ---

        --- File: x---.md ---
        X
        --- End of File: x---.md ---
        = /p/x---.md (2 bytes)
    "#]]);
}

#[test]
fn the_seeds_list_files_as_seen_from_the_working_directory() {
    Case::new("//- /p/GEMINI.md\n@a.md\n//- /p/a.md\nA\n")
        .profile(Profile::Seed)
        .options(|options| options.labels.cwd = abs("/p/src"))
        .flat()
        .check(expect![[r#"
            --- File: ../GEMINI.md ---
            @a.md
            --- End of File: ../GEMINI.md ---

            --- File: ../a.md ---
            A
            --- End of File: ../a.md ---
            = /p/a.md (2 bytes)
        "#]]);
}

#[test]
fn a_copy_and_a_second_name_get_no_block() {
    Case::new("//- /p/GEMINI.md\n@a.md @b.md @c.md\n//- /p/a.md\nA\n//- /p/b.md -> a.md\n//- /p/c.md\nA\n")
        .flat()
        .check(expect![[r#"
            --- File: GEMINI.md ---
            @a.md @b.md @c.md
            --- End of File: GEMINI.md ---

            --- File: a.md ---
            A
            --- End of File: a.md ---
            = /p/a.md (2 bytes)
        "#]]);
}
