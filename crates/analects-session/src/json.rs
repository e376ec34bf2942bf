//! JSON values of a record, parsed on demand.
//!
//! A program that counts in UTF-16 cuts characters in half and writes the half as an escape. That is JSON,
//! but no text; such a half is read as U+FFFD, and the rest of the record stays.

use std::borrow::Cow;

use serde_json::Value;

/// The value that `raw` says. `None` if it is nested too deeply, or holds a number that no machine has.
pub(crate) fn value(raw: &str) -> Option<Value> {
    let parsed = serde_json::from_str(raw).ok();
    parsed.or_else(|| serde_json::from_str(&without_halves(raw)?).ok())
}

/// The string that `raw` says, if it is one.
pub(crate) fn string(raw: &str) -> Option<Cow<'_, str>> {
    let inside = raw.strip_prefix('"')?.strip_suffix('"')?;
    if !inside.contains('\\') {
        return Some(Cow::Borrowed(inside));
    }
    match value(raw)? {
        Value::String(text) => Some(Cow::Owned(text)),
        _ => None,
    }
}

/// Whether JavaScript takes a value for true.
pub(crate) fn is_truthy(raw: &str) -> bool {
    match raw.as_bytes() {
        b"null" | b"false" | b"\"\"" | b"" => false,
        [b'-' | b'0'..=b'9', ..] => raw.parse::<f64>().is_ok_and(|number| number != 0.0),
        _ => true,
    }
}

/// The same JSON with `\ufffd` for every escaped half of a character. `None` if there is none.
fn without_halves(raw: &str) -> Option<String> {
    let mut mended = String::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = raw.get(at..).and_then(|rest| rest.find('\\')) {
        let escape = at + found;
        let Some(unit) = unit(raw, escape) else {
            at = escape + 2;
            continue;
        };
        at = escape + 6;
        let is_pair = (0xd800..0xdc00).contains(&unit)
            && self::unit(raw, at).is_some_and(|next| (0xdc00..0xe000).contains(&next));
        if is_pair {
            at += 6;
        } else if (0xd800..0xe000).contains(&unit) {
            mended.push_str(raw.get(from..escape)?);
            mended.push_str("\\ufffd");
            from = at;
        }
    }
    if from == 0 {
        return None;
    }
    mended.push_str(raw.get(from..)?);
    Some(mended)
}

/// The number of a `\uXXXX` at this place.
fn unit(raw: &str, at: usize) -> Option<u32> {
    let digits = raw.get(at..at + 6)?.strip_prefix("\\u")?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_are_replaced_and_whole_ones_kept() {
        for (raw, text) in [
            (r#""plain""#, "plain"),
            (r#""a\nb""#, "a\nb"),
            (r#""\ud83d\ude00!""#, "😀!"),
            (r#""cut \ud83d""#, "cut \u{fffd}"),
            (r#""\ude00\ud83d\ud83d\ude00""#, "\u{fffd}\u{fffd}😀"),
            (r#""\\ud83d \ud83d\\""#, "\\ud83d \u{fffd}\\"),
        ] {
            assert_eq!(string(raw).as_deref(), Some(text), "{raw}");
        }
        assert_eq!(string("5"), None);
        assert_eq!(value(r#"{"a":"\udc00"}"#), value("{\"a\":\"\u{fffd}\"}"));
    }

    #[test]
    fn truth_is_what_javascript_takes_for_it() {
        for raw in ["null", "false", "0", "-0", "0.0", "0e9", "\"\""] {
            assert!(!is_truthy(raw), "{raw}");
        }
        for raw in ["true", "1", "-0.5", "\"0\"", "[]", "{}", "1e999"] {
            assert!(is_truthy(raw), "{raw}");
        }
    }
}
