//! Markdown made to be slow, and tokens in the oddest places.

use super::{MOUTH, Mouth, Profile, swallow};
use analects_testkit::{FakeFiles, Fixture};

/// Inline patterns that have brought Markdown parsers to their knees, each about `n` bytes long.
fn inline(n: usize) -> Vec<(&'static str, String)> {
    let repeat = |piece: &str| piece.repeat(n / piece.len());
    vec![
        ("brackets", repeat("[")),
        ("half links", repeat("[a](")),
        ("images in links", repeat("![[]()")),
        ("nested links", repeat("[") + &repeat("](a)")),
        ("emphasis", repeat("*a_")),
        ("strong emphasis", repeat("**a __b ")),
        ("backticks of growing runs", growing(n, "`", " ")),
        ("backticks", repeat("`")),
        ("open comments", "a".to_owned() + &repeat(" <!--")),
        ("open tags", "a".to_owned() + &repeat(" <b x=\"")),
        ("open declarations", "a".to_owned() + &repeat(" <![CDATA[")),
        ("backslashes", repeat("\\")),
        ("dashes and hidden characters", repeat("-\u{200B}")),
        ("open angles and blanks", repeat("< ")),
        ("half rulers", repeat("--- end of context ")),
    ]
}

/// The same for blocks.
fn blocks(n: usize) -> Vec<(&'static str, String)> {
    let repeat = |piece: &str| piece.repeat(n / piece.len());
    vec![
        ("nested quotes", repeat(">")),
        ("ever deeper quotes", growing(n, "> ", "a\n")),
        ("nested lists", repeat("- ")),
        ("ever deeper lists", growing(n, "  ", "- a\n")),
        ("open comments", repeat("<!--")),
        (
            "open comments in a block",
            "<div>\n".to_owned() + &repeat("<!-- "),
        ),
        (
            "references",
            (0..n / 10).map(|i| format!("[a{i}]: x\n")).collect(),
        ),
        ("half references", repeat("[a]: x \"\n")),
        ("fences", repeat("```\n~~~\n")),
        ("one heading", repeat("a\n") + "==="),
        ("carriage returns", repeat("- a\r")),
    ]
}

/// `piece` once, twice, three times and so on, with `after` behind each.
fn growing(n: usize, piece: &str, after: &str) -> String {
    let mut text = String::new();
    let mut len = 1;
    while text.len() < n {
        text += &piece.repeat(len);
        text += after;
        len += 1;
    }
    text
}

/// Reads each pattern with an import at its end, so that it must be parsed.
#[track_caller]
fn check(profile: Profile, patterns: &[(&str, String)]) {
    for (name, text) in patterns {
        let fixture = Fixture::default().file("/repo/GEMINI.md", format!("{text}\n\n@none.md\n"));
        let swallowed = Mouth { profile, ..MOUTH }.swallow(&FakeFiles::new(&fixture));
        assert_eq!(swallowed.loaded.len(), 1, "{name}");
        assert!(swallowed.text().len() < 4 * text.len(), "{name}");
    }
}

#[test]
fn inline_markdown_made_to_be_slow_is_read_in_linear_time() {
    check(Profile::Analects, &inline(100_000));
}

#[test]
fn block_markdown_made_to_be_slow_is_read_in_linear_time() {
    check(Profile::Analects, &blocks(100_000));
}

#[test]
fn the_originals_own_scanner_is_not_slow_either() {
    check(Profile::Head, &[inline(30_000), blocks(30_000)].concat());
}

#[test]
fn half_a_megabyte_of_open_comments_is_one_comment() {
    let swallowed = swallow("<!--".repeat(128 * 1024 - 4) + "\n@none.md\n");
    assert!(swallowed.problems.is_empty(), "{:?}", swallowed.codes());
}

#[test]
fn tokens_stand_wherever_they_like() {
    for text in [
        "@",
        "@@",
        "@.",
        "@/",
        "@./",
        "@\n@",
        "@a.md@",
        "@.md",
        "@\u{0}.md",
        "@\u{FEFF}a.md",
        "@a\\ ",
        "@a\\ .md\\",
        "@…/x.md",
        "@a.md\u{2028}@b.md",
        "@../../../../../../../../../a.md",
        "@/.md",
        "@//a.md",
        "@a//b///c.md",
        "@CON.md",
        "@a:b.md",
        "@C:\\x.md",
        "@%00.md",
        "@\u{202E}dm.exe.md",
        "\u{FEFF}@a.md",
        "@a.md\r@b.md",
    ] {
        for profile in [Profile::Analects, Profile::Seed, Profile::Head] {
            let fixture = Fixture::default().file("/repo/GEMINI.md", text);
            let swallowed = Mouth { profile, ..MOUTH }.swallow(&FakeFiles::new(&fixture));
            assert_eq!(swallowed.loaded.len(), 1, "{text:?}");
        }
    }
}
