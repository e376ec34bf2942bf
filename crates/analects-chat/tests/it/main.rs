//! The chat room as a whole: on random histories, on very long ones, and beside the original.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

mod histories;
mod loops;
mod made_up;
mod outputs;
mod reductions;
mod tokens;
mod valid;
mod valid_peer;
