//! Conversations on disk: Gemini CLI's own records, and those of other agents.
//!
//! A record is bytes, and reading them never fails, whatever they say. All agents' records become a
//! [`Transcript`](transcript::Transcript): that is what is listed, shown and searched.
//!
//! ```
//! use analects_session::from_gemini::transcript;
//! use analects_session::headline::headline;
//! use analects_session::replay::replay;
//!
//! let bytes = br#"{"sessionId":"s","projectHash":"p"}
//! {"id":"m1","type":"user","content":"please fix the parser"}
//! {"id":"m2","type":"gem"#;
//! let replayed = replay(bytes.to_vec());
//! assert_eq!(replayed.problems().len(), 1); // the last line is torn
//! let transcript = transcript(&replayed);
//! let prompts = transcript.prompts().map(|turn| &*turn.text);
//! assert_eq!(headline(prompts).as_deref(), Some("Fix the parser"));
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
pub mod ours;
pub mod record;
pub mod replay;
pub mod retention;
pub mod scratchpad;
pub mod search;
pub mod stamp;
mod tool_args;
pub mod transcript;
