//! Our wires against llama.cpp with a small model: a server that we did not write.
//!
//! `cargo xtask small-model` installs and starts it, `cargo xtask ci` too; without it each test says that it was
//! skipped, and with `CI=true` it fails. The model is told to be deterministic, and nothing here judges what it says.

mod answers;
mod bounds;
mod calls;
mod counts;
mod server;
