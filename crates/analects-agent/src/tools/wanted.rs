//! What a model wants of a tool.

use analects_world::models::Tool;
use serde_json::Value;

use super::{Refusal, RefusalKind};

/// What a model wants, with arguments that have the right shape.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Wanted {}

impl Wanted {
    /// Reads a call.
    pub fn read(name: &str, args: &Value) -> Result<Self, Refusal> {
        let _ = args;
        Err(Refusal::new(RefusalKind::UnknownTool, name))
    }
}

/// The tools as a model is told of them.
#[must_use]
pub fn offered() -> Vec<Tool> {
    Vec::new()
}
