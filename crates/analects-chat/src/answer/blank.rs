//! Whether a text has any visible character.

use analects_text::sanitize::is_invisible;

/// Whether a text is nothing but white space, characters that nobody sees, and HTML comments.
pub(super) fn is_blank(text: &str) -> bool {
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        if !is_unseen(before) {
            return false;
        }
        // A comment that does not end is words.
        let Some((_, after)) = comment.split_once("-->") else {
            return false;
        };
        rest = after;
    }
    is_unseen(rest)
}

fn is_unseen(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_seen_is_said() {
        for blank in [
            "",
            " \n\t\u{3000}",
            "\u{200B}\u{FEFF}\u{2060}",
            "<!-- nothing -->",
            " <!--a--> \u{200D}<!-- b\n-->\n",
            "<!--<!---->",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for said in [
            "a",
            "<!-- a --> b",
            "b <!-- a -->",
            "<!-- open",
            "-->",
            "记",
        ] {
            assert!(!is_blank(said), "{said:?}");
        }
    }
}
