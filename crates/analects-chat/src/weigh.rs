//! Estimates the tokens of a piece of history.
//!
//! Everything is counted in quarter tokens, so that sums are exact and are rounded down once. `seed` and
//! `head` count as the original does: long texts and what tools answer by their length alone, which makes
//! Chinese six times too cheap there.

mod counts;

use std::io::{self, Write};

use analects_text::{tokens, units};
use analects_world::Profile;
use analects_world::model::{Body, Content, Media, Part, Response};
use serde_json::Value;

pub use counts::Counts;

/// In a token.
pub(crate) const QUARTERS: usize = 4;
const IMAGE_TOKENS: usize = 3_000;
/// A hundred pages.
const PDF_TOKENS: usize = 25_800;
/// The original reads this many UTF-16 units, and takes a longer text by its length.
const ORIGINAL_SCAN: usize = 100_000;
/// Media in answers in media in answers: deeper than this the original counts nothing.
const MAX_DEPTH: usize = 3;

/// What these turns cost together.
#[must_use]
pub fn history(history: &[Content], profile: Profile) -> usize {
    parts(history.iter().flat_map(|content| &content.parts), profile)
}

/// What a turn costs.
#[must_use]
pub fn content(content: &Content, profile: Profile) -> usize {
    parts(&content.parts, profile)
}

/// What a turn costs in quarter tokens, for those who add up many turns and round once.
pub(crate) fn content_quarters(content: &Content, profile: Profile) -> usize {
    let parts = content.parts.iter();
    parts.map(|part| quarters(part, profile, 0)).sum()
}

/// What these pieces cost together.
#[must_use]
pub fn parts<'a>(parts: impl IntoIterator<Item = &'a Part>, profile: Profile) -> usize {
    let all = parts.into_iter().map(|part| quarters(part, profile, 0));
    all.sum::<usize>() / QUARTERS
}

/// What a text costs.
#[must_use]
pub fn words(words: &str, profile: Profile) -> usize {
    text(words, profile) / QUARTERS
}

/// What a response would cost if it answered this value instead of its own.
#[must_use]
pub fn response_with(answer: &Response, value: &Value, profile: Profile) -> usize {
    (said(&answer.name, value, profile) + nested(answer, profile, 0)) / QUARTERS
}

/// How long a value is as JSON, in UTF-16 units.
#[must_use]
pub fn json_units(value: &impl serde::Serialize) -> usize {
    measured(value).units
}

fn quarters(part: &Part, profile: Profile, depth: usize) -> usize {
    if depth > MAX_DEPTH {
        return 0;
    }
    // A text is all that the original sees of a piece that has one.
    if profile != Profile::Analects
        && let Some(Value::String(said)) = part.rest.get("text")
    {
        return text(said, profile);
    }
    match &part.body {
        Body::Text(said) => text(said, profile),
        Body::Response(answer) => response(answer, profile, depth),
        Body::Media(media) => medium(media).unwrap_or_else(|| json(part, profile)),
        Body::Call(_) | Body::Other => json(part, profile),
    }
}

fn text(text: &str, profile: Profile) -> usize {
    match profile {
        Profile::Analects => tokens::quarters(text),
        Profile::Seed | Profile::Head => match units::count(text) {
            n_units if n_units > ORIGINAL_SCAN => n_units,
            _ => tokens::quarters(text),
        },
    }
}

fn response(answer: &Response, profile: Profile, depth: usize) -> usize {
    said(&answer.name, &answer.response, profile) + nested(answer, profile, depth)
}

fn said(name: &str, value: &Value, profile: Profile) -> usize {
    match (profile, value) {
        (Profile::Analects, Value::String(said)) => tokens::quarters(name) + tokens::quarters(said),
        (Profile::Analects, value) => tokens::quarters(name) + of_value(value).quarters,
        (Profile::Seed | Profile::Head, value) => {
            let said = match value {
                Value::String(said) => units::count(said),
                Value::Null => 0,
                value => of_value(value).units,
            };
            units::count(name) + said
        }
    }
}

fn nested(answer: &Response, profile: Profile, depth: usize) -> usize {
    let parts = answer.parts.iter();
    let nested: usize = parts.map(|part| quarters(part, profile, depth + 1)).sum();
    match profile {
        Profile::Analects => nested,
        // The original rounds down what is inside once more.
        Profile::Seed | Profile::Head => nested / QUARTERS * QUARTERS,
    }
}

fn medium(media: &Media) -> Option<usize> {
    if media.mime.starts_with("image/") {
        Some(IMAGE_TOKENS * QUARTERS)
    } else if media.mime.starts_with("application/pdf") {
        Some(PDF_TOKENS * QUARTERS)
    } else {
        None
    }
}

fn json(part: &Part, profile: Profile) -> usize {
    let measured = measured(part);
    match profile {
        Profile::Analects => measured.quarters,
        Profile::Seed | Profile::Head => measured.units,
    }
}

/// The size of what is written, without keeping it.
#[derive(Default)]
struct Measure {
    units: usize,
    quarters: usize,
}

fn measured(value: &impl serde::Serialize) -> Measure {
    let mut measure = Measure::default();
    // Nothing that goes in here can fail to be written.
    let _ = serde_json::to_writer(&mut measure, value);
    measure
}

/// The size of a value as JSON. Long texts are not written for it.
fn of_value(value: &Value) -> Measure {
    let mut measure = Measure::default();
    match value {
        Value::String(text) => measure.text(text),
        Value::Array(items) => {
            measure.ascii(2 + items.len().saturating_sub(1));
            items.iter().for_each(|item| measure.add(&of_value(item)));
        }
        Value::Object(fields) => {
            // A colon each, and commas between them.
            measure.ascii(2 + (2 * fields.len()).saturating_sub(1));
            for (name, value) in fields {
                measure.text(name);
                measure.add(&of_value(value));
            }
        }
        other => measure = measured(other),
    }
    measure
}

impl Measure {
    fn add(&mut self, other: &Self) {
        self.units += other.units;
        self.quarters += other.quarters;
    }

    fn ascii(&mut self, n_chars: usize) {
        self.units += n_chars;
        self.quarters += n_chars;
    }

    /// A text in quotation marks.
    fn text(&mut self, text: &str) {
        self.ascii(2 + escapes(text));
        self.units += units::count(text);
        self.quarters += tokens::quarters(text);
    }
}

/// How many characters escapes add to a text in JSON.
fn escapes(text: &str) -> usize {
    text.as_bytes().chunks(240).map(chunk_escapes).sum()
}

/// How many characters escapes add to a text of at most 255 bytes.
fn chunk_escapes(bytes: &[u8]) -> usize {
    let (mut short, mut long) = (0_u8, 0_u8);
    for &byte in bytes {
        let is_short = matches!(byte, b'"' | b'\\' | 0x08 | b'\t' | b'\n' | 0x0C | b'\r');
        short += u8::from(is_short);
        long += u8::from(byte < 0x20 && !is_short);
    }
    usize::from(short) + 5 * usize::from(long)
}

impl Write for Measure {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let ascii = bytes.iter().filter(|byte| byte.is_ascii()).count();
        let leads = bytes.iter().filter(|&&byte| byte >= 0xC0).count();
        let pairs = bytes.iter().filter(|&&byte| byte >= 0xF0).count();
        self.units += ascii + leads + pairs;
        self.quarters += ascii + (leads + pairs) * tokens::char_quarters('é');
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn check(values: &[Value], head: usize, ours: usize) {
        let pieces: Vec<_> = values.iter().cloned().map(Part::from_value).collect();
        assert_eq!(parts(&pieces, Profile::Head), head, "{values:?}");
        assert_eq!(parts(&pieces, Profile::Analects), ours, "{values:?}");
    }

    #[test]
    fn the_vectors_of_the_original() {
        check(&[json!({ "text": "Hello world" })], 2, 2);
        check(&[json!({ "text": "记".repeat(10) })], 15, 15);
        check(&[json!({ "text": "abc记" })], 2, 2);
        check(&[json!({ "text": "🦀" })], 3, 3);
        check(&[json!({ "text": "abc" }), json!({ "text": "abc" })], 1, 1);
        check(&[json!({ "text": "a".repeat(100_000) })], 25_000, 25_000);
        check(&[json!({ "text": "记".repeat(100_000) })], 150_000, 150_000);
        check(&[json!({ "text": "记".repeat(100_001) })], 25_000, 150_001);
        let output = json!({ "output": "x".repeat(100) });
        let of =
            |name: &str, value| json!({ "functionResponse": { "name": name, "response": value } });
        check(&[of("read_file", output)], 30, 30);
        check(&[of("ab", json!("记记记记"))], 1, 6);
        check(
            &[json!({ "inlineData": { "mimeType": "image/png", "data": "AA" } })],
            3_000,
            3_000,
        );
        check(
            &[json!({ "fileData": { "mimeType": "application/pdf", "fileUri": "a" } })],
            25_800,
            25_800,
        );
        check(
            &[json!({ "functionCall": { "name": "ls", "args": { "path": "." } } })],
            12,
            12,
        );
        let sound = json!({ "inlineData": { "mimeType": "audio/mp3", "data": "A".repeat(400) } });
        check(&[sound], 112, 112);
    }

    proptest! {
        #[test]
        fn a_value_is_as_long_as_its_json(texts in prop::collection::vec("(?s)([\\x00-\\x7f]|记|🦀){0,300}", 0..4), n in any::<f64>()) {
            let name = texts.concat();
            let value = json!({ "a": texts, name: [n, {}, [], null, true, { "b": 1, "c": -2 }] });
            let (ours, written) = (of_value(&value), measured(&value));
            prop_assert_eq!((ours.units, ours.quarters), (written.units, written.quarters));
        }
    }
}
