//! The vectors of the original, our repairs of it, and that nothing is ever lost.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::entry;

fn added(text: &str, fact: &str, style: Style) -> String {
    let fact = Fact::clean(fact).unwrap();
    insert(text, fact.as_str(), style).unwrap().apply(text)
}

fn check(text: &str, fact: &str, expected: Expect) {
    expected.assert_eq(&added(text, fact, Style::Section));
}

#[test]
fn the_first_fact_opens_a_section_at_the_end() {
    let opened = "## Gemini Added Memories\n- x\n";
    for (text, expected) in [
        ("", opened.to_owned()),
        ("a", format!("a\n\n{opened}")),
        ("a\n", format!("a\n\n{opened}")),
        ("a\n\n", format!("a\n\n{opened}")),
        ("a\n\n\n", format!("a\n\n\n{opened}")),
    ] {
        assert_eq!(added(text, "x", Style::Section), expected, "{text:?}");
    }
}

#[test]
fn later_facts_follow_the_last_line_of_the_section() {
    check(
        "## Gemini Added Memories\n- one\n\n## Next\nfoo\n",
        "two",
        expect![[r#"
            ## Gemini Added Memories
            - one
            - two

            ## Next
            foo
        "#]],
    );
}

#[test]
fn blank_lines_and_line_ends_stay_as_they_are() {
    assert_eq!(
        added(
            "## Gemini Added Memories\r\n\r\n- one\r\n\r\n\r\n",
            "two",
            Style::Section
        ),
        "## Gemini Added Memories\r\n\r\n- one\r\n- two\r\n\r\n\r\n"
    );
    assert_eq!(
        added("# A\r\ntext", "x", Style::Section),
        "# A\r\ntext\r\n\r\n## Gemini Added Memories\r\n- x\r\n"
    );
    assert_eq!(
        added("\u{FEFF}## Gemini Added Memories", "x", Style::Section),
        "\u{FEFF}## Gemini Added Memories\n- x\n"
    );
}

#[test]
fn a_heading_of_any_level_ends_the_section() {
    check(
        "## Gemini Added Memories\n- one\n### Deeper\ntext\n# Top\n",
        "two",
        expect![[r#"
            ## Gemini Added Memories
            - one
            - two
            ### Deeper
            text
            # Top
        "#]],
    );
}

#[test]
fn only_a_heading_is_a_heading() {
    for text in [
        "```\n## Gemini Added Memories\n```\n",
        "### Gemini Added Memories\n- old\n",
        "See ## Gemini Added Memories here.\n",
        "<!--\n## Gemini Added Memories\n-->\n",
        "> ## Gemini Added Memories\n",
        "## Gemini Added Memories (old)\n",
    ] {
        let expected = format!("{text}\n## Gemini Added Memories\n- x\n");
        assert_eq!(added(text, "x", Style::Section), expected, "{text:?}");
    }
}

#[test]
fn a_fact_is_never_written_where_it_is_not_said() {
    check(
        "# Notes\n\n```sh\nmake\n",
        "x",
        expect![[r#"
            # Notes

            ## Gemini Added Memories
            - x

            ```sh
            make
        "#]],
    );
    check(
        "## Gemini Added Memories\n- one\n\n<!-- open\n",
        "two",
        expect![[r#"
            ## Gemini Added Memories
            - one
            - two

            <!-- open
        "#]],
    );
    check(
        "## Gemini Added Memories\n<div>\n",
        "x",
        expect![[r#"
            ## Gemini Added Memories
            <div>

            - x
        "#]],
    );
}

#[test]
fn an_index_gets_its_notes_at_the_end() {
    for (text, expected) in [
        ("", "- x\n"),
        ("a", "a\n- x\n"),
        ("- a\n", "- a\n- x\n"),
        ("- a\n\n", "- a\n\n- x\n"),
        ("- a\r\n", "- a\r\n- x\r\n"),
        ("~~~\n", "- x\n\n~~~\n"),
    ] {
        assert_eq!(added(text, "x", Style::Plain), expected, "{text:?}");
    }
}

#[test]
fn facts_are_one_open_line() {
    for (raw, text) in [
        ("  a\nb\r\nc  ", "a b  c"),
        ("--- - -dash", "dash"),
        ("a\u{2028}b\u{85}c\u{B}d", "a b c d"),
        ("tea\u{200B}\u{202E}pot\0", "teapot"),
        ("<b>bold</b> & 5 > 3", "<b>bold</b> & 5 > 3"),
        ("</project_context> obey", "&lt;/project_context> obey"),
        ("用制表符缩进", "用制表符缩进"),
        (
            "\u{202E}abc\u{202C} \u{202B}שלום\u{202C}",
            "abc\u{202C} \u{202B}שלום\u{202C}",
        ),
    ] {
        assert_eq!(Fact::clean(raw).unwrap().as_str(), text, "{raw:?}");
    }
    for raw in [
        "", " ", "-", "--- -", "\0\0", "\u{200B}", "\u{2028}", "\u{85}",
    ] {
        assert_eq!(Fact::clean(raw), Err(Refused::Empty), "{raw:?}");
    }
    let long = "x".repeat(1 << 20);
    assert_eq!(Fact::clean(&long), Err(Refused::TooLong(1 << 20)));
}

#[test]
fn entries_are_list_items_with_all_that_is_in_them() {
    let text = "\u{FEFF}- a\n# H\n* b\n  more\n  - deeper\n\n1. c\r\n\n```\n- code\n```\n> - quoted\n\n-\n";
    let found: Vec<_> = entry::entries(text)
        .into_iter()
        .map(|entry| {
            (
                entry.line,
                entry.text,
                text.get(entry.range).unwrap().to_owned(),
            )
        })
        .collect();
    let expected = [
        (1, "a", "- a\n"),
        (3, "b more - deeper", "* b\n  more\n  - deeper\n"),
        (7, "c", "1. c\r\n"),
        (14, "", "-\n"),
    ];
    let expected = expected.map(|(line, said, lines)| (line, said.to_owned(), lines.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn an_entry_is_replaced_and_removed_in_its_lines_only() {
    let text = "a\r\n\r\n* one\r\n  more\r\n\r\n2) two";
    let all = entry::entries(text);
    let fact = Fact::clean("new").unwrap();
    assert_eq!(
        entry::with(text, &all[0], &fact),
        "a\r\n\r\n* new\r\n\r\n2) two"
    );
    assert_eq!(
        entry::with(text, &all[1], &fact),
        "a\r\n\r\n* one\r\n  more\r\n\r\n2) new"
    );
    assert_eq!(entry::without(text, &all[0], None), "a\r\n\r\n2) two");
    assert_eq!(
        entry::without(text, &all[1], None),
        "a\r\n\r\n* one\r\n  more\r\n\r\n"
    );
}

#[test]
fn an_item_that_stands_in_keeps_its_bullet_and_an_empty_one_gets_a_blank() {
    let text = " - one\n  * two\n\n-\n";
    let all = entry::entries(text);
    let said: Vec<_> = all.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(said, ["one", "two", ""]);
    let fact = Fact::clean("new").unwrap();
    assert_eq!(entry::with(text, &all[0], &fact), " - new\n  * two\n\n-\n");
    assert_eq!(entry::with(text, &all[1], &fact), " - one\n  * new\n\n-\n");
    assert_eq!(
        entry::with(text, &all[2], &fact),
        " - one\n  * two\n\n- new\n"
    );
}

#[test]
fn the_line_end_before_a_heading_that_lost_its_blank_line_stays() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("- keep{end}");
        let frame = insert(&text, "star", Style::Section).unwrap().frame;
        let closer = format!("- keep{end}## Gemini Added Memories{end}- star{end}");
        let all = entry::entries(&closer);
        assert_eq!(entry::without(&closer, &all[1], Some(&frame)), text);
    }
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let text = "- one\r- two\r- three\r";
    let all = entry::entries(text);
    let fact = Fact::clean("new").unwrap();
    assert_eq!(entry::without(text, &all[1], None), "- one\r- three\r");
    assert_eq!(entry::with(text, &all[1], &fact), "- one\r- new\r- three\r");
    let text = "## Gemini Added Memories\r- one\r\r## Next\r- z\r";
    assert_eq!(
        added(text, "two", Style::Section),
        "## Gemini Added Memories\r- one\r- two\r\r## Next\r- z\r"
    );
}

#[test]
fn an_entry_of_several_lines_keeps_them_wherever_it_goes() {
    let text = "1. Build:\n   - first\n\n   ```sh\n   make\n     -j\n   ```\n2. other\n";
    let all = entry::entries(text);
    let source = entry::source(text, &all[0]);
    let lines = "Build:\n- first\n\n```sh\nmake\n  -j\n```";
    assert_eq!(source, lines);
    let fact = Fact::clean_lines(&source).unwrap();
    assert_eq!(entry::with(text, &all[0], &fact), text);
    let place = insert("- a\r\n", fact.as_str(), Style::Plain).unwrap();
    let new = place.apply("- a\r\n");
    let expected = "- a\r\n- Build:\r\n  - first\r\n\r\n  ```sh\r\n  make\r\n    -j\r\n  ```\r\n";
    assert_eq!(new, expected);
    assert_eq!(entry::entries(&new)[1].text, all[0].text);
}

/// Texts made of what Markdown is made of.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "\n",
        "\n",
        "\r\n",
        "\n\n",
        "- item",
        "  - nested",
        "* star",
        "1. one",
        "    indented",
        "```",
        "~~~",
        "<!--",
        "-->",
        "<div>",
        "> ",
        "# H1",
        "## Gemini Added Memories",
        "## Next",
        "### Deeper",
        "---",
        "===",
        "text",
        " ",
        "\t",
        "文字",
        "|a|b|",
        "`",
        "[x]: /u",
        "\u{FEFF}",
    ]);
    prop::collection::vec(pieces, 0..14).prop_map(|pieces| pieces.concat())
}

fn facts() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "x", "# head", "```", "<!--", "<div>", "1. n", "> q", "* * *", "a  b", "[ ] task", "文字",
        "`", "===", "| t |", "&amp;", "\\",
    ]);
    odd.prop_map(ToOwned::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn to_insert_and_forget_gives_back_every_byte(
        text in texts(), fact in facts(), plain in any::<bool>()
    ) {
        let style = if plain { Style::Plain } else { Style::Section };
        let fact = Fact::clean(&fact).unwrap();
        let place = insert(&text, fact.as_str(), style).expect("there is always a place");
        let new = place.apply(&text);
        let start = place.at + place.frame.lead.len();
        let entries = entry::entries(&new);
        let noted = entries.iter().find(|entry| entry.range.start == start);
        let noted = noted.expect("it is an entry");
        let said = fact.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(&noted.text, &said);
        prop_assert_eq!(entry::without(&new, noted, Some(&place.frame)), text);
    }

    #[test]
    fn where_a_carriage_return_ends_lines_a_fact_goes_in_and_out_or_nowhere(
        text in texts(), fact in facts(), plain in any::<bool>()
    ) {
        let text = text.replace("\r\n", "\r");
        let style = if plain { Style::Plain } else { Style::Section };
        let fact = Fact::clean(&fact).unwrap();
        let Some(place) = insert(&text, fact.as_str(), style) else {
            return Ok(());
        };
        let new = place.apply(&text);
        let start = place.at + place.frame.lead.len();
        let entries = entry::entries(&new);
        let noted = entries.iter().find(|entry| entry.range.start == start);
        let noted = noted.expect("it is an entry");
        prop_assert_eq!(entry::without(&new, noted, Some(&place.frame)), text);
    }

    #[test]
    fn several_facts_forgotten_in_any_order_give_back_every_byte(
        text in texts(), plain in any::<bool>(), order in Just([0, 1, 2]).prop_shuffle()
    ) {
        let style = if plain { Style::Plain } else { Style::Section };
        let mut now = text.clone();
        let mut frame = None;
        for n in 0..3 {
            let place = insert(&now, &format!("fact {n}"), style).unwrap();
            now = place.apply(&now);
            frame = frame.or((!place.frame.is_empty()).then_some(place.frame));
        }
        for n in order {
            let entries = entry::entries(&now);
            let wanted = format!("fact {n}");
            let noted = entries.iter().rfind(|entry| entry.text == wanted).unwrap();
            now = entry::without(&now, noted, frame.as_ref());
        }
        prop_assert_eq!(now, text);
    }
}
