//! What a model says about progress: any text at all, until it is understood.

use serde_json::Value;

use crate::question::object_in;

/// What a model thinks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opinion {
    pub(super) analysis: String,
    /// How sure it is that there is no progress.
    pub(super) confidence: f64,
}

/// The opinion in an answer: an object of JSON, whatever stands before and after it. Without a number in it
/// there is none.
pub(super) fn opinion(answer: &str) -> Option<Opinion> {
    object_in(answer, |fields| {
        let confidence = fields.get("unproductive_state_confidence")?.as_f64()?;
        let analysis = (fields.get("unproductive_state_analysis")).and_then(Value::as_str);
        Some(Opinion {
            analysis: analysis.unwrap_or_default().to_owned(),
            confidence,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn confidence(answer: &str) -> Option<f64> {
        opinion(answer).map(|opinion| opinion.confidence)
    }

    #[test]
    fn an_object_is_found_in_what_models_put_around_it() {
        let object = r#"{"unproductive_state_analysis": "same edit", "unproductive_state_confidence": 0.95}"#;
        for answer in [
            object.to_owned(),
            format!("```json\n{object}\n```"),
            format!("Sure! {object} Hope that helps."),
        ] {
            let found = opinion(&answer).unwrap();
            assert_eq!((&*found.analysis, found.confidence), ("same edit", 0.95));
        }
    }

    #[test]
    fn an_answer_without_a_number_means_nothing() {
        for answer in [
            "",
            "}{",
            "yes, it loops",
            "{}",
            "[0.9]",
            "{\"unproductive_state_confidence\": \"0.99\"}",
            "{\"unproductive_state_confidence\": null}",
            "{\"unproductive_state_confidence\": 1e999}",
            "{\"unproductive_state_confidence\": 0.9",
        ] {
            assert_eq!(confidence(answer), None, "{answer}");
        }
        assert_eq!(
            confidence("{\"unproductive_state_confidence\": 1}"),
            Some(1.0)
        );
        assert_eq!(confidence(&"{".repeat(100_000)), None);
        assert_eq!(
            confidence(&format!("{}{}", "{\"a\":".repeat(9_999), "}".repeat(9_999))),
            None
        );
    }

    proptest! {
        #[test]
        fn no_answer_is_a_panic(answer in r#"(?s)([{}\[\]":,0-9.a-z]|unproductive_state_confidence|.){0,60}"#) {
            let _ = opinion(&answer);
        }
    }
}
