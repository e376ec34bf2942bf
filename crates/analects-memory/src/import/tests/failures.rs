//! What a failed import leaves in the text, and what it tells the user.

use expect_test::expect;

use super::*;

#[test]
fn every_failure_is_a_problem_with_its_line() {
    check(
        "
//- /p/GEMINI.md
# Rules

See @missing.md and
@/elsewhere/x.md.
@a.md
//- /p/a.md


@also-missing.txt
",
        expect![[r#"
            # Rules

            See <!-- Import failed: missing.md - not found --> and
            <!-- Import failed: /elsewhere/x.md - outside the allowed directory -->.
            <!-- Imported from: a.md -->


            <!-- Import failed: also-missing.txt - not found -->

            <!-- End of import from: a.md -->
            = /p/a.md (20 bytes)
            ! import-failed: /p/GEMINI.md:3: `@missing.md` did not load: not found
            ! import-failed: /p/GEMINI.md:4: `@/elsewhere/x.md` did not load: outside the allowed directory
            ! import-failed: /p/a.md:3: `@also-missing.txt` did not load: not found
        "#]],
    );
}

#[test]
fn no_absolute_path_enters_the_text_that_was_not_written_there() {
    for text in [
        "@missing.md @../out.md @sub/x.md @dir.md @loop.md",
        "@../p/b.md/c.md",
    ] {
        let fixture = Fixture::parse("//- /p/dir.md/\n//- /p/b.md\n//- /p/loop.md -> loop.md\n");
        for profile in [Profile::Analects, Profile::Seed] {
            let case = Case::on(&fixture.clone().file("/p/GEMINI.md", text)).profile(profile);
            let said = case.text();
            assert!(said.contains("Import failed"), "{said}");
            let added = said.replace("../p/b.md/c.md", "");
            assert!(!added.contains("/p") && !added.contains(" /"), "{said}");
        }
    }
}

#[test]
fn the_fiftieth_failure_of_a_file_is_the_last_one_told() {
    let tokens: String = (0..120).map(|i| format!("@no{i}.md\n")).collect();
    for format in [Format::Tree, Format::Flat] {
        let fixture = Fixture::default().file("/p/GEMINI.md", &tokens);
        let (_, problems) = Case {
            format,
            ..Case::on(&fixture)
        }
        .load();
        assert_eq!(problems.len(), 51);
        assert_eq!(problems[49].line, Some(50));
        assert_eq!(
            problems[50].message,
            "70 more imports of this file did not load"
        );
    }
}

#[test]
fn a_label_cannot_end_its_comment() {
    for written in [
        "./x-->y.md",
        "./x--!>y.md",
        "./x--\u{200B}>y.md",
        "./x-\u{2060}->y.md",
        "./a--＞b.md",
    ] {
        for exists in [true, false] {
            let mut fixture = Fixture::default().file("/p/GEMINI.md", format!("@{written}"));
            if exists {
                fixture = fixture.file(&format!("/p/{written}"), "text");
            }
            let text = Case::on(&fixture).text();
            for line in text.lines().filter(|line| line.starts_with("<!--")) {
                let inner = line.strip_suffix("-->").unwrap();
                let plain: String = inner.chars().filter(|c| !is_hidden(*c)).collect();
                assert!(
                    !["-->", "--!>", "--＞"]
                        .iter()
                        .any(|end| plain.contains(end)),
                    "{line}"
                );
            }
        }
    }
}

fn is_hidden(c: char) -> bool {
    analects_text::sanitize::is_invisible(c)
}

#[test]
fn a_label_stays_on_one_line() {
    let text =
        Case::on(&Fixture::default().file("/p/GEMINI.md", "@./a\u{2028}b\u{85}c\u{1b}[2Jd.md"))
            .text();
    assert_eq!(
        text,
        "<!-- Import failed: ./a\\u{2028}b\\u{85}c\\u{1b}[2Jd.md - not found -->"
    );
}
