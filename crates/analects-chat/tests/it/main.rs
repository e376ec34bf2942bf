//! The chat room as a whole: beside the original, and on histories that nobody wrote.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

mod made_up;
mod outputs;
