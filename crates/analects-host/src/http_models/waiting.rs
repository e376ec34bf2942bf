//! Waiting for what happens on another thread, until it is over or nobody wants it any more.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use analects_world::Cancel;
use analects_world::models::{Event, Fault, Kind};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

/// So many batches may wait to be heard. Beyond it the server waits, too.
const MAX_UNHEARD: usize = 16;

/// What comes over.
enum News<T> {
    Events(Vec<Event>, OwnedSemaphorePermit),
    Over(Result<T, Fault>),
    Cancelled,
}

/// Tells whoever waits what comes, and that it is over.
pub(super) struct Teller<T> {
    news: Sender<News<T>>,
    room: Arc<Semaphore>,
    is_over: bool,
}

impl<T> Teller<T> {
    /// Hands events on; waits while too many are unheard.
    pub(super) async fn events(&self, events: Vec<Event>) {
        let room = Arc::clone(&self.room).acquire_owned().await;
        if let Ok(room) = room {
            let _ = self.news.send(News::Events(events, room));
        }
    }

    /// It is over.
    pub(super) fn over(mut self, result: Result<T, Fault>) {
        self.is_over = true;
        let _ = self.news.send(News::Over(result));
    }
}

impl<T> Drop for Teller<T> {
    /// Whoever waits must not wait for ever, even if the task died.
    fn drop(&mut self) {
        if !self.is_over {
            let fault = Fault::new(Kind::Cut, "the request ended without an end");
            let _ = self.news.send(News::Over(Err(fault)));
        }
    }
}

/// The task goes with whoever waits for it, and its connection with the task.
struct Task(AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
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
    let (news, heard) = mpsc::channel();
    let to_cancel = news.clone();
    let _listening = cancel.listen(move || {
        let _ = to_cancel.send(News::Cancelled);
    });
    let teller = Teller {
        news,
        room: Arc::new(Semaphore::new(MAX_UNHEARD)),
        is_over: false,
    };
    let task = handle.spawn(work(teller));
    let _task = Task(task.abort_handle());
    listen(&heard, cancel, hear)
}

fn listen<T>(
    heard: &Receiver<News<T>>,
    cancel: &Cancel,
    hear: &mut dyn FnMut(Event),
) -> Result<T, Fault> {
    loop {
        match heard.recv() {
            Ok(News::Events(events, _room)) => {
                for event in events {
                    if cancel.is_cancelled() {
                        return Err(Fault::cancelled());
                    }
                    hear(event);
                }
            }
            Ok(News::Over(result)) => return result,
            Ok(News::Cancelled) | Err(_) => return Err(Fault::cancelled()),
        }
    }
}
