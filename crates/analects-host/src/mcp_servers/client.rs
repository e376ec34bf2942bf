//! What we are to a server: somebody who uses tools, and does nothing else for it.
//!
//! It may ask where the project lies. Models are not lent and persons not asked: that is declined.

#![expect(
    deprecated,
    reason = "roots are on their way out, and servers of today ask for them"
)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use analects_world::AbsPath;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::model::{
    ClientCapabilities, ClientConfig, ErrorData, Implementation, ListRootsResult,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, Root, RootsCapabilities,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use rmcp::{ClientHandler, model};

use super::waiting::Say;

/// What stands in the address of a file as it is.
const IN_PATHS: AsciiSet = NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Longer words about how far it is are cut.
const MAX_WORDS: usize = 200;

/// Us.
pub(super) struct Client {
    roots: Vec<String>,
    listeners: Arc<Listeners>,
}

/// Who hears how far a call is.
#[derive(Default)]
pub(super) struct Listeners(Mutex<HashMap<ProgressToken, Say>>);

impl Listeners {
    pub(super) fn listen(&self, token: ProgressToken, say: Say) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(token, say);
    }

    pub(super) fn leave(&self, token: &ProgressToken) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(token);
    }

    fn tell(&self, token: &ProgressToken, words: String) {
        let say = {
            let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.get(token).cloned()
        };
        if let Some(say) = say {
            say(words);
        }
    }
}

impl Client {
    pub(super) fn new(roots: &[AbsPath]) -> Self {
        let uri = |root: &AbsPath| {
            let path = utf8_percent_encode(root.as_str(), &IN_PATHS);
            format!("file://{path}")
        };
        Self {
            roots: roots.iter().map(uri).collect(),
            listeners: Arc::default(),
        }
    }

    pub(super) fn listeners(&self) -> Arc<Listeners> {
        Arc::clone(&self.listeners)
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut able = ClientCapabilities::default();
        if !self.roots.is_empty() {
            able.roots = Some(RootsCapabilities::default());
        }
        let us = Implementation::new("analects", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(able, us).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let roots = self.roots.iter().map(Root::new).collect();
        Ok(ListRootsResult::new(roots))
    }

    async fn create_message(
        &self,
        _: model::CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<model::CreateMessageResult, ErrorData> {
        Err(ErrorData::method_not_found::<
            model::CreateMessageRequestMethod,
        >())
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.listeners.tell(&told.progress_token, words(&told));
    }
}

/// How far it is: in the server's words, or in numbers.
fn words(told: &ProgressNotificationParam) -> String {
    let part = match told.total {
        Some(total) => format!("{} of {total}", told.progress),
        None => told.progress.to_string(),
    };
    match told.message.as_deref().filter(|words| !words.is_empty()) {
        Some(words) => words.chars().take(MAX_WORDS).collect(),
        None => part,
    }
}
