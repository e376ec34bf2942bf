//! What time it is.

use crate::Cancel;

/// The clock on the wall. It may be wrong, and it may go back.
pub trait Clock: Sync {
    /// Milliseconds since the beginning of 1970.
    fn now_ms(&self) -> u64;

    /// Waits this long, or until somebody cancels.
    fn wait(&self, ms: u64, cancel: &Cancel);
}
