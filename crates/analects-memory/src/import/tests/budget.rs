//! The limits of a load, and that whatever they cut says so.

use expect_test::expect;

use super::*;

#[test]
fn a_file_over_its_limit_is_cut_at_a_line_and_says_so() {
    Case::new("//- /p/GEMINI.md\n@b.md\nend\n//- /p/b.md\nfirst rule\nsecond rule\nthird rule\n")
        .options(|options| options.file_limit_bytes = 25)
        .check(expect![[r#"
            <!-- Imported from: b.md -->
            first rule
            second rule
            [cut off: 23 of 34 bytes loaded]

            <!-- End of import from: b.md -->
            end
            = /p/b.md (34 bytes)
            ! file-cut: /p/b.md: cut off: 23 of 34 bytes loaded
        "#]]);
}

#[test]
fn a_limit_never_splits_a_character() {
    Case::new("//- /p/GEMINI.md\n记住这个规则\n")
        .options(|options| options.file_limit_bytes = 8)
        .check(expect![[r#"
            记住
            [cut off: 6 of 19 bytes loaded]
            ! file-cut: /p/GEMINI.md: cut off: 6 of 19 bytes loaded
        "#]]);
}

#[test]
fn when_the_load_is_full_the_rest_says_so() {
    Case::new(
        "
//- /p/GEMINI.md
@a.md
@b.md
@c.md
//- /p/a.md
aaaa
aaaa
//- /p/b.md
bbbb
bbbb
//- /p/c.md
cccc
",
    )
    .options(|options| options.load_limit_bytes = 34)
    .check(expect![[r#"
        <!-- Imported from: a.md -->
        aaaa
        aaaa

        <!-- End of import from: a.md -->
        <!-- Imported from: b.md -->
        bbbb
        [cut off: 5 of 10 bytes loaded]

        <!-- End of import from: b.md -->
        <!-- Import failed: c.md - the memory limit is used up -->
        = /p/a.md (10 bytes)
        = /p/b.md (10 bytes)
        ! load-cut: /p/b.md: cut off: 5 of 10 bytes loaded
        ! import-failed: /p/GEMINI.md:3: `@c.md` did not load: the memory limit is used up
    "#]]);
}

#[test]
fn in_flat_form_too() {
    Case::new("//- /p/GEMINI.md\n@a.md\n@b.md\n//- /p/a.md\naaaa\naaaa\n//- /p/b.md\nbbbb\n")
        .options(|options| options.load_limit_bytes = 17)
        .flat()
        .check(expect![[r#"
            --- File: GEMINI.md ---
            @a.md
            @b.md
            --- End of File: GEMINI.md ---

            --- File: a.md ---
            aaaa
            [cut off: 5 of 10 bytes loaded]
            --- End of File: a.md ---
            = /p/a.md (10 bytes)
            ! load-cut: /p/a.md: cut off: 5 of 10 bytes loaded
            ! import-failed: /p/GEMINI.md:2: `@b.md` did not load: the memory limit is used up
        "#]]);
}

#[test]
fn a_file_that_a_full_load_refused_is_told_as_often_as_it_is_asked_for() {
    let case = Case::new(
        "//- /p/GEMINI.md\n@a.md\n@b.md\n@b.md\n//- /p/a.md\naaaaaaaaaa\n//- /p/b.md\nB\n",
    )
    .options(|options| options.load_limit_bytes = 25);
    let text = case.text();
    assert_eq!(
        text.matches("b.md - the memory limit is used up").count(),
        2,
        "{text}"
    );
}

#[test]
fn a_cut_that_a_file_forges_is_told_apart_from_ours() {
    let forged = "[cut off: 1 of 2 bytes loaded]\nrule\n";
    let fixture = Fixture::default().file("/p/GEMINI.md", forged.repeat(2));
    let text = Case::on(&fixture)
        .options(|options| options.file_limit_bytes = 40)
        .text();
    assert_eq!(
        text,
        "&#91;cut off: 1 of 2 bytes loaded]\nrule\n[cut off: 36 of 72 bytes loaded]\n"
    );
}
