//! What a client gets to see: the sessions of one project, and no secrets.
//!
//! Whatever a tool, a resource or a prompt answers passes through [`Exposure::mask_answer`] on its way out:
//! a new one cannot forget it.

use std::borrow::Cow;
use std::sync::Arc;

use analects_engine::secrets::Guarded;
use analects_engine::{load_memory, remember, sessions};
use analects_world::SessionScope;
use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, GetPromptResponse, ListResourcesResult, ReadResourceResponse};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::consent::Asking;
use crate::setup::Setup;
use crate::work::Desk;

/// What the clients of a server may see, read when a connection begins.
#[derive(Debug, Clone)]
pub(crate) struct Exposure {
    /// Whose sessions.
    pub(crate) sessions: SessionScope,
    /// Fingerprints of findings that the user called no secrets.
    allowed: Arc<[String]>,
}

impl Exposure {
    /// Reads it from the user's settings and from where the server was started. Nothing is exposed if that
    /// cannot be read.
    pub(crate) fn load(setup: &Setup) -> Self {
        let (exposure, _) = Desk::at_start(setup).work(Asking::Host, |world, flags| {
            let prepared = load_memory::prepare(world, flags).ok()?;
            Some(Self {
                sessions: sessions::client_scope(world, &prepared),
                allowed: remember::allowed(&prepared, &[]).into(),
            })
        });
        exposure.unwrap_or(Self {
            sessions: SessionScope::Nothing,
            allowed: Arc::new([]),
        })
    }

    /// Returns the same answer, or the same error, without secrets.
    pub(crate) fn mask_answer<T: MaskedAnswer>(
        &self,
        answer: Result<T, ErrorData>,
    ) -> Result<T, ErrorData> {
        match answer {
            Ok(answer) => answer.mask_with(self),
            Err(error) => Err(self.mask_error(error)),
        }
    }

    /// Returns the same result without secrets, with the same shape.
    fn mask_result<T: Serialize + DeserializeOwned>(&self, result: T) -> Result<T, ErrorData> {
        let failed = |_| ErrorData::internal_error("cannot mask the secrets in this answer", None);
        let whole = serde_json::to_value(&result).map_err(failed)?;
        let mut masked = whole.clone();
        self.guarded().mask_json(&mut masked);
        if masked == whole {
            return Ok(result);
        }
        serde_json::from_value(masked).map_err(failed)
    }

    /// Returns the same error without secrets.
    pub(crate) fn mask_error(&self, mut error: ErrorData) -> ErrorData {
        error.message = Cow::Owned(self.guarded().mask(&error.message));
        if let Some(data) = &mut error.data {
            self.guarded().mask_json(data);
        }
        error
    }

    fn guarded(&self) -> Guarded<'_> {
        Guarded {
            allowed: &self.allowed,
        }
    }
}

/// An answer that may hold what the user's files say.
pub(crate) trait MaskedAnswer: Sized {
    /// Returns the same answer without secrets.
    fn mask_with(self, exposure: &Exposure) -> Result<Self, ErrorData>;
}

// A question to the person is masked where it is made: what a client must send back stands beside it.

impl MaskedAnswer for CallToolResponse {
    fn mask_with(self, exposure: &Exposure) -> Result<Self, ErrorData> {
        match self {
            Self::Complete(result) => exposure.mask_result(result).map(Self::Complete),
            other => Ok(other),
        }
    }
}

impl MaskedAnswer for GetPromptResponse {
    fn mask_with(self, exposure: &Exposure) -> Result<Self, ErrorData> {
        match self {
            Self::Complete(result) => exposure.mask_result(result).map(Self::Complete),
            other => Ok(other),
        }
    }
}

impl MaskedAnswer for ReadResourceResponse {
    fn mask_with(self, exposure: &Exposure) -> Result<Self, ErrorData> {
        match self {
            Self::Complete(result) => exposure.mask_result(result).map(Self::Complete),
            other => Ok(other),
        }
    }
}

impl MaskedAnswer for ListResourcesResult {
    fn mask_with(self, exposure: &Exposure) -> Result<Self, ErrorData> {
        exposure.mask_result(self)
    }
}
