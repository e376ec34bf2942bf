//! Waiting for what happens on another thread, until it is over or nobody wants it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};

use analects_world::Cancel;
use analects_world::servers::Trouble;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

/// So many words may wait to be heard; what comes beyond is not told.
const MAX_UNHEARD: usize = 16;

/// What comes over.
enum News<T> {
    Said(String),
    Over(Result<T, Trouble>),
    Cancelled,
}

/// Somebody who hears how far it is.
pub(super) type Say = Arc<dyn Fn(String) + Send + Sync>;

/// Tells whoever waits how far it is, and that it is over.
pub(super) struct Teller<T> {
    news: Sender<News<T>>,
    n_unheard: Arc<AtomicUsize>,
    is_over: bool,
}

impl<T: Send + 'static> Teller<T> {
    /// It is over.
    pub(super) fn over(mut self, result: Result<T, Trouble>) {
        self.is_over = true;
        let _ = self.news.send(News::Over(result));
    }

    /// A way to say how far it is.
    pub(super) fn say(&self) -> Say {
        let (news, n_unheard) = (self.news.clone(), Arc::clone(&self.n_unheard));
        Arc::new(move |words| {
            if n_unheard.load(Ordering::Relaxed) < MAX_UNHEARD {
                n_unheard.fetch_add(1, Ordering::Relaxed);
                let _ = news.send(News::Said(words));
            }
        })
    }
}

impl<T> Drop for Teller<T> {
    /// Whoever waits must not wait for ever, even if the task died.
    fn drop(&mut self) {
        if !self.is_over {
            let trouble = Trouble::Gone("what was asked ended without an end".to_owned());
            let _ = self.news.send(News::Over(Err(trouble)));
        }
    }
}

/// The task goes with whoever waits for it.
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
    hear: &mut dyn FnMut(&str),
    work: impl FnOnce(Teller<T>) -> F,
) -> Result<T, Trouble>
where
    T: Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let (news, heard) = mpsc::channel();
    let to_cancel = news.clone();
    let _listening = cancel.listen(move || {
        let _ = to_cancel.send(News::Cancelled);
    });
    let n_unheard = Arc::new(AtomicUsize::new(0));
    let teller = Teller {
        news,
        n_unheard: Arc::clone(&n_unheard),
        is_over: false,
    };
    let task = handle.spawn(work(teller));
    let _task = Task(task.abort_handle());
    loop {
        match heard.recv() {
            Ok(News::Said(words)) => {
                n_unheard.fetch_sub(1, Ordering::Relaxed);
                hear(&words);
            }
            Ok(News::Over(result)) => return result,
            Ok(News::Cancelled) | Err(_) => return Err(Trouble::Cancelled),
        }
    }
}
