//! `analects` at a terminal: a conversation, with memory one keystroke away.
//!
//! Who works, and by which rules, is the engine's business; here stand the line that is typed, what is painted while
//! a model speaks, and the one way in which a person is asked.

pub(crate) mod paint;
pub(crate) mod picker;
