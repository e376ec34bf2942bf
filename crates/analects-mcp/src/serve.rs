//! The life of the server: it starts, serves, and ends with its client.

use std::time::Duration;

use analects_engine::verbs::Failure;
use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};

use crate::http;
use crate::server::{self, Handler};
use crate::setup::Setup;
use crate::wire::Lines;

/// What the server is reached over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Over {
    /// Its own input and output: one client, which started it.
    Stdio,
    /// HTTP, on an address of this machine only.
    Http(String),
}

/// Who is still writing when the client is gone may finish; who waits for the client does not.
const FAREWELL: Duration = Duration::from_secs(2);

/// Serves until the client is gone, or over HTTP until the process is stopped.
pub fn serve(setup: Setup, over: Over) -> Result<(), Failure> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        match over {
            Over::Stdio => {
                let (read, write) = rmcp::transport::stdio_pipes();
                serve_lines(setup, read, write).await;
                Ok(())
            }
            Over::Http(address) => http::serve(setup, &address).await,
        }
    });
    runtime.shutdown_timeout(FAREWELL);
    served
}

/// Serves one client that sends a message a line, until it is gone.
pub async fn serve_lines<R, W>(setup: Setup, read: R, write: W)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let handler = Handler::new(setup, server::turns());
    let lines = Lines::new(read, write, handler.gone());
    // A client that leaves before it has said what it wants is gone, too.
    if let Ok(serving) = handler.serve(lines).await {
        // How it went is nobody's business any more.
        let _ = serving.waiting().await;
    }
}

fn runtime() -> Result<Runtime, Failure> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .thread_name("analects")
        // Twice as many as requests at once: a person's answer must be heard while all of them wait.
        .max_blocking_threads(2 * crate::work::MAX_AT_ONCE)
        .build();
    runtime.map_err(|error| Failure::failed(format!("cannot start: {error}")))
}
