//! Wiring Analects into other agents, and taking it out again.
//!
//! A host is a table: its files, and what we want in each of them (`gemini`, `claude`, `codex`). `rewire`
//! makes a file say that and touches nothing else; `record` remembers how a file was before, so that it
//! can become that again to the byte; `change` commits all files of a host at once; `status` looks.

mod change;
mod claude;
mod codex;
mod draft;
mod file;
mod gemini;
mod ours;
mod record;
mod rewire;
mod status;
mod wanted;

pub use change::{Changed, Direction, FileChange, FileState, change};
pub use status::{Seen, State, status};
pub use wanted::Scope;

#[cfg(test)]
mod tests;
