//! Texts taken apart.

use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::lines::LineIndex;

fn check(text: &str, expected: Expect) {
    let lines = LineIndex::new(text);
    let outline = outline(text);
    let mut shown = String::new();
    for entry in &outline.entries {
        let signs = [(entry.is_alone, " alone"), (entry.is_code, " code")];
        let signs: String = signs.iter().filter(|s| s.0).map(|s| s.1).collect();
        let line = lines.line(entry.at.start);
        let Entry {
            kind,
            section,
            text,
            ..
        } = entry;
        writeln!(shown, "{line}: {kind:?} in {section}{signs}: {text}").unwrap();
    }
    for span in &outline.spans {
        writeln!(shown, "{}: `{}`", lines.line(span.at.start), span.text).unwrap();
    }
    for link in &outline.links {
        writeln!(shown, "{}: -> {}", lines.line(link.at.start), link.target).unwrap();
    }
    for block in &outline.blocks {
        writeln!(shown, "block of `{}`", block.language).unwrap();
        for (at, line) in &block.lines {
            writeln!(shown, "{}: {line:?}", lines.line(*at)).unwrap();
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn items_and_paragraphs_are_what_a_text_says() {
    check(
        "# Title\nOne\ntwo.\n\n- a **b** `c`\n  - nested\n- [ ] task\n\n## Next\n\n1. step\n\n   more\n2. `x`\n\n> quoted\n",
        expect![[r#"
            2: Paragraph in 1: One two.
            5: Bullet in 1: a b c
            6: Bullet in 1 alone: nested
            7: Bullet in 1 alone: task
            11: Numbered in 2: step
            13: Paragraph in 2 alone: more
            14: Numbered in 2 alone code: x
            16: Paragraph in 2 alone: quoted
            5: `c`
            14: `x`
        "#]],
    );
}

#[test]
fn what_is_no_prose_says_nothing_but_its_code_and_links_count() {
    check(
        "---\ntitle: x\n---\n\n| a | b |\n|---|---|\n| `c` | [d](e.md) |\n\n<!-- `f` -->\n\n<details>\n\nin\n\n</details>\n",
        expect![[r#"
            13: Paragraph in 0 alone: in
            7: `c`
            7: -> e.md
        "#]],
    );
}

#[test]
fn code_blocks_know_their_language_and_their_lines() {
    check(
        "- x\n\n  ```Bash title=\"a\"\n  npm run a\n  npm run b\n  ```\n\n~~~\nc\n~~~\n\n    d\r\n    e\r\n",
        expect![[r#"
            1: Bullet in 0: x
            block of `bash`
            4: "npm run a\n"
            5: "npm run b\n"
            block of ``
            9: "c\n"
            block of ``
            12: "d\n"
            13: "e\n"
        "#]],
    );
}

#[test]
fn headings_are_kept_beside_what_they_stand_over() {
    let outline = outline("# A `b`\n\nC\n---\n- d\n");
    assert_eq!(outline.headings, ["A b", "C"]);
    assert_eq!(outline.entries[0].section, 2);
}

#[test]
fn the_lines_of_a_paragraph_are_kept_apart() {
    let outline = outline("a\nb `c`\nd");
    let lines: Vec<_> = outline.entries[0]
        .lines
        .iter()
        .map(|(at, text)| (*at, text.as_str()))
        .collect();
    assert_eq!(lines, [(0, "a"), (2, "b c"), (8, "d")]);
}

proptest! {
    #[test]
    fn any_text_can_be_taken_apart(text in "(?s)([-*>#|`~ \n\t\\[\\]().0-9a-z]|---\n|    |文){0,120}") {
        let outline = outline(&text);
        prop_assert!(outline.entries.iter().all(|entry| text.get(entry.at.clone()).is_some()));
        prop_assert!(outline.entries.windows(2).all(|two| two[0].at.start <= two[1].at.start));
    }
}
