//! Records of real agents, and of ones that went wrong.
#![expect(
    clippy::unwrap_used,
    reason = "a broken fixture should stop its test at once"
)]

mod foreign;
//! The session room as a whole: beside the original, on cut files, on soups of records, on hostile ones.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

mod cut;
mod hostile;
mod peer;
mod recorded;
mod soup;
