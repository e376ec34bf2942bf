//! The memory room as a whole: beside the original, and against bad input.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

mod bad_input;
mod peer;
mod save;
