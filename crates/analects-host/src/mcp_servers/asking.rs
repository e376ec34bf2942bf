//! Asking a server: what it is, what it offers, and to do something.

use std::sync::Arc;
use std::time::Duration;

use analects_world::servers::{Answer, Offer, Trouble};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ListToolsRequest,
    PaginatedRequestParams, ServerResult,
};
use rmcp::service::{
    ClientLifecycleMode, Peer, PeerRequestOptions, RequestHandle, RoleClient, RunningService,
    serve_client_with_lifecycle,
};
use rmcp::transport::IntoTransport;
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::client::{Client, Listeners};
use super::sieve::{Sieve, as_it_is};
use super::waiting::Say;
use super::{read, trouble};

/// How many pages of tools are looked at; there are servers that never come to an end.
const MAX_PAGES: usize = 32;
/// How long it may take to say that something is not wanted any more.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Shakes hands, and asks what there is.
pub(super) async fn meet<T, E, A>(
    client: Client,
    transport: T,
    sieve: &Sieve,
) -> Result<(RunningService<RoleClient, Client>, Offer), Trouble>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let lifecycle = ClientLifecycleMode::Initialize;
    let met = serve_client_with_lifecycle(client, transport, lifecycle).await;
    let running = met.map_err(|error| trouble::of_meeting(&error, sieve))?;
    let told = running.peer_info();
    let words = told.as_ref().and_then(|told| told.instructions.as_deref());
    let mut offer = read::offer(words.unwrap_or_default());
    if told.is_some_and(|told| told.capabilities.tools.is_some()) {
        list(running.peer(), sieve, &mut offer).await?;
    }
    Ok((running, offer))
}

async fn list(peer: &Peer<RoleClient>, sieve: &Sieve, offer: &mut Offer) -> Result<(), Trouble> {
    let mut cursor: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let page = cursor.is_some().then_some(page);
        let request = ListToolsRequest {
            params: page,
            ..ListToolsRequest::default()
        };
        let request = ClientRequest::ListToolsRequest(request);
        let asked = peer.send_cancellable_request(request, PeerRequestOptions::no_options());
        let asked = asked
            .await
            .map_err(|error| trouble::of_request(&error, sieve))?;
        let result = answered(asked.await_response().await, sieve)?;
        let next = read::page(result, offer)?;
        // The same place again leads nowhere.
        if next.is_none() || next == cursor || offer.is_cut {
            offer.is_cut |= next.is_some();
            return Ok(());
        }
        cursor = next;
    }
    offer.is_cut = true;
    Ok(())
}

fn answered(
    result: Result<ServerResult, rmcp::ServiceError>,
    sieve: &Sieve,
) -> Result<Value, Trouble> {
    match result {
        Ok(ServerResult::CustomResult(result)) => as_it_is(result.0).ok_or_else(beside),
        Ok(_) => Err(beside()),
        Err(error) => Err(trouble::of_request(&error, sieve)),
    }
}

fn beside() -> Trouble {
    Trouble::Nonsense("it answers something else".to_owned())
}

/// What is needed to ask a server for something.
pub(super) struct Line {
    pub(super) peer: Peer<RoleClient>,
    pub(super) listeners: Arc<Listeners>,
    pub(super) handle: Handle,
    pub(super) sieve: Arc<Sieve>,
}

/// A tool that is to be used.
pub(super) struct Call {
    line: Line,
    params: CallToolRequestParams,
}

pub(super) fn call(line: Line, tool: String, args: Map<String, Value>) -> Call {
    let params = CallToolRequestParams::new(tool).with_arguments(args);
    Call { line, params }
}

impl Call {
    /// What the server answers. Whoever stops waiting has the server told of it.
    pub(super) async fn answer(self, say: Say) -> Result<Answer, Trouble> {
        let Self { line, params } = self;
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let options = PeerRequestOptions::no_options();
        let asked = line.peer.send_cancellable_request(request, options).await;
        let asked = asked.map_err(|error| trouble::of_request(&error, &line.sieve))?;
        line.listeners.listen(asked.progress_token.clone(), say);
        let mut pending = Pending {
            asked: Some(asked),
            line: &line,
        };
        let result = pending.result().await;
        answered(result, &line.sieve).and_then(read::answer)
    }
}

/// A request that is under way.
struct Pending<'a> {
    /// Until it is answered.
    asked: Option<RequestHandle<RoleClient>>,
    line: &'a Line,
}

impl Pending<'_> {
    async fn result(&mut self) -> Result<ServerResult, rmcp::ServiceError> {
        let closed = rmcp::ServiceError::TransportClosed;
        let Some(asked) = &mut self.asked else {
            return Err(closed);
        };
        let result = (&mut asked.rx).await.unwrap_or(Err(closed));
        self.line.listeners.leave(&asked.progress_token);
        self.asked = None;
        result
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        let Some(asked) = self.asked.take() else {
            return;
        };
        self.line.listeners.leave(&asked.progress_token);
        let reason = "nobody waits for it any more".to_owned();
        self.line.handle.spawn(async move {
            let _ = timeout(LAST_WORDS, asked.cancel(Some(reason))).await;
        });
    }
}
