//! Talk → request: what is sent to a model, and what was left out.
//!
//! Histories in, histories and plans out. Nothing here asks a model, writes a file or knows the time: what
//! has to be done outside stands in a plan, and what came of it is given back.

pub mod audit;
pub mod budget;
pub mod compress;
pub mod condense;
pub mod curate;
pub mod faults;
pub mod harden;
pub mod id;
pub mod keep;
pub mod limits;
pub mod loops;
pub mod mask;
pub mod reading;
mod said;
pub mod shape;
pub mod shorten;
pub mod swap;
pub mod view;
pub mod weigh;

#[cfg(test)]
mod sketch;
