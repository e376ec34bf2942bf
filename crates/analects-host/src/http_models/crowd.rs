//! Guards against JSON that is short as text and large once parsed.
//!
//! A value costs a server two bytes, and us a hundred; an object costs five times that. Models do not say this many: each
//! of them is a token at least.

use analects_world::models::{Fault, Kind};

/// More values than any answer has.
const MAX_VALUES: usize = 1 << 17;
/// A text as short as this is not looked at.
const MIN_BYTES: usize = 4 << 10;
/// How many values stand around whatever an event says.
const FRAME_VALUES: usize = 64;

/// The values of an answer so far.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    n_values: usize,
}

impl Crowd {
    /// Looks at the next text before anybody reads it.
    pub(super) fn look(&mut self, text: &str) -> Result<(), Fault> {
        if text.len() < MIN_BYTES {
            return Ok(());
        }
        let n_values = n_values(text).saturating_sub(FRAME_VALUES);
        self.n_values = self.n_values.saturating_add(n_values);
        if self.n_values <= MAX_VALUES {
            return Ok(());
        }
        let message = "the server sends more than anybody can keep: its JSON has too many values";
        Err(Fault::new(Kind::TooLong, message))
    }
}

/// Looks at a text that comes alone.
pub(crate) fn look(text: &str) -> Result<(), Fault> {
    Crowd::default().look(text)
}

/// How many values there are, about: each stands behind a bracket or a comma.
fn n_values(text: &str) -> usize {
    let mut rest = text.as_bytes();
    let mut n_values = 0;
    while let Some((first, behind)) = rest.split_first() {
        rest = match first {
            b'"' => behind_text(behind),
            b'{' | b'[' | b',' => {
                n_values += 1;
                behind
            }
            _ => behind,
        };
    }
    n_values
}

/// What comes behind the quote that ends a text.
fn behind_text(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        let is_over = rest.get(at) == Some(&b'"');
        let n_bytes = if is_over { at + 1 } else { at + 2 };
        rest = rest.get(n_bytes..).unwrap_or_default();
        if is_over {
            return rest;
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_text_is_no_value() {
        for (text, expected) in [
            ("", 0),
            ("1", 0),
            (r#"{"a": [1, 2, "b,c{[", "\"[", "\\", {}], "d": ""}"#, 9),
            (r#"["never over, [["#, 1),
            (r#"["\"#, 1),
        ] {
            assert_eq!(n_values(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_welcome_and_a_crowd_of_values_is_not() {
        let long = format!(r#"{{"a": "{}"}}"#, "{[,".repeat(MAX_VALUES));
        assert_eq!(look(&long), Ok(()));
        let crowd = format!("[{}0]", "{},".repeat(MAX_VALUES));
        assert_eq!(look(&crowd).unwrap_err().kind, Kind::TooLong);
    }

    #[test]
    fn a_crowd_does_not_pass_in_groups() {
        let mut crowd = Crowd::default();
        let group = format!("[{}0]", "{},".repeat(MIN_BYTES));
        let n_passed = (0..1000).take_while(|_| crowd.look(&group).is_ok()).count();
        assert!(n_passed <= MAX_VALUES / MIN_BYTES, "{n_passed}");
        // A frame is none.
        let mut crowd = Crowd::default();
        let event = format!(
            r#"{{"choices": [{{"delta": "{}"}}]}}"#,
            "x".repeat(MIN_BYTES)
        );
        assert!((0..100_000).all(|_| crowd.look(&event).is_ok()));
    }
}
