//! Markdown made to be slow, and tokens in the oddest places.

use super::{Mouth, MOUTH, Profile, swallow};
use analects_testkit::{FakeFiles, Fixture};

/// Patterns that have brought Markdown parsers to their knees; `n` is about their length in bytes.
fn patterns(n: usize) -> Vec<(&'static str, String)> {
    let repeat = |piece: &str| piece.repeat(n / piece.len());
    let growing = |piece: &str, after: &str| {
        let (mut text, mut len) = (String::new(), 1);
        while text.len() < n {
            text += &piece.repeat(len);
            text += after;
            len += 1;
        }
        text
    };
    vec![
        ("brackets", repeat("[")),
        ("half links", repeat("[a](")),
        ("images in links", repeat("![[]()")),
        ("nested links", repeat("[") + &repeat("](a)")),
        ("emphasis", repeat("*a_")),
        ("strong emphasis", repeat("**a __b ")),
        ("backticks of growing runs", growing("`", " ")),
        ("backticks", repeat("`")),
        ("nested quotes", repeat(">")),
        ("ever deeper quotes", growing("> ", "a\n")),
        ("ever deeper lists", growing("  ", "- a\n")),
        ("nested lists", repeat("- ")),
        ("open comments", repeat("<!--")),
        ("open comments in a paragraph", "a".to_owned() + &repeat(" <!--")),
        ("open comments in a block", "<div>\n".to_owned() + &repeat("<!-- ")),
        ("open tags", "a".to_owned() + &repeat(" <b x=\"")),
        ("open declarations", "a".to_owned() + &repeat(" <![CDATA[")),
        ("references", growing("[a]: x\n", "")),
        ("half references", repeat("[a]: x \"\n")),
        ("fences", repeat("```\n~~~\n")),
        ("backslashes", repeat("\\")),
        ("one heading", repeat("a\n") + "==="),
        ("carriage returns", repeat("- a\r")),
        ("dashes and hidden characters", repeat("-\u{200B}")),
        ("open angles and blanks", repeat("< ")),
        ("half rulers", repeat("--- end of context ")),
    ]
}

#[test]
fn adversarial_markdown_is_read_in_linear_time() {
    for (name, text) in patterns(100_000) {
        for profile in [Profile::Analects, Profile::Head] {
            let fixture = Fixture::default().file("/repo/GEMINI.md", format!("{text}\n\n@none.md\n"));
            let swallowed = Mouth { profile, ..MOUTH }.swallow(&FakeFiles::new(&fixture));
            assert_eq!(swallowed.loaded.len(), 1, "{name}");
            assert!(swallowed.text().len() < 4 * text.len(), "{name}");
        }
    }
}

#[test]
fn half_a_megabyte_of_open_comments_is_one_comment() {
    let swallowed = swallow("<!--".repeat(128 * 1024 - 4) + "\n@none.md\n");
    assert!(swallowed.problems.is_empty(), "{:?}", swallowed.codes());
}

#[test]
fn tokens_stand_wherever_they_like() {
    for text in [
        "@", "@@", "@.", "@/", "@./", "@\n@", "@a.md@", "@.md", "@\u{0}.md", "@\u{FEFF}a.md", "@a\\ ", "@a\\ .md\\",
        "@…/x.md", "@a.md\u{2028}@b.md", "@../../../../../../../../../a.md", "@/.md", "@//a.md", "@a//b///c.md",
        "@CON.md", "@a:b.md", "@C:\\x.md", "@%00.md", "@\u{202E}dm.exe.md", "\u{FEFF}@a.md", "@a.md\r@b.md",
    ] {
        for profile in [Profile::Analects, Profile::Seed, Profile::Head] {
            let fixture = Fixture::default().file("/repo/GEMINI.md", text);
            let swallowed = Mouth { profile, ..MOUTH }.swallow(&FakeFiles::new(&fixture));
            assert_eq!(swallowed.loaded.len(), 1, "{text:?}");
        }
    }
}
