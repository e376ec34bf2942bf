//! Reads JSON in place, without building a tree.
//!
//! A value is a slice of the line until somebody asks for a part of it, so a line costs no memory beyond
//! what is kept of it. A field of an unexpected type is as good as absent. Strings are decoded here and not
//! by serde: JavaScript writes half of a surrogate pair where it cut a text, and that is no reason to lose it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::clip::{Clip, Excerpt};

/// A name or an id that is longer than this is none.
const MAX_WORD_BYTES: usize = 512;

/// A value that may be absent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Raw<'a>(Option<&'a str>);

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Self(Some(raw.get())))
    }
}

impl<'a> Raw<'a> {
    /// An object that was read as a line already.
    pub(super) fn of_object(object: &'a str) -> Self {
        Self(Some(object))
    }

    /// The value as it is written.
    pub(super) fn source(self) -> Option<&'a str> {
        self.0.filter(|source| *source != "null")
    }

    /// The fields of an object; all of them absent if it is none.
    pub(super) fn fields<T: Default + Deserialize<'a>>(self) -> T {
        let source = self.0.filter(|source| source.starts_with('{'));
        source
            .and_then(|source| serde_json::from_str(source).ok())
            .unwrap_or_default()
    }

    /// A short string: a name, an id, a date.
    pub(super) fn word(self) -> Option<Cow<'a, str>> {
        let inner = self.inner().filter(|inner| inner.len() <= MAX_WORD_BYTES)?;
        if !inner.contains('\\') {
            return Some(Cow::Borrowed(inner));
        }
        let mut word = String::new();
        unescape(inner, |piece| word.push_str(piece));
        Some(Cow::Owned(word))
    }

    /// Whether it is this string.
    pub(super) fn is(self, word: &str) -> bool {
        self.inner() == Some(word)
    }

    /// Whether it is `true`.
    pub(super) fn is_true(self) -> bool {
        self.0 == Some("true")
    }

    /// A whole number.
    pub(super) fn number(self) -> Option<i64> {
        self.0?.parse().ok()
    }

    /// Whether it is a string.
    pub(super) fn is_string(self) -> bool {
        self.inner().is_some()
    }

    /// A string of any length; of a long one, what the limit leaves.
    pub(super) fn text(self, limit_bytes: usize) -> Option<String> {
        let mut clip = Clip::new(limit_bytes);
        self.pour(&mut clip).then(|| clip.finish())
    }

    /// Like `text`, but also returns where the middle was left out.
    pub(super) fn excerpt(self, limit_bytes: usize) -> Option<Excerpt> {
        let mut clip = Clip::new(limit_bytes);
        self.pour(&mut clip).then(|| clip.finish_excerpt())
    }

    /// Pours every string inside a value into a clip, each on a line of its own.
    pub(super) fn pour_strings(self, clip: &mut Clip) {
        let parsed = self.0.and_then(|source| serde_json::from_str(source).ok());
        pour_strings(&parsed.unwrap_or_default(), clip);
    }

    /// Pours a string into a clip; says whether it is one.
    pub(super) fn pour(self, clip: &mut Clip) -> bool {
        let Some(inner) = self.inner() else {
            return false;
        };
        unescape(inner, |piece| clip.push(piece));
        true
    }

    /// Shows each element of a list.
    pub(super) fn each(self, show: impl FnMut(Self)) {
        let Some(source) = self.0.filter(|source| source.starts_with('[')) else {
            return;
        };
        let mut deserializer = serde_json::Deserializer::from_str(source);
        // It was checked as a part of its line already, and what was shown before a fault stays shown.
        let _ = deserializer.deserialize_seq(Each(show));
    }

    fn inner(self) -> Option<&'a str> {
        self.0?.strip_prefix('"')?.strip_suffix('"')
    }
}

/// The value of a text that is JSON itself.
pub(super) fn parse(text: &str) -> Raw<'_> {
    serde_json::from_str(text).unwrap_or_default()
}

/// A value that was parsed is nested no deeper than the parser goes.
fn pour_strings(value: &Value, clip: &mut Clip) {
    match value {
        Value::String(text) => {
            clip.new_line();
            clip.push(text);
        }
        Value::Array(items) => items.iter().for_each(|item| pour_strings(item, clip)),
        Value::Object(fields) => fields.values().for_each(|value| pour_strings(value, clip)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

struct Each<F>(F);

impl<'de, F: FnMut(Raw<'de>)> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(raw) = list.next_element()? {
            (self.0)(raw);
        }
        Ok(())
    }
}

/// Shows a JSON string's text, piece by piece. What is no escape stands for itself.
fn unescape(inner: &str, mut show: impl FnMut(&str)) {
    let mut rest = inner;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        show(plain);
        let mut chars = escaped.chars();
        let shown = match chars.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let (c, after) = code_point(chars.as_str());
                chars = after.chars();
                c
            }
            Some(c) => c,
            None => '\\',
        };
        show(shown.encode_utf8(&mut [0; 4]));
        rest = chars.as_str();
    }
    show(rest);
}

/// The character after `\u`, and what comes after it. Half a pair is U+FFFD.
fn code_point(digits: &str) -> (char, &str) {
    let Some((first, rest)) = unit(digits) else {
        return (char::REPLACEMENT_CHARACTER, digits);
    };
    if let Some(c) = char::from_u32(first) {
        return (c, rest);
    }
    let second = rest.strip_prefix("\\u").and_then(unit);
    match second {
        Some((second, after))
            if (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second) =>
        {
            let c = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            let c = char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER);
            (c, after)
        }
        _ => (char::REPLACEMENT_CHARACTER, rest),
    }
}

fn unit(digits: &str) -> Option<(u32, &str)> {
    let (hex, rest) = digits.split_at_checked(4)?;
    Some((u32::from_str_radix(hex, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_a_pair_is_a_mark_and_not_a_lost_line() {
        let raw = parse(r#""a\ud83db\ud83d\ude00\n\u00e4\\n""#);
        assert_eq!(raw.text(100).as_deref(), Some("a\u{FFFD}b😀\nä\\n"));
    }

    #[test]
    fn what_has_another_type_is_absent() {
        assert_eq!(parse("5").word(), None);
        assert_eq!(parse("null").source(), None);
        assert_eq!(parse("\"5\"").number(), None);
        assert!(!parse("\"true\"").is_true());
        parse("{}").each(|_| panic!("an object is no list"));
    }

    proptest! {
        #[test]
        fn every_string_is_read_as_serde_wrote_it(text in "(?s).{0,60}") {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(parse(&json).text(1000), Some(text));
        }
    }
}
