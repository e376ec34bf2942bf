//! The tool `complete_task`: how a sub-agent says that it is done, and what came of it.

/// The name that models know it by.
pub const NAME: &str = "complete_task";
