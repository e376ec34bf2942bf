//! Waits for a streamed answer and passes its pieces on as they come.

use std::ops::ControlFlow;
use std::sync::Arc;

use analects_world::Cancel;
use analects_world::models::{Event, Fault, Kind};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::reactor::errand;

/// How many batches may wait to be heard. Beyond it the server waits, too.
const MAX_UNHEARD: usize = 16;

/// Some events, and the room that they take up until they are heard.
type Batch = (Vec<Event>, OwnedSemaphorePermit);

/// Tells whoever waits what comes, and that it is over.
pub(super) struct Teller<T> {
    teller: errand::Teller<Batch, Result<T, Fault>>,
    room: Arc<Semaphore>,
}

impl<T> Teller<T> {
    /// Hands events on; waits while too many are unheard.
    pub(super) async fn events(&self, events: Vec<Event>) {
        let room = Arc::clone(&self.room).acquire_owned().await;
        if let Ok(room) = room {
            self.teller.word((events, room));
        }
    }

    /// It is over.
    pub(super) fn over(self, result: Result<T, Fault>) {
        self.teller.over(result);
    }
}

/// Runs `work` over there and hears here what it tells, in this thread.
pub(super) fn wait<T, F>(
    handle: &Handle,
    cancel: &Cancel,
    hear: &mut dyn FnMut(Event),
    work: impl FnOnce(Teller<T>) -> F,
) -> Result<T, Fault>
where
    T: Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let hear_all = |(events, _room): Batch| {
        for event in events {
            if cancel.is_cancelled() {
                return ControlFlow::Break(());
            }
            hear(event);
        }
        ControlFlow::Continue(())
    };
    let lost = || Err(Fault::new(Kind::Cut, "the request ended without an end"));
    let room = Arc::new(Semaphore::new(MAX_UNHEARD));
    let work = |teller| work(Teller { teller, room });
    let ended = errand::run(handle, cancel, lost, hear_all, work);
    ended.unwrap_or_else(|| Err(Fault::cancelled()))
}
