//! Waiting for a server's answer, and hearing how far it is.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use analects_world::Cancel;
use analects_world::servers::Trouble;
use tokio::runtime::Handle;

use crate::reactor::errand;

/// How many words may wait to be heard; what comes beyond is not told.
const MAX_UNHEARD: usize = 16;

/// Somebody who hears how far it is.
pub(super) type Say = Arc<dyn Fn(String) + Send + Sync>;

/// Tells whoever waits how far it is, and that it is over.
pub(super) struct Teller<T> {
    teller: errand::Teller<String, Result<T, Trouble>>,
    n_unheard: Arc<AtomicUsize>,
}

impl<T: Send + 'static> Teller<T> {
    /// It is over.
    pub(super) fn over(self, result: Result<T, Trouble>) {
        self.teller.over(result);
    }

    /// A way to say how far it is.
    pub(super) fn say(&self) -> Say {
        let (voice, n_unheard) = (self.teller.voice(), Arc::clone(&self.n_unheard));
        Arc::new(move |words| {
            if n_unheard.load(Ordering::Relaxed) < MAX_UNHEARD {
                n_unheard.fetch_add(1, Ordering::Relaxed);
                voice.word(words);
            }
        })
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
    let n_unheard = Arc::new(AtomicUsize::new(0));
    let heard = Arc::clone(&n_unheard);
    let hear_one = |words: String| {
        heard.fetch_sub(1, Ordering::Relaxed);
        hear(&words);
        ControlFlow::Continue(())
    };
    let lost = || {
        Err(Trouble::Gone(
            "what was asked ended without an end".to_owned(),
        ))
    };
    let work = |teller| work(Teller { teller, n_unheard });
    let ended = errand::run(handle, cancel, lost, hear_one, work);
    ended.unwrap_or(Err(Trouble::Cancelled))
}
