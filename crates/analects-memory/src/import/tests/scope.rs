//! Where an imported file may lie, and how deep imports may nest.

use expect_test::expect;

use super::*;
use crate::discover::Trust;

const LINKS: &str = "
//- /p/GEMINI.md
@in.md @absolute.md @out.md @out/s.md @a%2Eb.md @x%2Ey.md @back/GEMINI.md
//- /p/sub/real.md
inside
//- /p/sub/other.md
other
//- /p/in.md -> sub/real.md
//- /p/absolute.md -> /p/sub/other.md
//- /p/out.md -> ../outside/s.md
//- /p/out -> /outside
//- /p/a%2Eb.md
a name with a percent sign
//- /p/x%2Ey.md -> ../outside/s.md
//- /p/back -> ../q
//- /q/GEMINI.md
neighbour
//- /outside/s.md
secret
";

#[test]
fn links_inside_are_followed_and_links_outside_are_not() {
    Case::new(LINKS).check(expect![[r#"
        <!-- Imported from: in.md -->
        inside

        <!-- End of import from: in.md --> <!-- Imported from: absolute.md -->
        other

        <!-- End of import from: absolute.md --> <!-- Import failed: out.md - outside the allowed directory --> <!-- Import failed: out/s.md - outside the allowed directory --> <!-- Imported from: a%2Eb.md -->
        a name with a percent sign

        <!-- End of import from: a%2Eb.md --> <!-- Import failed: x%2Ey.md - outside the allowed directory --> <!-- Import failed: back/GEMINI.md - outside the allowed directory -->
        = /p/in.md (7 bytes)
        = /p/absolute.md (6 bytes)
        = /p/a%2Eb.md (27 bytes)
        ! import-failed: /p/GEMINI.md:1: `@out.md` did not load: outside the allowed directory
        ! import-failed: /p/GEMINI.md:1: `@out/s.md` did not load: outside the allowed directory
        ! import-failed: /p/GEMINI.md:1: `@x%2Ey.md` did not load: outside the allowed directory
        ! import-failed: /p/GEMINI.md:1: `@back/GEMINI.md` did not load: outside the allowed directory
    "#]]);
}

#[test]
fn in_flat_form_links_outside_are_not_followed_either() {
    let text = Case::new(LINKS).flat().text();
    assert!(text.contains("inside") && text.contains("other"));
    assert!(!text.contains("secret") && !text.contains("neighbour"));
}

const UP_AND_DOWN: &str = "
//- /p/GEMINI.md
@sub/a.md @top.md
//- /p/sub/a.md
A @./deeper/b.md @../top.md
//- /p/sub/deeper/b.md
B
//- /p/top.md
TOP
";

#[test]
fn scope_root_lets_a_file_import_from_anywhere_in_the_project() {
    Case::new(UP_AND_DOWN).check(expect![[r#"
        <!-- Imported from: sub/a.md -->
        A <!-- Imported from: ./deeper/b.md -->
        B

        <!-- End of import from: ./deeper/b.md --> <!-- Imported from: ../top.md -->
        TOP

        <!-- End of import from: ../top.md -->

        <!-- End of import from: sub/a.md --> <!-- File already processed: top.md -->
        = /p/sub/a.md (28 bytes)
        =   /p/sub/deeper/b.md (2 bytes)
        =   /p/top.md (4 bytes)
    "#]]);
}

#[test]
fn scope_directory_lets_a_file_import_only_from_below_itself() {
    Case::new(UP_AND_DOWN)
        .options(|options| options.import.scope = Scope::Directory)
        .check(expect![[r#"
            <!-- Imported from: sub/a.md -->
            A <!-- Imported from: ./deeper/b.md -->
            B

            <!-- End of import from: ./deeper/b.md --> <!-- Import failed: ../top.md - outside the allowed directory -->

            <!-- End of import from: sub/a.md --> <!-- Imported from: top.md -->
            TOP

            <!-- End of import from: top.md -->
            = /p/sub/a.md (28 bytes)
            =   /p/sub/deeper/b.md (2 bytes)
            = /p/top.md (4 bytes)
            ! import-failed: /p/sub/a.md:1: `@../top.md` did not load: outside the allowed directory
        "#]]);
}

/// Files `d1.md` to `d<n>.md`, each importing the next; `GEMINI.md` imports the first.
fn chain(n: usize) -> Fixture {
    let files = (1..=n).map(|i| (format!("/p/d{i}.md"), format!("d{i} @d{}.md", i + 1)));
    files.fold(
        Fixture::default().file("/p/GEMINI.md", "@d1.md"),
        |tree, (path, text)| tree.file(&path, text),
    )
}

#[test]
fn ten_levels_are_followed_and_the_eleventh_says_why_not() {
    for format in [Format::Tree, Format::Flat] {
        let case = Case {
            format,
            ..Case::on(&chain(12))
        };
        let text = case.text();
        assert!(text.contains("d10 ") && !text.contains("d11 "), "{text}");
        let (_, problems) = case.load();
        assert_eq!(
            show_problems(&problems),
            "! import-failed: /p/d10.md:1: `@d11.md` did not load: imports nested too deeply\n"
        );
    }
    let comment = "<!-- Import failed: d11.md - imports nested too deeply -->";
    assert!(Case::on(&chain(12)).text().contains(comment));
}

#[test]
fn a_setting_cannot_exhaust_the_stack() {
    for format in [Format::Tree, Format::Flat] {
        let case = Case {
            format,
            ..Case::on(&chain(200))
        };
        let case = case.options(|options| options.import.max_depth = usize::MAX);
        let (_, problems) = case.load();
        assert_eq!(problems[0].path.as_deref(), Some("/p/d100.md"));
    }
}

#[test]
fn what_was_too_deep_in_one_place_loads_in_a_higher_one() {
    let fixture = chain(11).file("/p/GEMINI.md", "@d1.md\n@d11.md");
    let (loaded, problems) = Case::on(&fixture).load();
    assert!(loaded[0].text.ends_with(
        "d11 <!-- Import failed: d12.md - not found -->\n<!-- End of import from: d11.md -->"
    ));
    assert_eq!(problems.len(), 2);
}

#[test]
fn depth_zero_follows_nothing() {
    Case::new("//- /p/GEMINI.md\n@b.md\n//- /p/b.md\nB\n")
        .options(|options| options.import.max_depth = 0)
        .check(expect![[r#"
            <!-- Import failed: b.md - imports nested too deeply -->
            ! import-failed: /p/GEMINI.md:1: `@b.md` did not load: imports nested too deeply
        "#]]);
}

#[test]
fn nothing_is_imported_from_a_denied_directory_by_whatever_way() {
    Case::new(
        "
//- /p/GEMINI.md
@vendor/a.md @link.md @vendor/good/b.md
//- /p/vendor/a.md
a
//- /p/link.md -> vendor/a.md
//- /p/vendor/good/b.md
b
",
    )
    .options(|options| {
        options.denied = Denied::new([
            (abs("/p/vendor"), Trust::Untrusted),
            (abs("/p/vendor/good"), Trust::Trusted),
        ]);
    })
    .check(expect![[r#"
        <!-- Import failed: vendor/a.md - from a folder marked DO_NOT_TRUST --> <!-- Import failed: link.md - from a folder marked DO_NOT_TRUST --> <!-- Imported from: vendor/good/b.md -->
        b

        <!-- End of import from: vendor/good/b.md -->
        = /p/vendor/good/b.md (2 bytes)
        ! import-failed: /p/GEMINI.md:1: `@vendor/a.md` did not load: from a folder marked DO_NOT_TRUST
        ! import-failed: /p/GEMINI.md:1: `@link.md` did not load: from a folder marked DO_NOT_TRUST
    "#]]);
}

#[test]
fn what_is_in_the_load_already_is_not_too_deep() {
    let tree = "//- /p/GEMINI.md\n@a.md @c.md\n//- /p/a.md\n@b.md\n//- /p/b.md\n@a.md @GEMINI.md @d.md\n//- /p/c.md\nc\n//- /p/d.md\nd\n";
    let case = || Case::new(tree).options(|options| options.import.max_depth = 2);
    case().check(expect![[r#"
        <!-- Imported from: a.md -->
        <!-- Imported from: b.md -->
        <!-- File already processed: a.md --> <!-- File already processed: GEMINI.md --> <!-- Import failed: d.md - imports nested too deeply -->

        <!-- End of import from: b.md -->

        <!-- End of import from: a.md --> <!-- Imported from: c.md -->
        c

        <!-- End of import from: c.md -->
        = /p/a.md (6 bytes)
        =   /p/b.md (23 bytes)
        = /p/c.md (2 bytes)
        ! import-failed: /p/b.md:1: `@d.md` did not load: imports nested too deeply
    "#]]);
    case().profile(Profile::Seed).check(expect![[r#"
        <!-- Imported from: a.md -->
        <!-- Imported from: b.md -->
        <!-- Import failed: a.md - imports nested too deeply --> <!-- Import failed: GEMINI.md - imports nested too deeply --> <!-- Import failed: d.md - imports nested too deeply -->

        <!-- End of import from: b.md -->

        <!-- End of import from: a.md --> <!-- Imported from: c.md -->
        c

        <!-- End of import from: c.md -->
        = /p/a.md (6 bytes)
        =   /p/b.md (23 bytes)
        = /p/c.md (2 bytes)
        ! import-failed: /p/b.md:1: `@a.md` did not load: imports nested too deeply
        ! import-failed: /p/b.md:1: `@GEMINI.md` did not load: imports nested too deeply
        ! import-failed: /p/b.md:1: `@d.md` did not load: imports nested too deeply
    "#]]);
}
