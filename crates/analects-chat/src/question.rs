//! A question that a model is to answer with JSON, and the JSON in whatever it answers.

use analects_world::model::Content;
use serde_json::{Deserializer, Map, Value};

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its instruction.
    pub system: String,
    /// What it is to judge, and the question.
    pub contents: Vec<Content>,
    /// The JSON schema of its answer.
    pub schema: Value,
}

/// How many braces are looked at.
const MAX_TRIES: usize = 8;

/// The object in an answer, whatever stands before and after it: the first one that `is_it` takes for it.
pub(crate) fn object_in<T>(
    answer: &str,
    is_it: impl Fn(Map<String, Value>) -> Option<T>,
) -> Option<T> {
    let braces = answer.match_indices('{').take(MAX_TRIES);
    let mut objects = braces.filter_map(|(at, _)| {
        let mut values = Deserializer::from_str(answer.get(at..)?).into_iter();
        match values.next()?.ok()? {
            Value::Object(fields) => Some(fields),
            _ => None,
        }
    });
    objects.find_map(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn a_in(answer: &str) -> Option<u64> {
        object_in(answer, |fields| fields.get("a")?.as_u64())
    }

    #[test]
    fn an_object_is_found_in_what_models_put_around_it() {
        for answer in [
            r#"{"a": 1}"#,
            "```json\n{\"a\": 1}\n```",
            r#"Sure! {"a": 1} Hope that {helps}."#,
            r#"In the form {"b": …} you asked for: {"a": 1}{"a": 2}"#,
            r#"{"b": 2} {"a": 1}"#,
        ] {
            assert_eq!(a_in(answer), Some(1), "{answer}");
        }
        for answer in ["", "{", "}{", "a: 1", "[1]", r#"{"a": "1"}"#, r#"{"a": 1"#] {
            assert_eq!(a_in(answer), None, "{answer}");
        }
    }

    #[test]
    fn hostile_braces_cost_little() {
        assert_eq!(a_in(&"{".repeat(1_000_000)), None);
        assert_eq!(a_in(&"{\"b\":".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn no_answer_is_a_panic(answer in r#"(?s)([{}\[\]":,0-9a]|.){0,60}"#) {
            let _ = a_in(&answer);
        }
    }
}
