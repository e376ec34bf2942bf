//! A fact to remember, and where it goes in a memory file.
//!
//! Everything outside what is inserted stays as it is, byte for byte.

mod fact;
mod insert;

pub use fact::{Fact, Refused};
pub use insert::{Frame, Insertion, Style, insert};

/// The heading under which facts are noted; Gemini CLI writes and reads the same.
pub const SECTION: &str = "Gemini Added Memories";

#[cfg(test)]
mod tests;
