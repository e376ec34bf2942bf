//! Talk → request: what is sent to a model, and what was left out.
//!
//! Histories in, histories and plans out. Nothing here asks a model, writes a file or knows the time: what
//! has to be done outside stands in a plan, and what came of it is given back.

pub mod limits;
pub mod loops;
pub mod shape;
pub mod weigh;
