//! Conversations on disk: Gemini CLI's own records, and those of other agents.
//!
//! A file is bytes; whatever they say, reading them never fails. What all agents have in common is a
//! [`Transcript`](transcript::Transcript): that is what is listed, shown and searched.
//!
//! ```
//! use analects_session::stamp::Stamp;
//!
//! let stamp = Stamp::parse("2026-08-21T10:00:00.000Z").unwrap();
//! assert_eq!(stamp.to_string(), "2026-08-21T10:00:00.000Z");
//! assert_eq!(Stamp::parse("yesterday"), None);
//! ```

pub mod codes;
pub mod foreign;
pub mod from_gemini;
pub mod headline;
pub mod history;
pub mod into_gemini;
mod json;
mod legacy;
pub mod markdown;
pub mod message;
pub mod record;
pub mod replay;
pub mod retention;
pub mod scratchpad;
pub mod search;
pub mod stamp;
mod tool_args;
pub mod transcript;
