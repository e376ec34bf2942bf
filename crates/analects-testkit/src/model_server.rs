//! A real HTTP server on this machine that speaks the three wires, from a script, and misbehaves where the
//! script says so.
//!
//! It is strict: a request that the real service would refuse is refused, so that what we misread shows. It
//! never sleeps: whatever is slow waits for the test, or for the client to leave.
//!
//! ```
//! use analects_testkit::model_server::{ModelServer, Reply};
//! use analects_testkit::say;
//! use analects_world::models::Wire;
//!
//! let server = ModelServer::start([
//!     Reply::trouble(503, "try later"),
//!     Reply::say([say::text("Hel"), say::text("lo"), say::usage(3, 2), say::done()]),
//! ]);
//! let endpoint = server.endpoint(Wire::OpenAi);
//! assert_eq!(endpoint.base_url, format!("http://{}/v1", server.address()));
//! assert!(server.received().is_empty());
//! ```

mod deliver;
mod log;
mod mischief;
mod received;
mod recording;
mod render;
mod reply;
mod script;
mod serve;
mod strict;

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};

use analects_world::models::{Endpoint, Patience, Secret, Wire};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use mischief::Mischief;
pub use received::{Received, Verb};
pub use recording::Recording;
pub use reply::{Quirk, Reply, SWOLLEN, Trouble};
pub use script::{KEY, Script};

use log::{Log, State};
use serve::Shop;

#[cfg(test)]
mod client;
#[cfg(test)]
mod tests;

/// Enough for a machine that has much to do, and an end if something hangs.
pub const CALM: Patience = Patience {
    connect_ms: 10_000,
    first_ms: 20_000,
    idle_ms: 20_000,
    whole_ms: 60_000,
};

/// For tests in which somebody must lose patience. It never decides between a good answer and a fault.
pub const HASTY: Patience = Patience {
    connect_ms: 10_000,
    first_ms: 400,
    idle_ms: 400,
    whole_ms: 60_000,
};

/// A server that is there as long as this lives.
pub struct ModelServer {
    address: SocketAddr,
    shop: Arc<Shop>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// Starts a server that follows a script.
    #[must_use]
    pub fn start(script: impl Into<Script>) -> Self {
        let shop = Arc::new(Shop {
            log: Arc::new(Log::default()),
            script: Mutex::new(script.into()),
        });
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let served = Arc::clone(&shop);
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_io()
                .build();
            runtime.unwrap().block_on(async move {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                serve::serve(listener, served, stopped).await;
            });
        });
        Self {
            address: told.recv().expect("the server should start"),
            shop,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Starts a server that makes up its answers as the requests come. The function must not wait for anything.
    #[must_use]
    pub fn start_with(reply: impl Fn(&Received) -> Reply + Send + 'static) -> Self {
        Self::start(Script::new().otherwise(reply))
    }

    /// Where it is.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as an endpoint of this wire has it.
    #[must_use]
    pub fn base_url(&self, wire: Wire) -> String {
        match wire {
            Wire::Gemini | Wire::Anthropic => format!("http://{}", self.address),
            Wire::OpenAi => format!("http://{}/v1", self.address),
        }
    }

    /// An endpoint with the right key and a calm patience.
    #[must_use]
    pub fn endpoint(&self, wire: Wire) -> Endpoint {
        Endpoint {
            wire,
            base_url: self.base_url(wire),
            key: Some(Secret::new(KEY)),
            proxy: None,
            patience: CALM,
        }
    }

    /// Everything that came in so far, in the order in which it was read to its end.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.shop.log.received()
    }

    /// Waits until the request of this number, counted from 0, has come in; whether it has.
    #[must_use]
    pub fn has_received(&self, number: usize) -> bool {
        self.shop.log.wait_received(number)
    }

    /// Waits until the answer to a request is held; whether it is.
    #[must_use]
    pub fn holds(&self, number: usize) -> bool {
        let stays = |state| state != State::Open;
        self.shop.log.wait_state(number, stays) == Some(State::Held)
    }

    /// Lets the answer to a request go on: the one that is held, or the next that will be.
    pub fn release(&self, number: usize) {
        self.shop.log.release(number);
    }

    /// Waits until any answer is held, whatever else was asked before: whoever looks at the client now finds it in
    /// the middle of an answer.
    ///
    /// # Panics
    ///
    /// If none ever is.
    #[must_use]
    pub fn held(&self) -> Held<'_> {
        let number = self.shop.log.wait_held();
        let number = number.expect("no answer is ever held");
        let server = self;
        Held { server, number }
    }

    /// Waits until the answer to a request is over; whether the client left before.
    #[must_use]
    pub fn hung_up(&self, number: usize) -> bool {
        let is_over = |state| matches!(state, State::Over | State::Left);
        self.shop.log.wait_state(number, is_over) == Some(State::Left)
    }
}

/// An answer that is held.
#[derive(Debug)]
pub struct Held<'a> {
    server: &'a ModelServer,
    /// The number of the request, counted from 0.
    pub number: usize,
}

impl Held<'_> {
    /// Lets it go on.
    pub fn release(self) {
        self.server.release(self.number);
    }

    /// Waits until the client has left without it; whether it has.
    #[must_use]
    pub fn hung_up(self) -> bool {
        self.server.hung_up(self.number)
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // Whoever is not there any more need not be told.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let is_sound = thread.join().is_ok();
            assert!(is_sound || thread::panicking(), "the server panicked");
        }
    }
}

impl fmt::Debug for ModelServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModelServer").field(&self.address).finish()
    }
}
