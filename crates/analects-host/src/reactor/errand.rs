//! An errand on the reactor's thread, and somebody who waits for it here: until it is over, or nobody wants it any more.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, Sender};

use analects_world::Cancel;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

/// What comes over.
enum News<N, E> {
    Word(N),
    Over(E),
    Cancelled,
}

/// Tells whoever waits what comes, and how it ended.
pub(crate) struct Teller<N, E> {
    news: Sender<News<N, E>>,
    /// How it ended if nobody tells: whoever waits must not wait for ever, even if the task died.
    lost: Option<fn() -> E>,
}

/// Says words from wherever it is taken.
pub(crate) struct Voice<N, E>(Sender<News<N, E>>);

impl<N, E> Teller<N, E> {
    /// Hands a word on.
    pub(crate) fn word(&self, word: N) {
        // Whoever does not wait any more hears nothing.
        let _ = self.news.send(News::Word(word));
    }

    /// A way to hand words on for somebody else.
    pub(crate) fn voice(&self) -> Voice<N, E> {
        Voice(self.news.clone())
    }

    /// It is over.
    pub(crate) fn over(mut self, end: E) {
        self.lost = None;
        let _ = self.news.send(News::Over(end));
    }
}

impl<N, E> Voice<N, E> {
    /// Hands a word on.
    pub(crate) fn word(&self, word: N) {
        let _ = self.0.send(News::Word(word));
    }
}

impl<N, E> Drop for Teller<N, E> {
    fn drop(&mut self) {
        if let Some(lost) = self.lost.take() {
            let _ = self.news.send(News::Over(lost()));
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

/// Runs `work` over there and hears here what it tells, in this thread. `None` if it was cancelled.
///
/// `lost` is its end if the task died; `hear` may break off.
pub(crate) fn run<N, E, F>(
    handle: &Handle,
    cancel: &Cancel,
    lost: fn() -> E,
    mut hear: impl FnMut(N) -> ControlFlow<()>,
    work: impl FnOnce(Teller<N, E>) -> F,
) -> Option<E>
where
    N: Send + 'static,
    E: Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let (news, heard) = mpsc::channel();
    let to_cancel = news.clone();
    let _listening = cancel.listen(move || {
        let _ = to_cancel.send(News::Cancelled);
    });
    let teller = Teller {
        news,
        lost: Some(lost),
    };
    let _task = Task(handle.spawn(work(teller)).abort_handle());
    loop {
        match heard.recv() {
            Ok(News::Word(word)) => {
                if hear(word).is_break() {
                    return None;
                }
            }
            Ok(News::Over(end)) => return Some(end),
            Ok(News::Cancelled) | Err(_) => return None,
        }
    }
}
