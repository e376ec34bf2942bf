//! Messages over HTTP: what `rmcp` wants carried there and back, on our own client.
//!
//! No redirect is followed: headers hold secrets, and are meant for the server that was named. Nobody listens for what a
//! server says without being asked; a stream that broke off is gone on with, but never in haste.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use analects_world::models::{Fault, Kind};
use analects_world::servers::Trouble;
use futures_util::stream::{BoxStream, StreamExt};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::sieve::{MAX_MESSAGE_BYTES, Sieve, Sifted};
use crate::http_models::address;
use crate::http_models::clients::client_to;
use crate::http_models::guard::{Guard, Limits};

/// A stream is gone on with at most this often: a server may say that there is no need to wait.
const PAUSE: Duration = Duration::from_millis(250);
/// More of a refusal is not read.
const MAX_REFUSAL_BYTES: usize = 64 << 10;

const SESSION: &str = "mcp-session-id";
const LAST_EVENT: &str = "last-event-id";
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";
const BOTH: &str = "application/json, text/event-stream";

/// Headers that belong to the protocol; whoever sets them breaks it.
const RESERVED: [&str; 7] = [
    "accept",
    "content-length",
    "content-type",
    "host",
    LAST_EVENT,
    "mcp-protocol-version",
    SESSION,
];

/// What does not come back, without an address or a header in it.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lost {
    /// Nobody is there.
    #[error("{0}")]
    Unreachable(String),
    /// It is no answer of a server that speaks MCP.
    #[error("{0}")]
    Strange(String),
    /// The server does not want to.
    #[error("{0}")]
    Refused(String),
}

type Failure = StreamableHttpError<Lost>;

/// Carries messages.
#[derive(Clone)]
pub(super) struct Carrier {
    client: Client,
    url: Url,
    headers: HashMap<HeaderName, HeaderValue>,
    sieve: Arc<Sieve>,
    /// When a stream may be gone on with again.
    not_before: Arc<Mutex<Option<Instant>>>,
}

impl Carrier {
    pub(super) fn new(
        url: &str,
        headers: &BTreeMap<String, String>,
        within: Duration,
        sieve: Arc<Sieve>,
    ) -> Result<Self, Trouble> {
        let unreachable = |fault: Fault| Trouble::Unreachable(fault.message);
        // Checked without the slash that joining would take away.
        address::address(url, "").map_err(unreachable)?;
        let url =
            Url::parse(url.trim()).map_err(|error| Trouble::Unreachable(error.to_string()))?;
        let connect_ms = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
        Ok(Self {
            client: client_to(&url, connect_ms).map_err(unreachable)?,
            url,
            headers: sent_along(headers)?,
            sieve,
            not_before: Arc::default(),
        })
    }

    pub(super) fn transport(self) -> StreamableHttpClientTransport<Self> {
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(self.headers.clone());
        StreamableHttpClientTransport::with_client(self, config)
    }

    fn prepared(
        &self,
        request: RequestBuilder,
        session: Option<&Arc<str>>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> RequestBuilder {
        let request = headers.into_iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        match session {
            Some(session) => request.header(SESSION, session.as_ref()),
            None => request,
        }
    }

    async fn sent(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let place = address::place(&self.url);
        let response = request.send().await.map_err(|error| {
            let why = match (error.is_connect(), error.is_timeout()) {
                (_, true) => "does not answer",
                (true, _) => "cannot be connected to",
                (false, false) => "hung up",
            };
            StreamableHttpError::Client(Lost::Unreachable(format!("{place} {why}")))
        })?;
        match response.status() {
            status if status.is_redirection() => {
                let message = format!("{place} sends us elsewhere (HTTP {})", status.as_u16());
                Err(StreamableHttpError::Client(Lost::Strange(message)))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let status = response.status().as_u16();
                let message = format!("{place} wants us to say who we are (HTTP {status})");
                Err(StreamableHttpError::Client(Lost::Refused(message)))
            }
            _ => Ok(response),
        }
    }

    /// The events of a stream, as far as we have a use for them.
    fn events(&self, response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
        let limits = Limits {
            event_bytes: MAX_MESSAGE_BYTES,
            answer_bytes: MAX_MESSAGE_BYTES * 4,
        };
        let lost = |_| Fault::new(Kind::Cut, "the connection broke");
        let bytes = response
            .bytes_stream()
            .map(move |piece| piece.map_err(lost));
        let guard = Guard::new(bytes.boxed(), limits, Arc::new(AtomicBool::new(false)));
        let sieve = Arc::clone(&self.sieve);
        let events = SseStream::from_bytes_stream(guard);
        let sifted = events.map(move |event| {
            event.map(|mut event| {
                event.data = event.data.and_then(|data| resaid(&sieve, &data));
                event
            })
        });
        sifted.boxed()
    }

    async fn document(
        &self,
        response: Response,
        session: Option<String>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let strange =
            |message: &str| StreamableHttpError::Client(Lost::Strange(message.to_owned()));
        let Some(text) = bounded(response, MAX_MESSAGE_BYTES).await else {
            self.sieve.too_long();
            return Err(strange("it breaks off in the middle of an answer"));
        };
        match self.sieve.sift(&text) {
            Sifted::Message(message) => Ok(StreamableHttpPostResponse::Json(*message, session)),
            Sifted::Nothing | Sifted::Enough => Err(strange("its answer is no MCP")),
        }
    }
}

impl StreamableHttpClient for Carrier {
    type Error = Lost;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let is_question = matches!(message, ClientJsonRpcMessage::Request(_));
        self.sieve.sent(&message);
        let body = serde_json::to_vec(&message)?;
        let request = self.client.post(self.url.clone());
        let request = request
            .header(ACCEPT, BOTH)
            .header(CONTENT_TYPE, JSON)
            .body(body);
        let response = self
            .sent(self.prepared(request, session.as_ref(), headers))
            .await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && session.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        let given = response.headers().get(SESSION);
        let given = given
            .and_then(|given| given.to_str().ok())
            .map(str::to_owned);
        if !is_question {
            return match status.is_success() {
                true => Ok(StreamableHttpPostResponse::Accepted),
                false => Err(refused(&address::place(&self.url), status)),
            };
        }
        match (kind(&response), status.is_success()) {
            (EVENTS, true) => Ok(StreamableHttpPostResponse::Sse(
                self.events(response),
                given,
            )),
            (JSON, true) => self.document(response, given).await,
            // A refusal may say why in the words of the protocol.
            (JSON, false) => {
                let text = bounded(response, MAX_REFUSAL_BYTES)
                    .await
                    .unwrap_or_default();
                match self.sieve.sift(&text) {
                    Sifted::Message(message) if is_error(&message) => {
                        Ok(StreamableHttpPostResponse::Json(*message, given))
                    }
                    _ => Err(refused(&address::place(&self.url), status)),
                }
            }
            (_, false) => Err(refused(&address::place(&self.url), status)),
            (_, true) => {
                let message = "its answer is neither JSON nor a stream of events".to_owned();
                Err(StreamableHttpError::Client(Lost::Strange(message)))
            }
        }
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let request = self.client.delete(self.url.clone());
        let request = self.prepared(request, Some(&session), headers);
        self.sent(request).await.map(drop)
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let Some(last_event) = last_event else {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        };
        {
            let mut not_before = self.not_before.lock().await;
            if let Some(at) = *not_before {
                sleep_until(at).await;
            }
            *not_before = Some(Instant::now() + PAUSE);
        }
        let request = self.client.get(self.url.clone());
        let request = request
            .header(ACCEPT, EVENTS)
            .header(LAST_EVENT, last_event);
        let response = self
            .sent(self.prepared(request, session.as_ref(), headers))
            .await?;
        match (response.status().is_success(), kind(&response)) {
            (true, EVENTS) => Ok(self.events(response)),
            _ => Err(StreamableHttpError::ServerDoesNotSupportSse),
        }
    }
}

/// The headers that go along with every request.
fn sent_along(
    headers: &BTreeMap<String, String>,
) -> Result<HashMap<HeaderName, HeaderValue>, Trouble> {
    let mut sent = HashMap::new();
    for (name, value) in headers {
        let bad = |why: &str| Trouble::Unreachable(format!("the header `{name}` {why}"));
        let header = HeaderName::from_bytes(name.as_bytes());
        let header = header.map_err(|_| bad("has no name that a header can have"))?;
        if RESERVED.contains(&header.as_str()) {
            return Err(bad("belongs to the protocol"));
        }
        let value = HeaderValue::from_str(value);
        let mut value = value.map_err(|_| bad("has a value that cannot be sent"))?;
        value.set_sensitive(true);
        sent.insert(header, value);
    }
    Ok(sent)
}

fn kind(response: &Response) -> &'static str {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    match kind {
        kind if kind.eq_ignore_ascii_case(EVENTS) => EVENTS,
        kind if kind.eq_ignore_ascii_case(JSON) => JSON,
        _ => "",
    }
}

fn refused(place: &str, status: StatusCode) -> Failure {
    let message = format!("{place} refuses (HTTP {})", status.as_u16());
    StreamableHttpError::Client(Lost::Refused(message))
}

fn is_error(message: &ServerJsonRpcMessage) -> bool {
    matches!(message, ServerJsonRpcMessage::Error(_))
}

/// What of an event gets through the sieve, in words again.
fn resaid(sieve: &Sieve, data: &str) -> Option<String> {
    match sieve.sift(data.as_bytes()) {
        Sifted::Message(message) => serde_json::to_string(&*message).ok(),
        Sifted::Nothing | Sifted::Enough => None,
    }
}

/// All of a document; `None` if it is longer, or breaks off.
async fn bounded(mut response: Response, limit_bytes: usize) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    while let Some(piece) = response.chunk().await.ok()? {
        if text.len() + piece.len() > limit_bytes {
            return None;
        }
        text.extend_from_slice(&piece);
    }
    Some(text)
}
