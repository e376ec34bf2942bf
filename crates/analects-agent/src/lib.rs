//! One turn of an agent: what happens next, which tools exist, and what they may do.
//!
//! Nothing here calls a model, writes a file or asks a person: it all returns values that the engine acts on. A
//! [`turn`] says what to do next and is told the outcome; [`tools`] read and plan; [`policy`] allows or denies a call;
//! a [`mention`] brings a file along; a [`hook`] lets the user's own programs decide; a [`subagent`] runs one task;
//! [`activity`] counts what happens.

pub mod activity;
pub mod hook;
pub mod mention;
pub mod policy;
pub mod subagent;
pub mod tools;
pub mod turn;
