//! Records of real agents, and of ones that went wrong.
#![expect(
    clippy::unwrap_used,
    reason = "a broken fixture should stop its test at once"
)]

mod foreign;
