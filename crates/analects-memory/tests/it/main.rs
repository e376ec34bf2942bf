//! The memory room as a whole: beside the original, and against bad input.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a broken golden should stop its test, and the differences are counted aloud"
)]

mod bad_input;
mod peer;
