//! Records of other agents: Claude Code's and Codex', as [`Transcript`]s.
//!
//! Bytes in, a transcript and problems out, whatever the bytes are: files cut at any byte, lines of many
//! megabytes, kinds of lines that are newer than we are. A line is looked at where it lies; only what a
//! transcript keeps is copied, and long texts only in part ([`Limits`]).
//!
//! ```
//! use analects_session::foreign::{Limits, claude, name};
//!
//! let named = name::claude("5f2e.jsonl").unwrap();
//! let line = r#"{"type":"user","uuid":"1","message":{"role":"user","content":"Where is the pond?"}}"#;
//! let (record, problems) = claude::read(line.as_bytes(), &named, Limits::USUAL);
//! assert_eq!(record.transcript.turns[0].text, "Where is the pond?");
//! assert!(problems.is_empty());
//! ```

pub mod claude;
pub mod codes;
pub mod codex;
pub mod name;
pub mod resume;

mod clip;
mod json;
mod lines;
mod story;
mod tools;

use crate::transcript::Transcript;

/// The longest path a system knows.
const MAX_PATH_BYTES: usize = 4096;

/// What one file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The conversation in it.
    pub transcript: Transcript,
    /// What it goes on from, if it is not a beginning.
    pub continues: Option<Base>,
    /// The numbers of turns on ways that were left: they were said, but what is going on knows nothing of them.
    pub left: Vec<usize>,
}

/// The conversation that another one goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// Its name. Not to be trusted as a part of a path.
    pub id: String,
    /// How many bytes of its file come before this one. Where that is not said, this file repeats what it needs.
    pub end: Option<u64>,
}

/// How much of a text is kept: of a longer one its beginning and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of what a person, a model or the program says at once.
    pub text_bytes: usize,
    /// Of what a tool is asked, and of what it answers.
    pub tool_bytes: usize,
}

impl Limits {
    /// Enough for people and for search.
    pub const USUAL: Self = Self {
        text_bytes: 256 * 1024,
        tool_bytes: 16 * 1024,
    };
}
