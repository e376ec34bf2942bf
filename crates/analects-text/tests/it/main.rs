//! The secret scanner from the outside: what it must find, what it must leave, what always holds.
#![expect(
    clippy::unwrap_used,
    reason = "a broken case should stop its test at once"
)]

mod look_alikes;
mod made_up;
mod properties;
mod secrets;
