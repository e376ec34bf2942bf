//! What happened so far, for the test that waits for it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::received::Received;

/// How long a test waits for something that does not happen.
const WAIT: Duration = Duration::from_secs(20);

/// Every request in the order in which it was read to its end.
#[derive(Default)]
pub(super) struct Log {
    entries: Mutex<Vec<Entry>>,
    changed: Condvar,
}

struct Entry {
    /// `None` as long as the test only speaks of it.
    received: Option<Received>,
    state: State,
    /// A permit for each time that the test released it.
    gate: Arc<Semaphore>,
}

/// How far the answer to a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Something may still go out, or nobody asked yet.
    Open,
    /// Nothing goes out before the test releases it.
    Held,
    /// All went out, or as much as was meant to.
    Over,
    /// The client left before that.
    Left,
}

/// One request, watched from its arrival until all is out. Whoever drops this earlier says that the client left.
pub(super) struct Watch {
    log: Arc<Log>,
    number: usize,
    is_over: bool,
}

impl Log {
    /// Takes a request in.
    pub(super) fn receive(self: &Arc<Self>, received: Received) -> Watch {
        let mut entries = self.entries();
        let number = entries
            .iter()
            .position(|entry| entry.received.is_none())
            .unwrap_or(entries.len());
        entry(&mut entries, number).received = Some(received);
        drop(entries);
        self.changed.notify_all();
        Watch {
            log: Arc::clone(self),
            number,
            is_over: false,
        }
    }

    /// All requests so far.
    pub(super) fn received(&self) -> Vec<Received> {
        let entries = self.entries();
        let received = entries.iter().filter_map(|entry| entry.received.clone());
        received.collect()
    }

    /// Waits until there are this many requests; whether there are.
    pub(super) fn wait_received(&self, number: usize) -> bool {
        self.wait(number, |entry| entry.received.is_some().then_some(true))
            .unwrap_or(false)
    }

    /// Waits until the answer to a request is in a state that `is` wants to know; `None` if it never is.
    pub(super) fn wait_state(&self, number: usize, is: impl Fn(State) -> bool) -> Option<State> {
        self.wait(number, |entry| is(entry.state).then_some(entry.state))
    }

    /// Waits until any answer is held; the number of the first that is.
    pub(super) fn wait_held(&self) -> Option<usize> {
        let is_held = |entry: &Entry| entry.state == State::Held;
        let waits = |entries: &mut Vec<Entry>| !entries.iter().any(is_held);
        let (entries, _) = self
            .changed
            .wait_timeout_while(self.entries(), WAIT, waits)
            .unwrap_or_else(PoisonError::into_inner);
        entries.iter().position(is_held)
    }

    /// Lets the next thing go that is held for a request, or that will be.
    pub(super) fn release(&self, number: usize) {
        let mut entries = self.entries();
        let entry = entry(&mut entries, number);
        entry.gate.add_permits(1);
        // At once: whoever waits for the next time that it is held does not mean this one.
        if entry.state == State::Held {
            entry.state = State::Open;
        }
    }

    fn wait<T>(&self, number: usize, look: impl Fn(&Entry) -> Option<T>) -> Option<T> {
        let mut entries = self.entries();
        entry(&mut entries, number);
        let waits = |entries: &mut Vec<Entry>| look(&entries[number]).is_none();
        let (entries, _) = self
            .changed
            .wait_timeout_while(entries, WAIT, waits)
            .unwrap_or_else(PoisonError::into_inner);
        look(&entries[number])
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// All went out.
    pub(super) fn over(mut self) {
        self.is_over = true;
        self.set(State::Over);
    }

    /// Waits until the test releases it.
    pub(super) async fn hold(&self) {
        let gate = {
            let mut entries = self.log.entries();
            Arc::clone(&entry(&mut entries, self.number).gate)
        };
        if let Ok(permit) = gate.try_acquire() {
            // Released before it came to this.
            return permit.forget();
        }
        self.set(State::Held);
        if let Ok(permit) = gate.acquire().await {
            permit.forget();
        }
    }

    fn set(&self, state: State) {
        entry(&mut self.log.entries(), self.number).state = state;
        self.log.changed.notify_all();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.is_over {
            self.set(State::Left);
        }
    }
}

fn entry(entries: &mut Vec<Entry>, number: usize) -> &mut Entry {
    while entries.len() <= number {
        entries.push(Entry {
            received: None,
            state: State::Open,
            gate: Arc::new(Semaphore::new(0)),
        });
    }
    &mut entries[number]
}
