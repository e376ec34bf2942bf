//! What all requests to models share: the thread, the turns, the clients.

use std::sync::Arc;

use analects_world::models::{Fault, Kind};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::clients::Clients;
use crate::reactor;

/// The thread, and what all requests share.
pub(super) struct Reactor {
    /// Where tasks are put.
    pub(super) handle: Handle,
    /// How many may be under way.
    pub(super) slots: Arc<Semaphore>,
    /// Who carries them.
    pub(super) clients: Clients,
    _thread: reactor::Reactor,
}

impl Reactor {
    pub(super) fn start(limit: usize) -> Result<Self, Fault> {
        let thread = reactor::Reactor::start("analects-http").map_err(|error| {
            let message = format!("the network cannot be used: {error}");
            Fault::new(Kind::Unreachable, message)
        })?;
        Ok(Self {
            handle: thread.handle.clone(),
            slots: Arc::new(Semaphore::new(limit.clamp(1, Semaphore::MAX_PERMITS))),
            clients: Clients::default(),
            _thread: thread,
        })
    }
}
