//! The chat room as a whole, beside the original.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

mod loops;
