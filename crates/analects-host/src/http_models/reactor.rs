//! The thread on which bytes come and go.
//!
//! Whoever asks waits on a thread of its own; everything asynchronous happens here, and nothing of it leaks.

use std::sync::Arc;
use std::thread;

use analects_world::models::{Fault, Kind};
use tokio::runtime::{Builder, Handle};
use tokio::sync::{Semaphore, oneshot};

use super::clients::Clients;

/// The thread, and what all requests share.
pub(super) struct Reactor {
    /// Where tasks are put.
    pub(super) handle: Handle,
    /// How many may be under way.
    pub(super) slots: Arc<Semaphore>,
    /// Who carries them.
    pub(super) clients: Clients,
    /// The thread ends when this goes, and every task with it.
    _stop: oneshot::Sender<()>,
}

impl Reactor {
    pub(super) fn start(limit: usize) -> Result<Self, Fault> {
        let failed = |error: std::io::Error| {
            let message = format!("the network cannot be used: {error}");
            Fault::new(Kind::Unreachable, message)
        };
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new()
            .name("analects-http".to_owned())
            .spawn(move || {
                let _ = runtime.block_on(stopped);
                // A look-up of a name cannot be stopped; nobody waits for one.
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Self {
            handle,
            slots: Arc::new(Semaphore::new(limit.clamp(1, Semaphore::MAX_PERMITS))),
            clients: Clients::default(),
            _stop: stop,
        })
    }
}
