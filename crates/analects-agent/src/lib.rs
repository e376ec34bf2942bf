//! One turn of an agent: what happens next, which tools there are, and what they may do.
//!
//! Nothing here asks a model, writes a file or asks a person. A [`turn`] says what is to be done next and is told
//! what came of it; [`tools`] look and plan; [`policy`] says yes or no; a [`mention`] brings a file along; programs of the
//! user's have their say at a [`hook`]; a [`subagent`] is sent with one task; [`activity`] counts what happens.

pub mod activity;
pub mod hook;
pub mod mention;
pub mod policy;
pub mod subagent;
pub mod tools;
pub mod turn;
