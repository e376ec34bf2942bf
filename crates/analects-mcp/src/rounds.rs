//! Asks a client that a server may not call: the question is returned as the answer, and the client repeats the
//! request.
//!
//! That is how the protocol of 2026-07-28 has it. All that is known between two rounds goes along with the
//! client. It could say anything here, but nothing that it could not say as well by its roots and answers.
#![expect(
    deprecated,
    reason = "the newest protocol calls roots old; its clients still have them"
)]

use analects_world::AbsPath;
use rmcp::model::{
    ElicitResult, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    ListRootsRequest, ListRootsResult,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::consent::{self, Round, Shown};
use crate::roots;

const ROOTS: &str = "roots";
const CONSENT: &str = "consent";

/// What a request brings along from the rounds before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Brought {
    state: State,
    responses: InputResponses,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roots: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
}

impl Brought {
    /// Reads what the client brings; what makes no sense was not brought.
    pub(crate) fn new(state: Option<&str>, responses: Option<InputResponses>) -> Self {
        let state = state.and_then(|state| serde_json::from_str(state).ok());
        Self {
            state: state.unwrap_or_default(),
            responses: responses.unwrap_or_default(),
        }
    }

    /// What is brought by a request that cannot come in rounds.
    pub(crate) fn nothing_to_come() -> Self {
        let state = State {
            roots: Some(Vec::new()),
            shown: None,
        };
        Self {
            state,
            responses: InputResponses::new(),
        }
    }

    fn response<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let response = self.responses.get(key)?;
        serde_json::from_value(response.clone()).ok()
    }

    /// The roots that the client has just told.
    pub(crate) fn told_roots(&self) -> Option<Vec<AbsPath>> {
        let listed = self.response::<ListRootsResult>(ROOTS)?;
        Some(roots::paths(&listed))
    }

    /// The roots that it told in an earlier round.
    pub(crate) fn noted_roots(&self) -> Option<Vec<AbsPath>> {
        let noted = self.state.roots.as_ref()?.iter();
        Some(noted.filter_map(|root| AbsPath::new(root).ok()).collect())
    }

    /// What the person said to which change, if anything.
    pub(crate) fn consent(&self) -> Round {
        let said = self.response::<ElicitResult>(CONSENT);
        let said = said.map(|result| consent::answer(&result));
        Round::new(self.state.shown.clone(), said)
    }
}

/// Asks for the client's roots.
pub(crate) fn ask_for_roots() -> InputRequiredResult {
    let request = InputRequest::ListRoots(ListRootsRequest::default());
    required(ROOTS, request, &State::default())
}

/// Asks the person about a change.
pub(crate) fn ask_for_consent(shown: Shown, roots: &[AbsPath]) -> InputRequiredResult {
    let request = InputRequest::Elicitation(consent::form(shown.message));
    let state = State {
        roots: Some(roots.iter().map(ToString::to_string).collect()),
        shown: Some(shown.fingerprint),
    };
    required(CONSENT, request, &state)
}

fn required(key: &str, request: InputRequest, state: &State) -> InputRequiredResult {
    let requests = InputRequests::from([(key.to_owned(), request)]);
    let state = serde_json::to_string(state).unwrap_or_default();
    InputRequiredResult::new(Some(requests), Some(state))
}
