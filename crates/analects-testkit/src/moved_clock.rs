//! A clock that a test moves.

use std::sync::atomic::{AtomicU64, Ordering};

use analects_world::{Cancel, Clock};

/// A clock that stands still until somebody moves it, or waits by it.
#[derive(Debug, Default)]
pub struct MovedClock(AtomicU64);

impl MovedClock {
    /// From now on it is this much later.
    pub fn move_on(&self, ms: u64) {
        self.0.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for MovedClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Nobody waits in a test: it is later at once.
    fn wait(&self, ms: u64, _: &Cancel) {
        self.move_on(ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_later_once_somebody_moved_it_or_waited() {
        let clock = MovedClock::default();
        assert_eq!(clock.now_ms(), 0);
        clock.move_on(40);
        clock.wait(2, &Cancel::new());
        assert_eq!(clock.now_ms(), 42);
    }
}
