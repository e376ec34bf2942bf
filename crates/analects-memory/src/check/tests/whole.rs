//! Findings that need no project: size, circles, hidden characters; and how all of them are shown.

use expect_test::expect;

use super::*;

#[test]
fn a_file_without_words_says_so_and_one_with_too_many_too() {
    let long = "word ".repeat(9000);
    check_tree(
        &format!(
            "//- /repo/GEMINI.md\n \n\t\n//- /repo/a/GEMINI.md\n{long}\n\
             //- /home/u/.gemini/tmp/repo/memory/MEMORY.md\n//- /home/u/.gemini/GEMINI.md\n\n"
        ),
        expect![[r#"
            ! empty-file: /repo/GEMINI.md: says nothing
            ! large-file: /repo/a/GEMINI.md: costs 11250 tokens, more than 10000
        "#]],
    );
}

#[test]
fn imports_in_a_circle_are_told_where_it_closes() {
    check_tree(
        "
//- /repo/GEMINI.md
@./notes/a.md and again @notes/a.md
@./notes/leaf.md
//- /repo/notes/a.md
First.
@b.md
//- /repo/notes/b.md
@leaf.md
@../GEMINI.md `@a.md`
//- /repo/notes/leaf.md
@./leaf.md
//- /repo/a/GEMINI.md
@../notes/leaf.md
",
        expect![[r#"
            ! import-cycle: /repo/notes/b.md:2: imports in a circle: GEMINI.md → notes/a.md → notes/b.md → GEMINI.md
            ! import-cycle: /repo/notes/leaf.md:1: imports in a circle: notes/leaf.md → notes/leaf.md
        "#]],
    );
}

#[test]
fn a_circle_through_a_link_is_a_circle() {
    check_tree(
        "
//- /repo/GEMINI.md
@./notes/a.md
//- /repo/notes/a.md
@../other.md
//- /repo/other.md -> GEMINI.md
",
        expect![[r#"
            ! import-cycle: /repo/notes/a.md:1: imports in a circle: GEMINI.md → notes/a.md → GEMINI.md
        "#]],
    );
}

#[test]
fn hidden_characters_are_named_line_by_line() {
    check_tree(
        "
//- /repo/GEMINI.md
Fine: 👩\u{200D}💻 ☀\u{FE0F}
pass\u{200B}word \u{202E}x\u{202C}
Hi\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065} there \u{1b}[0m
",
        expect![[r#"
            + hidden-character: /repo/GEMINI.md:2: 3 hidden characters: U+200B zero width space, U+202C direction control, U+202E direction control
            + hidden-character: /repo/GEMINI.md:3: 7 hidden characters: U+001B control character, U+E0065 tag character, U+E0067 tag character, U+E0069 tag character, …; they say "ignore"
        "#]],
    );
}

#[test]
fn too_much_of_one_kind_is_counted() {
    let lines = "a\u{200B}b\n".repeat(50);
    let findings = Look::at(&format!("//- /repo/GEMINI.md\n{lines}")).findings();
    assert_eq!(findings.len(), 20);
    let first = &findings[0].problem.message;
    assert!(
        first.ends_with("; 30 more like this in this file"),
        "{first}"
    );
}

#[test]
fn what_the_load_found_stands_among_the_rest_once() {
    let look = Look::at("//- /repo/GEMINI.md\na\u{200B}b\n");
    let problem = Problem::new(&crate::codes::IMPORT_FAILED, "did not load");
    let problem = problem.in_file("/repo/GEMINI.md").on_line(9);
    let known = vec![problem.clone(), problem];
    let findings = check(&look.disk, None, &look.pages, known, &look.options);
    let codes: Vec<_> = findings.iter().map(|f| f.problem.code.name).collect();
    assert_eq!(codes, ["hidden-character", "import-failed"]);
}

/// Many long files, in which nearly every line names something and repeats something, are checked in
/// about the time it takes to read them. A quadratic step would take minutes.
#[test]
fn cost_grows_with_the_text_and_not_faster() {
    use std::fmt::Write;
    let mut tree = Fixture::default();
    for file in 0..80 {
        let mut text = String::new();
        for line in 0..20 {
            let n = line % 7;
            writeln!(
                text,
                "- Rule {n} is in `src/f{file}_{line}.rs`, run `npm run s{line}`"
            )
            .unwrap();
            writeln!(text, "- The same thing everywhere").unwrap();
        }
        tree = tree.file(&format!("/repo/d{file}/GEMINI.md"), text);
    }
    let line = "- Always the same thing, in one file\n## More\n";
    let tree = tree
        .file("/repo/GEMINI.md", line.repeat(2_000))
        .file("/repo/AGENTS.md", "- Always the same item\n".repeat(2_000))
        .file("/repo/src/main.rs", "")
        .file("/repo/package.json", "{}");
    assert!(Look::on(&tree).findings().len() > 500);
}

#[test]
fn hidden_characters_in_a_name_are_found_too() {
    check_tree(
        "//- /repo/.git/\n//- /repo/a\u{E0158}\u{E0159}/GEMINI.md\nrule\n",
        expect![[r#"
            ! hidden-character: /repo/a󠅘󠅙/GEMINI.md: its name, or that of a directory: 2 hidden characters: U+E0158 variation selector, U+E0159 variation selector
        "#]],
    );
}
