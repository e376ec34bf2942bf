//! The same server over HTTP, for programs of this machine that know the token.
//!
//! A web page can make a browser send requests here. So whoever does not call us by a name of this machine,
//! comes from elsewhere, or does not know the token, is turned away before a byte of the request is read.

mod gate;
mod token;

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use analects_engine::verbs::Failure;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use self::gate::{Gate, LOOPBACK, PATH, Refusal, Reply};
use crate::server::{self, Handler};
use crate::setup::Setup;
use crate::wire::MAX_MESSAGE_BYTES;

/// A client that says nothing for this long has to introduce itself again.
const SESSION: Duration = Duration::from_secs(60 * 60);

/// So many clients are heard at once. The gate says this number, too.
const MAX_SESSIONS: usize = 256;

/// A request's head comes at once, or not at all.
const HEAD: Duration = Duration::from_secs(30);

/// Serves until the process is stopped.
pub(crate) async fn serve(setup: Setup, address: &str) -> Result<(), Failure> {
    let address_here = loopback(address)?;
    let own_token = setup.around.var(token::VARIABLE);
    own_token.map(token::require_strong).transpose()?;
    let listener = TcpListener::bind(address_here).await;
    let listener = listener
        .map_err(|error| Failure::failed(format!("cannot listen on {address}: {error}")))?;
    let bound = listener
        .local_addr()
        .map_err(|error| Failure::failed(error.to_string()))?;
    let token = own_token.map_or_else(token::new_token, str::to_owned);
    announce(bound, own_token.is_none().then_some(&token));
    let gate = Arc::new(Gate {
        token,
        test_tools: setup.test_tools,
    });
    let sessions = Arc::new(sessions());
    let service = service(setup, Arc::clone(&sessions));
    loop {
        // A connection that fails to come about is no reason to stop.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        let (gate, service) = (Arc::clone(&gate), service.clone());
        let sessions = Arc::clone(&sessions);
        let answer = service_fn(move |request: Request<Incoming>| {
            let (gate, service) = (Arc::clone(&gate), service.clone());
            let sessions = Arc::clone(&sessions);
            async move {
                let headers = request.headers();
                let mut judged = gate.judge(request.uri().path(), headers);
                if judged.is_ok()
                    && gate::may_begin(request.method(), headers)
                    && sessions.sessions.read().await.len() >= MAX_SESSIONS
                {
                    judged = Err(Refusal::Full);
                }
                let answer: Result<Reply, Infallible> = match judged {
                    Ok(()) => Ok(service.handle(request).await),
                    Err(refusal) => Ok(refusal.reply()),
                };
                answer
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD);
        let serving = http.serve_connection(TokioIo::new(stream), answer);
        tokio::spawn(async move { serving.await.unwrap_or_default() });
    }
}

/// The address, if only this machine can reach it.
fn loopback(address: &str) -> Result<SocketAddr, Failure> {
    let port = address.strip_prefix("localhost:").unwrap_or(address);
    let parsed = match port.parse::<u16>() {
        Ok(port) => Some(SocketAddr::from(([127, 0, 0, 1], port))),
        Err(_) => address.parse().ok(),
    };
    let failure = match parsed {
        Some(parsed) if parsed.ip().is_loopback() => return Ok(parsed),
        Some(_) => Failure::bad_input(format!("`{address}` can be reached from other machines")),
        None => Failure::bad_input(format!("`{address}` is no address with a port")),
    };
    Err(failure.hint("use 127.0.0.1:PORT; port 0 takes one that is free"))
}

/// Says where the server is and how to get in; stdout belongs to answers.
fn announce(bound: SocketAddr, token: Option<&String>) {
    let mut err = io::stderr().lock();
    // Whoever does not read this asks `lsof`.
    let _ = writeln!(err, "listening on http://{bound}{PATH}");
    if let Some(token) = token {
        let _ = writeln!(err, "token: {token}");
    }
}

fn sessions() -> LocalSessionManager {
    let mut session = SessionConfig::default();
    session.keep_alive = Some(SESSION);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config = session;
    sessions
}

fn service(
    setup: Setup,
    sessions: Arc<LocalSessionManager>,
) -> StreamableHttpService<Handler, LocalSessionManager> {
    let origins = LOOPBACK
        .iter()
        .flat_map(|host| [format!("http://{host}:*"), format!("https://{host}:*")]);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(LOOPBACK)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(MAX_MESSAGE_BYTES);
    let turns = server::turns();
    let handler = move || Ok(Handler::new(setup.clone(), Arc::clone(&turns)));
    StreamableHttpService::new(handler, sessions, config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_listened_on() {
        let bound = |address: &str| loopback(address).map(|address| address.to_string());
        for (address, expected) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("localhost:0", "127.0.0.1:0"),
            ("8080", "127.0.0.1:8080"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(bound(address).as_deref(), Ok(expected));
        }
        for address in [
            "0.0.0.0:80",
            "[::]:80",
            "192.168.0.1:80",
            "example.com:80",
            "",
            "127.0.0.1",
            "99999",
        ] {
            assert!(bound(address).is_err(), "{address}");
        }
    }
}
