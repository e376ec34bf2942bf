//! Cancellation of work that somebody waits for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A wish to stop, shared by whoever may have it and whoever must heed it. It cannot be taken back.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_cancelled: bool,
    next: u64,
    heard_by: BTreeMap<u64, Box<dyn FnOnce() + Send>>,
}

/// Somebody who wants to be told at once, as long as this lives.
#[must_use = "whoever drops this is not told"]
pub struct Listening {
    cancel: Cancel,
    number: Option<u64>,
}

impl Cancel {
    /// Nobody wants to stop yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whoever listens is told, in this thread; whoever asks later learns it too.
    pub fn cancel(&self) {
        let heard_by = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_cancelled = true;
            std::mem::take(&mut state.heard_by)
        };
        // Without the lock: who is told may want to stop listening.
        for tell in heard_by.into_values() {
            tell();
        }
    }

    /// Whether somebody wants to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_cancelled
    }

    /// Calls `tell` as soon as somebody wants to stop; at once, if somebody does already.
    pub fn listen(&self, tell: impl FnOnce() + Send + 'static) -> Listening {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = if state.is_cancelled {
            drop(state);
            tell();
            None
        } else {
            let number = state.next;
            state.next += 1;
            state.heard_by.insert(number, Box::new(tell));
            Some(number)
        };
        Listening {
            cancel: self.clone(),
            number,
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let Some(number) = self.number else { return };
        let state = &self.cancel.0;
        let told = {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.heard_by.remove(&number)
        };
        drop(told);
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn who_listens_is_told_once_and_who_left_is_not() {
        let (tell, told) = mpsc::channel();
        let cancel = Cancel::new();
        let send = |word| {
            let tell = tell.clone();
            move || tell.send(word).unwrap()
        };
        let _stays = cancel.listen(send("stays"));
        drop(cancel.listen(send("left")));
        assert!(!cancel.is_cancelled());
        cancel.clone().cancel();
        cancel.cancel();
        let _late = cancel.listen(send("late"));
        assert!(cancel.is_cancelled());
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["stays", "late"]);
    }
}
