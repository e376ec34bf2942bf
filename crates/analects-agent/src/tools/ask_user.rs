//! The tool `ask_user`: questions that only a person can answer.
//!
//! What a model wants to know is cut to what a person can read, and answered by number, so that neither side can put
//! words into the other's mouth. Asking itself is the engine's.

use analects_text::sanitize::one_line;
use analects_text::{hidden, truncate};
use analects_world::ask::{Choosable, Reply};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::trees::count;
use super::{Output, Refusal, RefusalKind};

/// The name that models know it by.
pub const NAME: &str = "ask_user";

/// How many questions are asked in one call.
const MAX_QUESTIONS: usize = 4;
/// How many answers are offered to one of them.
const MAX_OPTIONS: usize = 8;
/// A person does not read a longer question.
const MAX_QUESTION_BYTES: usize = 2 * 1024;
/// The same for what is offered, each.
const MAX_OPTION_BYTES: usize = 300;
/// A longer answer is cut before the model reads it.
const MAX_ANSWER_BYTES: usize = 8 * 1024;

/// What a model is told where a person did not want to say.
const UNWILLING: &str = "The user did not want to answer some questions. Do not ask them again; take the most careful \
                         reading, and say what you assumed.";
/// What a model is told where the person went away in between.
const GONE: &str = "The user is gone. Do not ask again; take the most careful reading of what is open, and say what \
                    you assumed.";

/// What a model wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Args {
    /// The questions, at most four.
    pub questions: Vec<Question>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Question {
    /// The question itself, in a sentence that stands on its own.
    pub question: String,
    /// A word or two above it.
    #[serde(default)]
    pub header: Option<String>,
    /// Answers to choose from; without them the person answers in words.
    #[serde(default)]
    pub options: Vec<Choice>,
}

/// An answer to choose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Choice {
    /// The answer in a few words.
    pub label: String,
    /// What follows from it.
    #[serde(default)]
    pub description: Option<String>,
}

/// A question as a person is asked it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub text: String,
    /// Answers to choose from.
    pub options: Vec<Choosable>,
}

/// The questions as a person can be asked them.
pub fn questions(args: &Args) -> Result<Vec<Asked>, Refusal> {
    let bad = |message: String| Err(Refusal::new(RefusalKind::BadArguments, message));
    let n_asked = args.questions.len();
    if !(1..=MAX_QUESTIONS).contains(&n_asked) {
        return bad(format!(
            "`{NAME}` asks between one and {MAX_QUESTIONS} questions; these were {n_asked}."
        ));
    }
    let mut asked = Vec::with_capacity(n_asked);
    for question in &args.questions {
        let text = shown(&question.question, MAX_QUESTION_BYTES);
        if text.is_empty() {
            return bad("A question must say what it asks.".to_owned());
        }
        let header = question.header.as_deref().unwrap_or_default();
        let options = question.options.iter().map(|choice| Choosable {
            label: shown(&choice.label, MAX_OPTION_BYTES),
            detail: shown(
                choice.description.as_deref().unwrap_or_default(),
                MAX_OPTION_BYTES,
            ),
        });
        let options: Vec<_> = options.filter(|option| !option.label.is_empty()).collect();
        if options.len() > MAX_OPTIONS {
            return bad(format!("A question offers at most {MAX_OPTIONS} answers."));
        }
        asked.push(Asked {
            text: match shown(header, MAX_OPTION_BYTES) {
                header if header.is_empty() => text,
                header => format!("{header}: {text}"),
            },
            options,
        });
    }
    Ok(asked)
}

/// What the model is told of what was said, a reply for each question that was put.
pub fn told(asked: &[Asked], replies: &[Reply]) -> Result<Output, Refusal> {
    let mut answers = Map::new();
    let (mut declined, mut n_put) = (Vec::new(), 0);
    for (at, (asked, reply)) in asked.iter().zip(replies).enumerate() {
        let answer = match reply {
            Reply::Chose(choice) => asked
                .options
                .get(*choice)
                .map(|option| option.label.clone()),
            Reply::Said(words) => Some(said(words)).filter(|words| !words.is_empty()),
            Reply::Declined => None,
            Reply::Nobody => break,
        };
        n_put += 1;
        match answer {
            Some(answer) => drop(answers.insert(at.to_string(), Value::String(answer))),
            None => declined.push(at),
        }
    }
    if n_put == 0 {
        return Err(nobody());
    }
    let mut told = json!({ "answers": answers });
    if !declined.is_empty() {
        told["declined"] = json!(declined);
        told["note"] = json!(UNWILLING);
    }
    if n_put < asked.len() {
        told["unasked"] = json!((n_put..asked.len()).collect::<Vec<_>>());
        told["note"] = json!(GONE);
    }
    Ok(Output {
        text: told.to_string(),
        shown: count(n_put - declined.len(), "answer", "answers"),
        ..Output::default()
    })
}

/// What a model is told where nobody is there.
#[must_use]
pub fn nobody() -> Refusal {
    let message = "Nobody can be asked in this run. Take the most careful reading of the task, go on, and say in your answer \
                   what you assumed.";
    Refusal::new(RefusalKind::Nobody, message)
}

/// What a person is shown of a model's words: on one line, in plain sight.
fn shown(text: &str, limit_bytes: usize) -> String {
    let text = truncate::head_bytes(text, limit_bytes);
    let text = hidden::without(text);
    let words: Vec<_> = text.split_whitespace().collect();
    one_line(&words.join(" ")).into_owned()
}

/// What a model reads of a person's words.
fn said(words: &str) -> String {
    let words = truncate::head_bytes(words, MAX_ANSWER_BYTES);
    hidden::without(words).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn args(value: Value) -> Args {
        serde_json::from_value(value).unwrap()
    }

    fn two() -> Vec<Asked> {
        let args = args(json!({ "questions": [
            { "question": "Where\nto?", "header": "Place", "options": [
                { "label": "here", "description": "\u{1b}[2Jthis project" },
                { "label": " " },
                { "label": "everywhere" },
            ] },
            { "question": "Why?" },
        ] }));
        questions(&args).unwrap()
    }

    fn heard(replies: &[Reply]) -> String {
        match told(&two(), replies) {
            Ok(output) => format!("{} ({})", output.text, output.shown),
            Err(refusal) => format!("{:?}", refusal.kind),
        }
    }

    #[test]
    fn a_person_is_asked_in_plain_sight() {
        expect![[r#"
            [
                Asked {
                    text: "Place: Where to?",
                    options: [
                        Choosable {
                            label: "here",
                            detail: "[2Jthis project",
                        },
                        Choosable {
                            label: "everywhere",
                            detail: "",
                        },
                    ],
                },
                Asked {
                    text: "Why?",
                    options: [],
                },
            ]
        "#]]
        .assert_debug_eq(&two());
        let long = args(json!({ "questions": [{ "question": "x".repeat(100_000) }] }));
        assert_eq!(questions(&long).unwrap()[0].text.len(), MAX_QUESTION_BYTES);
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let many = |n: usize| vec![json!({ "question": "Why?" }); n];
        let options = vec![json!({ "label": "x" }); MAX_OPTIONS + 1];
        for bad in [
            json!([]),
            json!(many(5)),
            json!([{ "question": " \n\u{200B}" }]),
            json!([{ "question": "Which?", "options": options }]),
        ] {
            let refused = questions(&args(json!({ "questions": bad }))).unwrap_err();
            assert_eq!(refused.kind, RefusalKind::BadArguments);
        }
    }

    #[test]
    fn the_model_reads_what_was_said_and_what_was_not() {
        let because = || Reply::Said("because \"}\u{200B}".to_owned());
        let all = [
            heard(&[Reply::Chose(1), because()]),
            heard(&[Reply::Declined, because()]),
            heard(&[Reply::Chose(7), Reply::Said(" ".to_owned())]),
            heard(&[Reply::Chose(0), Reply::Nobody]),
            heard(&[Reply::Nobody]),
            heard(&[]),
        ];
        expect![[r#"
            {"answers":{"0":"everywhere","1":"because \"}"}} (2 answers)
            {"answers":{"1":"because \"}"},"declined":[0],"note":"The user did not want to answer some questions. Do not ask them again; take the most careful reading, and say what you assumed."} (1 answer)
            {"answers":{},"declined":[0,1],"note":"The user did not want to answer some questions. Do not ask them again; take the most careful reading, and say what you assumed."} (0 answers)
            {"answers":{"0":"here"},"unasked":[1],"note":"The user is gone. Do not ask again; take the most careful reading of what is open, and say what you assumed."} (1 answer)
            Nobody
            Nobody"#]].assert_eq(&all.join("\n"));
    }
}
