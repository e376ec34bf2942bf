//! Servers that speak MCP: programs that are started, and addresses that are called.
//!
//! `rmcp` knows the protocol. What a server says goes through a `sieve` before anybody takes it apart; `pipes` and
//! `carrier` bring it there, `read` takes out of it what is needed, and `trouble` says what went wrong without ever
//! repeating a secret. Everything takes place on one thread with tokio that nobody else sees, within a time.

mod asking;
mod carrier;
mod client;
mod pipes;
mod read;
mod sieve;
mod trouble;
mod waiting;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use analects_world::Cancel;
use analects_world::servers::{Answer, Connection, Offer, Reach, Server, Servers, Trouble};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::IntoTransport;
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::reactor::Reactor;
use crate::shell::kept::{Kept, Start};
use carrier::Carrier;
use client::Client;
use pipes::Pipes;
use sieve::Sieve;
use trouble::Secrets;
use waiting::wait;

/// Whoever has not told by then what it offers is not waited for, whatever it may take for an answer.
const CONNECT_MS: u64 = 30_000;
/// How long a server is told that nobody wants it any more.
const FAREWELL: Duration = Duration::from_secs(2);

/// The servers that can be reached from this machine. Nothing is started before the first one is.
#[derive(Default)]
pub struct McpServers {
    reactor: Mutex<Option<Arc<Reactor>>>,
}

impl fmt::Debug for McpServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServers").finish_non_exhaustive()
    }
}

impl McpServers {
    fn reactor(&self) -> Result<Arc<Reactor>, Trouble> {
        let mut reactor = self.reactor.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reactor) = &*reactor {
            return Ok(Arc::clone(reactor));
        }
        let started = Reactor::start("analects-mcp");
        let started = started.map_err(|error| Trouble::Unreachable(error.to_string()))?;
        Ok(Arc::clone(reactor.insert(Arc::new(started))))
    }
}

impl Servers for McpServers {
    fn connect(&self, server: &Server, cancel: &Cancel) -> Result<Box<dyn Connection>, Trouble> {
        if cancel.is_cancelled() {
            return Err(Trouble::Cancelled);
        }
        let meeting = Meeting {
            server,
            cancel,
            reactor: self.reactor()?,
            secrets: Secrets::of(server),
            sieve: Arc::default(),
        };
        let connected = match &server.reach {
            Reach::Program {
                command,
                args,
                dir,
                vars,
            } => meeting.with_program(&Start {
                command,
                args,
                dir,
                vars,
            }),
            Reach::Http { url, headers } => meeting.at(url, headers),
        };
        Ok(Box::new(connected?))
    }
}

/// What is needed to meet a server.
struct Meeting<'a> {
    server: &'a Server,
    cancel: &'a Cancel,
    reactor: Arc<Reactor>,
    secrets: Secrets,
    sieve: Arc<Sieve>,
}

impl Meeting<'_> {
    fn with_program(self, start: &Start<'_>) -> Result<Connected, Trouble> {
        let (kept, ends) = Kept::start(start).map_err(Trouble::Unreachable)?;
        let sieve = Arc::clone(&self.sieve);
        // The ends of the pipes must be opened over there.
        let met = self.meet(move || Pipes::open(ends, sieve));
        match met {
            Ok(met) => Ok(self.connected(met, Some(kept))),
            Err(trouble) => Err(self.secrets.with_complaint(trouble, &kept.end())),
        }
    }

    fn at(self, url: &str, headers: &BTreeMap<String, String>) -> Result<Connected, Trouble> {
        let carrier = Carrier::new(url, headers, self.within(), Arc::clone(&self.sieve))?;
        let met = self.meet(move || Ok(carrier.transport()))?;
        Ok(self.connected(met, None))
    }

    /// How long it may take until everything is known.
    fn within(&self) -> Duration {
        Duration::from_millis(self.server.timeout_ms.min(CONNECT_MS))
    }

    /// Shakes hands, and asks what there is.
    fn meet<T, E, A>(
        &self,
        open: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<Met, Trouble>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let client = Client::new(&self.server.roots);
        let (within, sieve) = (self.within(), Arc::clone(&self.sieve));
        let handle = &self.reactor.handle;
        let met = wait(handle, self.cancel, &mut |_| {}, |teller| async move {
            let meeting = async { asking::meet(client, open()?, &sieve).await };
            let late = Trouble::TimedOut(millis(within));
            let met = timeout(within, meeting).await.unwrap_or(Err(late));
            teller.over(met.map(|(running, offer)| Met { running, offer }));
        });
        met.map_err(|trouble| self.secrets.scrubbed(trouble))
    }

    fn connected(self, met: Met, kept: Option<Kept>) -> Connected {
        Connected {
            running: Some(met.running),
            offer: met.offer,
            kept,
            within: Duration::from_millis(self.server.timeout_ms),
            reactor: self.reactor,
            secrets: self.secrets,
            sieve: self.sieve,
        }
    }
}

/// A server that was met.
struct Met {
    running: RunningService<RoleClient, Client>,
    offer: Offer,
}

/// A server that answers.
struct Connected {
    running: Option<RunningService<RoleClient, Client>>,
    offer: Offer,
    /// The program, if it is one.
    kept: Option<Kept>,
    /// How long an answer may take.
    within: Duration,
    reactor: Arc<Reactor>,
    secrets: Secrets,
    sieve: Arc<Sieve>,
}

impl Connection for Connected {
    fn offer(&self) -> &Offer {
        &self.offer
    }

    fn call(
        &self,
        tool: &str,
        args: &Map<String, Value>,
        whole_ms: Option<u64>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Answer, Trouble> {
        if cancel.is_cancelled() {
            return Err(Trouble::Cancelled);
        }
        let Some(running) = &self.running else {
            return Err(Trouble::Gone("it was left".to_owned()));
        };
        let call = asking::call(
            asking::Line {
                peer: running.peer().clone(),
                listeners: running.service().listeners(),
                handle: self.reactor.handle.clone(),
                sieve: Arc::clone(&self.sieve),
            },
            tool.to_owned(),
            args.clone(),
        );
        let whole = whole_ms.map(Duration::from_millis);
        let within = whole.map_or(self.within, |whole| whole.min(self.within));
        let answered = wait(&self.reactor.handle, cancel, hear, |teller| async move {
            let late = Trouble::TimedOut(millis(within));
            let say = teller.say();
            let answered = timeout(within, call.answer(say)).await;
            teller.over(answered.unwrap_or(Err(late)));
        });
        answered.map_err(|trouble| self.secrets.scrubbed(trouble))
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take() {
            let (tell, told) = mpsc::channel();
            self.reactor.handle.spawn(async move {
                let _ = running.close_with_timeout(FAREWELL).await;
                let _ = tell.send(());
            });
            // A task that is thrown away hangs up, too.
            let _ = told.recv_timeout(FAREWELL);
        }
        drop(self.kept.take());
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
