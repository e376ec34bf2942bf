//! The thread with tokio on which all network I/O runs.
//!
//! Whoever asks waits on a thread of its own; everything asynchronous happens here, and nothing of it leaks.

pub(crate) mod errand;

use std::io;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// The thread.
pub(crate) struct Reactor {
    /// Where tasks are put.
    pub(crate) handle: Handle,
    /// The thread ends when this goes, and every task with it.
    _stop: oneshot::Sender<()>,
}

impl Reactor {
    pub(crate) fn start(name: &str) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let _ = runtime.block_on(stopped);
                // A look-up of a name cannot be stopped; nobody waits for one.
                runtime.shutdown_background();
            })?;
        Ok(Self {
            handle,
            _stop: stop,
        })
    }
}
