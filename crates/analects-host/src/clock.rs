//! This machine's clock.

use std::time::{SystemTime, UNIX_EPOCH};

use analects_world::Clock;

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
}
