//! The binary as a whole: real processes on a real disk, one case a verb, and bad input.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "these tests drive the real binary on a real disk, and stop at the first surprise"
)]

mod agent;
mod bad_input;
mod chat;
mod check;
mod docs;
mod extract;
mod help;
mod homeless;
mod hook;
mod hostile;
mod identity;
mod inbox;
mod latest;
mod mcp;
mod mcp_http;
mod models;
mod private_state;
mod pty;
mod sandbox;
mod schemas;
mod scope;
mod screen;
mod session;
mod setup;
mod skill;
mod skill_install;
mod small_model;
mod talk;
mod terminal;
mod tidy;
mod tour;
mod verbs;
mod widening;
mod write;
mod writers;
