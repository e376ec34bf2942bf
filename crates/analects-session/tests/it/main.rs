//! The session room as a whole: beside the original, on records of real agents, on cut files, on soups of
//! records, on hostile ones.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

mod corpus;
mod cut;
mod foreign;
mod hostile;
mod peer;
mod recorded;
mod soup;
