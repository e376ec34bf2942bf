//! What can be mended, and that nothing else changes.

use proptest::prelude::*;

use super::*;

fn check_fixed(text: &str, expected: &str, done: &[&str]) {
    let fixed = fixed(text).unwrap();
    assert_eq!(fixed.text, expected);
    assert_eq!(fixed.done, done);
}

#[test]
fn hidden_characters_and_repeated_items_go_and_nothing_else_does() {
    check_fixed(
        "# A\r\n\r\n- one\u{200B}\r\n- two\r\n- one\r\n\t\r\ntext  \r\n",
        "# A\r\n\r\n- one\r\n- two\r\n\t\r\ntext  \r\n",
        &["removed 1 hidden character", "removed 1 repeated item"],
    );
    check_fixed(
        "- a b\n- a b\n- a b",
        "- a b\n",
        &["removed 2 repeated items"],
    );
}

#[test]
fn what_might_be_meant_stays() {
    for text in [
        "",
        "same\n\nsame\n",
        "- a\n\n## B\n- a\n",
        "- x\n  - a\n- y\n  - a\n",
        "First:\n- a\nSecond:\n- a\n",
        "1. a\n2. a\n",
        "- a\n- a\n  and more\n",
        "```\n- a\n- a\n```\n",
        "- A b\n- a b\n",
        "> - a\n> - a\n",
    ] {
        assert_eq!(fixed(text), None, "{text:?}");
    }
}

/// Every line of `after` stands in `before`, in the same order.
fn is_thinned(before: &str, after: &str) -> bool {
    let mut lines = before.split_inclusive('\n');
    after
        .split_inclusive('\n')
        .all(|line| lines.any(|old| old == line))
}

proptest! {
    #[test]
    fn a_second_time_there_is_nothing_to_do(
        text in "(?s)((- |  - |\\* |1. |> |# |    |```\n|<!--|-->)?(a b|c|)(\u{200B}|\u{E0041}|👩\u{200D}💻)?(\r?\n)){0,30}"
    ) {
        if let Some(mended) = fixed(&text) {
            prop_assert!(mended.text.len() < text.len());
            prop_assert_eq!(fixed(&mended.text), None);
            let visible = analects_text::hidden::without(&text);
            prop_assert!(is_thinned(&visible, &mended.text));
        }
    }
}

proptest! {
    // Each case looks through a whole project.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_checked(text in "(?s)([`@./~\\-*# \n\\[\\]():|>&$<a-z文\u{200B}\u{202E}]|npm run |make |cargo test -p |- ){0,80}") {
        let fixture = Fixture::default()
            .file("/repo/GEMINI.md", &text)
            .file("/repo/api/GEMINI.md", &text)
            .file("/home/u/.gemini/GEMINI.md", &text);
        for finding in Look::on(&fixture).findings() {
            let line = finding.problem.line.unwrap_or(1);
            prop_assert!(line >= 1 && line <= text.split('\n').count());
        }
    }

    #[test]
    fn any_manifest_can_be_read(text in "(?s)([{}\":,=\\[\\]%$():# \t\n'a-z]|include |import |name = |\\.PHONY: ){0,80}") {
        let commands = "`npm run x1` `make x1` `just x1` `cargo run --bin x1`";
        let fixture = ["package.json", "Makefile", "justfile", "Cargo.toml", "Cargo.lock"]
            .iter()
            .fold(Fixture::default(), |tree, name| tree.file(&format!("/repo/{name}"), &text));
        Look::on(&fixture.file("/repo/GEMINI.md", commands)).findings();
    }
}
