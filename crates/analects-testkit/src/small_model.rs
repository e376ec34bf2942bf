//! A real server with a small model, where a test run has one.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// A real server with a small model, which no other test of this process asks meanwhile.
#[derive(Debug)]
pub struct SmallModel {
    /// Where it is, without what a wire adds: `http://127.0.0.1:PORT`.
    pub address: String,
    /// What opens it.
    pub key: String,
    _alone: MutexGuard<'static, ()>,
}

/// The server has one slot, and what is measured must not wait for another test.
static ALONE: Mutex<()> = Mutex::new(());
/// It is said for all tests at once.
static SKIPPED: Once = Once::new();

impl SmallModel {
    /// What the server calls its model.
    pub const NAME: &str = "smollm2";

    /// The server, or nothing where it may be missing, which is said.
    ///
    /// # Panics
    ///
    /// If it is missing where `CI` is `true`: there a test that does not run is a failure.
    #[must_use]
    pub fn find() -> Option<Self> {
        let Some(address) = variable("ANALECTS_SMALL_MODEL") else {
            let is_ci = variable("CI").is_some_and(|value| value == "true");
            assert!(!is_ci, "no small model: run `cargo xtask small-model`");
            SKIPPED.call_once(|| {
                // Past the test harness, which keeps what tests that pass print to itself.
                let _ = writeln!(
                    io::stderr(),
                    "skipped: no small model here (`cargo xtask small-model` brings one)"
                );
            });
            return None;
        };
        Some(Self {
            address,
            key: variable("ANALECTS_SMALL_MODEL_KEY").unwrap_or_default(),
            _alone: ALONE.lock().unwrap_or_else(PoisonError::into_inner),
        })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests says here where the server is"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
