//! This machine's clock.

use std::sync::mpsc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use analects_world::{Cancel, Clock};

/// The clock on the wall.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now_ms(&self) -> u64 {
        // A clock before 1970 is not set yet.
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| {
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        })
    }

    fn wait(&self, ms: u64, cancel: &Cancel) {
        let (tell, told) = mpsc::channel();
        let stays = tell.clone();
        let _listening = cancel.listen(move || {
            let _ = tell.send(());
        });
        // Told or not: the waiting is over. The other sender keeps an early drop from ending it.
        let _ = told.recv_timeout(Duration::from_millis(ms));
        drop(stays);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_wait_ends_when_its_time_is_over_or_somebody_cancels() {
        let cancel = Cancel::new();
        WallClock.wait(1, &cancel);
        thread::scope(|scope| {
            scope.spawn(|| cancel.cancel());
            WallClock.wait(u64::MAX, &cancel);
        });
        // Who comes later does not wait at all.
        WallClock.wait(u64::MAX, &cancel);
    }
}
