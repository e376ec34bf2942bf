//! Models: which one is asked, how it is asked, and what that cost.

mod address;
pub mod ask;
pub mod choose;
mod dotenv;
pub mod keys;
mod known;
pub mod ledger;
pub mod probe;
pub mod route;
