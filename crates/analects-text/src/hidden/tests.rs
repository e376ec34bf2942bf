//! What hides, and what only looks like it.

use proptest::prelude::*;

use super::*;

#[test]
fn what_a_script_or_an_emoji_needs_stays() {
    for text in [
        "plain, tab\t, line end\r\n",
        "é ü 文字 한국어 ру",
        "👩\u{200D}💻 👨\u{200D}👩\u{200D}👧 🏳\u{FE0F}\u{200D}🌈 👩🏽\u{200D}🚀",
        "☀\u{FE0F} 1\u{FE0F}\u{20E3} ⚠\u{FE0E} →\u{FE0F}",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} flag",
        "می\u{200C}خواهم",
        "क्\u{200D}ष",
        "שלום\u{200F}! \u{2066}abc\u{2069}",
        "ภาษา\u{200B}ไทย",
        "中文\u{200B}**粗体**",
        "葛\u{E0100}",
        "ᠮᠣᠩᠭᠣᠯ\u{180B}",
        "\u{A0}non-breaking\u{3000}wide",
    ] {
        assert_eq!(find(text), [], "{text:?}");
        assert!(matches!(without(text), Cow::Borrowed(_)));
    }
}

#[test]
fn what_hides_a_word_turns_a_line_or_smuggles_goes() {
    for (text, clean) in [
        ("pass\u{200B}word", "password"),
        ("a\u{202E}b\u{2066}c", "abc"),
        ("x\u{200D}y \u{200C}z", "xy z"),
        ("a\u{FE0F}b 😀\u{FE0F}\u{FE01}\u{FE02}", "ab 😀\u{FE0F}"),
        ("so\u{AD}ft\u{2060}", "soft"),
        ("a\u{FEFF}b", "ab"),
        ("\u{1b}[31mred\u{7f}", "[31mred"),
        ("a\u{E0041}\u{E0042}", "a"),
        ("🏴\u{E0067}\u{E0062} no end", "🏴 no end"),
        ("\u{3164}x", "x"),
        ("\u{200E}left", "left"),
    ] {
        assert_eq!(without(text), clean, "{text:?}");
    }
}

#[test]
fn tag_characters_spell_what_they_hide() {
    let text: String = "hi\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}".to_owned();
    assert_eq!(message(&find(&text)), "ignore");
}

proptest! {
    #[test]
    fn a_second_pass_finds_nothing_and_nothing_visible_goes(
        text in "(?s)([a-z \n👩☀文ภשک\u{1F3F4}]|[\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2069}\u{FE00}-\u{FE0F}\u{FEFF}\u{AD}]|[\u{E0060}-\u{E007F}\u{E0100}-\u{E0102}]){0,60}"
    ) {
        let clean = without(&text).into_owned();
        prop_assert_eq!(find(&clean), vec![]);
        let visible = |text: &str| -> String {
            text.chars().filter(|&c| !crate::sanitize::is_invisible(c)).collect()
        };
        prop_assert_eq!(visible(&clean), visible(&text));
    }

    #[test]
    fn any_text_can_be_searched(text in ".{0,200}") {
        let clean = without(&text).into_owned();
        prop_assert_eq!(find(&clean), vec![]);
    }
}
