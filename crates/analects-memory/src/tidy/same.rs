//! Whether one entry says all that another one says.

use analects_text::likeness::{Gist, plain, stem};

use crate::check::said::normal;

/// Whether whoever reads `kept` knows what `gone` says: the same words, or the same in nearly the same words
/// with none of its own.
pub(super) fn says_all_of(kept: &str, gone: &str) -> bool {
    normal(kept) == normal(gone)
        || (holds_words_of(kept, gone) && Gist::of(kept).is_twin_of_text(gone))
}

/// Whether no word of `gone` is missing in `kept`.
pub(super) fn holds_words_of(kept: &str, gone: &str) -> bool {
    let kept = words(kept);
    words(gone)
        .iter()
        .all(|word| kept.binary_search(word).is_ok())
}

/// How many different words a text has.
pub(super) fn n_different_words(text: &str) -> usize {
    words(text).len()
}

/// Words that change nothing.
const EMPTY: [&str; 4] = ["a", "an", "the", "please"];

/// The words of a text, sorted, each once: in plain letters, without endings. Where a script has no blanks,
/// every character is one.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        let is_sign = c.is_whitespace() || "[]()<>*`\"'“”‘’，、；：。！？".contains(c);
        let is_wide = matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{20000}'..='\u{3FFFD}');
        if is_sign || is_wide {
            words.extend(key(&std::mem::take(&mut word)));
        }
        if !is_sign {
            plain(c, |c| word.push(c));
        }
        if is_wide {
            words.push(std::mem::take(&mut word));
        }
    }
    words.extend(key(&word));
    words.sort_unstable();
    words.dedup();
    words
}

fn key(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', '…']);
    let word = word.trim_start_matches([',', ';', ':', '!']);
    let is_dash = word.chars().all(|c| matches!(c, '-' | '–' | '—'));
    if word.is_empty() || is_dash || EMPTY.contains(&word) {
        return None;
    }
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
    Some(if is_plain {
        stem(word)
    } else {
        word.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_more_stands_for_what_says_less_and_not_the_other_way_round() {
        let (less, more) = (
            "Run the unit tests with `cargo nextest run` before you push anything to main",
            "Run the unit tests with `cargo nextest run` before you push anything to main, please",
        );
        assert!(says_all_of(more, less) && says_all_of(less, more));
        for (kept, gone) in [
            ("Use tabs", "Use tabs in Go"),
            (
                "See the guide [guide](a.md) for all the rules",
                "See the guide [guide](b.md) for all the rules",
            ),
            (
                "The port of the test server is 8081",
                "The port of the test server is 8082",
            ),
            ("数据库的端口是五四三三", "数据库的端口是五四三二"),
        ] {
            assert!(!says_all_of(kept, gone), "{kept} / {gone}");
        }
        assert!(says_all_of("**Always** use tabs.", "always use tabs"));
        assert!(says_all_of("Use tabs!", "use  tabs."));
    }
}
