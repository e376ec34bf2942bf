//! Models: which one is asked, how it is asked, and what that cost.

mod address;
pub(crate) mod ask;
pub(crate) mod choose;
mod dotenv;
pub(crate) mod keys;
mod known;
pub mod ledger;
pub(crate) mod probe;
pub(crate) mod route;
