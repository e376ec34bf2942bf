//! Finding what was said, in the conversations of all agents.
//!
//! [`document::entry`] says what an index holds of a conversation; [`Query::parse`] reads a question;
//! [`find`] asks the index and ranks what it answers; [`snippet`] cuts from the text what is shown of a
//! hit. The index is a door: it keeps places of words and no text.

pub mod document;
mod lexicon;
mod query;
mod rank;
mod snippet;
pub mod words;

pub use query::Query;
pub use rank::{Hit, Options, find};
pub use snippet::{Snippet, snippet, snippet_of};

#[cfg(test)]
mod tests;
