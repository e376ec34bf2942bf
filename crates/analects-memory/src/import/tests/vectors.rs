//! The recorded vectors of the original's importer, as our own rules answer them.

use super::*;

/// What stands in place of a token that loaded `/p/b.md`.
fn imported(label: &str) -> String {
    format!("<!-- Imported from: {label} -->\nB content\n\n<!-- End of import from: {label} -->")
}

fn failed(label: &str, reason: &str) -> String {
    format!("<!-- Import failed: {label} - {reason} -->")
}

/// Loads `text` beside `/p/b.md`, `/p/sub/u.md` and things that cannot be loaded.
fn said(profile: Profile, text: &str) -> String {
    let fixture = Fixture::parse(
        "
//- /p/b.md
B content
//- /p/b.ts
export {}
//- /p/sub/u.md
U
//- /p/dir.md/
//- /p/pipe.md (special)
//- /p/secret.md (denied)
//- /p/round.md -> round.md
//- /p/leaves.md -> ../outside/s.md
//- /outside/s.md
//- /etc/passwd
root
",
    );
    Case::on(&fixture.file("/p/GEMINI.md", text))
        .profile(profile)
        .text()
}

#[track_caller]
fn check_each(profile: Profile, vectors: &[(&str, String)]) {
    for (text, expected) in vectors {
        assert_eq!(said(profile, text), *expected, "{text:?}");
    }
}

#[track_caller]
fn check_unchanged(profile: Profile, texts: &[&str]) {
    for text in texts {
        assert_eq!(said(profile, text), *text);
    }
}

#[test]
fn a_path_of_a_known_kind_is_replaced_by_its_file() {
    let b = imported("b.md");
    check_each(
        Profile::Analects,
        &[
            ("@b.md", b.clone()),
            ("see\t@b.md\tnow", format!("see\t{b}\tnow")),
            ("a\r\n@b.md\r\nz\r\n", format!("a\r\n{b}\r\nz\r\n")),
            ("@./b.md", imported("./b.md")),
            ("@../p/b.md", imported("../p/b.md")),
            ("@/p/b.md", imported("/p/b.md")),
            ("@./sub/../b.md", imported("./sub/../b.md")),
            ("@sub/./..//b.md", imported("sub/./..//b.md")),
            ("# @b.md", format!("# {b}")),
            ("- @b.md\n", format!("- {b}\n")),
            ("> @b.md", format!("> {b}")),
            (
                "<details>\n@b.md\n</details>",
                format!("<details>\n{b}\n</details>"),
            ),
        ],
    );
}

#[test]
fn punctuation_after_a_path_stays_behind_the_import() {
    check_each(
        Profile::Analects,
        &[
            ("@b.md, then", format!("{}, then", imported("b.md"))),
            ("see @b.md.", format!("see {}.", imported("b.md"))),
            ("(see @b.md)", format!("(see {})", imported("b.md"))),
            ("见 @b.md。", format!("见 {}。", imported("b.md"))),
        ],
    );
}

#[test]
fn whatever_is_not_a_path_of_a_known_kind_stays_as_written() {
    check_unchanged(
        Profile::Analects,
        &[
            "x@b.md",
            "(@./b.md)",
            "\"@./b.md\"",
            "\u{A0}@./b.md",
            "@123",
            "@-x",
            "@_y",
            "@~/x.md",
            "@",
            "@ b.md",
            "@Override",
            "@scope/pkg",
            "@types/node @param {string} x",
            "mail me@example.md",
            "@.",
            "@./",
            "@..",
            "@sub",
            "@b.ts",
            "@/etc/passwd",
            "@https://x/y.md",
            "@file:///p/b.md",
            "@./b.md\u{2028}z",
            "@b.md#rules",
        ],
    );
}

#[test]
fn code_and_comments_protect_their_tokens() {
    check_unchanged(
        Profile::Analects,
        &[
            "`@b.md`",
            "``a ` @b.md ``",
            "a\n\n```\n@b.md\n```\n",
            "a\n\n````\n```\n@b.md\n```\n````\n",
            "~~~\n@b.md\n~~~\n",
            "```\n@b.md\n",
            "- x\n\n  ~~~\n  @b.md\n  ~~~\n",
            "> ```\n> @b.md\n> ```\n",
            "a\n\n    @b.md\n",
            "a\n\n\t@b.md\n",
            "<!-- @b.md -->",
            "<!--\n\n@b.md\n\n-->\n",
            "a <!-- @b.md --> z",
            "<div>\n<!-- @b.md -->\n</div>",
        ],
    );
}

#[test]
fn a_stray_backtick_protects_nothing() {
    let b = imported("./b.md");
    let text = "don`t @./b.md ";
    check_each(Profile::Analects, &[(text, format!("don`t {b} "))]);
    let fence_like = "``` @./b.md";
    check_each(
        Profile::Analects,
        &[("a ``` @./b.md", format!("a ``` {b}"))],
    );
    check_unchanged(Profile::Analects, &[fence_like]);
}

#[test]
fn a_path_of_a_known_kind_that_does_not_load_says_why() {
    let outside = "outside the allowed directory";
    check_each(
        Profile::Analects,
        &[
            ("@no.md", failed("no.md", "not found")),
            ("@./b.md@./b.md", failed("./b.md@./b.md", "not found")),
            ("@b.md/x.md", failed("b.md/x.md", "not a directory")),
            ("@dir.md", failed("dir.md", "a directory, not a file")),
            ("@pipe.md", failed("pipe.md", "not a regular file")),
            ("@secret.md", failed("secret.md", "permission denied")),
            ("@round.md", failed("round.md", "a loop of links")),
            ("@leaves.md", failed("leaves.md", outside)),
            ("@../outside/s.md", failed("../outside/s.md", outside)),
            ("@/outside/s.md", failed("/outside/s.md", outside)),
            ("@../gone/s.md", failed("../gone/s.md", outside)),
        ],
    );
}

#[test]
fn a_blank_in_a_path_is_written_with_a_backslash() {
    let fixture = Fixture::default()
        .file("/p/my notes/a b.md", "A")
        .file("/p/GEMINI.md", r"@my\ notes/a\ b.md!");
    assert_eq!(
        Case::on(&fixture).text(),
        "<!-- Imported from: my\\ notes/a\\ b.md -->\nA\n<!-- End of import from: my\\ notes/a\\ b.md -->!"
    );
}

#[test]
fn the_seeds_know_one_kind_and_one_way_to_quote() {
    let b = imported("b.md");
    check_each(
        Profile::Seed,
        &[
            ("@b.md", b.clone()),
            ("~~~\n@b.md\n~~~", format!("~~~\n{b}\n~~~")),
            ("<!-- @b.md -->", format!("<!-- {b} -->")),
            ("a\n\n    @b.md", format!("a\n\n    {b}")),
            ("don`t @b.md isn`t", "don`t @b.md isn`t".to_owned()),
            ("@no.md", failed("no.md", "not found")),
        ],
    );
    check_unchanged(
        Profile::Seed,
        &[
            "`@b.md`",
            "```\n@b.md\n```",
            "@b.txt",
            "@b.markdown",
            "@b.md,",
            "@Override",
            "@中.md",
        ],
    );
}
