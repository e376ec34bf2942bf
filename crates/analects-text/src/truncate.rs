//! Cuts a text to a budget without splitting a character.

use crate::tokens;

/// The longest start of `text` that costs at most `budget_tokens`.
///
/// Ends at a line break if one lies in the last half, so that no rule is cut mid-sentence.
#[must_use]
pub fn head(text: &str, budget_tokens: usize) -> &str {
    let budget = budget_tokens.saturating_mul(4).saturating_add(3);
    let mut spent = 0_usize;
    for (at, c) in text.char_indices() {
        spent += tokens::char_quarters(c);
        if spent > budget {
            return at_line_end(prefix(text, at));
        }
    }
    text
}

/// The longest start of `text` of at most `limit_bytes`, ending like [`head`].
#[must_use]
pub fn head_bytes(text: &str, limit_bytes: usize) -> &str {
    if text.len() <= limit_bytes {
        return text;
    }
    at_line_end(prefix(text, text.floor_char_boundary(limit_bytes)))
}

/// A text that was cut already, without its last line if that is only a part of one; the line stays if
/// more than half of the text would go with it.
#[must_use]
pub fn at_line_end(cut: &str) -> &str {
    match cut.rfind('\n') {
        Some(newline) if newline + 1 >= cut.len() / 2 => prefix(cut, newline + 1),
        _ => cut,
    }
}

fn prefix(text: &str, end: usize) -> &str {
    text.get(..end)
        .expect("invariant: callers pass a character boundary")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_within_budget_stays_whole() {
        assert_eq!(head("abcd", 1), "abcd");
        assert_eq!(head_bytes("abcd", 4), "abcd");
    }

    #[test]
    fn the_cut_prefers_a_line_end() {
        assert_eq!(head("first\nsecond\nthird", 3), "first\nsecond\n");
        assert_eq!(head_bytes("记住", 4), "记");
    }

    proptest! {
        #[test]
        fn a_cut_stays_in_budget_and_is_idempotent(text in "(?s).{0,400}", budget in 0_usize..60) {
            let cut = head(&text, budget);
            prop_assert!(tokens::estimate(cut) <= budget);
            prop_assert!(text.starts_with(cut));
            prop_assert_eq!(head(cut, budget), cut);
        }

        #[test]
        fn a_byte_cut_stays_in_budget_and_is_idempotent(text in "(?s).{0,400}", limit in 0_usize..600) {
            let cut = head_bytes(&text, limit);
            prop_assert!(cut.len() <= limit);
            prop_assert_eq!(head_bytes(cut, limit), cut);
        }
    }
}
