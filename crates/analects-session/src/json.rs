//! JSON values of a record, parsed on demand.
//!
//! A program that counts in UTF-16 cuts characters in half and writes the half as an escape. That is JSON,
//! but no text; such a half is read as U+FFFD, and the rest of the record stays.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The value that `raw` says. `None` if it is nested too deeply, or holds a number that no machine has.
pub(crate) fn value(raw: &str) -> Option<Value> {
    let parsed = serde_json::from_str(raw).ok();
    parsed.or_else(|| serde_json::from_str(&without_halves(raw)?).ok())
}

/// How deep the fields of a value are looked at one by one.
const MAX_DEPTH: usize = 8;

/// What can be read of a value, and whether that is all of it. A field that no [`value`] can hold is left out, and
/// nothing else: a tool may answer with anything, but what was said beside it stays.
pub(crate) fn readable(raw: &str) -> (Value, bool) {
    match value(raw) {
        Some(value) => (value, true),
        None => (parts(raw, 0).unwrap_or_default(), false),
    }
}

/// The fields or items that can be read; nothing where there is none.
fn parts(raw: &str, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    let part = |raw: &RawValue| value(raw.get()).or_else(|| parts(raw.get(), depth + 1));
    match raw.as_bytes().first()? {
        b'{' => {
            let fields: Fields<'_> = serde_json::from_str(raw).ok()?;
            let fields = fields.0.into_iter();
            let read = fields.filter_map(|(name, raw)| Some((name, part(raw)?)));
            let read: Map<_, _> = read.collect();
            (!read.is_empty()).then_some(Value::Object(read))
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
            let read: Vec<_> = items.into_iter().filter_map(part).collect();
            (!read.is_empty()).then_some(Value::Array(read))
        }
        _ => None,
    }
}

/// The fields of an object, in their order, not yet read.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(All).map(Self)
    }
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
    fn what_no_value_can_hold_is_left_out_alone() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let raw =
            format!(r#"{{"a":{{"x":1e999,"y":"\ud83d"}},"b":[{{"c":{deep}}},2],"d":"said"}}"#);
        let (read, is_whole) = readable(&raw);
        assert!(!is_whole);
        let left = serde_json::json!({ "a": { "y": "\u{fffd}" }, "b": [2], "d": "said" });
        assert_eq!(read, left);
        assert_eq!(readable("{\"a\":1}"), (serde_json::json!({ "a": 1 }), true));
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
