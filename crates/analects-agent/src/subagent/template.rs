//! Templates: texts with `${word}` placeholders.

use std::borrow::Cow;

use serde_json::{Map, Value};
use thiserror::Error;

use super::{complete_task, schema};

/// A text that is filled in may be this long.
const MAX_BYTES: usize = 2 << 20;

/// Why a text cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// It names something that is not there.
    #[error("`${{{0}}}` is no input of the agent")]
    Unknown(String),
    /// It would be too long.
    #[error("the text of the agent is longer than {MAX_BYTES} bytes with its inputs filled in")]
    TooLong,
}

/// The text with its inputs in their places. What stands in an input is not looked at: a `${word}` there stays.
pub(super) fn fill(template: &str, inputs: &Map<String, Value>) -> Result<String, TemplateError> {
    let mut filled = String::new();
    let mut add = |text: &str| {
        if filled.len().saturating_add(text.len()) > MAX_BYTES {
            return Err(TemplateError::TooLong);
        }
        filled.push_str(text);
        Ok(())
    };
    let mut from = 0;
    for (at, word) in words(template) {
        add(template.get(from..at).unwrap_or_default())?;
        let text = match inputs.get(word) {
            Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
            Some(other) => Cow::Owned(complete_task::text(other)),
            None => return Err(TemplateError::Unknown(schema::shown(word))),
        };
        add(&text)?;
        from = at + OPEN.len() + word.len() + CLOSE.len_utf8();
    }
    add(template.get(from..).unwrap_or_default())?;
    Ok(filled)
}

const OPEN: &str = "${";
const CLOSE: char = '}';

/// The words that a text wants filled in, each with the byte where its place begins. A word is made of ASCII letters,
/// digits and `_`; around anything else, brackets are brackets.
pub(super) fn words(template: &str) -> impl Iterator<Item = (usize, &str)> {
    let opened = template.match_indices(OPEN);
    opened.filter_map(|(at, _)| {
        let rest = template.get(at + OPEN.len()..)?;
        let n_bytes = rest.bytes().take_while(|byte| is_of_word(*byte)).count();
        let (word, rest) = rest.split_at_checked(n_bytes)?;
        (!word.is_empty() && rest.starts_with(CLOSE)).then_some((at, word))
    })
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn filled(template: &str) -> Result<String, TemplateError> {
        let inputs = json!({ "name": "Li", "again": "${name}", "n": 3, "list": ["a"] });
        fill(template, inputs.as_object().unwrap())
    }

    #[test]
    fn inputs_take_their_places() {
        let full = filled("${name}: ${n}, ${list}${name}").unwrap();
        assert_eq!(full, "Li: 3, [\n  \"a\"\n]Li");
        assert_eq!(filled("").unwrap(), "");
    }

    #[test]
    fn what_an_input_says_is_not_filled_in_again() {
        assert_eq!(filled("${again}").unwrap(), "${name}");
        assert_eq!(filled("$${name}{name}").unwrap(), "$Li{name}");
    }

    #[test]
    fn brackets_around_anything_but_a_word_stay() {
        let text = "$name ${} ${a b} ${名} ${name ${ $ {name} ${${name}}";
        assert_eq!(
            filled(text).unwrap(),
            "$name ${} ${a b} ${名} ${name ${ $ {name} ${Li}"
        );
    }

    #[test]
    fn a_word_that_is_no_input_is_named() {
        let error = filled("a ${home} b").unwrap_err();
        assert_eq!(error.to_string(), "`${home}` is no input of the agent");
        let error = filled(&format!("${{{}}}", "x".repeat(5_000))).unwrap_err();
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn a_text_does_not_grow_without_end() {
        let inputs = json!({ "x": "y".repeat(10_000) });
        let result = fill(&"${x}".repeat(10_000), inputs.as_object().unwrap());
        assert_eq!(result, Err(TemplateError::TooLong));
    }

    proptest! {
        #[test]
        fn a_text_without_places_stays_as_it_is(text in "[${} a名]{0,40}") {
            prop_assume!(words(&text).next().is_none());
            prop_assert_eq!(filled(&text), Ok(text));
        }
    }
}
