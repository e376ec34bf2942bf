//! A question that only the person can answer, put through the client as a form with one field.

use analects_text::hidden;
use analects_text::sanitize::one_line;
use analects_text::truncate;
use analects_world::ask::{Question, Reply};
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    EnumSchema, PrimitiveSchemaDefinition, StringSchema,
};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::oneshot;

use super::elicited;

/// The field of the form.
const ANSWER: &str = "answer";
/// A form is no place for more.
const MAX_OPTIONS: usize = 32;
const MAX_LABEL_BYTES: usize = 200;
const MAX_TEXT_BYTES: usize = 2 * 1024;
/// A longer answer is cut.
const MAX_ANSWER_BYTES: usize = 16 * 1024;

/// A question on its way to the person, and where the answer is waited for.
pub(crate) struct Inquiry {
    message: String,
    labels: Vec<String>,
    reply: oneshot::Sender<Reply>,
}

impl Inquiry {
    /// A question, and where its answer arrives.
    pub(super) fn new(question: &Question<'_>) -> (Self, oneshot::Receiver<Reply>) {
        let (reply, replied) = oneshot::channel();
        let inquiry = Self {
            message: message(question),
            labels: labels(question),
            reply,
        };
        (inquiry, replied)
    }

    /// Asks the person through the client that made the request.
    pub(super) async fn put_to(self, context: &RequestContext<RoleServer>) {
        let form = form(self.message, &self.labels);
        let reply = tokio::select! {
            result = elicited(context, form) => {
                result.map_or(Reply::Nobody, |result| reply(&result, &self.labels))
            }
            () = context.ct.cancelled() => Reply::Nobody,
        };
        // The engine may have gone on by then.
        let _ = self.reply.send(reply);
    }
}

fn message(question: &Question<'_>) -> String {
    let text = truncate::head_bytes(question.text, MAX_TEXT_BYTES);
    let mut lines = vec![one_line(text).into_owned()];
    for option in question.options.iter().take(MAX_OPTIONS) {
        let detail = truncate::head_bytes(&option.detail, MAX_TEXT_BYTES);
        if !detail.trim().is_empty() {
            lines.push(format!("- {}: {}", label(&option.label), one_line(detail)));
        }
    }
    lines.join("\n")
}

fn label(text: &str) -> String {
    one_line(truncate::head_bytes(text, MAX_LABEL_BYTES)).into_owned()
}

/// The answers to choose from, each different from all others.
fn labels(question: &Question<'_>) -> Vec<String> {
    let options = question.options.iter().take(MAX_OPTIONS);
    let plain: Vec<_> = options.map(|option| label(&option.label)).collect();
    let is_single = |label: &String| plain.iter().filter(|other| *other == label).count() == 1;
    match plain.iter().all(is_single) {
        true => plain,
        false => plain
            .iter()
            .enumerate()
            .map(|(at, label)| format!("{}. {label}", at + 1))
            .collect(),
    }
}

fn form(message: String, labels: &[String]) -> ElicitRequest {
    let field = match labels {
        [] => PrimitiveSchemaDefinition::String(StringSchema::new().title("Your answer")),
        labels => {
            let choice = EnumSchema::builder(labels.to_vec()).title("Your choice");
            PrimitiveSchemaDefinition::Enum(choice.build())
        }
    };
    let mut schema = ElicitationSchema::new([(ANSWER.to_owned(), field)].into());
    schema.required = Some(vec![ANSWER.to_owned()]);
    ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: schema,
    })
}

/// What the person said.
fn reply(result: &ElicitResult, labels: &[String]) -> Reply {
    let content = result.content.as_ref();
    let said = content.and_then(|content| content.get(ANSWER)?.as_str());
    match (&result.action, said) {
        (ElicitationAction::Accept, Some(said)) => match labels {
            [] => words(said),
            labels => {
                let at = labels.iter().position(|label| label == said);
                at.map_or(Reply::Declined, Reply::Chose)
            }
        },
        // Put away, by a person or by a client that has none.
        (ElicitationAction::Cancel, _) => Reply::Nobody,
        _ => Reply::Declined,
    }
}

fn words(said: &str) -> Reply {
    let said = hidden::without(truncate::head_bytes(said, MAX_ANSWER_BYTES));
    match said.trim() {
        "" => Reply::Declined,
        said => Reply::Said(said.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use analects_world::ask::Choosable;
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    fn asked(labels: &[&str]) -> (String, Vec<String>) {
        let options: Vec<_> = labels
            .iter()
            .map(|label| Choosable {
                label: (*label).to_owned(),
                detail: "x\u{1b}[2J".to_owned(),
            })
            .collect();
        let question = Question {
            text: "Where to?",
            options: &options,
        };
        let form = form(message(&question), &self::labels(&question));
        let shown = serde_json::to_string_pretty(&form.params).unwrap();
        (shown, self::labels(&question))
    }

    fn heard(action: ElicitationAction, content: serde_json::Value, labels: &[&str]) -> Reply {
        let mut result = ElicitResult::new(action);
        result.content = Some(content);
        let labels: Vec<_> = labels.iter().map(|label| (*label).to_owned()).collect();
        reply(&result, &labels)
    }

    #[test]
    fn answers_to_choose_from_are_an_enumeration() {
        let (shown, _) = asked(&["this project", "all projects"]);
        expect![[r#"
            {
              "mode": "form",
              "message": "Where to?\n- this project: x\\u{1b}[2J\n- all projects: x\\u{1b}[2J",
              "requestedSchema": {
                "type": "object",
                "properties": {
                  "answer": {
                    "type": "string",
                    "title": "Your choice",
                    "enum": [
                      "this project",
                      "all projects"
                    ]
                  }
                },
                "required": [
                  "answer"
                ]
              }
            }"#]]
        .assert_eq(&shown);
        assert_eq!(asked(&["a", "a"]).1, ["1. a", "2. a"]);
        let many = vec!["x"; 100];
        assert_eq!(asked(&many).1.len(), MAX_OPTIONS);
    }

    #[test]
    fn what_was_said_is_what_counts() {
        use ElicitationAction::{Accept, Cancel, Decline};
        let choice = |said: &str| heard(Accept, json!({ "answer": said }), &["a", "b"]);
        assert_eq!(choice("b"), Reply::Chose(1));
        assert_eq!(choice("c"), Reply::Declined);
        assert_eq!(
            heard(Accept, json!({ "answer": " yes " }), &[]),
            Reply::Said("yes".to_owned())
        );
        assert_eq!(
            heard(Accept, json!({ "answer": " " }), &[]),
            Reply::Declined
        );
        assert_eq!(heard(Accept, json!({ "answer": 3 }), &[]), Reply::Declined);
        assert_eq!(heard(Decline, json!({}), &["a"]), Reply::Declined);
        assert_eq!(heard(Cancel, json!({}), &["a"]), Reply::Nobody);
    }
}
