//! Telling a person that long work is going on.

/// Somebody who waits.
pub trait Progress: Sync {
    /// How much of it is done. Reported often; whoever shows it decides how often.
    fn tell(&self, what: &str, n_done: usize, n_all: usize);
}

/// Nobody waits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn tell(&self, _: &str, _: usize, _: usize) {}
}
