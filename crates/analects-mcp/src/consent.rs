//! Consent over MCP: the person is asked through the client, where the client can ask.
//!
//! A client that cannot has asked already, before it called the tool; the engine is told so. The engine
//! waits on a thread of its own, so questions cross over to the task that serves the request.

mod inquiry;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use analects_text::redact;
use analects_text::sanitize::{for_terminal, one_line};
use analects_text::truncate;
use analects_world::Ask;
use analects_world::ask::{Answer, Choice, Draft, Pick, Proposal, Reach, Reply};
use analects_world::changes::ContentHash;
use rmcp::model::{
    BooleanSchema, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, PrimitiveSchemaDefinition, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer};
use tokio::sync::{mpsc, oneshot};

use inquiry::Inquiry;

/// Whoever has not answered by then was not there.
const PATIENCE: Duration = Duration::from_secs(300);

/// A dialogue is no place for more.
const MAX_DIFF_BYTES: usize = 8 * 1024;

/// The field of the form that stands for "always".
const ALWAYS: &str = "always";

/// How consent is asked for during one request.
pub(crate) enum Asking {
    /// Not at all: the host has approved of the call. Against what the person decided before, that is not enough.
    Host,
    /// By a request of ours, answered while this one waits.
    Call(mpsc::Sender<Call>),
    /// By an answer that asks, and a second request that brings what was said.
    Round(Round),
}

/// Something to ask the person.
pub(crate) enum Call {
    /// Whether a change may be made.
    Consent(Question),
    /// What only the person knows.
    Inquiry(Inquiry),
}

/// A change to ask the person about, and where the answer is waited for.
pub(crate) struct Question {
    message: String,
    answer: oneshot::Sender<Answer>,
}

/// Consent in rounds: what was shown last, what was said to it, and what there is to show now.
pub(crate) struct Round {
    shown: Option<String>,
    said: Option<Answer>,
    pending: Mutex<Option<Shown>>,
}

/// A change that the person has to be shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// What it says.
    pub(crate) message: String,
    /// Its fingerprint: an answer counts for this very change.
    pub(crate) fingerprint: String,
}

impl Round {
    /// A round in which the person has `said` something to the change with the fingerprint `shown`.
    pub(crate) fn new(shown: Option<String>, said: Option<Answer>) -> Self {
        Self {
            shown,
            said,
            pending: Mutex::default(),
        }
    }

    /// What the person has to be shown before the request can be answered.
    pub(crate) fn into_pending(self) -> Option<Shown> {
        self.pending
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn consent(&self, message: String) -> Answer {
        let fingerprint = ContentHash::of(message.as_bytes()).to_string();
        if let Some(said) = self.said
            && self.shown.as_ref() == Some(&fingerprint)
        {
            return said;
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        *pending = Some(Shown {
            message,
            fingerprint,
        });
        Answer::No
    }
}

impl Ask for Asking {
    fn consent(&self, proposal: &Proposal<'_>) -> Answer {
        match self {
            Self::Host if proposal.is_unwanted => Answer::Nobody,
            Self::Host => Answer::Yes,
            Self::Call(questions) => {
                let (answer, answered) = oneshot::channel();
                let message = message(proposal);
                let question = Call::Consent(Question { message, answer });
                let asked = questions.blocking_send(question);
                // Whoever hangs up says no.
                asked
                    .ok()
                    .and_then(|()| answered.blocking_recv().ok())
                    .unwrap_or(Answer::No)
            }
            Self::Round(round) => round.consent(message(proposal)),
        }
    }

    fn edit(&self, _: &Draft<'_>) -> Result<String, String> {
        Err("there is no editor at this end".to_owned())
    }

    fn question(&self, question: &analects_world::ask::Question<'_>) -> Reply {
        // A host that approved of a call has answered nothing, and a round has room for one answer: that to the change.
        let Self::Call(questions) = self else {
            return Reply::Nobody;
        };
        let (inquiry, replied) = Inquiry::new(question);
        let asked = questions.blocking_send(Call::Inquiry(inquiry));
        let reply = asked.ok().and_then(|()| replied.blocking_recv().ok());
        reply.unwrap_or(Reply::Nobody)
    }

    fn pick(&self, _: &str, _: &[Choice]) -> Option<Vec<Pick>> {
        None
    }

    fn reach(&self) -> Reach {
        match self {
            Self::Host => Reach::Approved,
            Self::Call(_) | Self::Round(_) => Reach::Agent,
        }
    }
}

fn message(proposal: &Proposal<'_>) -> String {
    let mut lines = Vec::new();
    if proposal.is_anew {
        let news = "The file has changed meanwhile; this is the change as it would be now.";
        lines.push(news.to_owned());
    }
    lines.push(one_line(proposal.title).into_owned());
    lines.push(String::new());
    // Masked before it is cut: half of a token is not recognised any more.
    let diff = redact::mask(proposal.diff, &redact::scan(proposal.diff));
    let shown = truncate::head_bytes(&diff, MAX_DIFF_BYTES);
    lines.push(for_terminal(shown.trim_end()).into_owned());
    if shown.len() < diff.len() {
        let n_more = diff.len() - shown.len();
        lines.push(format!("… and {n_more} more bytes"));
    }
    let doubts = proposal
        .doubts
        .iter()
        .map(|doubt| format!("\nWarning: {}", one_line(doubt)));
    lines.extend(doubts);
    lines.join("\n")
}

impl Call {
    /// Asks the person through the client that made the request.
    pub(crate) async fn put_to(self, context: &RequestContext<RoleServer>) {
        match self {
            Self::Consent(question) => question.put_to(context).await,
            Self::Inquiry(inquiry) => inquiry.put_to(context).await,
        }
    }
}

impl Question {
    /// Asks the person through the client that made the request.
    async fn put_to(self, context: &RequestContext<RoleServer>) {
        let asked = tokio::select! {
            answer = elicit(context, self.message) => answer,
            () = context.ct.cancelled() => Answer::No,
        };
        // The engine may have gone on by then.
        let _ = self.answer.send(asked);
    }
}

async fn elicit(context: &RequestContext<RoleServer>, message: String) -> Answer {
    match elicited(context, form(message)).await {
        Ok(result) => answer(&result),
        Err(Unheard::TooLate) => Answer::No,
        Err(Unheard::Refused) => Answer::Nobody,
    }
}

/// Why a form came back without an answer.
enum Unheard {
    /// Nobody answered in time.
    TooLate,
    /// The client would not show it.
    Refused,
}

/// Has the client show a form, and waits for what the person makes of it.
async fn elicited(
    context: &RequestContext<RoleServer>,
    form: ElicitRequest,
) -> Result<ElicitResult, Unheard> {
    let request = ServerRequest::ElicitRequest(form);
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let asked = context
        .peer
        .send_request_with_option(request, options)
        .await
        .map_err(|_| Unheard::Refused)?;
    match asked.await_response().await {
        Ok(ClientResult::ElicitResult(result)) => Ok(result),
        Err(rmcp::ServiceError::Timeout { .. }) => Err(Unheard::TooLate),
        Ok(_) | Err(_) => Err(Unheard::Refused),
    }
}

/// The form that shows a change.
pub(crate) fn form(message: String) -> ElicitRequest {
    let always = BooleanSchema::new()
        .title("Do not ask again for this file")
        .description("as long as this connection lasts")
        .with_default(false);
    let fields = [(
        ALWAYS.to_owned(),
        PrimitiveSchemaDefinition::Boolean(always),
    )];
    ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: ElicitationSchema::new(fields.into()),
    })
}

/// What the person said.
pub(crate) fn answer(result: &ElicitResult) -> Answer {
    let is_always = || {
        let content = result.content.as_ref();
        content.and_then(|content| content.get(ALWAYS)?.as_bool()) == Some(true)
    };
    match result.action {
        ElicitationAction::Accept if is_always() => Answer::Always,
        ElicitationAction::Accept => Answer::Yes,
        // Put away, by a person or by a client that has none.
        ElicitationAction::Cancel => Answer::Nobody,
        // Whatever else may come to be said is no consent, either.
        _ => Answer::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn proposal<'a>(diff: &'a str, doubts: &'a [String]) -> Proposal<'a> {
        Proposal {
            deed: analects_world::ask::Deed::Write,
            always: "",
            title: "Remember in /h/.gemini/GEMINI.md",
            diff,
            doubts,
            is_unwanted: false,
            is_anew: false,
            may_edit: true,
        }
    }

    #[test]
    fn the_person_sees_the_change_and_what_speaks_against_it() {
        let doubts = ["this was forgotten on purpose".to_owned()];
        let shown = message(&proposal("+- Likes \u{1b}[2Jtea\n", &doubts));
        expect![[r#"
            Remember in /h/.gemini/GEMINI.md

            +- Likes \u{1b}[2Jtea

            Warning: this was forgotten on purpose"#]]
        .assert_eq(&shown);
        let long = "+x\n".repeat(MAX_DIFF_BYTES);
        assert!(message(&proposal(&long, &[])).contains("more bytes"));
    }

    #[test]
    fn an_answer_counts_for_the_change_that_was_shown() {
        let first = Asking::Round(Round::new(None, None));
        assert_eq!(first.consent(&proposal("+- tea\n", &[])), Answer::No);
        let Asking::Round(round) = first else {
            unreachable!()
        };
        let shown = round.into_pending().unwrap();
        let again = |diff: &str| {
            let round = Round::new(Some(shown.fingerprint.clone()), Some(Answer::Yes));
            Asking::Round(round).consent(&proposal(diff, &[]))
        };
        assert_eq!(again("+- tea\n"), Answer::Yes);
        assert_eq!(again("+- coffee\n"), Answer::No);
    }
}
