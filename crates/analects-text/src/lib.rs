//! Text: how long it is, where to cut it, what its Markdown says, and what must not get through.
//!
//! Everything here is a pure function on `&str` or bytes. No paths, no formats, no knowledge of memory.
//!
//! ```
//! use analects_text::tokens;
//!
//! // Four ASCII characters make a token, a CJK character one and a half.
//! assert_eq!(tokens::estimate("remember this"), 3);
//! assert_eq!(tokens::estimate("记住这个"), 6);
//! ```

pub mod decode;
pub mod frontmatter;
pub mod hidden;
pub mod hunks;
pub mod likeness;
pub mod lines;
pub mod markdown;
pub mod mix;
pub mod neutralise;
pub mod outline;
pub mod parts;
pub mod patch;
pub mod problem;
pub mod redact;
pub mod sanitize;
pub mod screen;
pub mod script;
pub mod shell_line;
pub mod tokens;
pub mod trim;
pub mod truncate;
pub mod units;
