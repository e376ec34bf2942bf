//! Halves of a character in JSON: what a program of JavaScript sends when it cuts a text inside of an emoji.
//!
//! `"\ud83d"` is JSON, but no text; a parser refuses all of it.

use std::borrow::Cow;

/// What stands for what is no character.
const REPLACEMENT: &[u8] = br"\ufffd";

/// The same JSON, in which every half of a character is an escaped U+FFFD.
pub(super) fn replaced(json: &[u8]) -> Cow<'_, [u8]> {
    let mut mended = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(found) = next_escape(json, at) {
        let is_pair = || {
            let second = unit(json, found + REPLACEMENT.len());
            second.is_some_and(|unit| (0xDC00..=0xDFFF).contains(&unit))
        };
        at = match unit(json, found) {
            Some(0xD800..=0xDBFF) if is_pair() => found + 2 * REPLACEMENT.len(),
            Some(0xD800..=0xDFFF) => {
                let end = found + REPLACEMENT.len();
                if let Some(half) = mended.to_mut().get_mut(found..end) {
                    half.copy_from_slice(REPLACEMENT);
                }
                end
            }
            // The next letter belongs to it: `\\u` begins nothing.
            _ => found + 2,
        };
    }
    mended
}

fn next_escape(json: &[u8], from: usize) -> Option<usize> {
    let rest = json.get(from..)?;
    let found = rest.iter().position(|byte| *byte == b'\\')?;
    Some(from + found)
}

/// The unit that is escaped here, if that is how it is written.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + REPLACEMENT.len())?;
    let digits = std::str::from_utf8(digits).ok()?.strip_prefix(r"\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_nothing_else() {
        for (json, expected) in [
            (r#""a \ud83d""#, r#""a \ufffd""#),
            (r#""\uDC00 b""#, r#""\ufffd b""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\ude00\u00e9""#, r#""\ud83d\ude00\u00e9""#),
            (r#""\\ud83d \n\"\ud83d""#, r#""\\ud83d \n\"\ufffd""#),
            (r#""\ud83"#, r#""\ud83"#),
            (r#""\u+123\"#, r#""\u+123\"#),
            ("", ""),
        ] {
            let replaced = replaced(json.as_bytes());
            assert_eq!(String::from_utf8_lossy(&replaced), expected);
        }
    }
}
